// @ts-check
/**
 * A picture for each action card, 64 by 64, put together from a few signs and numbers.
 *
 * A filled caballero is your own, a hollow one somebody else's, a half-filled one anybody's. Everything is drawn in the
 * colour of the text around it; only stars and crowns are gold, and no meaning depends on that.
 */

import { draw } from "./pieces.js";

const CABALLERO = "M-6 11Q-6 2 -2.5 0A5.5 5.5 0 1 1 2.5 0Q6 2 6 11Z";
/** The left half of it. */
const HALF = "M0 -11V11H-6Q-6 2 -2.5 0A5.5 5.5 0 0 1 0 -11Z";

/** The signs, around 0, 0. @type {Record<string, string>} */
// prettier-ignore
const SIGNS = {
  own: CABALLERO,
  other: CABALLERO,
  any: CABALLERO,
  go: "M-9 0H8M2 -6L8 0L2 6",
  down: "M0 -8V8M-6 2L0 8L6 2",
  home: "M-13 0L0 -12L13 0M-9 -3V11H9V-3M-3 11V4H3V11",
  court: "M-12 -5L0 -12L12 -5ZM-12 11H12M-8 -5V11M0 -5V11M8 -5V11",
  tower: "M-10 12V-12H-5V-7H-2.5V-12H2.5V-7H5V-12H10V12ZM-3 12V4A3 3 0 0 1 3 4V12",
  crown: "M-12 9L-14 -7L-6 0L0 -11L6 0L14 -7L12 9Z",
  star: "M0 -13L3.8 -4.2L13 -4L5.6 1.9L8.2 11L0 5.8L-8.2 11L-5.6 1.9L-13 -4L-3.8 -4.2Z",
  grande: "M0 -17L17 0L0 17L-17 0ZM0 -9L2.5 -2.5L9 0L2.5 2.5L0 9L-2.5 2.5L-9 0L-2.5 -2.5Z",
  dial: "M0 -13A13 13 0 1 1 0 13A13 13 0 1 1 0 -13M0 0L5 -8M0 -13V-10M13 0H10M0 13V10M-13 0H-10M-1 0A1 1 0 1 0 1 0A1 1 0 1 0 -1 0",
  tile: "M-11 -9L-8 -12H8L11 -9V9L8 12H-8L-11 9Z",
  power: "M-9 -13H9Q11 -13 11 -11V11Q11 13 9 13H-9Q-11 13 -11 11V-11Q-11 -13 -9 -13ZM1 -7L-4 1H3L-1 7",
  region: "M-14 -8L-3 -13L11 -10L14 3L6 13L-9 11Z",
  steps: "M-16 12V4H-5V-8H5V7H16V12Z",
  back: "M11 11V4A9 9 0 0 0 2 -5H-10M-4 -11L-10 -5L-4 1",
  ban: "M0 -24A24 24 0 1 1 0 24A24 24 0 1 1 0 -24M-17 -17L17 17",
  around: "M-16 -16L-25 -25M-25 -18V-25H-18M16 -16L25 -25M18 -25H25V-18M-16 16L-25 25M-18 25H-25V18M16 16L25 25M25 18V25H18",
  or: "M0 -26L0 26",
};

/** The signs that are filled; all others are outlines. @type {Record<string, string>} */
const FILLED = { own: "currentColor", star: "#e6a817", crown: "#e6a817" };

/**
 * What is drawn for each card: a sign or a number, the middle of it, and sometimes its scale.
 * @type {Record<string, string>}
 */
// prettier-ignore
const CARDS = {
  "move-3": "3 18 22, any 44 20 1.3, go 32 51 2",
  "move-4": "4 18 22, any 44 20 1.3, go 32 51 2",
  "move-4-own": "4 18 22, own 44 20 1.3, go 32 51 2",
  "move-3-others": "3 18 22, other 44 20 1.3, go 32 51 2",
  "move-2-own-2-others": "2 11 17 .8, own 29 17, go 50 17, 2 11 48 .8, other 29 48, go 50 48",
  "move-5-from-one": "region 24 32 1.6, 5 15 33 .8, any 32 32 .9, go 53 32",
  "move-own-from-one": "region 24 32 1.6, own 12 34 .6, own 23 34 .6, own 34 34 .6, go 53 32",
  "extra-2": "+2 20 32, own 48 18 1.1, down 48 48 1.1",
  "own-from-one-or-extra-2": "or 30 32, own 14 19, go 14 48 1.1, +2 48 16 .7, own 42 46 .9, down 56 46 .9",
  "veto": "star 32 32 1.4, ban 32 32 1.15",
  "all-courts-home": "court 15 16, other 40 16 .8, other 52 16 .8, home 47 47, go 18 47 1.2",
  "three-courts-home": "court 15 16, 3 38 18 .8, other 53 16, home 47 47, go 18 47 1.2",
  "one-each-home": "region 18 18, 1 38 18 .8, other 53 16, home 47 47, go 18 47 1.2",
  "king-is-angry": "crown 18 17, 3 39 18 .8, other 54 16, home 47 47, go 18 47 1.2",
  "secret-all-home": "dial 16 17, other 38 16 .8, other 47 16 .8, other 56 16 .8, home 47 47, go 18 47 1.2",
  "secret-two-home": "dial 16 17, 2 38 18 .8, other 53 16, home 47 47, go 18 47 1.2",
  "score-one": "region 32 34 2, star 32 33 1.2",
  "score-4s": "star 32 22 1.5, 4 32 52",
  "score-5s": "star 32 22 1.5, 5 32 52",
  "score-6s-7s": "star 32 22 1.5, 6 20 52, 7 44 52",
  "score-castillo": "tower 20 37 1.4, star 48 22 1.1",
  "score-firsts": "star 32 15 1.1, steps 32 45 1.4, 1 32 49 .9",
  "score-most": "region 30 38 1.7, star 52 13 .9, any 17 38 .7, any 30 31 .7, any 43 38 .7, any 29 51 .6",
  "score-fewest": "region 30 38 1.7, star 52 13 .9, any 30 38",
  "score-one-3": "region 14 15 .8, region 50 15 .8, region 32 45 1.3, star 32 45 .9",
  "tile": "tile 23 25 1.4, 8 23 26, tile 45 44, 4 45 45 .7",
  "power-back": "power 20 28 1.4, back 48 47",
  "court-2": "2 13 17 .8, own 30 16, go 52 16 .9, court 32 47 1.1",
  "grande": "grande 25 24 1.2, go 38 54 1.6",
  "secret-score": "dial 21 38 1.4, star 49 17 1.1",
  "expel": "around 32 32, region 32 32, other 27 32 .7, other 37 32 .7",
  "advisor": "crown 32 15, region 15 46 .9, region 49 46 .9, go 33 46 .7",
  "king": "crown 32 34 1.2, around 32 32",
};

/**
 * Returns the picture of an action card. Its title belongs beside it: screen readers pass the picture over.
 * @param {string} card as the engine calls it
 * @returns {SVGSVGElement}
 */
export function cardPicture(card) {
  const parts = (CARDS[card] ?? "").split(", ").filter(Boolean);
  return draw("svg", { class: "card-picture", viewBox: "0 0 64 64", "aria-hidden": "true" }, ...parts.map(part));
}

/**
 * Draws a sign or a number.
 * @param {string} words what to draw, x, y, and sometimes a scale
 */
function part(words) {
  const [sign, x, y, scale = 1] = words.split(" ");
  const transform = `translate(${x} ${y}) scale(${scale})`;
  const d = SIGNS[sign];
  if (!d) {
    const look = { "text-anchor": "middle", "font-size": 26, "font-weight": 700, fill: "currentColor" };
    const number = draw("text", { transform, y: 9, ...look });
    number.textContent = sign;
    return number;
  }
  const ink = { stroke: "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round" };
  const width = (2.6 / Number(scale)).toFixed(1);
  const outline = draw("path", { d, fill: FILLED[sign] ?? "none", "stroke-width": width, ...ink });
  const group = draw("g", { transform }, outline);
  if (sign === "any") group.append(draw("path", { d: HALF, fill: "currentColor" }));
  return group;
}
