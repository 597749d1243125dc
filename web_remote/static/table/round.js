// The round: how far the game has come, the order of play, what people play with, and the open cards.

import { cardPicture } from "../shared/card_pictures.js";
import { inOrder } from "../shared/order_of_play.js";
import { el, page, renew, scoringWords, t } from "../shared/page.js";
import { rulesLink } from "../shared/rules_link.js";
import { shapeOf } from "../shared/shapes.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageSeat} PageSeat
 * @typedef {import("../shared/state.js").PageCard} PageCard
 */

/**
 * Shows the round track, with a star after the rounds that end with a scoring.
 * @param {HTMLElement} where
 * @param {PageState} state
 */
export function showRounds(where, state) {
  const rounds = page.rounds[state.rounds];
  const number = rounds.indexOf(state.round) + 1;
  const line = /** @type {HTMLElement} */ (where.querySelector(".number"));
  const track = /** @type {HTMLElement} */ (where.querySelector("ol"));
  const round = number ? t("round", { number, rounds: rounds.length }) : t("set-up");
  line.textContent = [round, scoringWords(state)].filter(Boolean).join(" · ");
  renew(track, [state.round, rounds, state.over], () =>
    rounds.flatMap((round, index) => {
      const done = round < state.round || state.over;
      const now = round === state.round && !state.over;
      const stop = el("li", { class: done ? "done" : now ? "now" : "", ...(now ? { "aria-current": "step" } : {}) });
      stop.append(el("span", { class: "stop" }, String(index + 1)));
      if (page.scoring_rounds.includes(round)) {
        stop.append(
          el("span", { class: "star", "aria-hidden": "true" }, "★"),
          el("span", { class: "unseen" }, t("scoring")),
        );
      }
      return [stop];
    }),
  );
}

/**
 * Shows the players in the order of play, with power card and points.
 * @param {HTMLElement} where
 * @param {PageState} state
 */
export function showPlayers(where, state) {
  const list = /** @type {HTMLElement} */ (where.querySelector("ol"));
  const seats = inOrder(state);
  const asked = state.asked.map((question) => question.seat);
  const dialling = seats.some((seat) => seat.dialled);
  renew(list, [seats, asked], () =>
    seats.map((seat) =>
      el(
        "li",
        { class: `seat-${seat.colour}${asked.includes(seat.colour) ? " asked" : ""}` },
        shapeOf(seat.colour),
        nameOf(seat, dialling),
        power(seat.power),
        el("p", { class: "score" }, String(seat.score), " ", el("span", { class: "unit" }, t("score"))),
        pieces(seat),
      ),
    ),
  );
}

/**
 * @param {PageSeat} seat
 * @param {boolean} dialling
 */
function nameOf(seat, dialling) {
  const line = el("p", { class: "name" }, el("span", { class: "called" }, seat.name));
  if (seat.player !== "person") line.append(el("span", { class: "tag" }, t(seat.player)));
  if (seat.vetoes) line.append(el("span", { class: "tag veto" }, t("veto")));
  if (dialling && seat.dialled) line.append(el("span", { class: "tag set" }, "✓ ", t("dialled")));
  return line;
}

/** @param {PageSeat} seat */
function pieces(seat) {
  const line = el("p", { class: "pieces" });
  for (const [name, count] of /** @type {[string, number][]} */ ([
    ["court", seat.court],
    ["province", seat.province],
    ["hand", seat.cards],
  ])) {
    line.append(el("span", {}, el("b", {}, String(count)), " ", el("span", { class: "unit" }, t(name))));
  }
  return line;
}

/** @param {number|null} number */
function power(number) {
  if (number === null) return el("p", { class: "power none" });
  return el("p", { class: "power" }, el("span", { class: "unseen" }, `${t("power-card")} `), String(number));
}

/**
 * Shows the open cards, and the one being played.
 * @param {HTMLElement} where
 * @param {PageState} state
 */
export function showCards(where, state) {
  const { card, stack: number, actor } = state.turn;
  const open = Object.entries(state.open);
  where.hidden = !open.length && !card;
  const list = /** @type {HTMLElement} */ (where.querySelector("ol"));
  const who = state.seats.find((seat) => seat.colour === actor);
  renew(list, [open, card, number, who?.colour, who?.name], () => [
    card && who ? taken(card, number, who) : null,
    ...open.map(([stack, lies]) => el("li", {}, sign(lies, stack), words(lies))),
  ]);
}

/**
 * Returns the card that somebody is playing.
 * @param {PageCard} card
 * @param {number|null} number of its stack
 * @param {PageSeat} who
 */
function taken(card, number, who) {
  const by = el(
    "p",
    { class: "by" },
    shapeOf(who.colour),
    " ",
    el("span", { class: "called" }, t("has-card", { name: who.name })),
  );
  return el("li", { class: `taken seat-${who.colour}` }, sign(card, number ?? ""), words(card, by));
}

/**
 * @param {PageCard} card
 * @param {Node|null} [above]
 */
function words(card, above = null) {
  return el(
    "div",
    {},
    above,
    el("h3", {}, rulesLink("card", card.card, card.title)),
    el("p", { class: "text" }, card.text),
  );
}

/**
 * Returns the number of a card's stack with its picture.
 * @param {PageCard} card
 * @param {string|number} stack
 */
const sign = (card, stack) =>
  el("div", { class: "sign" }, el("span", { class: "stack" }, String(stack)), cardPicture(card.card));
