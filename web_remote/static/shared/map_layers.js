// @ts-check
// Layers above the map, for what never rests: places that can be chosen breathe, and others that stand out have a rhythm
// too. A browser can fade a layer without drawing the map again, which takes WebKit a tenth of a second and more.

import { closed } from "./map_layout.js";
import { draw } from "./pieces.js";

/** @typedef {import("./map_contents.js").Mark} Mark */

/** The marks that have a rhythm; each has a layer of its own, and the style sheet says how it moves. @type {Mark[]} */
const RHYTHMIC = ["legal", "from", "to", "wrong"];

/**
 * Puts an element above a map and keeps it exactly as large as what the map's view box shows.
 * @param {SVGSVGElement} map also one within another drawing
 * @param {HTMLElement | SVGSVGElement} layer
 */
export function layOver(map, layer) {
  const root = map.ownerSVGElement ?? map;
  layer.classList.add("map-layer");
  layer.setAttribute("aria-hidden", "true");
  root.parentElement?.classList.add("layered");
  root.after(layer);

  const fit = () => {
    const parent = root.parentElement;
    const box = root.getBoundingClientRect();
    if (!parent || !box.width) return;
    const around = parent.getBoundingClientRect();
    const view = root.viewBox.baseVal;
    const scale = Math.min(box.width / view.width, box.height / view.height);
    let [left, top, width, height] = [0, 0, view.width, view.height];
    if (map !== root) {
      [left, top] = [map.x.baseVal.value - view.x, map.y.baseVal.value - view.y];
      [width, height] = [map.width.baseVal.value, map.height.baseVal.value];
    }
    const x = box.left - around.left - parent.clientLeft + (box.width - view.width * scale) / 2 + left * scale;
    const y = box.top - around.top - parent.clientTop + (box.height - view.height * scale) / 2 + top * scale;
    const style = layer.style;
    [style.left, style.top] = [`${x}px`, `${y}px`];
    [style.width, style.height] = [`${width * scale}px`, `${height * scale}px`];
  };
  const watch = new ResizeObserver(fit);
  watch.observe(root);
  if (root.parentElement) watch.observe(root.parentElement);
  fit();
}

/**
 * Draws the layers of a map. Returns the function that shows which mark each place has, if it has one.
 * @param {SVGSVGElement} map
 * @param {string} prefix of the map's ids
 * @param {import("./map_layout.js").Geometry} geometry
 */
export function drawMotion(map, prefix, geometry) {
  /** @type {Map<string, SVGSVGElement>} */
  const layers = new Map();
  for (const mark of RHYTHMIC) {
    const layer = draw("svg", { class: `motion ${mark}`, viewBox: geometry.viewBox.join(" ") });
    layOver(map, layer);
    layers.set(mark, layer);
  }
  // A ring that shows where the keyboard is must not be covered.
  const calm = () => {
    const focused = map.querySelector(":focus-visible") !== null;
    for (const layer of layers.values()) layer.classList.toggle("calm", focused);
  };
  map.addEventListener("focusin", calm);
  map.addEventListener("focusout", () => setTimeout(calm));

  return (/** @type {Map<string, Mark | undefined>} */ marked) => {
    for (const [mark, layer] of layers) {
      const places = [...marked].filter(([, first]) => first === mark).map(([place]) => place);
      const shown = places.join(" ");
      if (layer.getAttribute("data-places") === shown) continue;
      layer.setAttribute("data-places", shown);
      layer.replaceChildren(
        ...places.map((place) =>
          draw("path", { d: closed(geometry.places[place].outline), "clip-path": `url(#${prefix}-in-${place})` }),
        ),
      );
    }
  };
}
