// @ts-check
// The pieces as the virtual board has them: how each is called, drawn and named, and which of them a player may move
// now.

import { t } from "../shared/page.js";
import { caballero, grande, king, tile } from "../shared/pieces.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/** As large as it is drawn for the tray and the hand. */
export const SIZE = 48;

/**
 * The name of a piece from what the map calls it: `caballero red` is `red-caballero`.
 * @param {string} drawn
 */
export function nameOf(drawn) {
  const [kind, which] = drawn.split(" ");
  return kind === "king" ? kind : kind === "tile" ? `tile-${which}` : `${which}-${kind}`;
}

/**
 * A drawing of a piece.
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
 * A piece in words.
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
 * The pieces of the tray: one's own first, then those that all move.
 * @param {PageState} state
 */
export function inTray(state) {
  const own = state.you?.seat ?? state.turn.actor ?? state.seats[0].colour;
  const others = state.seats.map((seat) => seat.colour).filter((colour) => colour !== own);
  const tiles = Object.keys(state.tiles).map((value) => `tile-${value}`);
  return [`${own}-caballero`, `${own}-grande`, "king", ...tiles, ...others.map((colour) => `${colour}-caballero`)];
}

/**
 * The pieces that the player of this page may move now.
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
 * Where the one King, Grande or tile lies; of caballeros nobody can say.
 * @param {string} piece
 * @param {PageState} state
 */
export function lies(piece, state) {
  const [first, second] = piece.split("-");
  if (first === "king") return state.king;
  if (first === "tile") return state.tiles[second] ?? null;
  return second === "grande" ? (state.seats.find((seat) => seat.colour === first)?.grande ?? null) : null;
}
