// @ts-check
// A place in words, for screen readers and for the list of places.

import { t } from "./page.js";
import { total } from "./scoring.js";

/**
 * Returns what lies in a place, what it would pay now, and whether it can be chosen.
 * @param {import("./map.js").Contents} contents
 * @param {import("./state.js").PageState|null} state
 */
export function placeWords(contents, state) {
  const called = (/** @type {string} */ colour) => state?.seats.find((seat) => seat.colour === colour)?.name ?? colour;
  const parts = [contents.values.join("/")];
  if (contents.tile) parts.push(t("tile", { number: contents.tile }));
  if (contents.king) parts.push(t("king"));
  if (contents.grandes.length) parts.push(t("grande-of", { names: contents.grandes.map(called).join(", ") }));
  parts.push(...contents.caballeros.map(([colour, count]) => `${called(colour)} ${count}`));
  if (contents.hidden) parts.push(t("hidden"));
  else if (!contents.caballeros.length) parts.push(t("empty"));
  const gains = Object.entries(state?.payouts[contents.place]?.gains ?? {});
  if (gains.length)
    parts.push(t("pays-now", { names: gains.map(([seat, gain]) => `${called(seat)} ${total(gain)}`).join(", ") }));
  if (contents.marks.includes("legal")) parts.push(t("you-may"));
  if (contents.marks.includes("origin")) parts.push(t("chosen"));
  if (contents.marks.includes("scored")) parts.push(t("scoring"));
  return `${contents.name}: ${parts.join("; ")}`;
}
