// A scoring place by place: who has how many there, what that pays, and why; or what a place would pay now.

import { el, page, renew, t } from "./page.js";
import { shapeOf } from "./shapes.js";

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").PageScoring} PageScoring
 * @typedef {import("./state.js").PageGain} PageGain
 */

/** @param {PageGain|undefined} gain */
export const total = (gain) => (gain ? gain.rank + gain.king + gain.grande : 0);

/**
 * Shows the scoring under way: a row per place, the latest in words.
 * @param {HTMLElement} where
 * @param {PageState} state
 */
export function showScoring(where, state) {
  const show = state.scoring;
  where.hidden = !show;
  renew(where, [show, state.seats.map(({ name, score }) => [name, score])], () => {
    if (!show) return [];
    const last = show.rows[show.rows.length - 1];
    return [
      el("h2", {}, show.card ? `${t("scoring")}: ${show.card.title}` : t("general-scoring")),
      show.rows.length ? rowsTable(state, show) : null,
      !last
        ? el("p", {}, show.card?.text ?? t("dials-turned"))
        : el("p", { class: "spoken" }, show.totals ? totalWords(state, show.rows) : last.words),
      el("p", { class: "ties" }, t("ties")),
    ];
  });
}

/**
 * Returns what a seat gets for several places together.
 * @param {string} colour
 * @param {PageScoring[]} rows
 */
const gained = (colour, rows) => rows.reduce((sum, { gains }) => sum + total(gains[colour]), 0);

/**
 * Returns what everybody has got in this scoring, and has now.
 * @param {PageState} state
 * @param {PageScoring[]} rows
 */
function totalWords({ seats }, rows) {
  const ranked = [...seats].sort((a, b) => b.score - a.score);
  return ranked.map(({ colour, name, score }) => `${name} ${score} (+${gained(colour, rows)})`).join(", ");
}

/**
 * @param {PageState} state
 * @param {import("./state.js").PageScoringShow} show
 */
function rowsTable(state, { rows, totals }) {
  const heads = state.seats.map(({ colour, name }) =>
    el("th", { scope: "col" }, shapeOf(colour), el("span", { class: "unseen" }, name)),
  );
  return el(
    "table",
    { class: "scored-places" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen" }, t("place"))), ...heads)),
    el(
      "tbody",
      {},
      ...rows.map((row, index) =>
        el(
          "tr",
          index === rows.length - 1 && !totals ? { class: "last" } : {},
          el("th", { scope: "row" }, page.places[row.place], " ", el("small", {}, row.values.join("/"))),
          ...state.seats.map(({ colour }) => el("td", {}, ...cell(row, colour))),
        ),
      ),
    ),
    el(
      "tfoot",
      {},
      el(
        "tr",
        totals ? { class: "last" } : {},
        el("th", { scope: "row" }, t("score")),
        ...state.seats.map(({ colour, score }) =>
          el("td", {}, el("b", {}, `${score}`), el("small", {}, ` +${gained(colour, rows)}`)),
        ),
      ),
    ),
  );
}

/**
 * @param {PageScoring} row
 * @param {string} colour
 */
function cell(row, colour) {
  const count = row.counts[colour];
  if (!count) return ["–"];
  const gain = row.gains[colour];
  return [el("b", {}, gain ? `+${total(gain)}` : "0"), el("small", {}, ` ${count}${bonusSigns(gain)}`)];
}

/** @param {PageGain|undefined} gain */
const bonusSigns = (gain) => `${gain?.king ? " ♛" : ""}${gain?.grande ? " ★" : ""}`;

/**
 * Returns what a place would pay if it were scored now, in words, seat by seat.
 * @param {string} place
 * @param {PageState} state
 */
export function payoutWords(place, state) {
  const payout = state.payouts[place];
  if (!payout) return [el("p", {}, t("payout-secret"))];
  const ranked = state.seats
    .filter(({ colour }) => payout.counts[colour])
    .sort((a, b) => payout.counts[b.colour] - payout.counts[a.colour]);
  if (!ranked.length) return [el("p", {}, t("payout-nobody"))];
  return [
    el(
      "ul",
      { class: "payout" },
      ...ranked.map(({ colour, name }) => {
        const gain = payout.gains[colour];
        const parts = [
          t("payout-seat", { name, count: payout.counts[colour], points: total(gain) }),
          gain?.king ? t("payout-king", { points: gain.king }) : "",
          gain?.grande ? t("payout-grande", { points: gain.grande }) : "",
        ];
        return el("li", {}, shapeOf(colour), " ", el("span", {}, parts.filter(Boolean).join(" ")));
      }),
    ),
  ];
}
