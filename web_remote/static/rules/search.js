// @ts-check
/** Searching the rules: as you type, only the sections, cards, places and terms with all your words are left. */

import { t } from "../shared/page.js";

/**
 * Something that can be found: its element, its words, those of its heading, and the entries within it.
 * @typedef {object} Entry
 * @property {HTMLElement} element
 * @property {string} words without those of the entries within it
 * @property {string} heading
 * @property {Entry[]} inner
 */

/** Starts the search. Slash goes to the field, Enter to what was found first, and Escape clears it. */
export function startSearch() {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("search"));
  const field = /** @type {HTMLInputElement} */ (document.getElementById("words"));
  const answer = /** @type {HTMLElement} */ (document.getElementById("found"));
  const entries = entriesIn(document.body);

  const search = () => {
    const wanted = plain(field.value).split(" ").filter(Boolean);
    document.body.classList.toggle("searching", wanted.length > 0);
    const hits = entries.reduce((sum, entry) => sum + show(entry, wanted), 0);
    answer.textContent = wanted.length ? (hits ? t("found", { number: hits }) : t("found-none")) : "";
  };
  const clear = () => {
    field.value = "";
    search();
  };
  field.addEventListener("input", search);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value) firstHit()?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value) {
      clear();
      field.focus();
    } else if (event.key === "/" && document.activeElement !== field && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
    }
  });
  // A link leads to its spot even if the search hides that.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    const spot = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    if (spot?.closest("[hidden]")) clear();
  });
  form.hidden = false;
  search();
}

/** Returns the link in the heading of what was found first. */
function firstHit() {
  const hits = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".entry.hit")]);
  return /** @type {HTMLElement | null | undefined} */ (hits[0]?.querySelector(".anchor"));
}

/**
 * Shows an entry if it, or one within it, has all words; one whose heading has them is shown whole.
 * @param {Entry} entry
 * @param {string[]} wanted
 * @returns {number} how many were found
 */
function show({ element, words, heading, inner }, wanted) {
  const whole = wanted.every((word) => heading.includes(word));
  const own = wanted.length > 0 && wanted.every((word) => words.includes(word));
  const within = inner.reduce((sum, each) => sum + show(each, whole ? [] : wanted), 0);
  element.hidden = wanted.length > 0 && !own && !within;
  element.classList.toggle("hit", own);
  return within + (own ? 1 : 0);
}

/**
 * Returns the entries in an element, each with those within it.
 * @param {Element} parent
 * @returns {Entry[]}
 */
function entriesIn(parent) {
  const all = /** @type {HTMLElement[]} */ ([...parent.querySelectorAll(".entry")]);
  const nearest = all.filter((element) => {
    const above = element.parentElement?.closest(".entry") ?? null;
    return above === null ? !parent.matches(".entry") : above === parent;
  });
  return nearest.map((element) => {
    const inner = entriesIn(element);
    const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
    for (const each of copy.querySelectorAll(".entry")) each.remove();
    const heading = copy.querySelector(".anchor")?.textContent ?? "";
    return { element, inner, words: plain(copy.textContent ?? ""), heading: plain(heading) };
  });
}

/** Returns a text without accents and capitals. @param {string} text */
function plain(text) {
  return text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ");
}
