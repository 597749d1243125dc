// @ts-check
// The sounds of a page, all made by one audio context. Browsers start it only in a tap or a key press, so the first one
// after the page is loaded does that; others wait for it in silence.

const KEY = "sound";
/** A tone that the context was not ready for in this time is left out: it would only puzzle people later. */
const LATE_MS = 1000;

/** @type {AudioContext|null} */
let audio = null;
/** Settled once the context runs, or may not. @type {Promise<null>|null} */
let waking = null;

/** Returns whether the player wants to hear anything. */
export const soundWanted = () => localStorage.getItem(KEY) === "on";

/** @param {boolean} wanted */
export function wantSound(wanted) {
  localStorage.setItem(KEY, wanted ? "on" : "off");
  if (wanted) wake();
}

/** Starts the context, or wakes it after the phone was locked or a call came in; only a tap or a key press may. */
function wake() {
  if (!soundWanted()) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "running") return;
    waking = audio.resume().then(
      () => (waking = null),
      () => (waking = null),
    );
  } catch {
    /* a browser without sound */
  }
}

/**
 * Makes the phone vibrate, if the player wants to notice and has touched the page, as browsers demand.
 * @param {number} duration_ms
 */
export function vibrate(duration_ms) {
  if (soundWanted() && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(duration_ms);
}

/**
 * Plays a tone that fades, if the player wants sound and has touched the page; otherwise nothing, now or later.
 * @param {number} pitch_hz
 * @param {number} [duration_s]
 * @param {number} [after_s] how long to wait before it
 */
export function playTone(pitch_hz, duration_s = 0.4, after_s = 0) {
  if (!audio || !soundWanted()) return;
  if (waking) {
    const asked_ms = performance.now();
    void waking.then(() => performance.now() - asked_ms < LATE_MS && playTone(pitch_hz, duration_s, after_s));
    return;
  }
  if (audio.state !== "running") return;
  const begin_s = audio.currentTime + after_s;
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.frequency.value = pitch_hz;
  gain.gain.setValueAtTime(0.08, begin_s);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin_s + duration_s);
  tone.connect(gain).connect(audio.destination);
  tone.start(begin_s);
  tone.stop(begin_s + duration_s);
}

for (const kind of ["touchend", "click", "keydown"]) document.addEventListener(kind, wake, { capture: true });
