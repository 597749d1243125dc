// What a place is worth: shown when somebody asks about it by tapping it.

import { el, page, renew, t } from "./page.js";
import { rulesLink } from "./rules_link.js";
import { payoutWords } from "./scoring.js";

/** @typedef {import("./state.js").PageState} PageState */

/** Returns a panel that tells about one place at a time, and nothing until it is asked. */
export function makePlacePanel() {
  const section = el("section", { class: "place-panel", hidden: true });
  // Screen readers watch what is always there; the panel comes and goes within.
  const panel = el("div", { role: "status" }, section);
  /** What had the focus when the panel was asked for. @type {Element|null} */
  let opener = null;
  /** @type {string|null} */
  let place = null;
  /** Why it cannot be chosen, and in which version of the game. */
  let [why, version] = ["", 0];
  /** @type {PageState|null} */
  let shown = null;

  function render() {
    section.hidden = !place;
    if (!place || !shown) return;
    const [asked, now] = [place, shown];
    const payout = now.payouts[asked];
    const values = (payout?.values ?? page.values[asked] ?? []).join("/");
    renew(section, [asked, why, payout, now.seats.map(({ name }) => name)], () => [
      el(
        "h2",
        {},
        rulesLink("place", asked, page.places[asked] ?? asked),
        ` ${values}`,
        el("button", { type: "button", class: "close", "aria-label": t("close"), click: close }, "✕"),
      ),
      why ? el("p", { class: "why" }, why) : null,
      payout ? el("p", {}, t("payout-now")) : null,
      ...payoutWords(asked, now),
    ]);
  }

  /**
   * Tells about a place from now on; about none if it is null.
   * @param {string|null} next
   * @param {string} [reason] why it cannot be chosen
   */
  function ask(next, reason = "") {
    [place, why, version] = [next, reason, shown?.version ?? 0];
    if (next && !panel.contains(document.activeElement)) opener = document.activeElement;
    // Who asks the same again hears it again.
    section.replaceChildren();
    /** @type {any} */ (section).madeOf = undefined;
    render();
  }

  function close() {
    ask(null);
    /** @type {HTMLElement|SVGElement|null} */ (opener)?.focus();
  }

  /** @param {PageState} state */
  function update(state) {
    shown = state;
    // The game has gone on: what could not be chosen then may be now, or nothing is asked.
    if (state.version !== version) why = "";
    render();
  }
  return { panel, ask, update };
}
