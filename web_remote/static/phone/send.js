// Sends a line to the table for a seat: once, about the state that is shown, and never about an old one.

import { post, t } from "../shared/page.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/**
 * @param {() => PageState|null} shown returns what the page shows now
 * @param {(state: PageState) => void} fresh called with the state if the game has moved on meanwhile
 * @param {(late: boolean) => void} failed called if the table could not be reached, or did not answer in time
 */
export function sender(shown, fresh, failed) {
  /** The state that a line is being sent about. The answer may arrive after the state that results from it. */
  let about = -1;
  /** Sends a line. Returns why it was refused, or an empty text. @param {string} line */
  return async (line) => {
    const state = shown();
    if (!state?.you || about === state.number) return "";
    const { number } = state;
    about = number;
    const { status, data, late } = await post("/say", { seat: state.you.seat, line, version: state.version, number });
    if (about === number) about = -1;
    if (status === 409) fresh(data);
    else if (status === 0 || status >= 500) failed(late);
    return status === 429 ? t("too-fast") : String(data.why ?? "");
  };
}
