// Undo: what a player can take back, or ask to take back. The way forward is elsewhere, so these stay small.

import { el } from "../shared/page.js";

/**
 * @param {import("../shared/state.js").PageState} state
 * @param {(line: string) => void} send
 */
export function undoButtons(state, send) {
  return (state.you?.undo ?? []).map(({ line, words }) =>
    el(
      "button",
      { type: "button", class: "aside", "data-key": line.replace(" ", "-"), click: () => send(line) },
      words,
    ),
  );
}
