// The shape of a seat, shown beside its name wherever its colour is meant.

import { caballero, icon } from "./pieces.js";

const SIZE = 48;

/**
 * Returns the shape of a seat as a picture in a line of text, beside its name.
 * @param {string} colour
 */
export function shapeOf(colour) {
  return icon(caballero(colour, SIZE), SIZE);
}
