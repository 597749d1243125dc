// A scoring, shown place by place: the place is highlighted, its points fly to the track, and the points are listed.

import { el, renew, t } from "../shared/page.js";
import { shapeOf } from "./shapes.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageScoring} PageScoring
 * @typedef {import("./map.js").TableMap} TableMap
 */

const PLACE_MS = 700;
/** How long a place that pays nobody is shown. */
const NOTHING_MS = 300;
/** How long the list stays once everything has been shown. */
const LINGER_MS = 8000;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Shows each scoring once, in order; scorings from before the page was opened are never shown.
 * @param {TableMap} map
 * @param {() => void} changed called when there is something new to show
 */
export function makeShow(map, changed) {
  /** How many scorings of the game need not be shown any more. @type {number|null} */
  let known = null;
  /** @type {PageScoring[]} */
  let queue = [];
  /** @type {PageScoring[]} */
  let listed = [];
  /** The scoring that is highlighted, and whether its points have arrived. @type {PageScoring|null} */
  let current = null;
  let running = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let clearing;

  /** @param {PageState} state */
  function hear(state) {
    const total = state.scorings_from + state.scorings.length;
    if (known !== null && total > known) queue.push(...state.scorings.slice(Math.max(0, known - state.scorings_from)));
    // A scoring that was undone is not shown.
    if (known !== null && total < known) forget();
    known = total;
    if (queue.length && !running) void run();
  }

  /** Skips everything received so far and in the next state, because nobody was looking. */
  function forget() {
    known = null;
    queue = [];
    listed = [];
  }

  async function run() {
    running = true;
    clearTimeout(clearing);
    for (let next = queue.shift(); next; next = queue.shift()) {
      const last = listed[listed.length - 1];
      listed = last?.move === next.move ? [...listed, next] : [next];
      current = next;
      changed();
      await showPlace(next);
    }
    current = null;
    running = false;
    clearing = setTimeout(() => {
      listed = [];
      changed();
    }, LINGER_MS);
    changed();
  }

  /** @param {PageScoring} scoring */
  async function showPlace(scoring) {
    const paid = Object.values(scoring.points).some(Boolean);
    if (!paid || calm.matches) await pause(paid ? PLACE_MS : NOTHING_MS);
    else await map.fly(scoring.place, scoring.points, PLACE_MS);
  }

  /**
   * Returns the scores as far as they have been shown.
   * @param {PageState} state
   */
  function scores(state) {
    const waiting = current ? [current, ...queue] : queue;
    return Object.fromEntries(
      state.seats.map((seat) => [
        seat.colour,
        Math.max(0, seat.score - waiting.reduce((sum, scoring) => sum + (scoring.points[seat.colour] ?? 0), 0)),
      ]),
    );
  }

  return { hear, forget, scores, place: () => current?.place ?? null, rows: () => listed };
}

/**
 * Shows what each place has paid to whom so far.
 * @param {HTMLElement} where
 * @param {PageState} state
 * @param {PageScoring[]} rows
 */
export function showScorings(where, state, rows) {
  where.hidden = !rows.length;
  const content = /** @type {HTMLElement} */ (where.querySelector(".content"));
  const seats = state.seats.map(({ colour, name }) => ({ colour, name }));
  renew(content, [seats, rows.map((row) => [row.move, row.place])], () => {
    if (!rows.length) return [];
    const head = seats.map(({ colour, name }) =>
      el("th", { scope: "col" }, shapeOf(colour), el("span", { class: "unseen" }, name)),
    );
    return [
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen" }, t("place"))), ...head)),
        el("tbody", {}, ...rows.map((row, index) => rowOf(row, seats, index === rows.length - 1))),
      ),
    ];
  });
}

/**
 * @param {PageScoring} row
 * @param {{colour: string}[]} seats
 * @param {boolean} last
 */
function rowOf(row, seats, last) {
  const cells = seats.map(({ colour }) => {
    const points = row.points[colour];
    const count = row.counts[colour];
    return el("td", {}, points ? el("b", {}, `+${points}`) : count ? "0" : "–");
  });
  return el("tr", last ? { class: "last" } : {}, el("th", { scope: "row" }, row.name), ...cells);
}
