// @ts-check
// What hands do at the virtual board, told in the order they do it: buttons go down and up, tags come to readers and
// go.

/** A contact that is closed for less is taken for a bounce. */
const PRESS_MS = 80;
/** A reader believes what it sees in two scans running. */
const TAP_MS = 400;
/** A reader takes as long to believe that a tag is gone. */
const APART_MS = 250;

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, Math.max(0, ms)));
}

/**
 * Does one thing after another.
 * @returns {<T>(work: () => Promise<T>) => Promise<T>}
 */
function inOrder() {
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  return (work) => (last = last.then(work, work));
}

/**
 * Tells the board something; what is under way goes on when the page is left.
 * @param {string} path
 * @param {object} body
 */
async function tell(path, body) {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, keepalive: true };
  await fetch(path, { ...request, body: JSON.stringify(body) }).catch(() => null);
}

/**
 * The hands of this page.
 * @param {(place: string) => boolean} hasReader
 */
export function makeHands(hasReader) {
  const buttons = inOrder();
  const readers = inOrder();
  /** What fingers are on. @type {Set<string>} */
  const down = new Set();
  /** What the board was told is down, and since when. @type {Map<string, number>} */
  const told = new Map();
  /** When a tag went from a reader. @type {Map<string, number>} */
  const gone = new Map();

  /** @param {string} button */
  function press(button) {
    if (down.has(button)) return;
    down.add(button);
    void buttons(async () => {
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
    });
  }

  /** Presses a button, and lets it go at once. @param {string} button */
  function push(button) {
    press(button);
    return release(button);
  }

  function letGo() {
    for (const button of [...down]) void release(button);
  }

  /** The page goes: there is no time to wait for anything. */
  function leave() {
    for (const button of told.keys()) void tell("/board/button", { button, down: false });
    told.clear();
    down.clear();
  }

  /**
   * Holds a piece to the reader of a place for a moment; where there is none, its button says as much.
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
