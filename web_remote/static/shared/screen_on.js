// Keeps a phone's screen on where the browser allows it, and says what to do where it does not.

import { el, page, t } from "./page.js";

/** What a browser remembers once somebody has read how to set the phone's own screen timeout. */
const READ = "screen-timeout-read";

/** Keeps the screen on while the page is shown. A browser stops doing so whenever the page is hidden. */
export function keepScreenOn() {
  const ask = () => {
    if (!document.hidden) void navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}

/** Whether this is a phone or a tablet whose browser does not keep the screen on; by plain HTTP none does. */
const goesDark = () => !navigator.wakeLock && matchMedia("(pointer: coarse)").matches;

/**
 * Returns a link to this page by HTTPS, where browsers keep the screen on, with what their warning will say. Returns
 * null if the table does not offer it, or if this page does not need it.
 * @param {Record<string, string>} [query] what the address carries besides what it has
 */
export function offerHttps(query = {}) {
  if (!page.https_port || !goesDark()) return null;
  const address = new URL(location.href);
  address.protocol = "https:";
  address.port = String(page.https_port);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const link = el("a", { href: address.href }, t("screen-on"));
  return el("section", { class: "screen-on" }, el("p", {}, link), el("p", { class: "note" }, t("screen-on-warning")));
}

/** Returns where the phone's own screen timeout is set, in words. */
function timeoutWords() {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad calls itself a Macintosh, but no Macintosh can be touched.
  const apple = /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
  if (apple) return t("screen-timeout-ios");
  return userAgent.includes("Android") ? t("screen-timeout-android") : t("screen-timeout");
}

/** Returns a line that says how to keep the screen on, until somebody has read it; null if it is of no use. */
export function screenHint() {
  if (!goesDark() || localStorage.getItem(READ)) return null;
  const dismiss = () => {
    localStorage.setItem(READ, "yes");
    hint.remove();
  };
  const hint = el(
    "aside",
    { class: "screen-hint", "aria-label": t("screen-on") },
    el("p", {}, timeoutWords()),
    offerHttps(),
    el("button", { type: "button", class: "close", "aria-label": t("close"), click: dismiss }, "✕"),
  );
  return hint;
}
