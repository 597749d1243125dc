// Caballeros seen moving: they fly from where they were to where they are now, if motion is welcome.

import { caballero, draw } from "./pieces.js";

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./map_layout.js").Geometry} Geometry
 * @typedef {import("./map_layout.js").Point} Point
 * @typedef {{colour: string, from: string|null, to: string|null}} Flight null is off the map
 */

const FLIGHT_MS = 650;
/** How long the next one waits, so that several can be told apart. */
const APART_MS = 120;
/** More at once would be confusing: a game that jumps, after a reconnection for example. */
const MOST = 24;
const CASTILLO = "castillo";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Lets caballeros fly over a map.
 * @param {SVGGElement} overlay
 * @param {Geometry} geometry
 */
export function makeFlights(overlay, geometry) {
  const layer = draw("g", { class: "flying", "aria-hidden": "true" });
  overlay.append(layer);
  /** @type {PageState|null} */
  let before = null;

  /** @param {PageState} state */
  function update(state) {
    const last = before;
    before = state;
    const same = last && last.run === state.run && last.game === state.game;
    if (!same || state.version <= last.version || calm.matches || document.hidden) return;
    const flights = flightsBetween(last, state);
    if (flights.length <= MOST) flights.forEach((flight, index) => void fly(flight, index * APART_MS));
  }

  /**
   * @param {Flight} flight
   * @param {number} delay
   */
  async function fly({ colour, from, to }, delay) {
    const [start, end] = [point(from, colour, to), point(to, colour, from)];
    const piece = draw("g", {}, caballero(colour, geometry.sizes.piece));
    piece.style.opacity = "0";
    layer.append(piece);
    const at = (/** @type {Point} */ [x, y]) => `translate(${x}px, ${y}px)`;
    const middle = /** @type {Point} */ ([(start[0] + end[0]) / 2, Math.min(start[1], end[1]) - 60]);
    const frames = [
      { transform: at(start), opacity: 1 },
      { transform: at(middle), opacity: 1 },
      { transform: at(end), opacity: 1 },
    ];
    await piece.animate(frames, { duration: FLIGHT_MS, delay, easing: "ease-in-out" }).finished.catch(() => null);
    piece.remove();
  }

  /**
   * Returns where a caballero is drawn; one off the map comes from below the place it goes to, or leaves there.
   * @param {string|null} place
   * @param {string} colour
   * @param {string|null} other
   * @returns {Point}
   */
  function point(place, colour, other) {
    if (place && geometry.places[place]) return geometry.places[place].pieces[colour];
    const [x, y, width, height] = geometry.viewBox;
    const [beside] = other ? geometry.places[other].pieces[colour] : [x + width / 2];
    return [beside, y + height + 40];
  }
  return { update };
}

/**
 * Returns what flies between two states: what the new moves say, and then what the counts say beyond that.
 * @param {PageState} before
 * @param {PageState} after
 * @returns {Flight[]}
 */
function flightsBetween(before, after) {
  /** @type {Flight[]} */
  const flights = [];
  /** How many are where, beyond what the moves explain. @type {Record<string, Record<string, number>>} */
  const rest = {};
  for (const seat of after.seats) {
    const old = before.seats.find(({ colour }) => colour === seat.colour);
    const places = new Set([...Object.keys(seat.regions), ...Object.keys(old?.regions ?? {})]);
    rest[seat.colour] = Object.fromEntries(
      [...places].map((place) => [place, (seat.regions[place] ?? 0) - (old?.regions[place] ?? 0)]),
    );
  }
  for (const line of newLines(before, after)) {
    const flight = flightOf(line);
    const counts = flight && rest[flight.colour];
    if (!flight || !counts) continue;
    // A step that waits for a veto has not happened yet.
    const left = !flight.from || counts[flight.from] < 0;
    if (!left || (flight.to && flight.to !== CASTILLO && !(counts[flight.to] > 0))) continue;
    flights.push(flight);
    if (flight.from) counts[flight.from] = (counts[flight.from] ?? 0) + 1;
    if (flight.to) counts[flight.to] = (counts[flight.to] ?? 0) - 1;
  }
  // Dials were turned: what left one region went to another, and what came from nowhere left the castillo.
  for (const [colour, counts] of Object.entries(rest)) {
    const spread = (/** @type {number} */ sign) =>
      Object.entries(counts).flatMap(([place, count]) =>
        place !== CASTILLO && count * sign > 0 ? Array.from({ length: Math.abs(count) }, () => place) : [],
      );
    const [lost, gained] = [spread(-1), spread(1)];
    for (const to of gained) flights.push({ colour, from: lost.shift() ?? CASTILLO, to });
    for (const from of lost) flights.push({ colour, from, to: null });
  }
  return flights;
}

/**
 * @param {PageState} before
 * @param {PageState} after
 */
function newLines(before, after) {
  const turns = before.history.turns;
  const known = turns[turns.length - 1]?.last ?? 0;
  return after.history.turns.flatMap((turn) =>
    turn.steps.filter(({ number }) => number > known).map(({ line }) => line),
  );
}

/**
 * Returns the flight of a move that says where one caballero goes; null if it does not.
 * @param {string} line
 * @returns {Flight|null}
 */
function flightOf(line) {
  const [seat, verb, ...words] = line.split(" ");
  if (seat === "scored") return null;
  switch (verb) {
    case "place":
    case "extra":
      return { colour: seat, from: null, to: words[0] };
    case "move":
      return { colour: words[0], from: words[1], to: words[2] };
    case "remove":
      return { colour: words[0], from: words[1], to: null };
    case "recall":
    case "return":
      return words[0] === "court" ? null : { colour: seat, from: words[0], to: null };
    default:
      return null;
  }
}
