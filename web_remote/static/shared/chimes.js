// @ts-check
// The sounds of the game: short, soft, and each different enough to be told from the others without looking.

import { playTone } from "./sound.js";

/**
 * The tones of each sound: pitch in Hz, length in seconds, and when it begins.
 * @satisfies {Record<string, [number, number, number][]>}
 */
const CHIMES = {
  // Up a fourth, as a doorbell that asks in.
  turn: [
    [587, 0.35, 0],
    [784, 0.5, 0.16],
  ],
  // A short knock of wood.
  placed: [[330, 0.12, 0]],
  // Low, and down.
  refused: [
    [220, 0.18, 0],
    [175, 0.3, 0.14],
  ],
  // Two clicks, as of a lock.
  locked: [
    [988, 0.07, 0],
    [659, 0.12, 0.09],
  ],
  scoring: [
    [523, 0.22, 0],
    [659, 0.22, 0.1],
  ],
  // A chord, note by note.
  end: [
    [523, 0.5, 0],
    [659, 0.5, 0.18],
    [784, 0.5, 0.36],
    [1047, 0.9, 0.54],
  ],
};

/** @typedef {keyof typeof CHIMES} Chime */

/** Pieces may be placed faster than sounds can be told apart. */
const PLACED_MS = 250;
let placed_ms = -PLACED_MS;

/** Plays a sound, if the player wants sounds. @param {Chime} name */
export function chime(name) {
  if (name === "placed") {
    if (performance.now() < placed_ms + PLACED_MS) return;
    placed_ms = performance.now();
  }
  for (const [pitch_hz, duration_s, after_s] of CHIMES[name]) playTone(pitch_hz, duration_s, after_s);
}
