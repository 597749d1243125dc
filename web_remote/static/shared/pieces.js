// @ts-check
/** The pieces as drawings. Every colour has a shape of its own, so that nobody needs to distinguish colours. */

import { page } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";

/** The height of a tile that is 1 wide. */
const TILE_HEIGHT = 38 / 104;

/**
 * The corners of a colour's shape, in a 1 by 1 square around the middle. Sizes differ so that all look equally large;
 * the circle has no corners.
 * @type {Record<string, [number, number][]>}
 */
// prettier-ignore
const CORNERS = {
  red: [],
  blue: [[-0.41, -0.41], [0.41, -0.41], [0.41, 0.41], [-0.41, 0.41]],
  green: [[0, -0.53], [0.56, 0.43], [-0.56, 0.43]],
  yellow: [[0, -0.58], [0.58, 0], [0, 0.58], [-0.58, 0]],
  brown: [0, 1, 2, 3, 4].map((corner) => {
    const angle = (corner * 2 * Math.PI) / 5;
    return [0.51 * Math.sin(angle), 0.03 - 0.51 * Math.cos(angle)];
  }),
};
const RADIUS = 0.46;

/** How far below the middle of its square a shape has room for a number. @type {Record<string, number>} */
const MIDDLE = { red: 0, blue: 0, green: 0.14, yellow: 0, brown: 0.03 };

/**
 * Returns an element of an SVG drawing.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} [attributes]
 * @param {Element[]} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Returns the shape of a colour as the `d` of a path, around 0, 0.
 * @param {string} colour
 * @param {number} size
 */
export function shape(colour, size) {
  const corners = CORNERS[colour];
  if (corners.length) return `M${corners.map(([x, y]) => `${short(x * size)} ${short(y * size)}`).join("L")}Z`;
  const radius = short(RADIUS * size);
  return `M${-radius} 0a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0Z`;
}

/**
 * Draws caballeros of a colour: its shape, and how many there are.
 * @param {string} colour
 * @param {number} size
 * @param {number | null} [count] no number is written if it is left out
 */
export function caballero(colour, size, count = null) {
  const number = draw("text", { class: "count", y: short(MIDDLE[colour] * size), "font-size": short(size * 0.56) });
  const body = draw("path", { class: "body", d: shape(colour, size) });
  const piece = draw("g", { class: `piece caballero ${colour}` }, body, number);
  setCount(piece, count);
  return piece;
}

/**
 * Changes the number on caballeros.
 * @param {SVGGElement} piece
 * @param {number | null} count
 */
export function setCount(piece, count) {
  const number = piece.querySelector(".count");
  const text = count === null ? "" : String(count);
  if (number && number.textContent !== text) number.textContent = text;
}

/**
 * Draws the Grande of a colour: its shape, larger, with a second outline and a star.
 * @param {string} colour
 * @param {number} size
 */
export function grande(colour, size) {
  // Without a number the diamond need not be wider than the others.
  const width = colour === "yellow" ? size * 0.9 : size;
  return draw(
    "g",
    { class: `piece grande ${colour}` },
    draw("path", { class: "body", d: shape(colour, width) }),
    draw("path", { class: "inlay", d: shape(colour, width * 0.74) }),
    draw("path", { class: "sign", d: star(size * 0.2, MIDDLE[colour] * size * 0.8) }),
  );
}

/**
 * Draws the King: a crown.
 * @param {number} size
 */
export function king(size) {
  /** @param {number} x @param {number} y */
  const at = (x, y) => `${short(x * size)} ${short(y * size)}`;
  // prettier-ignore
  const points = [[-0.36, 0.2], [-0.44, -0.22], [-0.2, 0], [0, -0.36], [0.2, 0], [0.44, -0.22], [0.36, 0.2]];
  const crown = `M${points.map(([x, y]) => at(x, y)).join("L")}Z`;
  const band = `M${at(-0.36, 0.24)}L${at(0.36, 0.24)}L${at(0.33, 0.42)}L${at(-0.33, 0.42)}Z`;
  const piece = draw("g", { class: "piece king" });
  piece.append(draw("path", { class: "body", d: crown }), draw("path", { class: "body", d: band }));
  for (const [x, y] of [
    [-0.44, -0.27],
    [0, -0.41],
    [0.44, -0.27],
  ]) {
    piece.append(draw("circle", { class: "body", cx: short(x * size), cy: short(y * size), r: short(size * 0.065) }));
  }
  return piece;
}

/**
 * Returns what a tile pays for first, second and third.
 * @param {string} name
 */
export function tileValues(name) {
  return page.tiles.find(({ tile }) => tile === name)?.values ?? [];
}

/**
 * Draws a score tile with its three values.
 * @param {string} name
 * @param {number} size its width
 */
export function tile(name, size) {
  const [x, y] = [size / 2, (size * TILE_HEIGHT) / 2];
  const cut = size * 0.07;
  const [inX, inY] = [short(x - cut), short(y - cut)];
  // prettier-ignore
  const corners = [[-inX, -y], [inX, -y], [x, -inY], [x, inY], [inX, y], [-inX, y], [-x, inY], [-x, -inY]];
  const body = `M${corners.map((corner) => corner.join(" ")).join("L")}Z`;
  const [first, ...rest] = tileValues(name);
  const text = draw("text", { class: "worth", "font-size": short(size * 0.27) });
  const large = draw("tspan", { class: "first", "font-size": short(size * 0.33) });
  large.textContent = String(first);
  text.append(large, `/${rest.join("/")}`);
  return draw("g", { class: "piece tile" }, draw("path", { class: "body", d: body }), text);
}

/**
 * Draws the marker of a colour on the scoring track: its shape in a ring.
 * @param {string} colour
 * @param {number} size
 */
export function scoreMarker(colour, size) {
  const ring = draw("circle", { class: "ring", r: short(size * 0.47) });
  const body = draw("path", { class: "body", d: shape(colour, size * 0.6) });
  return draw("g", { class: `piece marker ${colour}` }, ring, body);
}

/**
 * Returns a piece as a picture of its own, for use in a line of text.
 * @param {SVGGElement} piece one of the above
 * @param {number} size that it was made with
 */
export function icon(piece, size) {
  const half = short(size * 0.6);
  const viewBox = `${-half} ${-half} ${2 * half} ${2 * half}`;
  return draw("svg", { class: "icon", viewBox, "aria-hidden": "true" }, piece);
}

/**
 * Draws a star of four points.
 * @param {number} radius
 * @param {number} y of its middle
 */
function star(radius, y) {
  const points = [0, 1, 2, 3, 4, 5, 6, 7].map((point) => {
    const length = point % 2 ? radius * 0.4 : radius;
    const angle = (point * Math.PI) / 4;
    return `${short(length * Math.sin(angle))} ${short(y - length * Math.cos(angle))}`;
  });
  return `M${points.join("L")}Z`;
}

/** @param {number} value */
function short(value) {
  return Math.round(value * 100) / 100;
}
