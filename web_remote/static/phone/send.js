// Says something to the table for a seat: once, about what the page was shown, and never about an old state.

import { post } from "../shared/page.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/**
 * @param {() => PageState|null} shown what the page shows now
 * @param {(state: PageState) => void} fresh is given the state if the game has gone on meanwhile
 * @param {() => void} failed the table could not be reached
 */
export function sender(shown, fresh, failed) {
  /** The state about which something is being said. The answer may come later than the state that comes of it. */
  let about = -1;
  /** @param {string} line */
  return async (line) => {
    const state = shown();
    if (!state?.you || about === state.number) return;
    const { number } = state;
    about = number;
    const { status, data } = await post("/say", { seat: state.you.seat, line, version: state.version, number });
    if (about === number) about = -1;
    if (status === 409) fresh(data);
    else if (status === 0 || status >= 500) failed();
  };
}
