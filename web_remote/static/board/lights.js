// @ts-check
// The lights of the virtual board, drawn from the bytes that the strip was given.

import { spread } from "../shared/map_layout.js";
import { draw } from "../shared/pieces.js";

/** @typedef {import("../shared/map.js").Geometry} Geometry */
/** @typedef {import("../shared/map.js").Point} Point */
/**
 * Which light of the strip is where, as `/board/layout` returns it.
 * @typedef {{order: string, count: number, brightness: number,
 *   places: Record<string, {lights: number[], marker: number | null, reader: boolean}>}} Layout
 */
/** What a light shows: its colour at full brightness, and its level, 0 to 1. @typedef {[string, number]} Shine */

/** Levels are gamma-corrected before they go to the wire; screens do that by themselves. */
const GAMMA = 2.2;
const UNDONE = Array.from({ length: 256 }, (_, byte) => (byte / 255) ** (1 / GAMMA));
/** Lifts dim lights, which would be lost in their surroundings on a screen. */
const DIM = 0.6;
/** Longer than the period of any pattern: for people who prefer reduced motion. */
const HOLD_MS = 2200;
const DARK = /** @type {Shine} */ (["#000", 0]);

/**
 * Returns what every light of a frame shows.
 * @param {string} hex the bytes of a frame
 * @param {string} order of the colours in it
 * @param {number} brightness the highest level of the strip, 0 to 1
 * @returns {Shine[]}
 */
function shines(hex, order, brightness) {
  const width = 2 * order.length;
  const [red, green, blue, white] = [..."RGBW"].map((letter) => 2 * order.indexOf(letter));
  return Array.from({ length: Math.floor(hex.length / width) }, (_, light) => {
    const byte = (/** @type {number} */ at) => (at < 0 ? 0 : parseInt(hex.substr(light * width + at, 2), 16) || 0);
    const levels = [red, green, blue].map((at) => UNDONE[Math.max(byte(at), byte(white))]);
    const most = Math.max(...levels);
    if (most === 0) return DARK;
    // A dim light has few levels for its colour; coarse steps keep it from flickering between neighbours.
    const colour = levels.map((level) => Math.round((level / most) * 15) * 17);
    return [`rgb(${colour.join(" ")})`, Math.min(1, most / brightness) ** DIM];
  });
}

/**
 * Draws the lights into a layer of their own above the map, so that the map is not redrawn with them.
 * @param {SVGSVGElement} layer
 * @param {Geometry} geometry
 * @param {Layout} layout
 */
export function drawLights(layer, geometry, layout) {
  layer.setAttribute("viewBox", geometry.viewBox.join(" "));
  layer.setAttribute("aria-hidden", "true");
  const size = geometry.sizes.light;
  /** @type {Map<number, ReturnType<typeof drawLight>>} */
  const lights = new Map();
  for (const [name, { lights: numbers, marker }] of Object.entries(layout.places)) {
    const where = geometry.places[name];
    const points = spread(where.lights, numbers.length);
    numbers.forEach((number, index) => lights.set(number, drawLight(layer, number, points[index], size)));
    if (marker !== null && where.kingLight) lights.set(marker, drawLight(layer, marker, where.kingLight, size * 1.15));
  }

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Shine[]} */
  let shown = [];
  /** @type {string | null} */
  let latest = null;
  const refresh = () => {
    if (latest !== null) shown = shines(latest, layout.order, layout.brightness);
    latest = null;
    let holding = false;
    for (const [number, light] of lights) holding = light(shown[number] ?? DARK, still.matches) || holding;
    if (holding) setTimeout(refresh, HOLD_MS / 4);
  };
  still.addEventListener("change", refresh);

  /** Takes the bytes of a new frame; if several arrive before the screen is drawn, the last one counts. */
  return (/** @type {string} */ hex) => {
    if (latest === null) requestAnimationFrame(refresh);
    latest = hex;
  };
}

/**
 * Draws one light. Returns the function that updates it, which says whether the light still holds an earlier level.
 * @param {SVGSVGElement} layer
 * @param {number} number
 * @param {Point} point
 * @param {number} size
 */
function drawLight(layer, number, [cx, cy], size) {
  const glow = draw(
    "radialGradient",
    { id: `glow-${number}` },
    draw("stop", { offset: 0.2, "stop-color": "currentColor", "stop-opacity": 0.9 }),
    draw("stop", { offset: 0.45, "stop-color": "currentColor", "stop-opacity": 0.35 }),
    draw("stop", { offset: 1, "stop-color": "currentColor", "stop-opacity": 0 }),
  );
  const heart = draw("circle", { class: "heart", cx, cy, r: size * 0.2 });
  const lit = [
    draw("circle", { cx, cy, r: size * 1.9, fill: `url(#glow-${number})`, opacity: 0 }),
    draw("g", { opacity: 0 }, draw("circle", { cx, cy, r: size * 0.5, fill: "currentColor" }), heart),
  ];
  layer.append(glow, lit[0], draw("circle", { class: "socket", cx, cy, r: size * 0.62 }), lit[1]);

  let [colour, level] = DARK;
  let since_ms = 0;
  return (/** @type {Shine} */ shine, /** @type {boolean} */ still) => {
    const [newColour, newLevel] = shine;
    const now_ms = performance.now();
    if (still && newLevel < level && (newLevel === 0 || newColour === colour) && now_ms < since_ms + HOLD_MS)
      return true;
    since_ms = now_ms;
    // A light that goes out keeps its colour while it fades.
    if (newLevel > 0 && newColour !== colour) {
      colour = newColour;
      glow.setAttribute("color", colour);
      lit[1].setAttribute("color", colour);
    }
    if (newLevel !== level) {
      level = newLevel;
      for (const part of lit) part.setAttribute("opacity", level.toFixed(2));
    }
    return false;
  };
}
