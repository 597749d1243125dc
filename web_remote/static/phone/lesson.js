// A lesson of a guided game: a few words beside the thing they are about. It never stands in the way of playing.

import { el, renew, t } from "../shared/page.js";

/** @typedef {import("../shared/state.js").PageState} PageState */

/** How long taps do not count after a lesson was dismissed: what was below it has just moved to where the finger is. */
const SETTLING_MS = 400;
/** The space kept free around what is brought into view. */
const MARGIN = 8;

/**
 * Makes the callout that shows lessons. What can be pointed at carries `data-lesson` with the names it goes by, and an
 * answer `data-line` with its line.
 * @param {HTMLElement} root where to look for what a lesson points at
 * @param {HTMLElement} otherwise what a lesson stands above if the page does not show what it points at
 * @param {(line: string) => void} send
 */
export function makeLesson(root, otherwise, send) {
  const words = el("p", { role: "status" });
  const buttons = el("div", { class: "lesson-buttons" });
  const callout = el("aside", { class: "lesson", "aria-label": t("lesson"), hidden: true }, words, buttons);
  otherwise.before(callout);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** The answer that is highlighted. @type {Element|null} */
  let marked = null;
  let dismissed = false;
  let settling = 0;

  /** Returns what a lesson stands above: the thing it points at. @param {string} name */
  function target(name) {
    const wanted = name === "place" ? "map" : name;
    const found = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(`[data-lesson~="${wanted}"]`)]);
    return found.find((each) => each.offsetHeight > 0) ?? null;
  }

  /** Highlights the answer that a lesson names, and no other. @param {string|null} line */
  function markChoice(line) {
    const choice = line ? root.querySelector(`[data-line="${CSS.escape(line)}"]`) : null;
    if (marked !== choice) marked?.classList.remove("pointed");
    choice?.classList.add("pointed");
    marked = choice;
    return choice;
  }

  /** Ignores taps for a moment. Keys and screen readers, which do not aim at a spot, are not affected. */
  function settle() {
    dismissed = false;
    root.dataset.settling = "";
    clearTimeout(settling);
    settling = window.setTimeout(() => delete root.dataset.settling, SETTLING_MS);
  }

  /** @param {string} line */
  function dismiss(line) {
    dismissed = true;
    send(line);
  }

  /** Brings the callout into view together with what it is about, as far as both fit. @param {Element} about */
  function bringIntoView(about) {
    const [own, other] = [callout.getBoundingClientRect(), about.getBoundingClientRect()];
    const room = viewHeight(root) - own.height - 2 * MARGIN;
    callout.style.scrollMarginBottom = `${Math.max(MARGIN, Math.min(other.bottom - own.bottom + MARGIN, room))}px`;
    // Whoever reads about a place needs to see the map below, too.
    const block = about.matches(".mapped") ? "start" : "nearest";
    callout.scrollIntoView({ block, behavior: calm.matches ? "auto" : "smooth" });
  }

  return {
    /** @param {PageState} state */
    update(state) {
      const lesson = state.you?.lesson;
      const fresh = callout.dataset.name !== lesson?.name;
      if (fresh && dismissed) settle();
      const choice = markChoice(lesson?.choice ?? null);
      if (!lesson) {
        if (callout.contains(document.activeElement)) {
          /** @type {HTMLElement|null} */ (otherwise.closest('[tabindex="-1"]'))?.focus({ preventScroll: true });
        }
        callout.hidden = true;
        delete callout.dataset.name;
        words.textContent = "";
        return;
      }
      callout.hidden = false;
      // An answer with a line of its own has the callout right above it; one among several in a row wears the arrow.
      const alone = choice instanceof HTMLElement && choice.offsetWidth > otherwise.offsetWidth / 2 ? choice : null;
      const pointed = alone ?? target(lesson.points_at);
      callout.classList.toggle("points", alone !== null || (pointed !== null && lesson.points_at !== "answers"));
      const below = pointed ?? otherwise;
      if (callout.nextElementSibling !== below) {
        const focused = callout.contains(document.activeElement);
        below.before(callout);
        if (focused) /** @type {HTMLElement|null} */ (buttons.firstElementChild)?.focus({ preventScroll: true });
      }
      callout.dataset.name = lesson.name;
      if (words.textContent !== lesson.words) words.textContent = lesson.words;
      renew(buttons, [lesson.name], () => [
        el(
          "button",
          { type: "button", "data-key": "got-it", click: () => dismiss(`lesson seen ${lesson.name}`) },
          t("got-it"),
        ),
        el(
          "button",
          { type: "button", class: "aside", "data-key": "no-lessons", click: () => dismiss("lessons off") },
          t("no-more-lessons"),
        ),
      ]);
      if (fresh) bringIntoView(choice ?? below);
    },
  };
}

/** Returns how high the part of the page is that shows an element: the window, or what scrolls. @param {Element} of */
function viewHeight(of) {
  for (let at = of.parentElement; at && at !== document.body; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return Math.min(at.clientHeight, innerHeight);
  }
  return innerHeight;
}

/**
 * Shows the hint that was asked for, or the button that asks for one.
 * @param {HTMLElement} where
 * @param {PageState} state
 * @param {(line: string) => void} send
 */
export function showHint(where, state, send) {
  const { hint = null, may_ask: may = false } = state.you ?? {};
  // The line stays and only its words change, so that screen readers speak them.
  if (!where.firstElementChild) where.append(el("p", { role: "status" }), el("div"));
  const [line, buttons] = where.children;
  const words = hint?.words ?? "";
  if (line.textContent !== words) line.textContent = words;
  const offered = may && !hint;
  renew(buttons, [offered], () => [
    offered
      ? el("button", { type: "button", class: "aside", "data-key": "hint", click: () => send("hint") }, t("hint"))
      : null,
  ]);
}
