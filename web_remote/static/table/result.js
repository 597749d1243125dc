// The result: the points over the game as lines, and where they came from as a table with bars.

import { el, page, post, renew, t } from "../shared/page.js";
import { lineChart } from "./chart.js";
import { shapeOf } from "./shapes.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageChart} PageChart
 */

/**
 * @param {HTMLElement} where
 * @param {PageState} state
 */
export function showResult(where, state) {
  const chart = state.chart;
  if (!chart) return;
  const seats = [...state.seats]
    .sort((a, b) => b.score - a.score)
    .map(({ colour, name, score }) => ({ colour, name, score, won: state.winners.includes(colour) }));
  const sources = /** @type {HTMLElement} */ (where.querySelector(".sources"));
  renew(sources, [chart, seats], () => [
    sourcesTable(chart.sources, seats),
    page.table
      ? el("button", { class: "main", type: "button", click: () => void post("/table/new", {}) }, t("another-game"))
      : null,
  ]);
  const lines = /** @type {HTMLElement} */ (where.querySelector(".chart"));
  const rounds = chart.rounds.map((move, index) => ({ move, number: page.rounds[state.rounds]?.[index] ?? index + 1 }));
  renew(lines, [chart, seats], () => [lineChart(lines, chart.points, rounds, seats, t("chart"))]);
}

/**
 * Returns a table with a column per seat, the best first, and a bar below each number, all to the same scale.
 * @param {PageChart["sources"]} sources
 * @param {{colour: string, name: string, score: number, won: boolean}[]} seats
 */
function sourcesTable(sources, seats) {
  const most = Math.max(1, ...seats.flatMap(({ colour }) => Object.values(sources[colour])));
  const kind = (/** @type {typeof seats[0]} */ { colour, won }) => ({ class: `piece ${colour}${won ? " won" : ""}` });
  const row = (/** @type {string} */ name, /** @type {Node[]} */ cells) =>
    el("tr", {}, el("th", { scope: "row" }, t(name)), ...cells);
  const heads = seats.map((seat) =>
    el("th", { scope: "col", ...kind(seat) }, shapeOf(seat.colour), " ", el("span", { class: "called" }, seat.name)),
  );
  return el(
    "table",
    {},
    el("caption", { class: "unseen" }, t("sources")),
    el("thead", {}, el("tr", {}, el("td"), ...heads)),
    el(
      "tbody",
      {},
      row(
        "score",
        seats.map((seat) => el("td", kind(seat), el("b", {}, String(seat.score)))),
      ),
      ...page.sources.map((source) =>
        row(
          `source-${source}`,
          seats.map((seat) => el("td", kind(seat), ...barred(sources[seat.colour][source] ?? 0, most))),
        ),
      ),
    ),
  );
}

/**
 * @param {number} points
 * @param {number} most
 */
function barred(points, most) {
  const bar = el("span", { class: "bar", "aria-hidden": "true" });
  bar.style.inlineSize = `${(100 * points) / most}%`;
  return [el("span", { class: "points" }, String(points)), bar];
}
