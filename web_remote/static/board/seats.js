// @ts-check
// Whose seat the page shows: the one it holds, or of several the one that is to act, covered until its player is there.

import { sentAway } from "../shared/leaving.js";
import { el, listen, page, renew, t } from "../shared/page.js";

/** @typedef {import("../shared/page.js").State} State */

/**
 * Listens for the seats of this page; of the table alone, if it holds none.
 * @param {HTMLElement} panel what is one player's
 * @param {(state: State) => void} onBoard is told what all may see
 * @param {(state: State) => void} onPanel is told what one player may see
 */
export function handOn(panel, onBoard, onPanel) {
  const cover = el("section", { class: "cover", hidden: true });
  panel.after(cover);
  panel.parentElement?.toggleAttribute("hidden", page.seats.length === 0);
  let stop = () => {};

  /** @param {boolean} covered */
  const hide = (covered) => {
    panel.hidden = covered;
    cover.hidden = !covered;
  };

  /** @param {string} seat */
  const become = (seat) => {
    stop();
    const whose = seat ? `seat=${seat}&` : "";
    stop = listen(
      `/events?${whose}language=${page.language}`,
      (data) => {
        /** @type {State} */
        const state = JSON.parse(data);
        onBoard(state);
        const next = state.waiting_for.find((each) => state.you?.seats.includes(each));
        if (next && !state.waiting_for.includes(seat)) ask(state, next);
        else if (state.you) {
          // In this order: until then the panel shows what is the last player's.
          onPanel(state);
          hide(false);
        }
      },
      () => void sentAway(seat, "/board"),
    );
  };

  /** Covers all that is one player's, until the next one is there. @param {State} state @param {string} next */
  const ask = (state, next) => {
    const name = state.seats.find((each) => each.colour === next)?.name ?? next;
    hide(true);
    renew(cover, [next, name], () => [
      el("h1", {}, t("pass-phone", { name })),
      el("button", { type: "button", class: `main seat-${next}`, click: () => become(next) }, t("i-am", { name })),
    ]);
  };
  become(page.seats[0] ?? "");
}
