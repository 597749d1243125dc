// The table screen: everything that everybody may see, for a television or a tablet at the table.

import { hearingSwitches, makeHearing } from "../shared/hearing.js";
import { makeFairPlay } from "../shared/fair_play.js";
import { GameHistory, showHistory } from "../shared/history.js";
import { choosePace } from "../shared/pace.js";
import { chooseLanguage, el, listen, page, post, renew, t } from "../shared/page.js";
import { makePlacePanel } from "../shared/place_panel.js";
import { showScoring, total } from "../shared/scoring.js";
import { keepScreenOn } from "../shared/screen_on.js";
import { shapeOf } from "../shared/shapes.js";
import { makeStory, showStory } from "../shared/turn_story.js";
import { drawTable } from "./map.js";
import { makeManagement } from "./manage.js";
import { showCards, showPlayers, showRounds } from "./round.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/** How long points fly from a place to the track. */
const FLIGHT_MS = 900;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} where */
const inside = (where) => /** @type {HTMLElement} */ (document.querySelector(where));

const main = part("table");
const manage = makeManagement();
const history = new GameHistory();
const story = makeStory();
const place = makePlacePanel();
const hearing = makeHearing({ screen: true });
const fairPlay = makeFairPlay();
main.append(hearing.region);
part("hearing").append(...hearingSwitches());
part("story").append(story);
part("map").append(place.panel);
const log = /** @type {HTMLDetailsElement} */ (part("log"));
log.addEventListener("toggle", () => void openLog());
log.append(fairPlay.content);
const pace = choosePace(/** @type {HTMLSelectElement} */ (part("pace")), (line) => sayLine(line));
inside("label.pace").hidden = !page.table;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {PageState|null} */
let state = null;
/** @type {import("./map.js").TableMap|null} */
let map = null;

/** @param {string} text */
function heard(text) {
  const next = /** @type {PageState} */ (JSON.parse(text));
  // The program was restarted: the codes and the files may have changed.
  if (state && state.run !== next.run) location.reload();
  const scored = next.scoring?.place;
  const row = next.scoring?.rows.find((each) => each.place === scored);
  // The points fly to where the markers still are.
  if (row && scored && scored !== state?.scoring?.place && !document.hidden && !calm.matches) {
    const points = Object.fromEntries(Object.entries(row.gains).map(([seat, gain]) => [seat, total(gain)]));
    void map?.fly(scored, points, FLIGHT_MS);
  }
  state = next;
  history.take(next);
  if (history.missed) void history.complete().then(render);
  render();
}

function render() {
  if (!state) return;
  const now = state;
  main.className = now.over ? "over" : now.scoring ? "scored" : now.round ? "playing" : "beginning";
  map?.update(now);
  showPrompt(now);
  showNotices(now);
  showRounds(part("rounds"), now);
  showPlayers(part("players"), now);
  part("players").hidden = now.over;
  showGuide(now);
  showOffers(now);
  showCards(part("cards"), now);
  showScoring(part("scoring"), now);
  if (now.over) void showEnding(now);
  part("result").hidden = !now.over;
  if (now.over) part("last-result").hidden = false;
  showStory(story, history.turns, "");
  part("story").hidden = !story.textContent || now.over;
  if (log.open) showHistory(inside("#log .history"), history, now);
  if (!history.missed) hearing.update(now, history.turns);
  place.update(now);
  pace.update(now);
  manage.update(now);
  fairPlay.update(now);
}

/** Shows the whole history when somebody opens it. */
async function openLog() {
  if (!log.open) return;
  if (history.incomplete) await history.complete();
  render();
}

/** Shows the result. Its script is loaded only then. @param {PageState} now */
async function showEnding(now) {
  const { showResult } = await import("../shared/result.js");
  showResult(part("result"), now);
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
  if (now.vote) [seats, words] = [now.waiting_for, now.vote.words];
  const scored = now.scoring?.place;
  if (scored) {
    seats = [];
    words = t("scoring-now", { name: page.places[scored] ?? scored });
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
  const notices = [...(knock ? [t("knocks", { name: knock.name })] : []), ...(now.vote?.moves ?? []), ...now.notices];
  renew(inside("#notices ul"), notices, () => notices.map((notice) => el("li", {}, notice)));
  const mentioned = now.mentions[now.mentions.length - 1] ?? "";
  if (part("mentions").textContent !== mentioned) part("mentions").textContent = mentioned;
}

/** @param {PageState} now */
function showGuide(now) {
  part("guide").hidden = !now.guide.length;
  renew(inside("#guide ol"), now.guide, () =>
    now.guide.map((step, index) => el("li", index ? {} : { "aria-current": "step" }, step)),
  );
  renew(inside("#guide .buttons"), page.table && now.guide.length > 0, () =>
    page.table && now.guide.length ? [sayButton("confirm", t("confirm"))] : [],
  );
}

/** Shows what anybody may say, if this browser may say it for them. @param {PageState} now */
function showOffers(now) {
  const offers = page.table ? now.offers : [];
  renew(part("offers"), offers, () => offers.map(({ line, words }) => sayButton(line, words)));
  part("offers").hidden = !offers.length;
}

/**
 * @param {string} line
 * @param {string} words
 */
function sayButton(line, words) {
  return el("button", { type: "button", "data-key": line, click: () => sayLine(line) }, words);
}

/** Sends a line for the table. @param {string} line */
const sayLine = (line) => void post("/table/say", { line, version: state?.version ?? 0 });

chooseLanguage(/** @type {HTMLSelectElement} */ (part("language")));
keepScreenOn();
void drawTable(/** @type {SVGSVGElement} */ (document.querySelector("svg.frame")), place.ask).then((drawn) => {
  map = drawn;
  render();
});
listen("/events", heard);
