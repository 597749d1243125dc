// The result: the points over the game as lines, and where they came from as a table with bars.

import { el, page, post, renew, t } from "./page.js";
import { lineChart } from "./chart.js";
import { shapeOf } from "./shapes.js";

/**
 * @typedef {import("./state.js").PageChart} PageChart
 */

/**
 * @param {HTMLElement} where
 * @param {{seats: import("./state.js").ResultSeat[], winners: string[], chart?: PageChart}} state
 */
export function showResult(where, state) {
  const chart = state.chart;
  if (!chart) return;
  const seats = [...state.seats]
    .sort((a, b) => b.score - a.score)
    .map(({ colour, name, score }) => ({ colour, name, score, won: state.winners.includes(colour) }));
  if (!where.querySelector(".sources")) where.append(style(), ...skeleton());
  const sources = /** @type {HTMLElement} */ (where.querySelector(".sources"));
  const first = /** @type {HTMLElement} */ (where.querySelector(".first"));
  renew(first, [seats], () => [ranking(seats), again()]);
  renew(sources, [chart, seats], () => [sourcesTable(chart.sources, seats)]);
  const lines = /** @type {HTMLElement} */ (where.querySelector(".chart"));
  const rounds = chart.rounds.map((move, index) => ({ move, number: index + 1 }));
  renew(lines, [chart, seats], () => [lineChart(lines, chart.points, rounds, seats, t("chart"))]);
}

/** Its own style, which no page needs before the end. */
const style = () => el("link", { rel: "stylesheet", href: new URL("./result.css", import.meta.url).href });

/** The parts of a result that are filled in. */
const skeleton = () => [
  el(
    "div",
    { class: "outcome" },
    el("div", { class: "first" }),
    el("section", { class: "charted" }, el("h2", {}, t("chart")), el("div", { class: "chart" })),
    el("div", { class: "sources" }),
  ),
];

/** @typedef {{colour: string, name: string, score: number, won: boolean}} Ranked */

/**
 * Returns the players by points; those with equal points share a place.
 * @param {Ranked[]} seats the best first
 */
function ranking(seats) {
  return el(
    "ol",
    { class: "ranking", "aria-label": t("result") },
    ...seats.map((seat) =>
      el(
        "li",
        { class: `seat-${seat.colour}${seat.won ? " won" : ""}` },
        el("span", { class: "rank" }, `${seats.findIndex(({ score }) => score === seat.score) + 1}.`),
        " ",
        shapeOf(seat.colour),
        el("span", { class: "called" }, seat.name),
        " ",
        el("b", {}, String(seat.score)),
      ),
    ),
  );
}

/** Offers another game: with the same settings to whoever played, with others to whoever manages the table. */
function again() {
  if (page.page === "result" || !(page.table || page.seats.length)) return null;
  const play = () => void post("/table/new", {});
  return el(
    "p",
    { class: "again" },
    el("button", { class: "main", type: "button", "data-key": "again", click: play }, t("another-game")),
    page.table || !page.virtual
      ? el("a", { class: "button", href: "/new" }, t("other-settings"))
      : el("span", { class: "note" }, t("others-can")),
  );
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
