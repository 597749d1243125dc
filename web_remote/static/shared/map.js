// @ts-check
/** The map of Spain, drawn from `map.json`, with everything on it; an update touches only what has changed. */

import { drawMotion } from "./map_layers.js";
import { closed, to } from "./map_layout.js";
import { drawMovers } from "./map_movers.js";
import { FILLINGS, drawPlace } from "./map_place.js";
import { draw } from "./pieces.js";

/** @typedef {import("./map_layout.js").Point} Point */
/** @typedef {import("./map_layout.js").Geometry} Geometry */
/** @typedef {import("./map_contents.js").Contents} Contents */
/** @typedef {import("./map_contents.js").MapOptions} MapOptions */
/** @typedef {import("./map_contents.js").MapState} MapState */

/**
 * The patterns: width and height of the repeated tile, and its strokes.
 * @type {Record<string, [number, number, string]>}
 */
const PATTERNS = {
  sea: [64, 40, "M6 12q6 -6 12 0t12 0M38 32q6 -6 12 0t12 0"],
  ...FILLINGS,
};

let maps = 0;

/**
 * Draws the map into an `svg` element of the page.
 * @param {SVGSVGElement} svg
 * @param {Geometry} geometry
 * @param {MapOptions} options
 */
export function drawMap(svg, geometry, options) {
  const prefix = `map-${(maps += 1)}`;
  svg.replaceChildren();
  svg.classList.add("map", "still");
  svg.setAttribute("viewBox", geometry.viewBox.join(" "));
  svg.setAttribute("role", "group");
  svg.append(definitions(prefix, geometry), ...surroundings(prefix, geometry));
  const places = new Map(
    Object.entries(geometry.places).map(([name, where]) => [name, drawPlace(prefix, name, where, geometry, options)]),
  );
  const movers = drawMovers(geometry);
  const showMotion = drawMotion(svg, prefix, geometry);
  const overlay = draw("g", { class: "overlay" });
  svg.append(
    draw("g", { class: "places" }, ...[...places.values()].map((place) => place.group)),
    draw("g", { class: "movers", "aria-hidden": "true" }, ...movers.elements),
    overlay,
  );

  /** @param {MapState} state */
  function update(state) {
    svg.classList.toggle("choosing", state.legal.length > 0);
    showMotion(new Map([...places].map(([name, place]) => [name, place.show(state)])));
    movers.show(state);
    if (svg.classList.contains("still")) {
      svg.getBoundingClientRect();
      svg.classList.remove("still");
    }
  }
  /** `overlay` is above everything, for what other pages add: lights, flying points. */
  return { update, overlay };
}

/** @param {string[]} shapes */
function paths(shapes) {
  return shapes.map((d) => draw("path", { d }));
}

/**
 * Returns the patterns, and the outlines to clip by.
 * @param {string} prefix
 * @param {Geometry} geometry
 */
function definitions(prefix, geometry) {
  const patterns = Object.entries(PATTERNS).map(([name, [width, height, d]]) => {
    const pattern = draw("pattern", { id: `${prefix}-${name}`, width, height, patternUnits: "userSpaceOnUse" });
    pattern.append(draw("path", { class: `pattern ${name}`, d }));
    return pattern;
  });
  const clips = Object.entries(geometry.places).map(([name, { outline }]) =>
    draw("clipPath", { id: `${prefix}-in-${name}` }, draw("path", { d: closed(outline) })),
  );
  return draw("defs", {}, ...patterns, ...clips);
}

/**
 * Returns the sea with its waves, shallow water along the coasts, the surrounding lands, and a compass.
 * @param {string} prefix
 * @param {Geometry} geometry
 */
function surroundings(prefix, geometry) {
  // The sea continues beyond the map, for windows that are wider or higher.
  const [x, y, width, height] = [-2000, -2000, 5000, 5000];
  const lands = geometry.lands.map(closed);
  const shores = [...lands, ...Object.values(geometry.places).map(({ outline }) => closed(outline))];
  const compass = draw("g", { class: "compass", transform: to(geometry.compass) });
  compass.append(
    draw("circle", { r: 27 }),
    draw("path", { d: "M0 -44L8 -8L32 0L8 8L0 32L-8 8L-32 0L-8 -8Z" }),
    draw("path", { class: "north", d: "M0 -44L8 -8L0 0L-8 -8Z" }),
  );
  const around = [
    draw("rect", { class: "sea", x, y, width, height }),
    draw("rect", { class: "waves", x, y, width, height, fill: `url(#${prefix}-sea)` }),
    ...["deep", "shallow"].map((depth) => draw("g", { class: `shore ${depth}` }, ...paths(shores))),
    draw("g", { class: "lands" }, ...paths(lands)),
    compass,
  ];
  return [draw("g", { class: "around", "aria-hidden": "true" }, ...around)];
}
