// @ts-check
// The browser's own voice: reads aloud what is new, one sentence at a time, and nothing that is outdated.

import { page } from "./page.js";

const KEY = "speech";
/** How many pieces of news wait at most; when bots play faster than anybody speaks, older ones are left out. */
const MOST = 2;
/** A browser that never says that it is done is waited for this long, and longer for each letter. */
const PATIENCE_MS = 4000;
const LETTER_MS = 120;
/** Some browsers swallow what they are to say right after they were stopped. */
const BREATH_MS = 60;

const synthesis = "speechSynthesis" in window ? window.speechSynthesis : null;

/** What is still to be said, the first next. @type {string[]} */
let waiting = [];
/** What is being said. @type {SpeechSynthesisUtterance|null} */
let current = null;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let late;

/** Whether this browser can speak at all. */
export const canSpeak = synthesis !== null;

/** Returns whether the player wants to be read to. */
export const speechWanted = () => canSpeak && localStorage.getItem(KEY) === "on";

/** @param {boolean} wanted */
export function wantSpeech(wanted) {
  localStorage.setItem(KEY, wanted ? "on" : "off");
  if (!wanted) hush();
}

/**
 * Reads aloud what happened and then what is asked. A question cuts off what was still to be said before; news waits
 * for its turn.
 * @param {string[]} news
 * @param {string} [question]
 */
export function speak(news, question = "") {
  if (!speechWanted() || document.hidden) return;
  if (question) {
    hush();
    waiting = [...news.slice(-MOST), question];
    setTimeout(next, BREATH_MS);
  } else {
    waiting = [...waiting, ...news].slice(-MOST);
    next();
  }
}

/** Stops speaking. */
function hush() {
  waiting = [];
  current = null;
  clearTimeout(late);
  synthesis?.cancel();
}

function next() {
  if (current || !synthesis) return;
  const words = waiting.shift();
  if (!words) return;
  // Without the characters around names that only concern how they are written.
  const said = new SpeechSynthesisUtterance(words.replace(/[\u2068\u2069]/g, ""));
  said.lang = page.language;
  said.voice = voice();
  const done = () => {
    if (current !== said) return;
    clearTimeout(late);
    current = null;
    next();
  };
  said.onend = done;
  said.onerror = done;
  current = said;
  late = setTimeout(done, PATIENCE_MS + LETTER_MS * words.length);
  synthesis.speak(said);
}

/** Returns a voice of the page's language, one on the device if there is any; otherwise the browser decides. */
function voice() {
  const own = synthesis?.getVoices().filter(({ lang }) => lang.toLowerCase().startsWith(page.language)) ?? [];
  return own.find((each) => each.localService) ?? own[0] ?? null;
}

// Browsers let a page speak only after a tap or a key press: an empty sentence in the first one opens the way.
for (const kind of ["touchend", "click", "keydown"])
  document.addEventListener(
    kind,
    () => {
      if (speechWanted() && !current) synthesis?.speak(new SpeechSynthesisUtterance(""));
    },
    { capture: true, once: true },
  );
window.addEventListener("pagehide", hush);
