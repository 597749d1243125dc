// The table screen: everything that everybody may see, for a television or a tablet at the table.

import { chooseLanguage, el, listen, page, post, renew, t } from "../shared/page.js";
import { drawTable } from "./map.js";
import { showCards, showPlayers, showRounds } from "./round.js";
import { makeManagement } from "./manage.js";
import { showResult } from "./result.js";
import { makeShow, showScorings } from "./scoring.js";
import { shapeOf } from "./shapes.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/** How many lines of the log are shown. */
const LOG_LINES = 30;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} where */
const inside = (where) => /** @type {HTMLElement} */ (document.querySelector(where));

const main = part("table");
const map = await drawTable(/** @type {SVGSVGElement} */ (document.querySelector("svg.frame")));
const manage = makeManagement();
const show = makeShow(map, render);
/** @type {PageState|null} */
let state = null;

/** @param {string} text */
function heard(text) {
  const next = /** @type {PageState} */ (JSON.parse(text));
  // The program was restarted: the codes and the files may have changed.
  if (state && state.run !== next.run) location.reload();
  state = next;
  show.hear(next);
  render();
}

/** Shows the latest state, with as much of a scoring as people have been shown already. */
function render() {
  if (!state) return;
  const now = state;
  const scores = show.scores(now);
  const scored = show.rows();
  const over = now.over && !scored.length;
  main.className = over ? "over" : scored.length ? "scored" : now.round ? "playing" : "beginning";
  map.update(now, scores, show.place());
  showPrompt(now);
  showNotices(now);
  showRounds(part("rounds"), now);
  showPlayers(part("players"), now, scores);
  part("players").hidden = over;
  showGuide(now);
  showCards(part("cards"), now);
  showScorings(part("scoring"), now, scored);
  if (over) showResult(part("result"), now);
  part("result").hidden = !over;
  showLog(now);
  manage.update(now);
}

/**
 * Shows who is asked what, in one sentence.
 * @param {PageState} now
 */
function showPrompt(now) {
  const names = new Map(now.seats.map((seat) => [String(seat.colour), seat.name]));
  const called = (/** @type {string[]} */ colours) => colours.map((colour) => names.get(colour) ?? colour).join(", ");
  const asked = now.asked.map((question) => question.seat);
  let seats = asked;
  let words = now.asked[0]?.words ?? now.deal?.asked ?? "";
  if (asked.length > 1) words = t("waiting-for", { names: called(asked) });
  const place = show.place();
  if (place) {
    seats = [];
    words = t("scoring-now", { name: page.places[place] ?? place });
  } else if (now.over) {
    seats = now.winners;
    words = t(seats.length > 1 ? "share" : "wins", { names: called(seats) });
  }
  const where = inside("#prompt .asked");
  where.classList.toggle("several", seats.length > 1);
  renew(where, [seats, words], () => [
    el("span", { class: "shapes" }, ...seats.map((colour) => shapeOf(colour))),
    el("p", { class: "sentence" }, words),
  ]);
}

/** @param {PageState} now */
function showNotices(now) {
  const knock = now.seats.find((seat) => seat.colour === now.knocking);
  const notices = [...(knock ? [t("knocks", { name: knock.name })] : []), ...now.notices];
  renew(inside("#notices ul"), notices, () => notices.map((notice) => el("li", {}, notice)));
}

/** @param {PageState} now */
function showGuide(now) {
  part("guide").hidden = !now.guide.length && !(page.table && now.offers.length);
  renew(inside("#guide ol"), now.guide, () =>
    now.guide.map((step, index) => el("li", index ? {} : { "aria-current": "step" }, step)),
  );
  const offers = now.guide.length ? [{ line: "confirm", words: t("confirm") }, ...now.offers] : now.offers;
  renew(inside("#guide .buttons"), page.table && offers, () =>
    page.table ? offers.map(({ line, words }) => sayButton(line, words)) : [],
  );
}

/**
 * @param {string} line
 * @param {string} words
 */
function sayButton(line, words) {
  const say = () => void post("/table/say", { line, version: state?.version ?? 0 });
  return el("button", { type: "button", "data-key": line, click: say }, words);
}

/** @param {PageState} now */
function showLog(now) {
  const lines = now.log.slice(-LOG_LINES).reverse();
  const list = inside("#log ol");
  renew(list, [now.log_from, lines], () => lines.map((line) => el("li", {}, line)));
  list.setAttribute("start", String(now.log_from + now.log.length));
  part("log").hidden = !lines.length;
}

/** Keeps the screen on where the browser allows it. */
async function stayAwake() {
  if (!document.hidden) await navigator.wakeLock?.request("screen").catch(() => null);
}

chooseLanguage(/** @type {HTMLSelectElement} */ (part("language")));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) show.forget();
  void stayAwake();
});
void stayAwake();
listen("/events", heard, undefined, (code) => {
  manage.letIn(code);
  render();
});
