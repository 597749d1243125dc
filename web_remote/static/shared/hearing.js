// @ts-check
// A page for ears: sounds and the browser's voice if they are wanted, and a live region for screen readers with what
// the page shows but no visible live region tells.

import { chime } from "./chimes.js";
import { GameNews } from "./news.js";
import { el, page, t } from "./page.js";
import { soundWanted, vibrate, wantSound } from "./sound.js";
import { canSpeak, speak, speechWanted, wantSpeech } from "./speech.js";

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").PageHistoryTurn} PageHistoryTurn
 * @typedef {import("./news.js").Fresh} Fresh
 * @typedef {import("./chimes.js").Chime} Chime
 */

/** Moves after which a piece lies elsewhere. */
const PLACING = new Set(["place", "extra", "move", "remove", "recall", "expel", "king", "grande", "tile", "home"]);
/** How many lines the live region keeps: more than come at once, because readers need time. What was read may go. */
const LINES = 20;

/**
 * Returns the ears of a page. Its `region` must be on the page from the start, so that screen readers watch it.
 * @param {{screen?: boolean}} [options] screen: whether people look at it together, so that it reads scorings aloud
 */
export function makeHearing({ screen = false } = {}) {
  const region = el("div", { class: "unseen", role: "log" });
  const news = new GameNews();
  /** @type {PageState|null} */
  let before = null;

  /** @param {string} words */
  function tell(words) {
    region.append(el("p", {}, words));
    while (region.children.length > LINES) region.firstElementChild?.remove();
  }

  /**
   * Tells what is new in a state.
   * @param {PageState} state
   * @param {PageHistoryTurn[]} turns
   */
  function update(state, turns) {
    const last = before?.run === state.run ? before : null;
    before = state;
    const fresh = news.take(state, turns);
    const result = last && state.over && !last.over ? resultWords(state) : "";
    const step = state.guide[0] !== last?.guide[0] ? (state.guide[0] ?? "") : "";
    // What others did stands in the story, since the last turn of this page's seat; what that seat did is confirmed here.
    const mine = (/** @type {string|null} */ seat) => seat !== null && seat === state.you?.seat;
    const here = [
      ...fresh.moves.filter(({ seat, verb }) => mine(seat) && PLACING.has(verb)),
      ...fresh.turns.filter(({ seat, late }) => late && !mine(seat)),
    ].map(({ words }) => words);
    if (last && state.you?.dial && dialsSet(state) > dialsSet(last)) here.push(t("dial-is-set"));
    for (const words of [...here, ...fresh.rows, step, halfMove(last, state), result]) if (words) tell(words);
    if (!last) return;
    const sound = soundOf(last, state, fresh);
    if (sound) chime(sound);
    if (sound === "turn") vibrate(120);
    const others = fresh.turns.filter(({ seat }) => !mine(seat)).map(({ words }) => words);
    const asked = questionOf(state);
    speak(
      [...(screen ? fresh.rows : []), ...others, step, result].filter(Boolean),
      asked && asked !== questionOf(last) ? spokenQuestion(state) : "",
    );
  }

  return { region, update, refused: () => chime("refused") };
}

/** Returns the switches for sounds and speech. Both are off until somebody wants them. */
export function hearingSwitches() {
  const sound = el("input", {
    type: "checkbox",
    checked: soundWanted(),
    change: () => {
      wantSound(sound.checked);
      chime("turn");
    },
  });
  const speech = el("input", {
    type: "checkbox",
    checked: speechWanted(),
    change: () => {
      wantSpeech(speech.checked);
      speak([], t("speech-on"));
    },
  });
  const labels = [el("label", {}, sound, ` ${t("sound")}`)];
  if (canSpeak) labels.push(el("label", {}, speech, ` ${t("speech")}`));
  return labels;
}

/**
 * Returns the one sound of a change: the most important.
 * @param {PageState} before
 * @param {PageState} after
 * @param {Fresh} fresh
 * @returns {Chime|null}
 */
function soundOf(before, after, fresh) {
  if (after.over && !before.over) return "end";
  if (after.scoring?.place && after.scoring.place !== before.scoring?.place) return "scoring";
  if (asks(after) && asks(after) !== asks(before)) return "turn";
  if (dialsSet(after) > dialsSet(before)) return "locked";
  return fresh.moves.some(({ verb }) => PLACING.has(verb)) ? "placed" : null;
}

/** Returns whose turn it is to answer on this page, as far as people are concerned. @param {PageState} state */
function asks(state) {
  if (state.you) return state.you.prompt.asked ? state.you.seat : "";
  return people(state)
    .map(({ seat }) => seat)
    .join(" ");
}

/** @param {PageState} state */
const dialsSet = (state) =>
  state.you ? Number(state.you.dial !== null) : state.seats.filter(({ dialled }) => dialled).length;

/** Returns the questions to people. @param {PageState} state */
const people = (state) =>
  state.asked.filter(({ seat }) => state.seats.some(({ colour, player }) => colour === seat && player === "person"));

/**
 * Returns what a question is known by: while somebody places one piece after another, everybody is told once.
 * @param {PageState} state
 */
function questionOf(state) {
  if (state.over || state.scoring) return "";
  if (state.you) return state.you.prompt.asked ?? "";
  return people(state)
    .map(({ seat, words }) => `${seat} ${words.replace(/\d+/g, "")}`)
    .join(" ");
}

/**
 * Returns the question as it may be said aloud. A phone is heard by everybody, so where the answer is secret it says
 * what everybody may know.
 * @param {PageState} state
 */
function spokenQuestion(state) {
  const { you } = state;
  const asked = people(state);
  if (you) {
    const secret = you.prompt.choices.some(({ line }) => /^(dial|retake) /.test(line));
    return secret ? (asked.find(({ seat }) => seat === you.seat)?.words ?? "") : (you.prompt.asked ?? "");
  }
  if (asked.length < 2) return asked[0]?.words ?? "";
  const names = asked.map(({ seat }) => state.seats.find(({ colour }) => colour === seat)?.name ?? seat);
  return t("waiting-for", { names: names.join(", ") });
}

/**
 * Returns what half a move leads to. The question stays the same meanwhile: only the map or the choices change.
 * @param {PageState|null} before
 * @param {PageState} after
 */
function halfMove(before, after) {
  const [old, now] = [before?.you?.prompt, after.you?.prompt];
  if (!old || !now || old.asked !== now.asked) return "";
  if (now.origin && now.origin !== old.origin) return t("from", { name: page.places[now.origin] ?? now.origin });
  const same =
    now.choices.length === old.choices.length && now.choices.every(({ line }, at) => line === old.choices[at].line);
  if (same || now.touch.length || !now.choices.length) return "";
  return t("choose-one", { choices: now.choices.map(({ words }) => words).join("; ") });
}

/** @param {PageState} state */
function resultWords({ winners, seats }) {
  const names = seats.filter(({ colour }) => winners.includes(colour)).map(({ name }) => name);
  return t(names.length > 1 ? "share" : "wins", { names: names.join(", ") });
}
