// What every page shares: its texts, small helpers that build elements, and communication with the table.

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
 * Returns the round in words. A short game skips some rounds and counts only those that are played.
 * @param {PageState} state
 */
export function roundWords({ round, rounds }) {
  if (!round) return t("set-up");
  return t("round", { number: page.rounds[rounds].indexOf(round) + 1, rounds });
}

/**
 * Returns a place in words, for screen readers.
 * @param {import("./map.js").Contents} contents
 * @param {PageState|null} state
 */
export function placeWords(contents, state) {
  const called = (/** @type {string} */ colour) => state?.seats.find((seat) => seat.colour === colour)?.name ?? colour;
  const parts = [contents.values.join("/")];
  if (contents.tile) parts.push(t("tile", { number: contents.tile }));
  if (contents.king) parts.push(t("king"));
  if (contents.grandes.length) parts.push(t("grande-of", { names: contents.grandes.map(called).join(", ") }));
  parts.push(...contents.caballeros.map(([colour, count]) => `${called(colour)} ${count}`));
  if (contents.hidden) parts.push(t("hidden"));
  else if (!contents.caballeros.length) parts.push(t("empty"));
  if (contents.marks.includes("legal")) parts.push(t("you-may"));
  if (contents.marks.includes("origin")) parts.push(t("chosen"));
  if (contents.marks.includes("scored")) parts.push(t("scoring"));
  return `${contents.name}: ${parts.join("; ")}`;
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
 * Rebuilds a part of the page if the data it is made of has changed; the focus stays where it was.
 * @param {Element} where
 * @param {unknown} made_of
 * @param {() => (Node|string|null)[]} make
 */
export function renew(where, made_of, make) {
  const text = JSON.stringify(made_of);
  if (/** @type {any} */ (where).madeOf === text) return;
  /** @type {any} */ (where).madeOf = text;
  const focused = document.activeElement?.closest("[data-key]")?.getAttribute("data-key");
  where.replaceChildren(
    ...make()
      .filter((child) => child !== null)
      .map((child) => /** @type {Node|string} */ (child)),
  );
  if (focused) /** @type {HTMLElement|null} */ (where.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus();
}

/**
 * Sends a POST request. Returns the status and the answer; status 0 means that the server could not be reached.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{status: number, data: any}>}
 */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, data: await response.json().catch(() => ({})) };
  } catch {
    return { status: 0, data: {} };
  }
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
 * Listens to what happens at the table while the page is visible, and reconnects by itself after every loss.
 * @param {string} path
 * @param {(data: string) => void} heard
 * @param {() => void} [gone] called when this phone no longer holds the seat
 * @param {(code: string) => void} [coded] called with the code that lets phones in, where the page may know it
 * @returns {() => void} a function that stops listening
 */
export function listen(path, heard, gone = () => {}, coded = () => {}) {
  /** @type {EventSource|null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let again;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let silence;
  let failures = 0;
  /** Whether the table answers but has no stream left for this page. */
  let full = false;
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
    again = setTimeout(() => void retry(), Math.min(5000, 300 * failures));
  };
  const alive = () => {
    clearTimeout(silence);
    if (address.pathname.endsWith("/events")) silence = setTimeout(lost, SILENCE_MS);
  };
  const open = () => {
    if (source || over.signal.aborted || document.hidden) return;
    clearTimeout(again);
    source = new EventSource(path);
    source.onmessage = (event) => {
      alive();
      failures = 0;
      full = false;
      tell("");
      heard(event.data);
      // For tests: the number of the state that is shown.
      if (event.lastEventId) document.body.dataset.number = event.lastEventId;
    };
    source.addEventListener("here", alive);
    source.addEventListener("code", (event) => coded(JSON.parse(event.data).code));
    source.addEventListener("gone", () => {
      end();
      gone();
    });
    source.onerror = lost;
    alive();
  };
  // An event stream does not say why it failed; a plain request does.
  const retry = async () => {
    const answer = await fetch("/me").catch(() => null);
    if (over.signal.aborted) return;
    if (answer?.ok && seat) {
      const held = await answer.json().catch(() => ({ seats: [seat] }));
      if (!held.seats.includes(seat)) {
        end();
        gone();
        return;
      }
    }
    full = failures > 3 && Boolean(answer?.ok);
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
