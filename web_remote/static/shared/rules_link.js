// @ts-check
/** Links to the rules: every card, place and term has its own spot on that page. */

import { el } from "./page.js";

/**
 * Returns a link to the rules. It opens in the same tab: the game goes on meanwhile, and Back returns to it.
 * @param {"card" | "place" | "term" | "section"} kind
 * @param {string} name of the card or place as the engine calls it, of the term, or of the section
 * @param {...(Node | string)} words what the link shows
 */
export function rulesLink(kind, name, ...words) {
  const spot = kind === "section" ? name : `${kind}-${name}`;
  return el("a", { class: "rules-link", href: `/rules#${spot}` }, ...words);
}
