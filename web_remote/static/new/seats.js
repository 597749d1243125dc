// The rows of the set-up page: the colour, the name and the player of each seat, in the order they sit.

import { el, page, renew, t } from "../shared/page.js";
import { shapeOf } from "../shared/shapes.js";

/** @typedef {import("../shared/state.js").WishedSeat} WishedSeat */

const FEWEST = 2;
const NAME_LENGTH = 20;

/**
 * @param {HTMLElement} where
 * @param {WishedSeat[]} suggested
 * @param {Record<string, string>} colours what each colour is called
 */
export function makeSeats(where, suggested, colours) {
  const seats = suggested.map((seat) => ({ ...seat }));
  const rows = /** @type {HTMLElement} */ (where.querySelector(".rows"));
  const add = /** @type {HTMLButtonElement} */ (where.querySelector(".add"));
  /** The level that bots have unless somebody chooses another. */
  const usual = suggested.find(({ player }) => player !== page.players[0])?.player ?? page.players[0];

  /** @param {WishedSeat} seat @param {string} colour */
  const recolour = (seat, colour) => {
    const other = seats.find((each) => each.colour === colour);
    if (other) other.colour = seat.colour;
    seat.colour = colour;
    show();
  };

  /** @param {WishedSeat} seat */
  const remove = (seat) => {
    seats.splice(seats.indexOf(seat), 1);
    show();
    add.focus();
  };

  /** @param {WishedSeat} seat @param {number} index */
  const row = (seat, index) => {
    const called = colours[seat.colour];
    const colour = el(
      "select",
      { "data-key": `colour-${index}`, "aria-label": t("seat-colour") },
      ...page.colours.map((each) => el("option", { value: each, selected: each === seat.colour }, colours[each])),
    );
    colour.addEventListener("change", () => recolour(seat, colour.value));
    const name = el("input", {
      "data-key": `name-${index}`,
      "aria-label": t("seat-name"),
      placeholder: t("seat-name"),
      maxlength: NAME_LENGTH,
      autocomplete: "off",
      value: seat.name,
    });
    name.addEventListener("input", () => (seat.name = name.value));
    const who = el(
      "select",
      { "data-key": `player-${index}`, "aria-label": t("played-by") },
      ...page.players.map((each, at) =>
        el("option", { value: each, selected: each === seat.player }, at ? t(each) : t("a-person")),
      ),
    );
    who.addEventListener("change", () => (seat.player = who.value));
    return el(
      "div",
      { class: `row seat-${seat.colour}`, role: "group", "aria-label": called },
      shapeOf(seat.colour),
      el("span", { class: "colour" }, colour),
      el("span", { class: "name" }, name),
      el("span", { class: "player" }, who),
      el(
        "button",
        {
          type: "button",
          class: "remove",
          "aria-label": t("remove-seat", { name: called }),
          disabled: seats.length <= FEWEST,
          click: () => remove(seat),
        },
        "×",
      ),
    );
  };

  const show = () => {
    renew(rows, seats, () => seats.map(row));
    add.hidden = seats.length === page.colours.length;
  };

  add.addEventListener("click", () => {
    const colour = page.colours.find((each) => seats.every((seat) => seat.colour !== each));
    if (!colour) return;
    seats.push({ colour, player: usual, name: "" });
    show();
    /** @type {HTMLElement|null} */ (rows.querySelector(`[data-key="name-${seats.length - 1}"]`))?.focus();
  });

  show();
  return {
    /** @returns {WishedSeat[]} what has been entered */
    entered: () => seats.map((seat) => ({ ...seat, name: seat.name.trim() })),
  };
}
