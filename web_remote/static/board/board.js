// @ts-check
// The virtual board: the map in place of the hardware, with lights, buttons, pieces to hold to readers, and the
// player's phone beside it.

import { asButton, drawButtons } from "./buttons.js";
import { dragging } from "./drag.js";
import { makeHands } from "./hands.js";
import { drawLights } from "./lights.js";
import { inWords, lies, nameOf } from "./pieces.js";
import { drawTray } from "./tray.js";
import { takeTurns } from "../shared/cover.js";
import { makeFlights } from "../shared/flights.js";
import { drawMap } from "../shared/map.js";
import { hearingSwitches, makeHearing } from "../shared/hearing.js";
import { chooseLanguage, el, listen, page, t } from "../shared/page.js";
import { placeWords } from "../shared/place_words.js";
import { geometry as readGeometry, mapState, startPhone } from "../phone/phone.js";
import { draw } from "../shared/pieces.js";

/** @typedef {import("../shared/state.js").PageState} PageState */
/** @typedef {import("./lights.js").Layout} Layout */
/** @typedef {import("./drag.js").Held} Held */

/** How long the table may take to answer to the first place a piece is held to. */
const ANSWER_MS = 1500;

const section = /** @type {HTMLElement} */ (document.getElementById("board"));
const panel = el("div");
document.getElementById("phone")?.append(panel);

/** @type {[import("../shared/map.js").Geometry, Layout, import("../phone/phone.js").Panel]} */
const [geometry, layout, phone] = await Promise.all([
  readGeometry(),
  fetch("/board/layout").then((response) => response.json()),
  startPhone(panel, { map: false }),
]);

/** @type {PageState | null} */
let state = null;
/** Called with every new state. @type {Set<(state: PageState) => void>} */
const waiting = new Set();
/** The piece that was picked up from the tray without dragging. @type {string | null} */
let carried = null;

// --- What is on the page ---------------------------------------------------------------------------------------------

const hands = makeHands((place) => layout.places[place].reader);
const drawing = draw("svg", { "aria-label": t("map") });
const layer = draw("svg", { class: "lights" });
const hint = el("p", { class: "hint", role: "status" }, t("drag"));
const chips = el("div", { class: "tray", role: "group", "aria-label": t("pieces") });
const [confirm, undo] = ["confirm", "undo"].map((name) => {
  const button = el("button", { type: "button", class: `control ${name}` }, el("span", { class: "cap" }), t(name));
  asButton(button, name, hands);
  return button;
});
undo.title = t("undo-hold");
section.append(
  el("div", { class: "field" }, drawing, layer),
  el("div", { class: "ledge" }, undo, el("div", { class: "shelf" }, chips, hint), confirm),
);
const map = drawMap(drawing, geometry, {
  names: page.places,
  values: page.values,
  label: (contents) => placeWords(contents, state),
});
const flights = makeFlights(map.overlay, geometry);
const buttons = drawButtons(
  map.overlay,
  geometry,
  page.places,
  hands,
  (place) => tryCarried(place) || phone.turnDial(place),
);
const shine = drawLights(layer, geometry, layout);
const tray = drawTray(chips, (piece) => {
  carried = piece;
  const first = state?.you?.prompt.touch[0];
  // With the keyboard it is a long way to the places; a mouse needs no help.
  if (piece && chips.contains(document.activeElement) && document.activeElement?.matches(":focus-visible")) {
    buttons.focus(first ?? Object.keys(geometry.places)[0]);
  }
  section.classList.toggle("carrying", piece !== null);
  tell();
});

function tell() {
  if (!state) return;
  const { legal, origin, step } = mapState(state);
  buttons.update(carried ? "hold-at" : "button-of", legal, [...legal, origin, step?.from, step?.to]);
  const words = carried ? `${inWords(carried, state)}. ${t("carrying")}` : t("drag");
  if (hint.textContent !== words) hint.textContent = words;
}

/** @param {PageState} now */
function show(now) {
  if (state && now.run === state.run && now.number < state.number) return;
  state = now;
  map.update(mapState(now));
  flights.update(now);
  hearing?.update(now, now.history.turns);
  tray.update(now);
  tell();
  for (const wait of [...waiting]) wait(now);
}

// --- Pieces are held to readers --------------------------------------------------------------------------------------

/**
 * Moves a piece between places: it is held to the readers of both, to the second only if the first made sense.
 * @param {string} piece
 * @param {string | null} origin
 * @param {string | null} target
 */
async function move(piece, origin, target) {
  const goesOn = !origin || (await showFirst(piece, origin));
  if (target && goesOn) await hands.show(piece, target);
}

/**
 * Holds a piece to the reader of a place. Returns whether the table took this as the place the piece comes from; if it
 * could be either, the player decides.
 * @param {string} piece
 * @param {string} origin
 */
async function showFirst(piece, origin) {
  const before = state?.number ?? 0;
  await hands.show(piece, origin);
  return new Promise((/** @type {(yes: boolean) => void} */ answer) => {
    let asked = false;
    const end = (/** @type {boolean} */ yes) => {
      waiting.delete(look);
      clearTimeout(late);
      answer(yes);
    };
    const late = setTimeout(() => asked || end(false), ANSWER_MS);
    const look = (/** @type {PageState} */ now) => {
      const asks = now.you?.prompt.choices.some(({ line }) => line === `from ${origin}`) ?? false;
      asked ||= asks;
      if (mapState(now).origin === origin) end(true);
      else if (now.number !== before && !asks) end(false);
    };
    waiting.add(look);
    if (state) look(state);
  });
}

/** Holds the piece that was picked up to a place. Returns whether there was one. @param {string} place */
function tryCarried(place) {
  if (!carried) return false;
  const piece = carried;
  // A piece that moves on from here stays in the hand; otherwise the move is done.
  void showFirst(piece, place).then((goesOn) => {
    if (carried === piece && !goesOn) putBack();
  });
  return true;
}

function putBack() {
  const piece = carried;
  const onMap = drawing.contains(document.activeElement);
  tray.pick(null);
  if (piece && onMap) tray.focus(piece);
}

// --- Pieces are dragged ----------------------------------------------------------------------------------------------

/** Returns the place at a point of the window. @param {number} x @param {number} y */
function placeAt(x, y) {
  const box = drawing.getBoundingClientRect();
  if (x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
  const point = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM()?.inverse());
  for (const ground of /** @type {NodeListOf<SVGPathElement>} */ (drawing.querySelectorAll(".ground"))) {
    if (ground.isPointInFill(point)) return ground.closest("[data-place]")?.getAttribute("data-place") ?? null;
  }
  return null;
}

dragging(section, {
  find(element) {
    const called = element.getAttribute("data-piece") ?? "";
    if (!drawing.contains(element)) return { piece: called, origin: state && lies(called, state) };
    const piece = nameOf(called);
    const place = element.closest("[data-place]")?.getAttribute("data-place") ?? null;
    return state && { piece, origin: place ?? lies(piece, state) };
  },
  spot(x, y) {
    const box = chips.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom ? "tray" : placeAt(x, y);
  },
  over(spot, held) {
    for (const place of drawing.querySelectorAll("[data-place]")) {
      place.classList.toggle("over", place.getAttribute("data-place") === spot && spot !== held?.origin);
    }
    chips.classList.toggle("over", spot === "tray" && held?.origin !== null);
  },
  async drop({ piece, origin }, spot) {
    if (carried) tray.pick(null);
    if (spot === origin || (spot === "tray" && !origin)) return;
    await move(piece, origin, spot === "tray" ? null : spot);
  },
});

// A place that can be chosen may be clicked anywhere, because its button is small.
drawing.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-button]")) return;
  const place = placeAt(event.clientX, event.clientY);
  if (!place || tryCarried(place)) return;
  if (state && mapState(state).legal.includes(place)) void hands.push(place);
  else if (page.seats.length) phone.look(place);
});
document.addEventListener("keydown", (event) => event.key === "Escape" && carried && putBack());

// --- What is received ------------------------------------------------------------------------------------------------

chooseLanguage(/** @type {HTMLSelectElement} */ (document.getElementById("language")));
listen("/board/lights", shine);
panel.parentElement?.toggleAttribute("hidden", page.seats.length === 0);
// A page with a seat hears and speaks through its phone.
const hearing = page.seats.length ? null : makeHearing({ screen: true });
if (hearing) section.append(hearing.region, el("p", { class: "hearing" }, ...hearingSwitches()));
takeTurns(panel, {
  first: page.seats[0] ?? "",
  here: "/board",
  onSeat: (now) => phone.update(now),
  onState: show,
});
