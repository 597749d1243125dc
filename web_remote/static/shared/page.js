// What every page shares: its texts, small helpers that build elements, and communication with the table.

import { ask, post } from "./request.js";

export { post };

/** @typedef {import("./state.js").PageState} PageState */

/** @type {import("./state.js").PageData} */
export const page = JSON.parse(document.getElementById("page")?.textContent ?? "{}");

/**
 * Returns a text in the language of the page, with its fields filled in.
 * @param {string} name
 * @param {Record<string, string|number>} [fields]
 */
export function t(name, fields = {}) {
  const text = page.texts[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, field) => String(fields[field] ?? whole));
}

/**
 * Returns what somebody is told who has tried something too often.
 * @param {number} seconds until they may try again
 */
export const tooManyTries = (seconds) => t("too-many-tries", { seconds });

/**
 * Returns the round in words. A short game skips some rounds and counts only those that are played.
 * @param {PageState} state
 */
export function roundWords({ round, rounds }) {
  if (!round) return t("set-up");
  return t("round", { number: page.rounds[rounds].indexOf(round) + 1, rounds });
}

/**
 * Returns what a round is called; a short game counts only the rounds that are played.
 * @param {number} round
 * @param {number} rounds
 */
export function roundName(round, rounds) {
  return round ? t("round-number", { number: page.rounds[rounds].indexOf(round) + 1 }) : t("set-up");
}

/**
 * Returns when the next general scoring is.
 * @param {PageState} state
 */
export function scoringWords({ rounds_to_scoring: left, over, round, rounds }) {
  if (over || !round || !left) return "";
  return left === 1
    ? t("scoring-now-round")
    : t("scoring-after", { number: page.rounds[rounds].indexOf(round) + left });
}

/**
 * Returns an element with attributes and children. A function becomes an event listener; `false` leaves one out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string|number|boolean|((event: any) => void)>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/**
 * Rebuilds a part of the page if the data it is made of has changed; the focus and how far it was scrolled stay. If what
 * had the focus is gone, it goes to what is around: the nearest element with `tabindex="-1"`.
 * @param {Element} where
 * @param {unknown} made_of
 * @param {() => (Node|string|null)[]} make
 */
export function renew(where, made_of, make) {
  const text = JSON.stringify(made_of);
  if (/** @type {any} */ (where).madeOf === text) return;
  /** @type {any} */ (where).madeOf = text;
  const focus = document.activeElement;
  const had = focus !== null && focus !== where && where.contains(focus);
  const key = focus?.closest("[data-key]")?.getAttribute("data-key");
  const { scrollTop, scrollLeft } = where;
  where.replaceChildren(
    ...make()
      .filter((child) => child !== null)
      .map((child) => /** @type {Node|string} */ (child)),
  );
  if (scrollTop || scrollLeft) where.scrollTo({ top: scrollTop, left: scrollLeft, behavior: "instant" });
  if (!had) return;
  const same = key ? where.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  const next = /** @type {HTMLElement|null} */ (same ?? where.closest('[tabindex="-1"]'));
  next?.focus({ preventScroll: same === null });
}

/**
 * Shows a list whose items are known by a key: an item that is there already is left alone, so that a screen reader
 * speaks only what is new.
 * @param {Element} where
 * @param {{key: string, make: () => HTMLElement}[]} items
 */
export function keep(where, items) {
  const old = new Map([...where.children].map((child) => [child.getAttribute("data-item"), child]));
  const wanted = items.map(({ key, make }) => {
    const child = old.get(key) ?? make();
    child.setAttribute("data-item", key);
    return child;
  });
  for (const child of [...where.children]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, at) => {
    if (where.children[at] !== child) where.insertBefore(child, where.children[at] ?? null);
  });
}

/**
 * A stream that is silent for this long is dead, whatever the browser believes: the table sends something every five
 * seconds.
 */
const SILENCE_MS = 25_000;

/** The message of each stream that is lost, the latest last. @type {Map<object, string>} */
const losses = new Map();

/**
 * Shows on the page that a stream is lost, as long as any is; empty words mean that this one is not.
 * @param {object} stream
 * @param {string} words
 */
function tellLoss(stream, words) {
  losses.delete(stream);
  if (words) losses.set(stream, words);
  const line = document.getElementById("connection");
  const [last = ""] = [...losses.values()].reverse();
  if (!line || line.textContent === last) return;
  line.textContent = last;
  line.hidden = last === "";
}

/**
 * Listens to what happens at the table while the page is visible, and reconnects by itself after every loss. If the
 * table ends the stream because this browser has opened too many, it waits until somebody turns to this page again:
 * pages that reconnected by themselves would take each other's place for ever.
 * @param {string} path
 * @param {(data: string) => void} heard
 * @param {() => void} [gone] called when this phone no longer holds the seat
 * @param {() => void} [noGame] called while there is no game; most pages go to where one is set up
 * @returns {() => void} a function that stops listening
 */
export function listen(path, heard, gone = () => {}, noGame = () => location.replace("/new")) {
  /** @type {EventSource|null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let again;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let silence;
  let failures = 0;
  /** Whether the table answers but has no stream left for this page. */
  let full = false;
  /** Whether a newer page of this browser has taken the stream's place. */
  let replaced = false;
  const over = new AbortController();
  const address = new URL(path, location.href);
  const seat = address.searchParams.get("seat");

  const tell = (/** @type {string} */ words) => tellLoss(over, words);
  const close = () => {
    clearTimeout(again);
    clearTimeout(silence);
    source?.close();
    source = null;
  };
  const end = () => {
    over.abort();
    close();
    tell("");
  };
  const lost = () => {
    close();
    failures += 1;
    tell(t(full ? "too-many" : "reconnecting"));
    // Later and later, and not all pages at the same time.
    const wait = Math.min(full ? 20_000 : 5000, 300 * 2 ** Math.min(failures - 1, 7));
    again = setTimeout(() => void retry(), wait * (0.8 + 0.4 * Math.random()));
  };
  const alive = () => {
    clearTimeout(silence);
    if (address.pathname.endsWith("/events")) silence = setTimeout(lost, SILENCE_MS);
  };
  const open = () => {
    if (source || over.signal.aborted || document.hidden) return;
    clearTimeout(again);
    replaced = false;
    const opened = new EventSource(path);
    source = opened;
    // WebKit opens a closed stream again when its page returns by Back: one that is not the current one ends here.
    const current = () => {
      if (source !== opened) opened.close();
      return source === opened;
    };
    opened.onopen = current;
    opened.onmessage = (event) => {
      if (!current()) return;
      alive();
      failures = 0;
      full = false;
      tell("");
      heard(event.data);
      // For tests: the number of the state that is shown.
      if (event.lastEventId) document.body.dataset.number = event.lastEventId;
    };
    opened.addEventListener("here", () => current() && alive());
    opened.addEventListener("replaced", () => {
      if (!current()) return;
      close();
      replaced = true;
      tell(t("replaced"));
    });
    opened.addEventListener("lobby", () => {
      if (!current()) return;
      alive();
      failures = 0;
      tell("");
      noGame();
    });
    opened.addEventListener("gone", () => {
      if (!current()) return;
      end();
      gone();
    });
    opened.onerror = () => current() && lost();
    alive();
  };
  // An event stream does not say why it failed; a plain request does.
  const retry = async () => {
    const { status, data } = await ask("/me");
    if (over.signal.aborted || source) return;
    if (status === 200 && seat && data.seats && !data.seats.includes(seat)) {
      end();
      gone();
      return;
    }
    full = failures > 3 && status === 200;
    open();
  };
  const reopen = () => {
    close();
    open();
  };
  const { signal } = over;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()), { signal });
  window.addEventListener("pagehide", close, { signal });
  window.addEventListener("pageshow", (event) => (event.persisted ? reopen() : open()), { signal });
  window.addEventListener("offline", lost, { signal });
  window.addEventListener("online", reopen, { signal });
  for (const turned of ["pointerdown", "keydown", "focus"]) {
    window.addEventListener(turned, () => replaced && open(), { signal });
  }
  open();
  return end;
}

/**
 * The language chooser of a page.
 * @param {HTMLSelectElement} select
 */
export function chooseLanguage(select) {
  for (const [code, name] of Object.entries(page.languages)) {
    select.append(el("option", { value: code, lang: code, selected: code === page.language }, name));
  }
  select.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("language", select.value);
    location.replace(address);
  });
}
