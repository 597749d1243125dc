// The phone's menu: help, lessons, sounds and speech, the pace of bots, the language, and leaving the seat.

import { hearingSwitches } from "../shared/hearing.js";
import { leaveSeats } from "../shared/leaving.js";
import { choosePace } from "../shared/pace.js";
import { chooseLanguage, el, t } from "../shared/page.js";
import { rulesLink } from "../shared/rules_link.js";

/**
 * @param {() => string[]} held returns the seats that the phone holds
 * @param {(line: string) => void} send
 */
export function makeSettings(held, send) {
  const language = el("select", { "aria-label": t("language") });
  chooseLanguage(language);
  const lessons = el("input", {
    type: "checkbox",
    change: (event) => send(`lessons ${event.target.checked ? "on" : "off"}`),
  });
  const pace = el("select", { "aria-label": t("pace") });
  const { update } = choosePace(pace, send);
  let sure = false;
  const leave = el(
    "button",
    {
      type: "button",
      click: async () => {
        if (!sure) {
          sure = true;
          leave.textContent = t("leave-sure");
          return;
        }
        await leaveSeats(held());
      },
    },
    t("leave"),
  );
  const inShort = ["aim", "power", "turn", "place", "scoring", "more"].map((name) => el("li", {}, t(`short-${name}`)));
  const menu = el(
    "details",
    { class: "menu" },
    el("summary", {}, t("help")),
    el("p", {}, t("help-text")),
    el("h2", {}, t("in-short")),
    el("ul", { class: "short" }, ...inShort),
    el("p", {}, rulesLink("section", "aim", t("rules"))),
    el("label", {}, lessons, ` ${t("lessons")}`),
    el("label", {}, `${t("pace")} `, pace),
    ...hearingSwitches(),
    el("label", {}, `${t("language")} `, language),
    leave,
  );
  return {
    menu,
    /** @param {import("../shared/state.js").PageState} state */
    update(state) {
      lessons.checked = state.you?.taught ?? false;
      update(state);
    },
  };
}
