// The map in its frame: the score track runs around it, and points fly over it from the places to the markers.

import { page } from "../shared/page.js";
import { placeWords } from "../shared/place_words.js";
import { makeFlights } from "../shared/flights.js";
import { drawMap } from "../shared/map.js";
import { draw, scoreMarker, shape } from "../shared/pieces.js";

/**
 * @typedef {import("../shared/state.js").PageState} PageState
 * @typedef {import("../shared/map.js").Point} Point
 * @typedef {{update: (state: PageState) => void,
 *   fly: (place: string, points: Record<string, number>, duration_ms: number) => Promise<void>}} TableMap
 */

// The track has a hundred square fields: 28 per row and 24 per column, with the corners counted in both.
const FIELD = 40;
const [COLUMNS, ROWS] = [28, 24];
const AROUND = 2 * (COLUMNS + ROWS) - 4;
const [WIDTH, HEIGHT] = [(COLUMNS - 2) * FIELD, (ROWS - 2) * FIELD];
const MARKER = 43;

/**
 * Returns the middle of a field; they run from the bottom left corner upwards and around.
 * @param {number} score
 * @returns {Point}
 */
function field(score) {
  let [column, row, left] = [0, ROWS - 1, score % AROUND];
  for (const [right, down, most] of [
    [0, -1, ROWS - 1],
    [1, 0, COLUMNS - 1],
    [0, 1, ROWS - 1],
    [-1, 0, COLUMNS - 1],
  ]) {
    const steps = Math.min(left, most);
    column += right * steps;
    row += down * steps;
    left -= steps;
  }
  return [(column + 0.5) * FIELD, (row + 0.5) * FIELD];
}

/**
 * Draws the map with its frame.
 * @param {SVGSVGElement} frame
 * @param {(place: string) => void} onLook called when somebody taps a place
 * @returns {Promise<TableMap>}
 */
export async function drawTable(frame, onLook) {
  const answer = await fetch(new URL("../shared/map.json", import.meta.url));
  const geometry = /** @type {import("../shared/map.js").Geometry} */ (await answer.json());
  // The sea fills the space that the track leaves on both sides.
  const [x, y, width, height] = geometry.viewBox;
  geometry.viewBox = [x - (WIDTH - width) / 2, y - (HEIGHT - height) / 2, WIDTH, HEIGHT];
  const inner = draw("svg", { x: FIELD, y: FIELD, width: WIDTH, height: HEIGHT });
  const markers = draw("g", { class: "markers", "aria-hidden": "true" });
  const flights = draw("g", { class: "flights", "aria-hidden": "true" });
  frame.append(drawTrack(), inner, markers, flights);

  /** @type {PageState|null} */
  let shown = null;
  const view = drawMap(inner, geometry, {
    names: page.places,
    values: page.values,
    onLook,
    label: (contents) => placeWords(contents, shown),
  });
  const caballeros = makeFlights(view.overlay, geometry);

  /** @type {TableMap["update"]} */
  function update(state) {
    const scored = state.scoring?.place ?? null;
    shown = state;
    caballeros.update(state);
    view.update({
      king: state.king,
      tiles: state.tiles,
      seats: Object.fromEntries(state.seats.map((seat) => [seat.colour, seat])),
      legal: scored ? [] : state.touch,
      origin: scored ? null : state.origin,
      wrong: [],
      step: !scored && state.step ? { from: state.step[0], to: state.step[1] } : undefined,
      scored,
    });
    showMarkers(markers, Object.fromEntries(state.seats.map((seat) => [seat.colour, seat.score])));
  }

  /** @type {TableMap["fly"]} */
  async function fly(place, points, duration_ms) {
    const [px, py] = geometry.places[place].tile;
    const from = /** @type {Point} */ ([px - geometry.viewBox[0] + FIELD, py - geometry.viewBox[1] + FIELD]);
    const gains = Object.entries(points).filter(([, gain]) => gain);
    await Promise.all(
      gains.map(([colour, gain], index) => {
        const marker = markers.querySelector(`[data-marker="${colour}"]`);
        const to = /** @type {Point} */ (marker ? field(Number(marker.getAttribute("data-score"))) : from);
        const start = /** @type {Point} */ ([from[0], from[1] + (index - (gains.length - 1) / 2) * 62]);
        return flight(flights, colour, gain, start, to, duration_ms);
      }),
    );
  }
  return { update, fly };
}

/** Draws the hundred fields; every fifth has its number. */
function drawTrack() {
  const edge = draw("rect", { class: "edge", x: -10, y: -10, width: COLUMNS * FIELD + 20, height: ROWS * FIELD + 20 });
  const track = draw("g", { class: "track", "aria-hidden": "true" }, edge);
  for (let score = 0; score < AROUND; score += 1) {
    const [x, y] = field(score);
    const kind = score % 10 === 0 ? "ten" : score % 5 === 0 ? "five" : score % 2 ? "odd" : "even";
    track.append(
      draw("rect", { class: `field ${kind}`, x: x - FIELD / 2, y: y - FIELD / 2, width: FIELD, height: FIELD }),
    );
    if (score % 5) continue;
    const number = draw("text", { class: "number", x, y });
    number.textContent = String(score);
    track.append(number);
  }
  return track;
}

/**
 * Moves each marker to its score; those on the same field stand around its middle.
 * @param {SVGGElement} where
 * @param {Record<string, number>} scores
 */
function showMarkers(where, scores) {
  for (const [colour, score] of Object.entries(scores)) {
    let marker = /** @type {SVGGElement|null} */ (where.querySelector(`[data-marker="${colour}"]`));
    if (!marker) {
      marker = draw("g", { class: "mover", "data-marker": colour }, scoreMarker(colour, MARKER));
      where.append(marker);
    }
    const together = Object.keys(scores).filter((other) => (scores[other] - score) % AROUND === 0);
    const turn = (together.indexOf(colour) * 2 * Math.PI) / together.length - Math.PI / 4;
    const aside = together.length > 1 ? 12 : 0;
    const scale = together.length > 2 ? 0.55 : together.length > 1 ? 0.65 : 1;
    const [x, y] = field(score);
    const at = `${x + aside * Math.cos(turn)}px, ${y + aside * Math.sin(turn)}px`;
    marker.style.transform = `translate(${at}) scale(${scale})`;
    marker.classList.toggle("lap", score >= AROUND);
    marker.setAttribute("data-score", String(score));
  }
}

/**
 * Makes points of a colour fly from one point to another.
 * @param {SVGGElement} where
 * @param {string} colour
 * @param {number} gain
 * @param {Point} from
 * @param {Point} to
 * @param {number} duration_ms
 */
async function flight(where, colour, gain, from, to, duration_ms) {
  const number = draw("text", { x: 14, y: 0 });
  number.textContent = `+${gain}`;
  const body = draw("path", {
    class: "body",
    d: shape(colour, 32),
    transform: "translate(-34 0)",
  });
  const sheet = draw("rect", { x: -60, y: -27, width: 120, height: 54, rx: 27 });
  const points = draw("g", { class: `flight piece ${colour}` }, sheet, body, number);
  where.append(points);
  const at = (/** @type {Point} */ [x, y], /** @type {number} */ scale) => `translate(${x}px, ${y}px) scale(${scale})`;
  const moves = [
    { transform: at(from, 0.3), opacity: 0, easing: "cubic-bezier(0.2, 1.4, 0.4, 1)" },
    { transform: at(from, 1.25), opacity: 1, offset: 0.25 },
    { transform: at(from, 1.25), opacity: 1, offset: 0.45, easing: "cubic-bezier(0.5, 0, 0.8, 0.6)" },
    { transform: at(to, 0.55), opacity: 1, offset: 0.97 },
    { transform: at(to, 0.4), opacity: 0 },
  ];
  await points.animate(moves, { duration: duration_ms, fill: "both" }).finished.catch(() => null);
  points.remove();
}
