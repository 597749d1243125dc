// @ts-check
// The tray beside the virtual board: pieces to drag, or to pick up and hold to a place without dragging.

import { SIZE, drawPiece, inTray, inWords, lies, movable } from "./pieces.js";
import { el, page, renew, t } from "../shared/page.js";
import { icon, tileValues } from "../shared/pieces.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/**
 * @param {HTMLElement} element
 * @param {(piece: string | null) => void} picked called with the piece that was picked up, or `null` if it was put back
 */
export function drawTray(element, picked) {
  /** @type {string | null} */
  let held = null;
  /** @type {PageState | null} */
  let shown = null;

  /** @param {string | null} piece */
  function pick(piece) {
    held = piece;
    refresh();
    picked(held);
  }

  function refresh() {
    const state = shown;
    if (!state) return;
    const can = movable(state);
    const own = state.seats.find((seat) => seat.colour === state.you?.seat);
    const chips = inTray(state).map((piece) => ({
      piece,
      words: inWords(piece, state),
      place: lies(piece, state),
      can: can.includes(piece),
      held: piece === held,
      count: own && piece === `${own.colour}-caballero` ? own.court : null,
    }));
    renew(element, chips, () =>
      chips.map(({ piece, words, place, can, held, count }) => {
        // The name includes what is printed on a tile, for people who choose it by voice.
        const worth = piece.startsWith("tile-") ? tileValues(piece.slice("tile-".length)).join("/") : "";
        const where = place ? t("lies-in", { name: page.places[place] ?? place }) : "";
        const label = [words, worth, count === null ? "" : `${t("court")} ${count}`, where, can ? t("can-move") : ""];
        return el(
          "button",
          {
            type: "button",
            // What lies on the map is here only to be picked up, and is not seen twice unless it can be.
            class: can ? "chip can" : place ? "chip out" : "chip",
            "data-piece": piece,
            "data-key": piece,
            "aria-label": label.filter(Boolean).join(", "),
            "aria-pressed": String(held),
            title: [words, where].filter(Boolean).join(", "),
            click: () => pick(held ? null : piece),
          },
          icon(drawPiece(piece, count), SIZE),
        );
      }),
    );
  }

  /** @param {PageState} state */
  function update(state) {
    shown = state;
    refresh();
  }
  return {
    update,
    pick,
    focus: (/** @type {string} */ piece) =>
      /** @type {HTMLElement | null} */ (element.querySelector(`[data-piece="${piece}"]`))?.focus(),
  };
}
