// @ts-check
// What hands do at the virtual board, sent in order: buttons go down and up, tags come to readers and go.

import { post } from "../shared/request.js";

/** A contact that is closed or open for less counts as a bounce. */
const PRESS_MS = 80;
/** A reader reports a tag after seeing it in two scans in a row. */
const TAP_MS = 400;
/** A reader takes this long to report that a tag is gone. */
const APART_MS = 250;

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, Math.max(0, ms)));
}

/**
 * Returns a function that does one thing after another.
 * @returns {<T>(work: () => Promise<T>) => Promise<T>}
 */
function inOrder() {
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  return (work) => (last = last.then(work, work));
}

/**
 * Sends something to the board; a request under way survives leaving the page.
 * @param {string} path
 * @param {object} body
 */
async function tell(path, body) {
  await post(path, body, { keepalive: true });
}

/**
 * The hands of this page.
 * @param {(place: string) => boolean} hasReader
 */
export function makeHands(hasReader) {
  const buttons = inOrder();
  const readers = inOrder();
  /** The buttons that fingers are on. @type {Set<string>} */
  const down = new Set();
  /** The buttons reported to the board as down, and since when. @type {Map<string, number>} */
  const told = new Map();
  /** When each button was last released. @type {Map<string, number>} */
  const released = new Map();
  /** When the last tag left each reader. @type {Map<string, number>} */
  const gone = new Map();

  /** @param {string} button */
  function press(button) {
    if (down.has(button)) return;
    down.add(button);
    void buttons(async () => {
      await pause((released.get(button) ?? -PRESS_MS) + PRESS_MS - performance.now());
      told.set(button, performance.now());
      await tell("/board/button", { button, down: true });
      told.set(button, performance.now());
    });
  }

  /** @param {string} button */
  function release(button) {
    if (!down.delete(button)) return Promise.resolve();
    return buttons(async () => {
      await pause((told.get(button) ?? 0) + PRESS_MS - performance.now());
      if (!told.delete(button)) return;
      await tell("/board/button", { button, down: false });
      released.set(button, performance.now());
    });
  }

  /** Presses a button and releases it at once. @param {string} button */
  function push(button) {
    press(button);
    return release(button);
  }

  function letGo() {
    for (const button of [...down]) void release(button);
  }

  /** Releases every button when the page goes: there is no time to wait for anything. */
  function leave() {
    for (const button of told.keys()) void tell("/board/button", { button, down: false });
    told.clear();
    down.clear();
  }

  /**
   * Holds a piece to the reader of a place for a moment; where there is no reader, presses the button instead.
   * @param {string} piece
   * @param {string} place
   */
  function show(piece, place) {
    if (!hasReader(place)) return push(place);
    return readers(async () => {
      const which = `${piece} ${place}`;
      await pause((gone.get(which) ?? 0) + APART_MS - performance.now());
      await tell("/board/tag", { piece, place, put: true });
      await pause(TAP_MS);
      await tell("/board/tag", { piece, place, put: false });
      gone.set(which, performance.now());
    });
  }

  window.addEventListener("blur", letGo);
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => document.hidden && letGo());
  return { press, release, push, show };
}

/** @typedef {ReturnType<typeof makeHands>} Hands */
