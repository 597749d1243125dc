// The possible answers, each kind in its own form: power cards, action cards, numbers, the dial, words.

import { dial, setDial } from "./dial.js";
import { el, page, t } from "../shared/page.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/state.js").PageChoice} PageChoice
 * @typedef {(line: string) => void} Send
 */

/**
 * @param {PageState} state
 * @param {Send} send
 * @returns {(Node|string|null)[]}
 */
export function answers(state, send) {
  const you = state.you;
  if (!you) return [];
  const { choices, places } = you.prompt;
  const verb = (/** @type {PageChoice} */ choice) => choice.line.split(" ")[0];
  const of = (/** @type {string} */ name) => choices.filter((choice) => verb(choice) === name);
  const rest = choices.filter(
    (choice) => !["power", "retake", "card", "recruit", "dial", "end", "done"].includes(verb(choice) ?? ""),
  );
  // While the guide asks for the board to be corrected, `confirm` means that it has been.
  const endings = [...of("done"), ...of("end")];
  const ending = state.guide.length ? undefined : endings[0];
  // It is the way forward only once nothing else can be done.
  const last = places.length === 0 && choices.length === endings.length;
  return [
    of("power").length ? powerCards(state, of("power"), send) : null,
    of("retake").length ? powerCards(state, of("retake"), send) : null,
    of("card").length ? actionCards(state, of("card"), send) : null,
    of("recruit").length ? numbers(of("recruit"), send) : null,
    of("dial").length
      ? dial(
          page.regions,
          of("dial").map((choice) => choice.line.split(" ")[1] ?? ""),
          (region) => send(`dial ${region}`),
        )
      : null,
    you.dial && !of("dial").length ? setDial(you.dial) : null,
    rest.length ? words(state, rest, send) : null,
    // Ends with `confirm`, which first says what would be lost.
    ending
      ? el(
          "button",
          { type: "button", class: last ? "main" : "", "data-key": "end", click: () => send("confirm") },
          ending.words,
        )
      : null,
  ];
}

/** @param {PageState} state @param {PageChoice[]} legal @param {Send} send */
function powerCards(state, legal, send) {
  const you = state.you;
  const verb = legal[0]?.line.split(" ")[0] ?? "power";
  const may = new Set(legal.map((choice) => Number(choice.line.split(" ")[1])));
  // Who has just taken the seat over is told what may be played, and not the rest of its hand.
  const hand = (verb === "power" && you?.hand) || [...may];
  const names = Object.fromEntries(state.seats.map((seat) => [seat.colour, seat.name]));
  return el(
    "ul",
    { class: "power" },
    ...[...hand]
      .sort((a, b) => a - b)
      .map((number) => {
        const by = you?.refused_cards[String(number)];
        const brings = t("brings", { number: page.recruits[number] ?? 0 });
        const why = by ? t("power-taken", { name: names[by] ?? by }) : "";
        return el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              class: "card",
              "data-key": `power${number}`,
              "data-line": `${verb} ${number}`,
              "aria-disabled": may.has(number) ? false : "true",
              click: () => {
                if (may.has(number)) send(`${verb} ${number}`);
              },
            },
            el("span", { class: "unseen" }, `${t("power-card")} `),
            el("strong", {}, String(number)),
            " ",
            el("span", {}, why || brings),
          ),
        );
      }),
  );
}

/** @param {PageState} state @param {PageChoice[]} legal @param {Send} send */
function actionCards(state, legal, send) {
  return el(
    "ul",
    { class: "action" },
    ...legal.map((choice) => {
      const stack = choice.line.split(" ")[1] ?? "";
      const card = state.open[stack];
      return el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            class: "card",
            "data-key": choice.line,
            "data-line": choice.line,
            click: () => send(choice.line),
          },
          el("strong", {}, card?.title ?? choice.words),
          " ",
          el("span", { class: "stack" }, t("place-up-to", { number: stack })),
          " ",
          el("span", {}, card?.text ?? ""),
        ),
      );
    }),
  );
}

/** @param {PageChoice[]} legal @param {Send} send */
function numbers(legal, send) {
  const most = legal.length - 1;
  return el(
    "div",
    { class: "numbers", role: "group" },
    ...legal.map((choice, index) =>
      el(
        "button",
        {
          type: "button",
          class: index === most ? "main" : "",
          "data-key": choice.line,
          "data-line": choice.line,
          "aria-label": choice.words,
          click: () => send(choice.line),
        },
        choice.line.split(" ")[1] ?? choice.words,
      ),
    ),
  );
}

/** The way forward, and the answer that loses nothing. */
const FORWARD = ["no", "agree", "allow"];

/** @param {PageState} state @param {PageChoice[]} legal @param {Send} send */
function words(state, legal, send) {
  // With nothing left to place, the special action is what comes next.
  const forward = state.you?.prompt.places.length ? FORWARD : [...FORWARD, "special"];
  return el(
    "div",
    { class: "words", role: "group" },
    ...legal.map((choice) => {
      const text = choice.line === "special" && state.turn.card ? state.turn.card.text : "";
      return el(
        "button",
        {
          type: "button",
          class: forward.includes(choice.line) ? "main" : "",
          "data-key": choice.line,
          "data-line": choice.line,
          click: () => send(choice.line),
        },
        choice.words,
        text ? el("span", { class: "more" }, text) : null,
      );
    }),
  );
}
