// The serial log: what hubs and table say to each other, while somebody looks at it.

import { el, t } from "../shared/page.js";
import { ask } from "../shared/request.js";

/** @typedef {import("./workshop.js").Plan} Plan */
/**
 * @typedef {{hub: string, number: number, at: string, speaker: string, text: string, good: boolean,
 *   routine: boolean}} Line
 */

const LOOK_MS = 1000;
/** How many lines the page keeps. */
const KEPT = 500;

/** @param {Plan} plan */
export function makeSerialLog(plan) {
  const content = /** @type {HTMLElement} */ (document.querySelector("#serial .content"));
  if (!plan.hubs.length) {
    content.append(el("p", { class: "how" }, t("no-hubs")));
    return;
  }
  /** @type {Record<string, number>} */
  const last = {};
  const lines = el("ol", { class: "lines", tabindex: "0", "aria-label": t("serial-log") });
  const nothing = el("p", { class: "quiet" }, t("nothing-said"));
  const routine = el("input", { type: "checkbox", name: "routine" });
  routine.addEventListener("change", () => {
    lines.classList.toggle("all", routine.checked);
    lines.scrollTop = lines.scrollHeight;
  });
  const fold = el(
    "details",
    {},
    el("summary", {}, t("serial-how")),
    el("label", { class: "tick" }, routine, " ", t("with-routine")),
    nothing,
    lines,
  );
  content.append(fold);

  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const look = async () => {
    clearTimeout(timer);
    if (!fold.open || document.hidden) return;
    const { data } = await ask(
      `/workshop/serial?${new URLSearchParams(Object.entries(last).map(([hub, number]) => [hub, String(number)]))}`,
    );
    const told = /** @type {Line[]} */ (data.lines ?? []);
    // Do not scroll while somebody reads further up.
    const below = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
    for (const line of told) {
      last[line.hub] = Math.max(last[line.hub] ?? 0, line.number);
      lines.append(shown(line));
    }
    // Routine lines are dropped first; otherwise they would push out all others.
    while (lines.children.length > KEPT) (lines.querySelector(".routine") ?? lines.firstElementChild)?.remove();
    nothing.hidden = lines.children.length > 0;
    if (below) lines.scrollTop = lines.scrollHeight;
    timer = setTimeout(() => void look(), LOOK_MS);
  };
  fold.addEventListener("toggle", () => void look());
  document.addEventListener("visibilitychange", () => void look());
}

/** @param {Line} line */
function shown({ hub, at, speaker, text, good, routine }) {
  const way = speaker === "host" ? "→" : speaker === "hub" ? "←" : "·";
  return el(
    "li",
    { class: [good ? "" : "bad", routine ? "routine" : ""].join(" ").trim() },
    el("span", { class: "at" }, at),
    " ",
    el("b", {}, hub),
    ` ${way} ${text}${good ? "" : " ✗"}`,
  );
}
