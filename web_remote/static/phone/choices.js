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
  const { choices } = you.prompt;
  const verb = (/** @type {PageChoice} */ choice) => choice.line.split(" ")[0];
  const of = (/** @type {string} */ name) => choices.filter((choice) => verb(choice) === name);
  const rest = choices.filter(
    (choice) => !["power", "retake", "card", "recruit", "dial", "end", "done"].includes(verb(choice) ?? ""),
  );
  // While the guide asks for the board to be corrected, `confirm` means that it has been.
  const ending = state.guide.length ? undefined : [...of("done"), ...of("end")][0];
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
          { type: "button", class: rest.length ? "" : "main", "data-key": "end", click: () => send("confirm") },
          label(ending),
        )
      : null,
  ];
}

/** @param {PageState} state @param {PageChoice[]} legal @param {Send} send */
function powerCards(state, legal, send) {
  const you = state.you;
  const verb = legal[0]?.line.split(" ")[0] ?? "power";
  const may = new Set(legal.map((choice) => Number(choice.line.split(" ")[1])));
  const hand = verb === "power" ? (you?.hand ?? []) : [...may];
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
              "aria-disabled": may.has(number) ? false : "true",
              click: () => {
                if (may.has(number)) send(`${verb} ${number}`);
              },
            },
            el("strong", {}, String(number)),
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
          { type: "button", class: "card", "data-key": choice.line, click: () => send(choice.line) },
          el("strong", {}, card?.title ?? choice.words),
          el("span", { class: "stack" }, t("place-up-to", { number: stack })),
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
          "aria-label": choice.words,
          click: () => send(choice.line),
        },
        choice.line.split(" ")[1] ?? choice.words,
      ),
    ),
  );
}

/**
 * Returns the label of a button: what its player does, not what others will read in the log.
 * @param {PageChoice} choice
 */
function label(choice) {
  switch (choice.line) {
    case "special":
      return t("special");
    case "end":
      return t("end");
    case "done":
      return t("stop-there");
    case "veto":
      return t("say-no");
    case "allow":
      return t("allow");
    case "allow all":
      return t("allow-all");
    default:
      return choice.words;
  }
}

/** @param {PageState} state @param {PageChoice[]} legal @param {Send} send */
function words(state, legal, send) {
  return el(
    "div",
    { class: "words", role: "group" },
    ...legal.map((choice) => {
      const text = choice.line === "special" && state.turn.card ? state.turn.card.text : "";
      return el(
        "button",
        { type: "button", "data-key": choice.line, click: () => send(choice.line) },
        label(choice),
        text ? el("span", { class: "more" }, text) : null,
      );
    }),
  );
}
