// The order of play in one line: who plays when, with which power card, and whose turn it is.

import { el, renew, t } from "./page.js";
import { shapeOf } from "./shapes.js";

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").PageSeat} PageSeat
 */

/**
 * Returns the seats in the order of play; until power cards decide it, from the seat that plays its card first.
 * @param {PageState} state
 * @returns {PageSeat[]}
 */
export function inOrder(state) {
  const { order, start } = state.turn;
  if (order.length) return order.flatMap((colour) => state.seats.filter((seat) => seat.colour === colour));
  const first = Math.max(
    0,
    state.seats.findIndex((seat) => seat.colour === start),
  );
  return [...state.seats.slice(first), ...state.seats.slice(0, first)];
}

/**
 * Shows the order of play.
 * @param {HTMLElement} where a list
 * @param {PageState} state
 */
export function showOrder(where, state) {
  const seats = inOrder(state).map(({ colour, name, power }) => ({ colour, name, power }));
  const acting = state.turn.actor;
  renew(where, [seats, acting, state.waiting_for, state.you?.seat], () =>
    seats.map(({ colour, name, power }) => {
      const now = state.over ? false : state.waiting_for.includes(colour) || colour === acting;
      const called = colour === state.you?.seat ? t("you") : name;
      return el(
        "li",
        { class: `seat-${colour}${now ? " now" : ""}`, ...(now ? { "aria-current": "step" } : {}) },
        shapeOf(colour),
        el("span", { class: "called" }, called),
        " ",
        el(
          "b",
          { class: "power-number" },
          el("span", { class: "unseen" }, `${t("power-card")} `),
          power === null ? "–" : String(power),
        ),
      );
    }),
  );
}
