// @ts-check
// The pieces of the virtual board: how each is named, drawn and described, and which of them a player may move now.

import { t } from "../shared/page.js";
import { caballero, grande, king, tile } from "../shared/pieces.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/** The size of a piece in the tray and in the hand. */
export const SIZE = 48;

/**
 * Returns the name of a piece from what the map calls it: `caballero red` is `red-caballero`.
 * @param {string} drawn
 */
export function nameOf(drawn) {
  const [kind, which] = drawn.split(" ");
  return kind === "king" ? kind : kind === "tile" ? `tile-${which}` : `${which}-${kind}`;
}

/**
 * Returns a drawing of a piece.
 * @param {string} piece
 * @param {number | null} [count] of caballeros
 */
export function drawPiece(piece, count = null) {
  const [first, second] = piece.split("-");
  if (first === "king") return king(SIZE);
  if (first === "tile") return tile(second, SIZE * 1.12);
  return second === "grande" ? grande(first, SIZE) : caballero(first, SIZE, count);
}

/**
 * Returns a piece in words.
 * @param {string} piece
 * @param {PageState} state
 */
export function inWords(piece, state) {
  const [first, second] = piece.split("-");
  if (first === "king") return t("king");
  if (first === "tile") return t("tile", { number: second });
  const name = state.seats.find((seat) => seat.colour === first)?.name ?? first;
  return second === "grande" ? t("grande-of", { names: name }) : t("caballero-of", { name });
}

/**
 * Returns the pieces of the tray: the player's own first, then those that everybody moves.
 * @param {PageState} state
 */
export function inTray(state) {
  const own = state.you?.seat ?? state.turn.actor ?? state.seats[0].colour;
  const others = state.seats.map((seat) => seat.colour).filter((colour) => colour !== own);
  const tiles = Object.keys(state.tiles).map((value) => `tile-${value}`);
  return [`${own}-caballero`, `${own}-grande`, "king", ...tiles, ...others.map((colour) => `${colour}-caballero`)];
}

/**
 * Returns the pieces that the player of this page may move now.
 * @param {PageState} state
 */
export function movable(state) {
  const you = state.you;
  if (!you || !you.prompt.touch.length) return [];
  const pieces = you.prompt.places.map(({ line }) => {
    const [verb, which] = line.split(" ");
    if (["place", "extra", "recall", "return"].includes(verb)) return `${you.seat}-caballero`;
    if (verb === "remove" || verb === "move") return `${which}-caballero`;
    return verb === "tile" ? `tile-${which}` : verb === "grande" ? `${you.seat}-grande` : verb;
  });
  return [...new Set(pieces)];
}

/**
 * Returns where the King, a Grande or a tile is; caballeros are in too many places to say.
 * @param {string} piece
 * @param {PageState} state
 */
export function lies(piece, state) {
  const [first, second] = piece.split("-");
  if (first === "king") return state.king;
  if (first === "tile") return state.tiles[second] ?? null;
  return second === "grande" ? (state.seats.find((seat) => seat.colour === first)?.grande ?? null) : null;
}
