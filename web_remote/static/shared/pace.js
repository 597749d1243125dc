// How fast bots play: a chooser that people may change at any time.

import { el, page, t } from "./page.js";

/**
 * @param {HTMLSelectElement} select
 * @param {(line: string) => void} send
 */
export function choosePace(select, send) {
  select.append(...page.paces.map((name) => el("option", { value: name }, t(`pace-${name}`))));
  select.addEventListener("change", () => send(`pace ${select.value}`));
  return {
    /** @param {import("./state.js").PageState} state */
    update(state) {
      if (document.activeElement !== select) select.value = state.pace;
    },
  };
}
