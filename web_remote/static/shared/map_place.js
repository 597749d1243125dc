// @ts-check
/** One place of the map: its ground, its name, its caballeros, how it stands out, and how it is chosen. */

import { CASTILLO, MARKS, contentsOf } from "./map_contents.js";
import { closed, room, to } from "./map_layout.js";
import { page } from "./page.js";
import { caballero, draw, setCount } from "./pieces.js";

/** @typedef {import("./map_layout.js").Geometry} Geometry */
/** @typedef {import("./map_layout.js").PlaceGeometry} PlaceGeometry */
/** @typedef {import("./map_layout.js").Point} Point */
/** @typedef {import("./map_contents.js").MapOptions} MapOptions */
/** @typedef {import("./map_contents.js").MapState} MapState */
/** @typedef {import("./map_contents.js").Mark} Mark */

/** The width of a letter at font size 1, in the widest of the fonts. */
const LETTER = 0.6;

/** What is drawn on the badge of a mark, in a 24 by 24 square around the middle. @type {Record<Mark, string>} */
const GLYPHS = {
  wrong: "M-7 -7L7 7M7 -7L-7 7",
  from: "M0 10V-9M-8 -1L0 -9L8 -1",
  to: "M0 -10V9M-8 1L0 9L8 1",
  origin: "M-9 0L-3 7L9 -7",
  legal: "M-9 0H9M0 -9V9",
  scored: "M0 -10L3 -3L10 -3L4.5 2L6.5 9L0 5L-6.5 9L-4.5 2L-10 -3L-3 -3Z",
  pointed: "M0 -10V3M0 9V10",
};

/**
 * The patterns a place can be filled with: width and height of the repeated tile, and its strokes.
 * @type {Record<string, [number, number, string]>}
 */
export const FILLINGS = {
  brick: [36, 28, "M0 0H36M0 14H36M8 0V14M26 14V28"],
  taboo: [14, 14, "M0 14L14 0M-2 2L2 -2M12 16L16 12"],
  wrong: [22, 22, "M0 0L22 22M0 22L22 0"],
  legal: [36, 36, "M8 9h2M26 27h2"],
  origin: [16, 16, "M0 4H16M0 12H16"],
};

/**
 * Draws one place. Returns its group and the function that updates it.
 * @param {string} prefix
 * @param {string} name
 * @param {PlaceGeometry} where
 * @param {Geometry} geometry
 * @param {MapOptions} options
 */
export function drawPlace(prefix, name, where, geometry, options) {
  const { sizes } = geometry;
  const d = closed(where.outline);
  const clip = `url(#${prefix}-in-${name})`;
  const hatch = draw("path", { class: "hatch", d, fill: "none" });
  const glyph = draw("path", { class: "glyph" });
  const disc = draw("circle", { r: sizes.button / 2 - 1 });
  const badge = draw("g", { class: "badge", transform: to(where.button) }, disc, glyph);
  const words = options.names[name] ?? name;
  const size = Math.min(sizes.label, room(where.outline, where.label) / (LETTER * words.length));
  const title = draw("text", { class: "name", x: where.label[0], y: where.label[1], "font-size": Math.floor(size) });
  title.textContent = words;
  const values = draw("text", { class: "values", x: where.tile[0], y: where.tile[1], "font-size": sizes.label });
  values.textContent = options.values[name]?.join("/") ?? "";
  const group = draw("g", { class: `place ${name}`, "data-place": name });
  group.append(
    draw("path", { class: "ground", d }),
    draw("path", { class: "veil", d, fill: `url(#${prefix}-${name === CASTILLO ? "brick" : "taboo"})` }),
    hatch,
    draw("path", { class: "mark under", d, "clip-path": clip }),
    draw("path", { class: "mark", d, "clip-path": clip }),
    draw("path", { class: "edge", d }),
    draw("path", { class: "focus", d, "clip-path": clip }),
    title,
    values,
  );
  if (where.gate) group.append(drawGate(where.gate));
  const pieces = page.colours.map((colour) => {
    const piece = caballero(colour, sizes.piece);
    piece.classList.add("absent");
    group.append(draw("g", { transform: to(where.pieces[colour]), "data-piece": `caballero ${colour}` }, piece));
    return /** @type {const} */ ([colour, piece]);
  });
  group.append(badge);
  listen(group, name, options);

  /** Returns the mark that the place stands out by, if it has one. @param {MapState} state */
  function show(state) {
    const contents = contentsOf(name, state, options);
    const [first] = contents.marks;
    for (const mark of MARKS) group.classList.toggle(mark, contents.marks.includes(mark));
    group.classList.toggle("taboo", contents.king);
    group.classList.toggle("tiled", contents.tile !== null);
    group.classList.toggle("closed", contents.hidden);
    set(hatch, "fill", first && first in FILLINGS ? `url(#${prefix}-${first})` : "none");
    if (first) set(glyph, "d", GLYPHS[first]);

    const counts = new Map(contents.caballeros);
    for (const [colour, piece] of pieces) {
      const count = counts.get(colour) ?? 0;
      // The last number stays while the piece fades.
      if (count) setCount(piece, count);
      piece.classList.toggle("absent", !count);
    }
    set(group, "aria-label", options.label(contents));
    const legal = contents.marks.includes("legal") && options.onPlace !== undefined;
    group.classList.toggle("offered", legal);
    offer(group, legal || options.onLook !== undefined);
    return first;
  }
  return { group, show };
}

/**
 * Draws the gate of the castillo, shown while its contents are hidden.
 * @param {Point} middle
 */
function drawGate(middle) {
  const bars = [-22, 0, 22].map((x) => `M${x} ${x ? -38 : -46}V48`).join("");
  return draw(
    "g",
    { class: "gate", transform: to(middle) },
    draw("path", { class: "door", d: "M-40 48V-10A40 40 0 0 1 40 -10V48Z" }),
    draw("path", { class: "bars", d: `${bars}M-39 -16H39M-40 8H40M-40 32H40` }),
    draw("path", { class: "arch", d: "M-40 48V-10A40 40 0 0 1 40 -10V48Z" }),
  );
}

/**
 * Lets a place be chosen or looked at by a click, or by Enter or Space.
 * @param {SVGGElement} group
 * @param {string} name
 * @param {MapOptions} options
 */
function listen(group, name, options) {
  const choose = () => {
    if (group.classList.contains("offered")) options.onPlace?.(name);
    else options.onLook?.(name);
  };
  group.addEventListener("click", choose);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) choose();
  });
  group.addEventListener("blur", () => {
    if (group.getAttribute("role") !== "button") group.removeAttribute("tabindex");
  });
}

/**
 * Makes a place a button, or a picture.
 * @param {SVGGElement} group
 * @param {boolean} offered
 */
function offer(group, offered) {
  set(group, "role", offered ? "button" : "img");
  if (offered) set(group, "tabindex", "0");
  // A place that was just chosen keeps the keyboard focus until that moves elsewhere.
  else if (document.activeElement === group) set(group, "tabindex", "-1");
  else group.removeAttribute("tabindex");
}

/**
 * @param {Element} element
 * @param {string} attribute
 * @param {string} value
 */
function set(element, attribute, value) {
  if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}
