// What the others have done: each finished turn in one sentence, and the steps of the turn under way as they happen.

import { el, keep, t } from "./page.js";
import { shapeOf } from "./shapes.js";

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").PageHistoryTurn} PageHistoryTurn
 */

/** How many finished turns are shown at most. */
const MOST = 5;

/** Steps that say nothing new: the card is shown, and the turn's sentence follows. */
const SILENT = new Set(["end", "reveal", "start", "home"]);

/**
 * Shows what has happened since a seat's own last turn; without a seat, lately.
 * @param {HTMLElement} story made by `makeStory`
 * @param {PageHistoryTurn[]} turns
 * @param {string} own the seat of the page; empty if it has none
 */
export function showStory(story, turns, own) {
  const where = /** @type {HTMLElement} */ (story.firstElementChild);
  const finished = turns.filter((turn) => turn.summary);
  const since = own ? finished.map((turn) => turn.seat).lastIndexOf(own) + 1 : 0;
  const now = turns[turns.length - 1];
  // On a page of a seat all of them are told to screen readers, and none is missed.
  const first = own ? since : Math.max(since, finished.length - MOST);
  const items = finished.slice(first).map((turn, index) => ({
    key: `turn ${turn.last}`,
    kind: first + index < finished.length - MOST ? "turn unseen" : "turn",
    seat: turn.seat,
    words: turn.summary ?? "",
  }));
  const steps = !now || now.summary || now.seat === own ? [] : now.steps;
  const told = steps.filter(({ line }) => {
    const [who, verb] = line.split(" ");
    // What places pay is shown and told by itself.
    return !SILENT.has(verb) && who !== own && who !== "scored";
  });
  keep(where, [
    ...items.map(({ key, kind, seat, words }) => ({
      key: `${key} ${words}`,
      make: () => el("li", { class: kind }, seat ? shapeOf(seat) : null, " ", el("span", {}, words)),
    })),
    ...told.map(({ number, line, words }) => ({
      key: `step ${number} ${line}`,
      make: () => el("li", { class: "step" }, el("span", {}, words)),
    })),
  ]);
  items.forEach(({ kind }, at) => (where.children[at].className = kind));
}

/** Returns the log that `showStory` fills: what is added to its list is read aloud by screen readers. */
export function makeStory() {
  return el("div", { role: "log", "aria-label": t("story") }, el("ol", { class: "story" }));
}
