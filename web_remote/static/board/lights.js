// @ts-check
// The lights of the virtual board, drawn from the bytes that the strip was given.

import { layOver } from "../shared/map_layers.js";
import { spread } from "../shared/map_layout.js";
import { el } from "../shared/page.js";
import { draw } from "../shared/pieces.js";

/** @typedef {import("../shared/map.js").Geometry} Geometry */
/** @typedef {import("../shared/map.js").Point} Point */
/**
 * Which light of the strip is where, as `/board/layout` returns it.
 * @typedef {{order: string, count: number, brightness: number,
 *   places: Record<string, {lights: number[], marker: number | null, reader: boolean}>}} Layout
 */
/** What a light shows: its red, green and blue at full brightness, and its level, 0 to 1. @typedef {[string, number]} Shine */

/** Levels are gamma-corrected before they go to the wire; screens do that by themselves. */
const GAMMA = 2.2;
const UNDONE = Array.from({ length: 256 }, (_, byte) => (byte / 255) ** (1 / GAMMA));
/** Lifts dim lights, which would be lost in their surroundings on a screen. */
const DIM = 0.6;
/** Longer than the period of any pattern: for people who prefer reduced motion. */
const HOLD_MS = 2200;
const DARK = /** @type {Shine} */ (["0 0 0", 0]);
/** How far its glow reaches, in sizes of a light. */
const REACH = 1.9;

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
    return [colour.join(" "), Math.min(1, most / brightness) ** DIM];
  });
}

/**
 * Draws the lights above the map: their sockets, and over each a shine of which only the opacity changes, so that
 * nothing is drawn again while they breathe.
 * @param {SVGSVGElement} layer
 * @param {Geometry} geometry
 * @param {Layout} layout
 */
export function drawLights(layer, geometry, layout) {
  layer.setAttribute("viewBox", geometry.viewBox.join(" "));
  layer.setAttribute("aria-hidden", "true");
  const shining = el("div", { class: "shining" });
  layOver(layer, shining);
  const size = geometry.sizes.light;
  /** @type {Map<number, ReturnType<typeof drawShine>>} */
  const lights = new Map();
  const add = (/** @type {number} */ number, /** @type {Point} */ [cx, cy], /** @type {number} */ size) => {
    layer.append(draw("circle", { class: "socket", cx, cy, r: size * 0.62 }));
    lights.set(number, drawShine(shining, geometry, [cx, cy], size));
  };
  for (const [name, { lights: numbers, marker }] of Object.entries(layout.places)) {
    const where = geometry.places[name];
    const points = spread(where.lights, numbers.length);
    numbers.forEach((number, index) => add(number, points[index], size));
    if (marker !== null && where.kingLight) add(marker, where.kingLight, size * 1.15);
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
 * Draws the shine of one light. Returns the function that updates it, which says whether the light still holds an
 * earlier level.
 * @param {HTMLElement} shining
 * @param {Geometry} geometry
 * @param {Point} point
 * @param {number} size
 */
function drawShine(shining, geometry, [cx, cy], size) {
  const [x, y, width, height] = geometry.viewBox;
  const reach = size * REACH;
  const shine = el("span");
  shine.style.left = `${(100 * (cx - reach - x)) / width}%`;
  shine.style.top = `${(100 * (cy - reach - y)) / height}%`;
  shine.style.width = `${(200 * reach) / width}%`;
  shine.style.height = `${(200 * reach) / height}%`;
  shining.append(shine);

  let [colour, level] = DARK;
  let since_ms = 0;
  return (/** @type {Shine} */ now, /** @type {boolean} */ still) => {
    const [newColour, newLevel] = now;
    const now_ms = performance.now();
    if (still && newLevel < level && (newLevel === 0 || newColour === colour) && now_ms < since_ms + HOLD_MS)
      return true;
    since_ms = now_ms;
    // A light that goes out keeps its colour while it fades.
    if (newLevel > 0 && newColour !== colour) {
      colour = newColour;
      shine.style.background = gradient(colour);
    }
    if (newLevel !== level) {
      level = newLevel;
      shine.style.opacity = level.toFixed(2);
      shine.style.visibility = level ? "visible" : "hidden";
    }
    return false;
  };
}

/** Returns a white heart in its colour, a ring where the socket is seen, and the glow. @param {string} colour */
function gradient(colour) {
  const at = (/** @type {number} */ radius) => `${((100 * radius) / REACH).toFixed(1)}%`;
  const glow = (/** @type {number} */ opacity) => `rgb(${colour} / ${opacity})`;
  const stops = [
    `#fffc ${at(0.12)}`,
    `${glow(1)} ${at(0.26)} ${at(0.46)}`,
    `${glow(0.2)} ${at(0.52)} ${at(0.62)}`,
    `${glow(0.6)} ${at(0.66)}`,
    `${glow(0.35)} ${at(0.86)}`,
    `${glow(0)} 100%`,
  ];
  return `radial-gradient(closest-side, ${stops.join(", ")})`;
}
