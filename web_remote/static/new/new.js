// The set-up page: who plays, and what. Whoever may not manage the table waits here for a game, or is let in.

import { makeSeats } from "./seats.js";
import { chooseLanguage, el, listen, page, post, t, tooManyTries } from "../shared/page.js";
import { ask } from "../shared/request.js";
import { watchUnlocking } from "../shared/unlock.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageWish} PageWish
 * @typedef {import("../shared/state.js").PageSetUp} PageSetUp
 */

/** Keeps what was entered while the page is loaded in another language. */
const KEPT = "wish";
/** How many seconds a veto clock may run; none is the default. */
const VETO_S = [10, 20, 30, 60];

const setUp = /** @type {PageSetUp} */ (page.set_up);
/** Whether a game was begun here, or this browser was let in; then the page has done its work. */
let leaving = false;

/** @param {string} where */
const inside = (where) => /** @type {HTMLElement} */ (document.querySelector(where));

/** Goes on to the game, where this browser is shown what it may see. */
function goOn() {
  if (!leaving) location.assign("/");
  leaving = true;
}

/** @param {string} text */
function heard(text) {
  const state = /** @type {PageState} */ (JSON.parse(text));
  if (state.game !== setUp.in_game) goOn();
  else void lookWhetherLetIn();
}

/** Shows the form as soon as somebody at the board has let this browser in. */
async function lookWhetherLetIn() {
  if (page.table || !inside("#knocked")?.textContent) return;
  const { data } = await ask("/me");
  if (data.table && !leaving) {
    leaving = true;
    location.reload();
  }
}

/** Returns what was entered before the language was changed, or what is suggested. @returns {PageWish} */
function suggested() {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return kept ? { ...JSON.parse(kept), language: page.language } : setUp.wish;
}

function makeForm() {
  const form = /** @type {HTMLFormElement} */ (inside("#form"));
  const wish = suggested();
  const seats = makeSeats(inside("#seats"), wish.seats, setUp.colours);
  const field = (/** @type {string} */ name) => /** @type {any} */ (form.elements.namedItem(name));

  const fill = (/** @type {string} */ name, /** @type {Record<string, string>} */ options, /** @type {string} */ now) =>
    field(name).replaceChildren(
      ...Object.entries(options).map(([value, words]) => el("option", { value, selected: value === now }, words)),
    );
  fill("edition", setUp.editions, wish.edition);
  fill("pace", Object.fromEntries(page.paces.map((pace) => [pace, t(`pace-${pace}`)])), wish.pace);
  const clocks = [...new Set([0, ...VETO_S, wish.veto_s])].sort((a, b) => a - b);
  const clockWords = (/** @type {number} */ number) => (number ? t("veto-seconds", { number }) : t("veto-off"));
  // An object would put whole numbers first, which is the order wanted.
  fill("veto_s", Object.fromEntries(clocks.map((number) => [number, clockWords(number)])), String(wish.veto_s));
  field("rounds").value = String(wish.rounds);
  field("cards").value = wish.real_cards ? "real" : "dealt";
  field("leader_lights").checked = wish.leader_lights;
  field("teach").checked = wish.teach;
  field("hints").checked = wish.hints;
  inside("#house").append(
    ...Object.entries(setUp.house).map(([rule, words]) =>
      el(
        "label",
        {},
        el("input", { type: "checkbox", name: "house", value: rule, checked: wish.house.includes(rule) }),
        ` ${words}`,
      ),
    ),
  );

  /** @returns {PageWish} */
  const entered = () => {
    const data = new FormData(form);
    return {
      seats: seats.entered(),
      edition: String(data.get("edition")),
      rounds: Number(data.get("rounds")),
      house: data.getAll("house").map(String),
      real_cards: data.get("cards") === "real",
      leader_lights: data.has("leader_lights"),
      veto_s: Number(data.get("veto_s")),
      language: page.language,
      pace: String(data.get("pace")),
      teach: data.has("teach"),
      hints: data.has("hints"),
    };
  };

  const start = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  let sure = !setUp.playing;
  const teach = /** @type {HTMLButtonElement} */ (inside("#teach"));
  /** Begins a game. One that is under way is set aside only if people say so. @param {PageWish} wanted */
  const begin = async (wanted) => {
    if (!sure) {
      sure = true;
      inside("#aside").hidden = false;
      start.textContent = t("aside-go");
      return;
    }
    start.disabled = teach.disabled = true;
    const { status, data } = await post("/table/begin", { ...wanted, aside: setUp.playing });
    const begun = status === 200 && data.ok;
    start.disabled = teach.disabled = false;
    if (begun) start.textContent = t("starting");
    else if (status === 409)
      location.reload(); // somebody else was faster
    else inside("#answer").textContent = data.why ?? t("failed");
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin(entered());
  });
  teach.addEventListener("click", () => void begin(setUp.first_game));
  return entered;
}

/** Lets people change the language without losing what they have entered. @param {() => PageWish} entered */
function keepOnLanguage(entered) {
  const select = /** @type {HTMLSelectElement} */ (inside("#language"));
  select.addEventListener("change", () => sessionStorage.setItem(KEPT, JSON.stringify(entered())), { capture: true });
  chooseLanguage(select);
}

if (page.table) {
  keepOnLanguage(makeForm());
} else {
  chooseLanguage(/** @type {HTMLSelectElement} */ (inside("#language")));
  watchUnlocking(/** @type {HTMLFormElement} */ (inside("#unlock")));
  inside("#knock")?.addEventListener("click", async () => {
    const { status, wait } = await post("/table/knock", {});
    const words = status === 200 ? "press-white" : "failed";
    inside("#knocked").textContent = status === 429 ? tooManyTries(wait) : t(words);
  });
}
listen("/events", heard, undefined, () => void lookWhetherLetIn());
