// A chart of points over the game, with its rounds: a line per colour, its shape where points were won, its name at the
// end.

import { draw, shape } from "./pieces.js";

/**
 * @typedef {import("./state.js").PageChart} PageChart
 * @typedef {{colour: string, name: string}} Line
 * @typedef {{move: number, number: number}} Round the move it began at, and what it is called
 */

const HEIGHT = 285;
const EDGE = { left: 34, top: 12, bottom: 30 };
const MARK = 13;
/** The least distance between the names at the ends. */
const APART = 22;
/** The greatest width of a letter of the names. */
const LETTER = 11;
const LONGEST = 14;
/** A chart narrower than this shows shapes without names. */
const ROOM_FOR_NAMES = 420;

/**
 * Draws a chart as wide as its container, and redraws it when that changes, so that letters keep their size.
 * @param {HTMLElement} where
 * @param {PageChart["points"]} points
 * @param {Round[]} rounds
 * @param {Line[]} lines
 * @param {string} title
 */
export function lineChart(where, points, rounds, lines, title) {
  const chart = draw("svg", { role: "img", class: "lines" });
  const last = points[points.length - 1]?.totals ?? {};
  chart.setAttribute(
    "aria-label",
    `${title}: ${lines.map(({ colour, name }) => `${name} ${last[colour] ?? 0}`).join(", ")}`,
  );
  const render = () => {
    const letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    fill(chart, points, rounds, lines, Math.max(240, where.clientWidth / letters));
  };
  new ResizeObserver(render).observe(where);
  return chart;
}

/**
 * @param {SVGSVGElement} chart
 * @param {PageChart["points"]} points
 * @param {Round[]} rounds
 * @param {Line[]} lines
 * @param {number} width
 */
function fill(chart, points, rounds, lines, width) {
  const named = width >= ROOM_FOR_NAMES;
  const letters = named ? Math.min(LONGEST, Math.max(...lines.map(({ name }) => name.length))) + 1 : 0;
  const right = width - (letters + 3) * LETTER - 38;
  const moves = Math.max(1, points[points.length - 1]?.move ?? 1);
  const step = [5, 10, 20, 25, 50].find((each) => most(points) / each <= 7) ?? 100;
  const top = Math.max(step, Math.ceil(most(points) / step) * step);
  const x = (/** @type {number} */ move) => EDGE.left + ((right - EDGE.left) * move) / moves;
  const y = (/** @type {number} */ score) => HEIGHT - EDGE.bottom - ((HEIGHT - EDGE.bottom - EDGE.top) * score) / top;
  chart.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  chart.replaceChildren();

  for (let score = 0; score <= top; score += step) {
    const number = text(String(score), { class: "scale", x: EDGE.left - 8, y: y(score) });
    chart.append(draw("path", { class: "grid", d: `M${EDGE.left} ${y(score)}H${right}` }), number);
  }
  for (const [index, { move, number }] of rounds.entries()) {
    const next = rounds[index + 1]?.move ?? moves;
    if (index)
      chart.append(draw("path", { class: "round", d: `M${round(x(move))} ${EDGE.top}V${HEIGHT - EDGE.bottom}` }));
    chart.append(text(String(number), { class: "round-number", x: round(x((move + next) / 2)), y: HEIGHT - 11 }));
  }
  const ends = spaced(lines.map(({ colour }) => y(points[points.length - 1]?.totals[colour] ?? 0)));
  // The winner is drawn last, above the others.
  for (const [index, { colour, name }] of [...lines.entries()].reverse()) {
    const own = [{ move: 0, score: 0 }, ...points.map(({ move, totals }) => ({ move, score: totals[colour] ?? 0 }))];
    const d = `M${own.map(({ move, score }) => `${round(x(move))} ${round(y(score))}`).join("L")}`;
    const group = draw(
      "g",
      { class: `piece ${colour}` },
      draw("path", { class: "casing", d }),
      draw("path", { class: "line", d }),
    );
    for (const [at, { move, score }] of own.entries()) {
      if (at && score !== own[at - 1].score) group.append(mark(colour, x(move), y(score), MARK));
    }
    const end = own[own.length - 1];
    group.append(
      draw("path", { class: "leader", d: `M${right + 4} ${y(end.score)}L${right + 14} ${ends[index]}` }),
      mark(colour, right + 24, ends[index], 18),
      text(named ? `${end.score}  ${short(name)}` : `${end.score}`, { class: "label", x: right + 38, y: ends[index] }),
    );
    chart.append(group);
  }
}

/** @param {PageChart["points"]} points */
function most(points) {
  return Math.max(1, ...points.flatMap(({ totals }) => Object.values(totals)));
}

/**
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function mark(colour, x, y, size) {
  const d = shape(colour, size);
  return draw("path", { class: "body", d, transform: `translate(${round(x)} ${round(y)})` });
}

/**
 * @param {string} words
 * @param {Record<string, string|number>} attributes
 */
function text(words, attributes) {
  const element = draw("text", attributes);
  element.textContent = words;
  return element;
}

/** @param {string} name */
function short(name) {
  const words = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
  return words.slice(0, 1).toLocaleUpperCase() + words.slice(1);
}

/**
 * Returns the heights, given from the highest down, moved just enough for the names not to overlap.
 * @param {number[]} heights
 */
function spaced(heights) {
  const moved = [...heights];
  for (let index = 1; index < moved.length; index += 1) moved[index] = Math.max(moved[index], moved[index - 1] + APART);
  let most = HEIGHT - EDGE.bottom;
  for (let index = moved.length - 1; index >= 0; index -= 1) {
    moved[index] = Math.min(moved[index], most);
    most = moved[index] - APART;
  }
  return moved;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
