// @ts-check
/** The pieces that move from place to place: the tiles, the Grandes and the King, each a single element. */

import { together } from "./map_layout.js";
import { page } from "./page.js";
import { draw, grande, king, tile } from "./pieces.js";

/** @typedef {import("./map_layout.js").Geometry} Geometry */
/** @typedef {import("./map_layout.js").Point} Point */
/** @typedef {import("./map_contents.js").MapState} MapState */

/** @param {Geometry} geometry */
export function drawMovers(geometry) {
  const { sizes, places } = geometry;
  const tiles = page.tiles.map(
    ({ tile: name }) => /** @type {const} */ ([name, mover(`tile ${name}`, tile(name, sizes.tile[0]))]),
  );
  const grandes = page.colours.map(
    (colour) => /** @type {const} */ ([colour, mover(`grande ${colour}`, grande(colour, sizes.grande))]),
  );
  const crown = mover("king", king(sizes.king));

  /** @param {MapState} state */
  function show(state) {
    for (const [name, element] of tiles) {
      const place = state.tiles[name];
      move(element, (place && places[place]?.tile) || null);
    }
    for (const [colour, element] of grandes) {
      const place = state.seats[colour]?.grande ?? null;
      const room = place && places[place]?.grande;
      const here = page.colours.filter((other) => place && state.seats[other]?.grande === place);
      const stands = room ? together(room, here.indexOf(colour), here.length, sizes.grande) : null;
      move(element, stands?.point ?? null, stands?.scale);
    }
    move(crown, (state.king && places[state.king]?.king) || null);
  }
  return { elements: [...tiles, ...grandes].map(([, element]) => element).concat(crown), show };
}

/**
 * @param {string} name
 * @param {SVGGElement} piece
 */
function mover(name, piece) {
  piece.classList.add("absent");
  return draw("g", { class: "mover", "data-piece": name }, piece);
}

/**
 * Moves a piece to a point, or off the map.
 * @param {SVGGElement} element
 * @param {Point | null} point
 * @param {number} [scale]
 */
function move(element, point, scale = 1) {
  const piece = element.firstElementChild;
  if (!piece) return;
  if (point) {
    const appears = piece.classList.contains("absent");
    const transform = `translate(${point[0]}px, ${point[1]}px) scale(${scale})`;
    // A piece that comes onto the map appears at its target instead of flying in from where it last was.
    if (appears) element.classList.add("still");
    if (element.style.transform !== transform) element.style.transform = transform;
    if (appears) {
      element.getBoundingClientRect();
      element.classList.remove("still");
    }
  }
  piece.classList.toggle("absent", !point);
}
