// The secret dial: nine regions in a ring, turned by thumb, tap or keys; set by a second tap, and hidden at once.

import { el, page, t } from "../shared/page.js";

const SIZE = 300;
const MIDDLE = SIZE / 2;
const RIM = 140;
/** The size of letters, and the room for a line of them, each counted as wide as it is high. */
const LETTERS = 14;
const ROOM = 112;
/** Asks a dial to turn to the region in its detail. */
const TURN_TO = "turn-to";
const NS = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {...(Node|string)} children
 */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {number} angle @param {number} radius */
const point = (angle, radius) => {
  const turn = ((angle - 90) * Math.PI) / 180;
  return [MIDDLE + radius * Math.cos(turn), MIDDLE + radius * Math.sin(turn)].map((at) => at.toFixed(1));
};

/**
 * Returns a dial on which some regions may be chosen.
 * @param {string[]} regions all of them, in the order of the dial
 * @param {string[]} legal
 * @param {(region: string) => void} set
 */
export function dial(regions, legal, set) {
  const step = 360 / regions.length;
  let at = Math.max(0, regions.indexOf(legal[0] ?? ""));
  let sure = false;
  /** Whether the wheel was turned since it was touched; lifting the finger is then not a tap. */
  let dragged = false;

  const wheel = draw("g", { class: "wheel" });
  const face = draw(
    "svg",
    {
      class: "dial",
      viewBox: `0 0 ${SIZE} ${SIZE}`,
      role: "slider",
      "data-key": "dial",
      tabindex: 0,
      "aria-label": t("dial-turn"),
      "aria-valuemin": 1,
      "aria-valuemax": regions.length,
    },
    draw("circle", { class: "rim", cx: MIDDLE, cy: MIDDLE, r: RIM + 6 }),
    wheel,
    draw("circle", { class: "hub", cx: MIDDLE, cy: MIDDLE, r: 34 }),
    draw("path", { class: "pointer", d: `M${MIDDLE} ${MIDDLE - 30} l-11 -16 h22z` }),
  );
  regions.forEach((region, index) => {
    const [x1, y1] = point((index - 0.5) * step, RIM);
    const [x2, y2] = point((index + 0.5) * step, RIM);
    const sector = draw("path", { d: `M${MIDDLE} ${MIDDLE} L${x1} ${y1} A${RIM} ${RIM} 0 0 1 ${x2} ${y2}Z` });
    const name = page.places[region] ?? region;
    const lines = name.length > 8 ? name.split(/ (?=[^ ]*$)/) : [name];
    const size = Math.min(LETTERS, ROOM / Math.max(...lines.map((line) => line.length)));
    const text = draw("text", {
      "font-size": size.toFixed(1),
      transform: `rotate(${index * step} ${MIDDLE} ${MIDDLE})`,
      x: MIDDLE,
      y: MIDDLE - 98,
    });
    lines.forEach((line, row) =>
      text.append(draw("tspan", { x: MIDDLE, dy: row ? 15 : lines.length > 1 ? -7 : 0 }, line)),
    );
    const kind = legal.includes(region) ? "sector" : "sector closed";
    const group = draw("g", { class: kind, "data-line": `dial ${region}` }, sector, text);
    group.addEventListener("click", () => {
      if (!dragged) turn(index);
    });
    wheel.append(group);
  });
  face.addEventListener(TURN_TO, (event) => {
    turn(regions.indexOf(/** @type {CustomEvent} */ (event).detail));
    box.scrollIntoView({ block: "nearest" });
  });
  const reading = el("p", { class: "reading", "aria-hidden": "true" });
  const button = el("button", {
    class: "main",
    type: "button",
    "data-key": "dial-set",
    // That the first tap asks for another one is read aloud.
    "aria-live": "polite",
    click: () => choose(),
  });
  // The same as a list, for screen readers that cannot turn a dial; seen while it has the focus.
  const list = el(
    "select",
    {
      class: "dial-list",
      "aria-label": t("region"),
      "data-key": "dial-list",
      change: () => turn(regions.indexOf(list.value)),
    },
    ...legal.map((region) => el("option", { value: region }, page.places[region] ?? region)),
  );

  /** @param {number} index */
  function turn(index) {
    at = (index + regions.length) % regions.length;
    sure = false;
    tell();
  }
  function choose() {
    const region = regions[at] ?? "";
    if (!legal.includes(region)) return;
    if (sure) set(region);
    sure = !sure;
    tell();
  }
  function tell() {
    const region = regions[at] ?? "";
    const name = page.places[region] ?? region;
    wheel.setAttribute("transform", `rotate(${-at * step} ${MIDDLE} ${MIDDLE})`);
    [...wheel.children].forEach((sector, index) => sector.classList.toggle("at", index === at));
    face.setAttribute("aria-valuenow", String(at + 1));
    face.setAttribute("aria-valuetext", name);
    // The button says which region it is about to set; what matters then is that it has not.
    reading.textContent = sure ? t("dial-not-set") : name;
    reading.classList.toggle("not-set", sure);
    list.value = region;
    const words = sure ? t("dial-sure", { name }) : t("dial-set");
    if (button.textContent !== words) button.textContent = words;
    button.classList.toggle("sure", sure);
    if (legal.includes(region)) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }

  face.addEventListener("keydown", (event) => {
    const key = /** @type {KeyboardEvent} */ (event).key;
    if (["ArrowRight", "ArrowUp"].includes(key)) turn(at + 1);
    else if (["ArrowLeft", "ArrowDown"].includes(key)) turn(at - 1);
    else return;
    event.preventDefault();
  });

  // Turned by thumb: the wheel follows the finger around the middle.
  /** @type {{angle: number, at: number}|null} */
  let held = null;
  /** @param {PointerEvent} event */
  const angle = (event) => {
    const box = face.getBoundingClientRect();
    return (
      (Math.atan2(event.clientY - box.top - box.height / 2, event.clientX - box.left - box.width / 2) * 180) / Math.PI
    );
  };
  face.addEventListener("pointerdown", (event) => {
    held = { angle: angle(/** @type {PointerEvent} */ (event)), at };
    dragged = false;
  });
  face.addEventListener("pointermove", (event) => {
    if (!held) return;
    const moved = Math.round((angle(/** @type {PointerEvent} */ (event)) - held.angle) / step);
    if ((held.at - moved + 2 * regions.length) % regions.length === at) return;
    dragged = true;
    turn(held.at - moved + regions.length);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) face.addEventListener(end, () => (held = null));

  const box = el("div", { class: "dialling" }, list, face, reading, button);
  tell();
  return box;
}

/**
 * Turns the dial in a part of the page to a region, and does not set it. Returns whether there is a dial with it.
 * @param {Element} where
 * @param {string} region
 */
export function turnDial(where, region) {
  const face = where.querySelector(".dial");
  if (!face || !page.regions.includes(region)) return false;
  face.dispatchEvent(new CustomEvent(TURN_TO, { detail: region }));
  return true;
}

/**
 * Returns a dial that is set: hidden, and shown only while it is held.
 * @param {string} region
 */
export function setDial(region) {
  const shown = el("output", { class: "peeked" }, "•••");
  /** @param {boolean} open */
  const look = (open) => {
    shown.textContent = open ? (page.places[region] ?? region) : "•••";
    // A page that is hidden never sees the finger lifted.
    if (!open) return;
    document.addEventListener("visibilitychange", () => look(false), { once: true });
    window.addEventListener("blur", () => look(false), { once: true });
  };
  const button = el(
    "button",
    {
      type: "button",
      class: "peek",
      pointerdown: () => look(true),
      pointerup: () => look(false),
      pointerleave: () => look(false),
      pointercancel: () => look(false),
      blur: () => look(false),
      contextmenu: (event) => event.preventDefault(),
      keydown: (event) => {
        if (event.key === " " || event.key === "Enter") look(true);
      },
      keyup: () => look(false),
    },
    t("dial-peek"),
  );
  return el("div", { class: "dialling" }, el("p", {}, t("dial-is-set")), shown, button);
}
