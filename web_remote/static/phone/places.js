// The map in words: every place as a button that says what lies there and what it would pay, for players who do not
// see the map.

import { contentsOf } from "../shared/map_contents.js";
import { el, page, t } from "../shared/page.js";
import { placeWords } from "../shared/place_words.js";

/**
 * @typedef {import("../shared/map_contents.js").MapState} MapState
 * @typedef {import("../shared/state.js").PageState} PageState
 */

/**
 * @param {(place: string) => void} choose called with a place that can be chosen
 * @param {(place: string) => void} look called with any other
 */
export function makePlaces(choose, look) {
  const options = { names: page.places, values: page.values, label: () => "" };
  /** @type {string[]} */
  let legal = [];
  const buttons = Object.keys(page.places).map((place) => {
    const click = () => (legal.includes(place) ? choose : look)(place);
    return /** @type {const} */ ([place, el("button", { type: "button", click })]);
  });
  const list = el(
    "ul",
    { class: "places", "aria-label": t("places-in-words") },
    ...buttons.map(([, button]) => el("li", {}, button)),
  );
  return {
    panel: el("details", { class: "in-words" }, el("summary", {}, t("places-in-words")), list),
    /**
     * @param {MapState} map
     * @param {PageState} state
     */
    update(map, state) {
      legal = map.legal;
      for (const [place, button] of buttons) {
        const words = placeWords(contentsOf(place, map, options), state);
        if (button.textContent !== words) button.textContent = words;
        button.classList.toggle("legal", legal.includes(place));
      }
    },
  };
}
