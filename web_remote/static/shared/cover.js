// @ts-check
// Which of its seats a page shows. Several players may share a page; a cover hides everything between their turns.

import { sentAway } from "./leaving.js";
import { el, listen, page, renew, t } from "./page.js";
import { icon, scoreMarker } from "./pieces.js";

/** @typedef {import("./state.js").PageState} PageState */

/**
 * Listens for one seat of the page at a time: the one that is to act, as soon as its player says they are there. A page
 * without a seat listens for what everybody may see.
 * @param {HTMLElement} panel shows what only one player may see; the cover takes its place
 * @param {object} options
 * @param {string} options.first the seat to begin with; empty if there is none
 * @param {string} options.here the address of this page, to go on with the other seats if one is lost
 * @param {(state: PageState) => void} options.onSeat called with each state that the player of the panel may see
 * @param {(state: PageState) => void} [options.onState] called with every state, for what everybody may see
 */
export function takeTurns(panel, { first, here, onSeat, onState = () => {} }) {
  const cover = el("section", { class: "cover", hidden: true });
  panel.after(cover);
  let stop = () => {};

  /** @param {boolean} covered */
  const hide = (covered) => {
    if (cover.hidden !== covered) return;
    panel.hidden = covered;
    cover.hidden = !covered;
    // What had the focus is gone; a screen reader goes on with what has come.
    const next = covered ? cover.querySelector("h1") : panel.querySelector('[tabindex="-1"]');
    /** @type {HTMLElement|null} */ (next)?.focus();
  };

  /** @param {string} seat */
  const become = (seat) => {
    stop();
    const whose = seat ? `seat=${seat}&` : "";
    stop = listen(
      `/events?${whose}language=${page.language}`,
      (data) => {
        /** @type {PageState} */
        const state = JSON.parse(data);
        onState(state);
        const next = state.waiting_for.find((each) => state.you?.seats.includes(each));
        if (next && !state.waiting_for.includes(seat)) askFor(next, state);
        else if (state.you) {
          // In this order: until now the panel still shows the previous player's state.
          onSeat(state);
          hide(false);
        }
      },
      () => void sentAway(seat, here),
    );
  };

  /** Covers the panel until the next player is there. @param {string} next @param {PageState} state */
  const askFor = (next, state) => {
    const player = state.seats.find((each) => each.colour === next);
    const name = player?.name ?? next;
    renew(cover, [next, name], () => [
      player ? icon(scoreMarker(player.colour, 40), 44) : null,
      el("h1", { tabindex: -1 }, t("pass-phone", { name })),
      el("button", { type: "button", class: `main seat-${next}`, click: () => become(next) }, t("i-am", { name })),
    ]);
    hide(true);
  };

  become(first);
}
