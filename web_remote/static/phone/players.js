// What everybody has: points, caballeros at court and in the province, power cards.

import { el, t } from "../shared/page.js";
import { icon, scoreMarker } from "../shared/pieces.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageSeat} PageSeat
 */

const COLUMNS = ["score", "court", "province", "hand"];

/** The mark of a seat. @param {PageSeat} seat */
export const mark = (seat) => icon(scoreMarker(seat.colour, 40), 44);

/** @param {PageState} state */
export function playersTable(state) {
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, el("span", { class: "unseen" }, t("players"))),
    ...COLUMNS.map((name) => el("th", { scope: "col" }, t(name))),
  );
  return [
    el("thead", {}, head),
    el(
      "tbody",
      {},
      ...state.seats.map((seat) =>
        el(
          "tr",
          { class: `seat-${seat.colour}${state.waiting_for.includes(seat.colour) ? " acting" : ""}` },
          el("th", { scope: "row" }, el("span", {}, mark(seat), el("span", { class: "called" }, seat.name))),
          ...COLUMNS.map((name) => el("td", { "data-name": t(name) }, String(numbers(seat)[name]))),
        ),
      ),
    ),
  ];
}

/** @param {PageSeat} seat @returns {Record<string, number>} */
const numbers = (seat) => ({ score: seat.score, court: seat.court, province: seat.province, hand: seat.cards });
