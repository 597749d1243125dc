// @ts-check
/** The rules page: the page itself can be read without this; here come the search and the pictures. */

import { cardPicture } from "../shared/card_pictures.js";
import { drawFigures } from "./figures.js";
import { startSearch } from "./search.js";

// Before the pictures: what is written in them is not searched.
startSearch();
for (const card of document.querySelectorAll("[data-card]")) {
  card.prepend(cardPicture(/** @type {HTMLElement} */ (card).dataset.card ?? ""));
}
// A language keeps the spot that is being read.
for (const link of document.querySelectorAll(".languages a")) {
  link.addEventListener("click", () => {
    /** @type {HTMLAnchorElement} */ (link).hash = location.hash;
  });
}
void drawFigures();
