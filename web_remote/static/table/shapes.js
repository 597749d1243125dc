// The shape of a seat, to stand beside its name wherever its colour is meant.

import { caballero, icon, scoreMarker } from "../shared/pieces.js";

/** @typedef {import("../shared/pieces.js").Colour} Colour */

const SIZE = 48;

/**
 * The shape of a seat as a picture in a line of text; its name stands beside it.
 * @param {string} colour
 */
export function shapeOf(colour) {
  return icon(caballero(/** @type {Colour} */ (colour), SIZE), SIZE);
}

/**
 * The marker of a seat on the score track, as a piece for a drawing.
 * @param {string} colour
 * @param {number} size
 */
export function markerOf(colour, size) {
  return scoreMarker(/** @type {Colour} */ (colour), size);
}
