// What only the table may do: let phones in, decide who plays a seat, and enter real cards that were turned up.

import { el, page, post, renew, t } from "../shared/page.js";
import { shapeOf } from "../shared/shapes.js";
import { watchUnlocking } from "../shared/unlock.js";
import { watchHotspot } from "./wifi.js";

/**
 * @typedef {import("../shared/state.js").PageSeat} PageSeat
 * @typedef {import("../shared/state.js").PageState} PageState
 */

/** The code that lets phones in, for those who cannot scan one. */
const code = page.code ?? "";

/** @param {string} where */
const inside = (where) => /** @type {HTMLElement} */ (document.querySelector(where));

/** The panels of a browser that may manage the table; any other browser has the form that asks for the table code. */
export function makeManagement() {
  for (const where of ["#manage", "#unlock"]) {
    // They are at the bottom of the page and open downwards, out of view.
    inside(where).addEventListener("toggle", () => inside(where).scrollIntoView({ block: "end" }));
  }
  inside("#manage").hidden = !page.table;
  inside("#unlock").hidden = page.table;
  watchUnlocking(/** @type {HTMLFormElement} */ (inside("#unlock form")));
  /** @type {PageState|null} */
  let latest = null;
  /** @type {import("./wifi.js").Hotspot|null} */
  let hotspot = null;
  watchHotspot((now) => {
    hotspot = now;
    if (latest) showCodes(latest, hotspot);
  });
  return {
    /** @param {PageState} state */
    update(state) {
      if (!page.table) return;
      latest = state;
      showCodes(state, hotspot);
      showSeats(state);
      showDeal(state);
    },
  };
}

/**
 * Shows a QR code for each seat that waits for a person, and before them one for the table's own Wi-Fi while it is open.
 * @param {PageState} state
 * @param {import("./wifi.js").Hotspot|null} hotspot
 */
function showCodes(state, hotspot) {
  const free = state.seats.filter((seat) => seat.player === "person" && !seat.held);
  inside("#sit").hidden = !free.length || state.over;
  renew(inside("#sit .content"), [code, hotspot, free.map(({ colour, name }) => [colour, name])], () => [
    hotspot
      ? el(
          "p",
          { class: "wifi" },
          t("wifi-first", { name: hotspot.name, password: hotspot.password }),
          " ",
          t("stay-connected"),
        )
      : null,
    el(
      "div",
      { class: "codes" },
      hotspot
        ? el(
            "figure",
            {},
            el("img", { src: "/qr/wifi.svg", alt: t("wifi-code"), width: 160, height: 160 }),
            el("figcaption", {}, t("wifi")),
          )
        : null,
      ...free.map(({ colour, name }) =>
        el(
          "figure",
          {},
          el("img", { src: `/qr/${colour}.svg`, alt: t("code-of", { name }), width: 160, height: 160 }),
          el("figcaption", {}, shapeOf(colour), " ", el("span", { class: "called" }, name)),
        ),
      ),
    ),
    el("p", { class: "by-hand" }, t("or-type", { address: page.address ?? "", code })),
  ]);
}

/**
 * Shows who plays each seat, and which are held by a phone.
 * @param {PageState} state
 */
function showSeats(state) {
  const made_of = state.seats.map(({ colour, name, player, held }) => [colour, name, player, held]);
  renew(inside("#manage .content"), made_of, () => state.seats.map(seatForm));
}

/** @param {PageSeat} seat */
function seatForm({ colour, name, player, held }) {
  const choice = el(
    "select",
    { name: "player", "data-key": `player-${colour}` },
    ...page.players.map((each) => el("option", { value: each, selected: each === player }, t(each))),
  );
  const change = (/** @type {Event} */ event) => {
    event.preventDefault();
    void post("/table/player", { seat: colour, player: choice.value });
  };
  const free = () => void post("/leave", { seat: colour });
  return el(
    "form",
    { submit: change, class: "seat-form" },
    el("span", { class: "name" }, shapeOf(colour), " ", el("span", { class: "called" }, name)),
    el("label", {}, el("span", {}, t("played-by")), choice),
    el(
      "button",
      { type: "submit", "data-key": `change-${colour}` },
      t("change"),
      el("span", { class: "unseen" }, ` ${name}`),
    ),
    held
      ? el(
          "button",
          { type: "button", "data-key": `free-${colour}`, click: free },
          t("free-seat"),
          el("span", { class: "unseen" }, ` ${name}`),
        )
      : null,
  );
}

/**
 * With real cards: offers every card that may have been turned up.
 * @param {PageState} state
 */
function showDeal(state) {
  const deal = state.deal;
  inside("#deal").hidden = !deal;
  renew(inside("#deal .content"), [deal, state.version], () => {
    if (!deal) return [];
    const buttons = deal.choices.map(({ line, words }) => {
      const enter = () => void post("/table/say", { line, version: state.version });
      return el("button", { type: "button", "data-key": line, click: enter }, words);
    });
    return [el("div", { class: "choices" }, ...buttons)];
  });
}
