// @ts-check
// The buttons of the virtual board: they go down and up with the finger, the mouse or the keys.

import { t } from "../shared/page.js";
import { draw } from "../shared/pieces.js";

/** @typedef {import("./hands.js").Hands} Hands */
/** @typedef {import("../shared/map.js").Geometry} Geometry */
/** @typedef {import("../shared/map.js").Point} Point */

/** Where an arrow key leads, across and down. @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Farther than anything on the map. */
const FAR = 10_000;

/**
 * Makes an element a button of the board.
 * @param {HTMLElement | SVGElement} element
 * @param {string} name of the button
 * @param {Hands} hands
 * @param {() => boolean} [instead] does something else where that is meant; returns whether it did
 */
export function asButton(element, name, hands, instead = () => false) {
  /** Whether a finger, mouse or key has just pressed it. Any other click comes from, say, a screen reader. */
  let handled = false;
  const down = () => {
    handled = true;
    if (instead()) return;
    element.classList.add("down");
    hands.press(name);
  };
  const up = () => {
    element.classList.remove("down");
    void hands.release(name);
    // After the click that may follow.
    setTimeout(() => (handled = false));
  };
  element.addEventListener("pointerdown", (given) => {
    const event = /** @type {PointerEvent} */ (given);
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    down();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) element.addEventListener(end, up);
  element.addEventListener("keydown", (given) => {
    const event = /** @type {KeyboardEvent} */ (given);
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) down();
  });
  element.addEventListener("keyup", (given) => {
    const event = /** @type {KeyboardEvent} */ (given);
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    up();
  });
  element.addEventListener("click", () => {
    if (!handled && !instead()) void hands.push(name);
  });
  // A long touch would open a menu.
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}

/**
 * Draws the button of every place; the arrow keys move between them.
 * @param {SVGGElement} layer
 * @param {Geometry} geometry
 * @param {Record<string, string>} names of the places
 * @param {Hands} hands
 * @param {(place: string) => boolean} instead does something other than press where that is meant; returns whether it
 *   did
 */
export function drawButtons(layer, geometry, names, hands, instead) {
  const radius = geometry.sizes.button / 2;
  const buttons = new Map(
    Object.entries(geometry.places).map(
      ([
        place,
        {
          button: [x, y],
        },
      ]) => {
        const button = draw(
          "g",
          { class: "push", role: "button", tabindex: 0, "data-button": place, transform: `translate(${x} ${y})` },
          draw("circle", { class: "reach", r: radius * 1.35 }),
          draw("circle", { class: "ring", r: radius * 1.24 }),
          draw("circle", { class: "bezel", r: radius }),
          draw("circle", { class: "cap", r: radius * 0.78 }),
        );
        asButton(button, place, hands, () => instead(place));
        return [place, button];
      },
    ),
  );
  layer.append(...buttons.values());
  layer.addEventListener("keydown", (event) => {
    const from = buttons.get(/** @type {Element} */ (event.target).getAttribute("data-button") ?? "");
    const way = ARROWS[event.key];
    if (!from || !way) return;
    event.preventDefault();
    const next = nearest(geometry, from.getAttribute("data-button") ?? "", way);
    if (next) buttons.get(next)?.focus();
  });

  /**
   * Shows what each button does, whether that makes sense now, and the badge of its place through its cap.
   * @param {string} words
   * @param {string[]} legal
   * @param {(string | null | undefined)[]} marked
   */
  function update(words, legal, marked) {
    for (const [place, button] of buttons) {
      const label = t(words, { name: names[place] });
      const whole = legal.includes(place) ? `${label}, ${t("you-may")}` : label;
      if (button.getAttribute("aria-label") !== whole) button.setAttribute("aria-label", whole);
      button.classList.toggle("marked", marked.includes(place));
    }
  }
  return { update, focus: (/** @type {string} */ place) => buttons.get(place)?.focus() };
}

/**
 * Returns the place whose button is nearest in a direction, preferring those straight ahead.
 * @param {Geometry} geometry
 * @param {string} from
 * @param {Point} way
 */
function nearest(geometry, from, [across, down]) {
  const [x, y] = geometry.places[from].button;
  /** @type {[string | null, number]} */
  let best = [null, Infinity];
  for (const [place, { button }] of Object.entries(geometry.places)) {
    const ahead = (button[0] - x) * across + (button[1] - y) * down;
    const aside = Math.abs((button[0] - x) * down) + Math.abs((button[1] - y) * across);
    const far = Math.hypot(ahead, 2 * aside) + (aside > ahead ? FAR : 0);
    if (ahead > 0 && far < best[1]) best = [place, far];
  }
  return best[0];
}
