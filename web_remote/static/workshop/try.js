// Trying each light, button and reader by hand; the game waits meanwhile.

import { el, post, renew, t } from "../shared/page.js";

/** @typedef {import("./workshop.js").Shop} Shop */
/** @typedef {import("./workshop.js").Plan} Plan */
/** @typedef {import("./workshop.js").ButtonTried} ButtonTried */
/** @typedef {import("./workshop.js").ReaderTried} ReaderTried */

/** How often the workshop reports that it is still there: the table takes the board back after 15 s of silence. */
const STAY_MS = 4000;
/** How long a finger of the page holds a simulated button, or a tag to a simulated reader. */
const HELD_MS = 250;

/** @param {string} where */
const inside = (where) => /** @type {HTMLElement} */ (document.querySelector(`#try ${where}`));

/** @param {Plan} plan */
export function makeTrying(plan) {
  let held = false;
  let step = 0;
  const last = plan.steps.length - 1;
  inside(".hold").addEventListener("click", () => void post(held ? "/workshop/give-back" : "/workshop/take", {}));
  // The last step is dark; after it comes the first again.
  inside(".next").addEventListener("click", () => light(step === last ? 0 : step + 1));
  inside(".last").addEventListener("click", () => light(step === 0 ? last : step - 1));
  setInterval(() => {
    if (held && !document.hidden) void post("/workshop/stay", {});
  }, STAY_MS);
  return {
    /** @param {Shop} shop */
    update(shop) {
      held = shop.held;
      step = shop.step ?? last;
      inside(".hold").textContent = t(held ? "give-back" : "take-board");
      inside(".parts").hidden = !held;
      const { words, ma } = plan.steps[step];
      inside(".step").textContent = t("light-step", { number: step + 1, all: plan.steps.length, words, ma });
      inside(".tried").textContent = tried(shop);
      renew(inside(".places"), [shop.buttons, shop.readers, step], () => [table(plan, shop, step)]);
    },
  };
}

/** @param {number} step */
function light(step) {
  void post("/workshop/light", { step });
}

/** @param {Shop} shop */
function tried({ buttons, readers }) {
  const pressed = Object.values(buttons);
  const seen = Object.values(readers);
  const words = [t("buttons-tried", { number: pressed.filter(({ short }) => short).length, all: pressed.length })];
  if (seen.length)
    words.push(t("readers-tried", { number: seen.filter(({ times }) => times).length, all: seen.length }));
  return words.join(" · ");
}

/**
 * @param {Plan} plan
 * @param {Shop} shop
 * @param {number} step
 */
function table(plan, shop, step) {
  const readers = Object.keys(shop.readers).length > 0;
  const head = ["place", "part-light", "part-button", readers ? "part-reader" : ""].filter(Boolean);
  const places = plan.places.map(({ place, name }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", {}, lightButton(plan, place, name, step)),
      el("td", {}, ...buttonCell(plan, place, name, shop.buttons[place])),
      readers ? el("td", {}, ...readerCell(plan, place, name, shop.readers[place])) : null,
    ),
  );
  const controls = plan.controls.map(({ place: control, name }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: "control" }, name),
      el("td", {}),
      el("td", {}, ...buttonCell(plan, control, name, shop.buttons[control])),
      readers ? el("td", {}) : null,
    ),
  );
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, t(name))))),
    el("tbody", {}, ...places, ...controls),
  );
}

/**
 * @param {Plan} plan
 * @param {string} place
 * @param {string} name
 * @param {number} step
 */
function lightButton(plan, place, name, step) {
  const number = plan.steps.findIndex((each) => each.place === place);
  return el(
    "button",
    {
      type: "button",
      "data-key": `light-${place}`,
      "aria-pressed": String(number === step),
      click: () => light(number),
    },
    t("light-it"),
    el("span", { class: "unseen" }, ` ${name}`),
  );
}

/**
 * @param {Plan} plan
 * @param {string} button
 * @param {string} name
 * @param {ButtonTried} known
 */
function buttonCell(plan, button, name, { short, long, down }) {
  const words = [short ? t("pressed-times", { number: short }) : t("not-yet")];
  if (long) words.push(t("long-times", { number: long }));
  if (down) words.push(t("is-down"));
  return [
    el("span", { class: "part", "aria-hidden": "true" }, t("part-button")),
    result(short > 0, words.join(" · ")),
    plan.simulated ? hand(`press-${button}`, t("press-it"), name, "/board/button", { button }, "down") : null,
  ];
}

/**
 * @param {Plan} plan
 * @param {string} place
 * @param {string} name
 * @param {ReaderTried|undefined} known
 */
function readerCell(plan, place, name, known) {
  if (!known) return [el("span", { class: "quiet" }, t("no-reader"))];
  const { condition, dead, tag, piece, times } = known;
  const seen = times ? [t("seen-times", { number: times }), tag, piece || t("unknown-tag")].join(" · ") : t("not-yet");
  const trouble = condition === "lost" ? t("hub-lost") : dead ? t("reader-dead") : "";
  return [
    el("span", { class: "part", "aria-hidden": "true" }, t("part-reader")),
    trouble ? el("span", { class: "result bad" }, "✗ ", trouble) : result(times > 0, seen),
    plan.simulated ? hand(`hold-${place}`, t("hold-tag"), name, "/board/tag", { place, piece: "king" }, "put") : null,
  ];
}

/**
 * @param {boolean} works
 * @param {string} words
 */
function result(works, words) {
  return el("span", { class: works ? "result good" : "result" }, works ? "✓ " : "", words);
}

/**
 * Returns a button that acts as a hand on a simulated board: does something, and undoes it after a moment.
 * @param {string} key
 * @param {string} words
 * @param {string} name
 * @param {string} path
 * @param {object} what
 * @param {string} way
 */
function hand(key, words, name, path, what, way) {
  const move = async () => {
    await post(path, { ...what, [way]: true });
    setTimeout(() => void post(path, { ...what, [way]: false }), HELD_MS);
  };
  return el(
    "button",
    { type: "button", class: "hand", "data-key": key, click: () => void move() },
    words,
    el("span", { class: "unseen" }, ` ${name}`),
  );
}
