// The phone: who is to act and what is asked, in one sentence, followed only by what is needed now.

import { answers } from "./choices.js";
import { takeTurns } from "../shared/cover.js";
import { leaveSeats } from "../shared/leaving.js";
import { drawMap } from "../shared/map.js";
import { chooseLanguage, el, page, placeWords, renew, roundWords, t } from "../shared/page.js";
import { icon, scoreMarker } from "../shared/pieces.js";
import { sender } from "./send.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageSeat} PageSeat
 * @typedef {import("../shared/state.js").PageScoring} PageScoring
 * @typedef {{update: (state: PageState) => void}} Panel
 */

/** @param {PageSeat} seat */
const mark = (seat) => icon(scoreMarker(seat.colour, 40), 44);

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
  };
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
  let wasAsked = "";
  let countdown = 0;
  const problem = el("p", { class: "problem", role: "alert" });
  const say = sender(
    () => shown,
    (state) => update(state),
    () => (problem.textContent = t("failed")),
  );
  /** What was scored since this player last acted, and how much was scored before. @type {PageScoring[]} */
  let fresh = [];
  let counted = -1;
  const send = (/** @type {string} */ line) => {
    fresh = [];
    return say(line);
  };

  const head = el("header");
  const question = el("h1", { id: "question", "aria-live": "polite" });
  const clock = el("p", { class: "clock", role: "timer" });
  const notices = el("div", { class: "notices", role: "status" });
  const scored = el("section", { class: "scored", role: "status" });
  const guide = el("section", { class: "guide" });
  const answer = el("section", { class: "answers", "aria-labelledby": "question" });
  const controls = el("div", { class: "controls" });
  const players = el("table", { class: "players" });
  const cards = el("div", { class: "open" });
  const log = el("ol", { class: "log", reversed: true });
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("aria-label", t("map"));
  const menu = settings(() => shown?.you?.seats ?? page.seats);
  element.replaceChildren(
    head,
    el("div", { class: "ask" }, question, clock, problem, notices, scored, guide, answer),
    ...(map ? [el("section", { class: "mapped" }, drawing)] : []),
    controls,
    el("details", { open: true }, el("summary", {}, t("players")), players),
    el("details", {}, el("summary", {}, t("open-cards")), cards),
    el("details", {}, el("summary", {}, t("log")), log),
    menu,
  );
  /** @type {ReturnType<typeof drawMap>|null} */
  let view = null;
  if (map)
    void geometry().then((outlines) => {
      view = drawMap(drawing, outlines, {
        names: page.places,
        values: page.values,
        onPlace: (place) => void send(`touch ${place}`),
        label: (contents) => placeWords(contents, shown),
      });
      if (shown) view.update(mapState(shown));
    });

  /** @param {PageState} state */
  function update(state) {
    if (shown && shown.run === state.run && state.number < shown.number) return;
    shown = state;
    problem.textContent = "";
    const you = state.you;
    const own = state.seats.find((seat) => seat.colour === you?.seat);
    if (!you || !own) return;
    element.className = `seat-${own.colour}`;
    const { prompt } = you;
    const mine = prompt.asked !== null;
    renew(head, [own.colour, own.name, own.score, own.court, own.province, state.round, own.vetoes], () => [
      mark(own),
      el("strong", {}, own.name),
      el("span", {}, roundWords(state)),
      el("span", { class: "points" }, `${own.score}`, el("span", { class: "unseen" }, ` ${t("score")}`)),
      el(
        "span",
        { class: "supply" },
        `${t("court")} ${own.court} · ${t("province")} ${own.province}` +
          (own.vetoes ? ` · ${t("veto")} ${own.vetoes}` : ""),
      ),
    ]);
    const names = state.waiting_for.map((seat) => state.seats.find((each) => each.colour === seat)?.name ?? seat);
    const words = state.over
      ? t("result")
      : mine
        ? (prompt.asked ?? "")
        : names.length
          ? t("waiting-for", { names: names.join(", ") })
          : "";
    if (question.textContent !== words) question.textContent = words;
    question.classList.toggle("mine", mine);
    // A player who may veto a step is shown which one it is.
    const told = [state.turn.step, ...state.notices, prompt.refusal].filter(Boolean);
    renew(notices, told, () => told.map((notice) => el("p", {}, notice)));
    const total = state.scorings_from + state.scorings.length;
    if (counted >= 0 && total > counted) fresh = [...fresh, ...state.scorings.slice(counted - total)];
    if (total < counted) fresh = [];
    counted = total;
    renew(scored, fresh, () =>
      fresh.length
        ? [
            el("h2", {}, t("scoring")),
            el(
              "ul",
              {},
              ...fresh.map((scoring) => el("li", {}, el("b", {}, scoring.name), ` ${pointsIn(scoring, state)}`)),
            ),
          ]
        : [],
    );
    renew(guide, [state.guide, state.offers], () =>
      state.guide.length
        ? [
            el("h2", {}, t("to-do")),
            el("ol", {}, ...state.guide.map((step) => el("li", {}, step))),
            el(
              "button",
              { type: "button", class: "main", "data-key": "done", click: () => void send("confirm") },
              t("done"),
            ),
            ...state.offers.map((offer) =>
              el("button", { type: "button", click: () => void send(offer.line) }, offer.words),
            ),
          ]
        : [],
    );
    renew(answer, [prompt, you.dial, you.hand, state.open, state.turn.card, state.guide.length > 0, state.over], () => [
      ...answers(state, (line) => void send(line)),
      prompt.touch.length && map ? el("p", { class: "hint" }, t("tap-map")) : null,
      ...(state.over ? [result(state)] : []),
    ]);
    renew(controls, [state.over], () =>
      state.over
        ? []
        : [
            el("button", { type: "button", "data-key": "undo", click: () => void send("undo") }, t("undo")),
            el(
              "button",
              { type: "button", "data-key": "undo-turn", click: () => void send("undo turn") },
              t("undo-turn"),
            ),
          ],
    );
    renew(players, [state.seats, state.waiting_for], () => table(state));
    renew(cards, [state.open, state.turn.card], () => [
      ...(state.turn.card ? [openCard(state.turn.stack, state.turn.card)] : []),
      ...Object.entries(state.open).map(([stack, card]) => openCard(stack, card)),
    ]);
    renew(log, [state.log, state.log_from], () =>
      state.log
        .slice(-30)
        .reverse()
        .map((line) => el("li", {}, line)),
    );
    view?.update(mapState(state));
    tick(prompt.deadline_s === null ? null : prompt.deadline_s - state.now_s);
    const asked = mine ? `${state.version} ${prompt.asked}` : "";
    if (asked && !wasAsked) nudge();
    wasAsked = asked;
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

  return { update };
}

/** @returns {Promise<any>} */
export const geometry = () => fetch(new URL("../shared/map.json", import.meta.url)).then((response) => response.json());

/** @param {string|number|null} stack @param {import("../shared/state.js").PageCard} card */
const openCard = (stack, card) => el("p", {}, el("strong", {}, `${stack} ${card.title}`), ` ${card.text}`);

/**
 * Returns who got how many points from a scoring.
 * @param {PageScoring} scoring
 * @param {PageState} state
 */
function pointsIn({ points }, { seats }) {
  const got = seats.filter(({ colour }) => points[colour]).map(({ colour, name }) => `${name} +${points[colour]}`);
  return got.join(", ") || "–";
}

const COLUMNS = ["score", "court", "province", "hand"];

/** @param {PageState} state */
function table(state) {
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, el("span", { class: "unseen" }, t("players"))),
    ...COLUMNS.map((name) => el("th", { scope: "col" }, t(name))),
  );
  return [
    el("thead", {}, head),
    el(
      "tbody",
      {},
      ...state.seats.map((seat) =>
        el(
          "tr",
          { class: `seat-${seat.colour}${state.waiting_for.includes(seat.colour) ? " acting" : ""}` },
          el("th", { scope: "row" }, el("span", {}, mark(seat), el("span", { class: "called" }, seat.name))),
          ...COLUMNS.map((name) => el("td", { "data-name": t(name) }, String(numbers(seat)[name]))),
        ),
      ),
    ),
  ];
}

/** @param {PageSeat} seat @returns {Record<string, number>} */
const numbers = (seat) => ({ score: seat.score, court: seat.court, province: seat.province, hand: seat.cards });

/** @param {PageState} state */
function result(state) {
  const names = state.winners.map((colour) => state.seats.find((seat) => seat.colour === colour)?.name ?? colour);
  return el("p", { class: "result" }, t(names.length > 1 ? "share" : "wins", { names: names.join(", ") }));
}

/** @param {() => string[]} held returns the seats that the phone holds */
function settings(held) {
  const language = el("select", { "aria-label": t("language") });
  chooseLanguage(language);
  const sound = el("input", {
    type: "checkbox",
    checked: localStorage.getItem("sound") === "on",
    change: (event) => {
      localStorage.setItem("sound", event.target.checked ? "on" : "off");
      if (event.target.checked) nudge();
    },
  });
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
  return el(
    "details",
    { class: "menu" },
    el("summary", {}, t("help")),
    el("p", {}, t("help-text")),
    el("h2", {}, t("in-short")),
    el("ul", { class: "short" }, ...inShort),
    el("label", {}, sound, ` ${t("sound")}`),
    el("label", {}, `${t("language")} `, language),
    leave,
  );
}

/** Signals a turn by whatever the phone can do, if the player wants it. */
function nudge() {
  if (localStorage.getItem("sound") !== "on") return;
  navigator.vibrate?.(120);
  try {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = 660;
    gain.gain.setValueAtTime(0.08, audio.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.4);
    tone.connect(gain).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.4);
    tone.onended = () => void audio.close();
  } catch {
    /* a browser without sound */
  }
}

/** Keeps the screen on where the browser allows it. */
function stayAwake() {
  const ask = () => {
    if (!document.hidden) void navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}

/** Starts the phone's own page, for one seat or several that share the phone. @param {HTMLElement} element */
function main(element) {
  stayAwake();
  const own = el("div");
  element.append(own);
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
