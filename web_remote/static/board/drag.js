// @ts-check
// Dragging: pieces follow the finger or the mouse from where they are picked up to where they are dropped.

import { SIZE, drawPiece } from "./pieces.js";
import { icon } from "../shared/pieces.js";

/**
 * A piece in the hand, and the place it was taken from; `null` if it was beside the board.
 * @typedef {{piece: string, origin: string | null}} Held
 */
/**
 * @typedef {object} DragOptions
 * @property {(element: Element) => Held | null} find returns the piece that an element shows
 * @property {(x: number, y: number) => string | null} spot returns what is at a point of the window: a place, `tray` or
 *   nothing
 * @property {(spot: string | null, held: Held | null) => void} over called with what the piece is held over
 * @property {(held: Held, spot: string) => Promise<void>} drop called with where it was dropped; ends when that is done
 */

/** How far a press may wobble before it counts as a drag. */
const TREMBLE_PX = 6;

/**
 * Lets pieces be dragged anywhere in an element.
 * @param {HTMLElement} root
 * @param {DragOptions} options
 */
export function dragging(root, { find, spot, over, drop }) {
  /** @type {{held: Held, element: Element, pointer: number, x: number, y: number, ghost: SVGElement | null} | null} */
  let now = null;
  let dragged = false;

  root.addEventListener("pointerdown", (event) => {
    dragged = false;
    const element = /** @type {Element} */ (event.target).closest("[data-piece]");
    const held = element && find(element);
    if (now || !element || !held || event.button !== 0 || !event.isPrimary) return;
    now = { held, element, pointer: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
    element.setPointerCapture(event.pointerId);
  });

  root.addEventListener("pointermove", (event) => {
    if (!now || event.pointerId !== now.pointer) return;
    if (!now.ghost) {
      if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < TREMBLE_PX) return;
      now.ghost = lift(now.held.piece);
      now.element.classList.add("lifted");
      root.classList.add("dragging");
    }
    carry(now.ghost, event.clientX, event.clientY);
    over(spot(event.clientX, event.clientY), now.held);
  });

  root.addEventListener("pointerup", (event) => {
    if (!now || event.pointerId !== now.pointer) return;
    const { held, element, ghost } = now;
    const where = ghost && spot(event.clientX, event.clientY);
    dragged = ghost !== null;
    end(where === null);
    if (!ghost || where === null) return;
    element.classList.add("lifted");
    ghost.classList.add("down");
    void drop(held, where).finally(() => {
      element.classList.remove("lifted");
      ghost.remove();
    });
  });

  /** @param {boolean} nothing comes of it */
  const end = (nothing) => {
    if (!now) return;
    if (nothing) now.ghost?.remove();
    now.element.classList.remove("lifted");
    root.classList.remove("dragging");
    now = null;
    over(null, null);
  };
  root.addEventListener("pointercancel", () => end(true));
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(true));
  // A drag is not a click.
  root.addEventListener(
    "click",
    (event) => {
      if (dragged) event.stopPropagation();
      dragged = false;
    },
    { capture: true },
  );
}

/** @param {string} piece */
function lift(piece) {
  const ghost = icon(drawPiece(piece), SIZE);
  ghost.classList.add("ghost");
  document.body.append(ghost);
  return ghost;
}

/** @param {SVGElement} ghost @param {number} x @param {number} y */
function carry(ghost, x, y) {
  ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
}
