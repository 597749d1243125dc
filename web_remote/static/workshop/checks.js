// What the doctor found: problems and warnings in full, with passed and skipped checks folded away.

import { el, post, renew, t } from "../shared/page.js";

/** @typedef {import("./workshop.js").Shop} Shop */
/** @typedef {import("./workshop.js").Finding} Finding */

const MARKS = { ok: "✓", warning: "!", problem: "✗", skipped: "–" };

/** @param {string} where */
const inside = (where) => /** @type {HTMLElement} */ (document.querySelector(`#checks ${where}`));

export function makeChecks() {
  const again = /** @type {HTMLButtonElement} */ (inside(".look"));
  again.addEventListener("click", () => void post("/workshop/look", {}));
  void post("/workshop/look", {});
  /** @type {[HTMLDetailsElement, string, string][]} */
  const folds = [
    [folded(), "ok", "well"],
    [folded(), "skipped", "left-out"],
  ];
  inside(".found").after(...folds.map(([fold]) => fold));
  return {
    /** @param {Shop} shop */
    update({ looking, findings, troubles }) {
      // The page asks for a look as it opens: until the first finding nothing is known to be well.
      const busy = looking || !findings.length;
      again.setAttribute("aria-disabled", String(busy));
      inside(".sum").textContent = busy ? t("looking") : sum(findings);
      inside(".troubles").hidden = !troubles.length;
      renew(inside(".troubles"), troubles, () => troubles.map((words) => el("li", {}, words)));
      const amiss = findings.filter(({ verdict }) => verdict === "problem" || verdict === "warning");
      renew(inside(".found"), amiss, () => (amiss.length ? [el("ul", { class: "findings" }, ...amiss.map(line))] : []));
      for (const [fold, verdict, words] of folds) {
        const these = findings.filter((finding) => finding.verdict === verdict);
        fold.hidden = !these.length;
        fold.firstElementChild?.replaceChildren(t(words, { number: these.length }));
        renew(/** @type {Element} */ (fold.lastElementChild), these, () => these.map(line));
      }
    },
  };
}

/** @param {Finding[]} findings */
function sum(findings) {
  const count = (/** @type {string} */ verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  if (count("problem")) return t("sum-problems", { number: count("problem") });
  return count("warning") ? t("sum-warnings", { number: count("warning") }) : t("sum-well");
}

/** Returns an element for what need not be read at once. */
function folded() {
  return el("details", {}, el("summary"), el("ul", { class: "findings" }));
}

/** @param {Finding} finding */
function line({ check, verdict, found, do: advice }) {
  return el(
    "li",
    { class: verdict },
    el("span", { class: "mark", "aria-hidden": "true" }, MARKS[verdict]),
    el(
      "div",
      {},
      el("span", { class: "unseen" }, `${t(`verdict-${verdict}`)}: `),
      el("span", { class: "check" }, check),
      el("p", { class: "words" }, found),
      advice ? el("p", { class: "advice" }, el("b", {}, t("what-to-do")), " ", advice) : null,
    ),
  );
}
