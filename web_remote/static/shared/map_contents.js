// @ts-check
/** What the map shows: the state it is given, and what that means for each place. */

import { page } from "./page.js";
import { tileValues } from "./pieces.js";

/**
 * What can be said about a place in words.
 * @typedef {object} Contents
 * @property {string} place
 * @property {string} name
 * @property {[string, number][]} caballeros
 * @property {boolean} hidden whether the caballeros are hidden, as in the castillo
 * @property {string[]} grandes
 * @property {boolean} king
 * @property {string | null} tile
 * @property {number[]} values
 * @property {Mark[]} marks
 */

/**
 * How a place stands out.
 * @typedef {"wrong" | "from" | "to" | "origin" | "legal" | "scored" | "pointed"} Mark
 */

/**
 * @typedef {object} MapOptions
 * @property {Record<string, string>} names
 * @property {Record<string, number[]>} values as printed
 * @property {(place: string) => void} [onPlace] called when a legal place is chosen
 * @property {(place: string) => void} [onLook] called when any other place is chosen
 * @property {(contents: Contents) => string} label a place in words, for screen readers
 */

/**
 * What the map shows.
 * @typedef {object} MapState
 * @property {string | null} king
 * @property {Record<string, string | null>} tiles
 * @property {Record<string, SeatState | undefined>} seats
 * @property {string[]} legal
 * @property {string | null} origin
 * @property {string[]} wrong
 * @property {{from: string | null, to: string | null}} [step]
 * @property {string | null} [scored]
 * @property {string | null} [pointed] the place that a lesson or a hint is about
 */

/** @typedef {{regions: Record<string, number>, castillo: number | null, grande: string | null}} SeatState */

export const CASTILLO = "castillo";

/** The strongest first: a place with several marks wears the pattern and the badge of the first. @type {Mark[]} */
export const MARKS = ["wrong", "from", "to", "origin", "legal", "scored", "pointed"];

/**
 * @param {string} name
 * @param {MapState} state
 * @param {MapOptions} options
 * @returns {Contents}
 */
export function contentsOf(name, state, options) {
  const seats = page.colours.flatMap((colour) => {
    const seat = state.seats[colour];
    return seat ? [/** @type {const} */ ([colour, seat])] : [];
  });
  const lying = page.tiles.find(({ tile }) => state.tiles[tile] === name)?.tile ?? null;
  /** @type {Record<Mark, boolean>} */
  const marked = {
    wrong: state.wrong.includes(name),
    from: state.step?.from === name,
    to: state.step?.to === name,
    origin: state.origin === name,
    legal: state.legal.includes(name),
    scored: state.scored === name,
    pointed: state.pointed === name,
  };
  return {
    place: name,
    name: options.names[name] ?? name,
    caballeros: seats.flatMap(([colour, seat]) => {
      const count = (name === CASTILLO ? seat.castillo : seat.regions[name]) ?? 0;
      return count ? [/** @type {[string, number]} */ ([colour, count])] : [];
    }),
    hidden: name === CASTILLO && seats.some(([, seat]) => seat.castillo === null),
    grandes: seats.filter(([, seat]) => seat.grande === name).map(([colour]) => colour),
    king: state.king === name,
    tile: lying,
    values: lying ? tileValues(lying) : (options.values[name] ?? []),
    marks: MARKS.filter((mark) => marked[mark]),
  };
}
