// The page where a phone takes a seat: with the code on the table screen, or by a button of the board.

import { chooseLanguage, el, listen, page, post, renew, t, tooManyTries } from "../shared/page.js";
import { ask } from "../shared/request.js";
import { icon, scoreMarker } from "../shared/pieces.js";
import { offerHttps } from "../shared/screen_on.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

const form = /** @type {HTMLFormElement} */ (document.getElementById("form"));
const seats = /** @type {HTMLElement} */ (document.getElementById("seats"));
const legend = /** @type {HTMLElement} */ (seats.querySelector("legend"));
const name = /** @type {HTMLInputElement} */ (document.getElementById("name"));
const code = /** @type {HTMLInputElement} */ (document.getElementById("code"));
const answer = /** @type {HTMLElement} */ (document.getElementById("answer"));
const wanted = new URL(location.href).searchParams;
let waiting = "";
/** Whether a button is lit for this phone, as far as the page knows. */
let lit = false;
let leaving = false;
/** What the page says now. */
let said = "";

chooseLanguage(/** @type {HTMLSelectElement} */ (document.getElementById("language")));
code.value = wanted.get("code") ?? "";
/** The token of the QR code that led here, which stands for the code. It does not stay in the address. */
const key = wanted.get("key") ?? "";
if (key) {
  const address = new URL(location.href);
  address.searchParams.delete("key");
  history.replaceState(null, "", address);
}
document.getElementById("screen-on")?.append(offerHttps(key ? { key } : {}) ?? "");
if (wanted.has("gone")) say(t("gone"));
/** Whether this browser may take a seat over from another one: it is at the machine of a simulated board. */
const mayTakeOver = page.table && page.virtual;
const go = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
/** The seats that other browsers hold. @type {string[]} */
let others = [];
/** @type {HTMLElement} */ (document.getElementById("code-field")).hidden =
  page.table || key !== "" || wanted.has("code");

/** @returns {string} the colour that is chosen */
const chosen = () => String(new FormData(form).get("seat") ?? "");

/** @param {string} words what the page says from now on */
function say(words) {
  said = words;
  if (answer.textContent !== words) answer.textContent = words;
}

/** @param {PageState} state */
function show(state) {
  const people = state.seats.filter((seat) => seat.player === "person");
  const made_of = [people.map((seat) => [seat.colour, seat.name, seat.held]), state.seats_open];
  others = people.filter(({ colour, held }) => held && !page.seats.includes(colour)).map(({ colour }) => colour);
  const only = people.length === 1 ? people[0].colour : "";
  const kept = chosen() || wanted.get("seat") || wanted.get("gone") || only;
  renew(seats, made_of, () => [
    legend,
    ...people.map((seat) => {
      const taken = seat.held && !state.seats_open && !page.seats.includes(seat.colour);
      return el(
        "label",
        { class: `seat seat-${seat.colour}` },
        el("input", {
          type: "radio",
          name: "seat",
          value: seat.colour,
          required: true,
          disabled: taken && !mayTakeOver,
          checked: (!taken || mayTakeOver) && seat.colour === kept,
        }),
        icon(scoreMarker(seat.colour, 40), 44),
        el("span", { class: "called" }, seat.name),
        taken ? el("span", { class: "note" }, t("taken")) : null,
      );
    }),
  ]);
  showGo();
  const full = people.every((seat) => seat.held) && !state.seats_open && !mayTakeOver;
  if (full && !said) say(t("no-free-seat"));
  else if (!full && said === t("no-free-seat")) say("");
  const lost = state.seats.find((seat) => seat.colour === wanted.get("gone"));
  if (said === t("gone") && lost && lost.player !== "person") say(t("bot-plays", { name: lost.name }));
  else if (said === t("gone") && lost?.held) say(t("gone-here"));
  const seat = state.seats.find((each) => each.colour === waiting);
  if (!seat) return;
  if (seat.held) void arrived();
  const toBeHad = seat.player === "person" && (!seat.held || state.seats_open);
  if (said === t("press-lit") && (lit ? state.knocking !== waiting : !toBeHad)) void turnedDown(seat);
  lit = state.knocking === waiting;
}

/** Whether the seat that is chosen would be taken over from another browser. */
const takesOver = () => mayTakeOver && others.includes(chosen());

/** Says what the button does. */
function showGo() {
  const words = t(takesOver() ? "play-here" : "join-go");
  if (go.textContent !== words) go.textContent = words;
}

/** Goes on to the phone's own page if it has a seat by now. Returns whether it has. */
async function arrived() {
  const { data } = await ask("/me");
  if (!data.seats?.includes(waiting)) return false;
  // The answer and the stream both report it; navigating twice would abort the first navigation.
  if (!leaving) location.assign(page.virtual && page.table ? "/board" : "/phone");
  leaving = true;
  return true;
}

/**
 * Called when no button is lit for this phone any more: it was let in, or is shown why not.
 * @param {import("../shared/state.js").PageSeat} seat
 */
async function turnedDown(seat) {
  if (await arrived()) return;
  if (seat.player !== "person") say(t("bot-plays", { name: seat.name }));
  else say(seat.held ? t("seat-taken") : "");
}

/** @type {Record<string, string>} */
const REASONS = { 403: "wrong-code", 409: "seat-taken" };

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  waiting = chosen();
  const over = takesOver();
  const shown = { seat: waiting, name: name.value.trim(), code: code.value.trim() || key, over };
  const { status, data, wait } = await post("/join", shown);
  if (status === 200) await arrived();
  else {
    say(data.why ?? (status === 429 ? tooManyTries(wait) : t(REASONS[status] ?? "failed")));
    if (data.error === "name") {
      name.focus();
      return;
    }
    /** @type {HTMLElement} */ (document.getElementById("code-field")).hidden = false;
    if (status === 403) code.focus();
  }
});

form.addEventListener("change", showGo);
document.getElementById("knock")?.addEventListener("click", async () => {
  if (!form.elements.namedItem("seat") || !chosen()) {
    form.reportValidity();
    return;
  }
  waiting = chosen();
  const { status, data, wait } = await post("/knock", { seat: waiting, name: name.value.trim() });
  lit = false;
  const refused = () => (status === 429 ? tooManyTries(wait) : t(REASONS[status] ?? "failed"));
  say(data.why ?? (status === 200 ? t("press-lit") : refused()));
});

listen("/events", (data) => show(JSON.parse(data)));
