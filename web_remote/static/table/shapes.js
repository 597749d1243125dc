// The shape of a seat, to stand beside its name wherever its colour is meant.

import { caballero, icon } from "../shared/pieces.js";

const SIZE = 48;

/**
 * The shape of a seat as a picture in a line of text; its name stands beside it.
 * @param {string} colour
 */
export function shapeOf(colour) {
  return icon(caballero(colour, SIZE), SIZE);
}
