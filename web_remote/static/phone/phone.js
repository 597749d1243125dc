// The phone: who is to act and what is asked, in one sentence, followed only by what is needed now.

import { cardInPlay, openCards } from "./cards.js";
import { answers } from "./choices.js";
import { turnDial } from "./dial.js";
import { makeLesson, showHint } from "./lesson.js";
import { makePlaces } from "./places.js";
import { mark, playersTable } from "./players.js";
import { makeSettings } from "./settings.js";
import { takeTurns } from "../shared/cover.js";
import { makeFairPlay, mixIn } from "../shared/fair_play.js";
import { makeFlights } from "../shared/flights.js";
import { makeHearing } from "../shared/hearing.js";
import { GameHistory, showHistory } from "../shared/history.js";
import { drawMap } from "../shared/map.js";
import { showOrder } from "../shared/order_of_play.js";
import { el, keep, page, renew, roundWords, scoringWords, t } from "../shared/page.js";
import { makePlacePanel } from "../shared/place_panel.js";
import { placeWords } from "../shared/place_words.js";
import { showScoring } from "../shared/scoring.js";
import { keepScreenOn, screenHint } from "../shared/screen_on.js";
import { makeStory, showStory } from "../shared/turn_story.js";
import { sender } from "./send.js";
import { undoButtons } from "./undo.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {object} Panel
 * @property {(state: PageState) => void} update
 * @property {(place: string) => void} look called with a place that somebody tapped and that cannot be chosen
 * @property {(place: string) => boolean} turnDial turns the dial to a place; returns false if none is asked for
 */

/**
 * Returns the position in the form the map needs.
 * @param {PageState} state
 */
export function mapState(state) {
  const places = Object.keys(page.places);
  const prompt = state.you?.prompt;
  return {
    king: state.king,
    tiles: state.tiles,
    seats: Object.fromEntries(
      state.seats.map((seat) => [
        seat.colour,
        {
          regions: Object.fromEntries(places.map((place) => [place, seat.regions[place] ?? 0])),
          castillo: seat.castillo,
          grande: seat.grande,
        },
      ]),
    ),
    legal: prompt ? prompt.touch : state.touch,
    origin: prompt ? prompt.origin : state.origin,
    wrong: [],
    step: state.step ? { from: state.step[0], to: state.step[1] } : undefined,
    scored: state.scoring?.place ?? null,
    pointed: pointedPlace(state),
  };
}

/** Returns the place that a hint or a lesson is about. @param {PageState} state */
function pointedPlace({ you }) {
  return you?.hint?.place ?? you?.lesson?.place ?? null;
}

/**
 * Starts a phone in an element of a page. Its map is drawn as soon as its geometry is loaded; the question does not
 * wait for it.
 * @param {HTMLElement} element
 * @param {{map?: boolean}} [options] map: whether it shows a map of its own
 * @returns {Panel}
 */
export function startPhone(element, { map = true } = {}) {
  /** @type {PageState|null} */
  let shown = null;
  let countdown = 0;
  const history = new GameHistory();
  const problem = el("p", { class: "problem", role: "alert" });
  const send = sender(
    () => shown,
    (state) => update(state),
    (late) => (problem.textContent = t(late ? "no-answer" : "failed")),
  );
  const hearing = makeHearing({ screen: !map });
  const say = (/** @type {string} */ line) => void send(line).then((why) => why && hearing.refused());
  const touch = (/** @type {string} */ name) => {
    place.ask(null);
    say(`touch ${name}`);
  };

  const head = el("header", { "data-lesson": "you" });
  const order = el("ol", { class: "order", "aria-label": t("order"), "data-lesson": "order" });
  const banner = el("p", { class: "banner", hidden: true }, t("your-turn"));
  const question = el("h1", { id: "question", "aria-live": "polite" });
  const clock = el("p", { class: "clock", role: "timer" });
  const notices = el("div", { class: "notices", role: "status", "aria-atomic": "false" });
  const mentions = el("div", { class: "mentions", role: "status" });
  const scoring = el("section", {
    class: "scored",
    "aria-label": t("scoring"),
    "data-lesson": "scoring",
    hidden: true,
  });
  const guide = el("section", { class: "guide" });
  const answer = el("section", { class: "answers", "aria-labelledby": "question", "data-lesson": "answers dial" });
  const advice = el("div", { class: "advice", "data-lesson": "hint" });
  const inPlay = el("section", { class: "in-play", "aria-label": t("card-in-play") });
  const open = el("section", { class: "open", "aria-label": t("open-cards"), "data-lesson": "cards" });
  const story = makeStory();
  story.dataset.lesson = "story";
  const offers = el("div", { class: "offers" });
  const controls = el("div", { class: "controls" });
  const players = el("table", { class: "players" });
  const moreCards = el("div", { class: "open" });
  const more = el("details", {}, el("summary", {}, t("open-cards")), moreCards);
  const log = el("div", { class: "history" });
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("aria-label", t("map"));
  const place = makePlacePanel();
  const places = makePlaces(touch, (name) => void look(name));
  const settings = makeSettings(() => shown?.you?.seats ?? page.seats, say);
  const logged = el("details", { class: "logged", toggle: () => void openLog() }, el("summary", {}, t("log")), log);
  const fairPlay = makeFairPlay();
  const ending = el("section", { class: "ending", hidden: true });
  const asked = { class: "ask", role: "group", "aria-label": t("asked-now"), tabindex: -1 };
  element.replaceChildren(
    hearing.region,
    head,
    order,
    el(
      "div",
      asked,
      banner,
      question,
      clock,
      problem,
      notices,
      mentions,
      scoring,
      ending,
      guide,
      answer,
      advice,
      offers,
    ),
    inPlay,
    open,
    story,
    ...(map ? [el("section", { class: "mapped", "data-lesson": "map" }, drawing, place.panel)] : [place.panel]),
    places.panel,
    controls,
    el("details", { open: true }, el("summary", {}, t("players")), players),
    more,
    logged,
    fairPlay.panel,
    settings.menu,
  );
  const lesson = makeLesson(element, answer, say);
  /** @type {ReturnType<typeof drawMap>|null} */
  let view = null;
  /** @type {ReturnType<typeof makeFlights>|null} */
  let flights = null;
  /** Why a place cannot be chosen is said in its panel, and not a second time among the notices. */
  let [explaining, explained] = [false, ""];
  if (map)
    void geometry().then((outlines) => {
      view = drawMap(drawing, outlines, {
        names: page.places,
        values: page.values,
        onPlace: touch,
        onLook: look,
        label: (contents) => placeWords(contents, shown),
      });
      flights = makeFlights(view.overlay, outlines);
      if (shown) view.update(mapState(shown));
    });

  /**
   * Tells what a place is worth, and why it cannot be chosen now. If a dial is asked for, it is turned there instead.
   * @param {string} name
   */
  async function look(name) {
    if (turnDial(answer, name)) return place.ask(name);
    explaining = true;
    const why = shown?.you?.prompt.asked ? await send(`touch ${name}`) : "";
    [explaining, explained] = [false, why];
    place.ask(name, why);
    if (why) hearing.refused();
  }

  /** Fetches the whole history when it is wanted, once. */
  async function openLog() {
    if (!logged.open || !shown) return;
    if (history.incomplete) await history.complete();
    showHistory(log, history, shown);
  }

  /** @param {PageState} state */
  function update(state) {
    if (shown && shown.run === state.run && state.number < shown.number) return;
    shown = state;
    problem.textContent = "";
    mixIn(state);
    const you = state.you;
    const own = state.seats.find((seat) => seat.colour === you?.seat);
    if (!you || !own) return;
    element.className = `seat-${own.colour}`;
    const { prompt } = you;
    const mine = prompt.asked !== null && !state.over;
    element.classList.toggle("mine", mine);
    element.classList.toggle("touching", mine && prompt.touch.length > 0);
    element.classList.toggle("turning", mine && prompt.choices.some(({ line }) => line.startsWith("dial ")));
    document.title = mine ? `● ${t("your-turn")} – ${t("title")}` : t("title");
    const supply = [
      `${t("court")} ${own.court}`,
      `${t("province")} ${own.province}`,
      you.castillo ? `${page.places.castillo} ${you.castillo}` : "",
      own.vetoes ? `${t("veto")} ${own.vetoes}` : "",
    ].filter(Boolean);
    renew(head, [own.colour, own.name, own.score, roundLine(state), supply], () => [
      mark(own),
      el("strong", {}, own.name),
      el("span", { class: "points" }, `${own.score}`, el("span", { class: "unseen" }, ` ${t("score")}`)),
      el("span", { class: "round" }, roundLine(state)),
      el("span", { class: "supply" }, supply.join(" · ")),
    ]);
    showOrder(order, state);
    banner.hidden = !mine;
    question.classList.toggle("mine", mine);
    // What is waited for; a player who may veto it reads that in the details.
    const step = mine ? null : state.turn.step;
    if (!prompt.notice) explained = "";
    const notice = explaining || prompt.notice === explained ? null : prompt.notice;
    const told = [...prompt.details, step, ...state.notices, notice].filter(Boolean);
    keep(
      notices,
      [...new Set(told)].map((notice) => ({ key: String(notice), make: () => el("p", {}, notice) })),
    );
    const mentioned = state.mentions.slice(-1);
    renew(mentions, mentioned, () => mentioned.map((line) => el("p", {}, line)));
    showScoring(scoring, state);
    void showEnding(ending, state);
    renew(guide, state.guide, () =>
      state.guide.length
        ? [
            el("h2", {}, t("to-do")),
            el("ol", {}, ...state.guide.map((step) => el("li", {}, step))),
            el("button", { type: "button", class: "main", "data-key": "done", click: () => say("confirm") }, t("done")),
          ]
        : [],
    );
    // A notice is told elsewhere; a dial that was turned stays where it is.
    const asks = { ...prompt, notice: null };
    renew(answer, [asks, you.dial, you.hand, state.open, state.turn.card, state.guide.length > 0, state.over], () => [
      ...answers(state, say),
      prompt.touch.length && map ? el("p", { class: "hint" }, t("tap-map")) : null,
    ]);
    showHint(advice, state, say);
    renew(offers, state.offers, () =>
      state.offers.map(({ line, words: meaning }) =>
        el(
          "button",
          { type: "button", class: line === "next" ? "main" : "", "data-key": line, click: () => say(line) },
          meaning,
        ),
      ),
    );
    renew(inPlay, [state.turn.card, state.turn.stack, state.turn.actor, own.name], () => cardInPlay(state));
    // Whoever chooses a power card needs to see what there is to take.
    const choosing = prompt.kind === "power" && mine;
    renew(open, [choosing, state.open], () => (choosing ? [el("h2", {}, t("open-cards")), ...openCards(state)] : []));
    more.hidden = choosing;
    renew(moreCards, [state.open], () => openCards(state));
    history.take(state);
    if (history.missed) void history.complete().then(tell);
    else tell();
    // Last, so that screen readers read first what happened and then what is asked.
    const words = questionWords(state);
    if (question.textContent !== words) question.textContent = words;
    renew(controls, you.undo, () => undoButtons(state, say));
    renew(players, [state.seats, state.waiting_for], () => playersTable(state));
    settings.update(state);
    fairPlay.update(state);
    place.update(state);
    places.update(mapState(state), state);
    view?.update(mapState(state));
    flights?.update(state);
    lesson.update(state);
    tick(prompt.deadline_s === null ? null : prompt.deadline_s - state.now_s);
  }

  /** Tells what has happened, once all of it is known. */
  function tell() {
    if (!shown?.you) return;
    hearing.update(shown, history.turns);
    showStory(story, history.turns, shown.you.seat);
    if (logged.open) showHistory(log, history, shown);
  }

  /** Counts down while the table waits for an answer. @param {number|null} seconds */
  function tick(seconds) {
    clearInterval(countdown);
    clock.hidden = seconds === null;
    if (seconds === null) return;
    const until = Date.now() + seconds * 1000;
    const tell = () =>
      (clock.textContent = t("seconds-left", { number: Math.max(0, Math.ceil((until - Date.now()) / 1000)) }));
    tell();
    countdown = window.setInterval(tell, 250);
  }

  return { update, look: (name) => void look(name), turnDial: (name) => turnDial(answer, name) };
}

/** @returns {Promise<any>} */
export const geometry = () => fetch(new URL("../shared/map.json", import.meta.url)).then((response) => response.json());

/** The round, and when the next scoring is. @param {PageState} state */
const roundLine = (state) => [roundWords(state), scoringWords(state)].filter(Boolean).join(" · ");

/** Returns what is asked, what is being shown, or which others are waited for. @param {PageState} state */
function questionWords(state) {
  if (state.over) return t("result");
  const asked = state.you?.prompt.asked;
  if (asked) return asked;
  if (state.scoring) return t(state.scoring.card ? "scoring" : "general-scoring");
  const others = state.waiting_for.filter((seat) => seat !== state.you?.seat);
  const names = others.map((seat) => state.seats.find((each) => each.colour === seat)?.name ?? seat);
  return names.length ? t("waiting-for", { names: names.join(", ") }) : "";
}

/**
 * Shows the result when the game is over. Its script is loaded only then.
 * @param {HTMLElement} where
 * @param {PageState} state
 */
async function showEnding(where, state) {
  where.hidden = !state.over;
  if (!state.over) return;
  const { showResult } = await import("../shared/result.js");
  showResult(where, state);
}

/** Starts the phone's own page, for one seat or several that share the phone. @param {HTMLElement} element */
function main(element) {
  keepScreenOn();
  const own = el("div");
  element.append(screenHint() ?? "", own);
  const panel = startPhone(own);
  const remembered = sessionStorage.getItem("seat") ?? "";
  const first = page.seats.includes(remembered) ? remembered : (page.seats[0] ?? "");
  takeTurns(own, {
    first,
    here: "/phone",
    onSeat(state) {
      sessionStorage.setItem("seat", state.you?.seat ?? "");
      panel.update(state);
    },
  });
  // Shows the state that came with the page until the stream sends a newer one.
  if (page.state?.you?.seat === first) panel.update(page.state);
}

if (page.page === "phone") main(/** @type {HTMLElement} */ (document.getElementById("phone")));
