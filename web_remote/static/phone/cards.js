// The action cards on the phone: the one in play, and those that are open.

import { cardPicture } from "../shared/card_pictures.js";
import { el, t } from "../shared/page.js";
import { rulesLink } from "../shared/rules_link.js";
import { shapeOf } from "../shared/shapes.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageCard} PageCard
 */

/**
 * Returns the card in play: its picture, who plays it, its title and its text.
 * @param {PageState} state
 */
export function cardInPlay(state) {
  const { card, stack, actor } = state.turn;
  const who = state.seats.find((seat) => seat.colour === actor);
  if (!card || !who) return [];
  const by = who.colour === state.you?.seat ? t("you-have-card") : t("has-card", { name: who.name });
  return [cardLine(card, stack, el("span", { class: "by" }, shapeOf(who.colour), " ", by))];
}

/** Returns the open cards. @param {PageState} state */
export const openCards = (state) => Object.entries(state.open).map(([stack, card]) => cardLine(card, stack));

/**
 * @param {PageCard} card
 * @param {string|number|null} stack
 * @param {Node|null} [by]
 */
function cardLine(card, stack, by = null) {
  return el(
    "article",
    { class: "card-line" },
    cardPicture(card.card),
    el(
      "div",
      {},
      by,
      el("h3", {}, rulesLink("card", card.card, card.title), el("span", { class: "stack" }, ` ${stack ?? ""}`)),
      el("p", {}, card.text),
    ),
  );
}
