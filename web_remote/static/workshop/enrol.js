// Enrolling pieces: choose a kind, tap each piece at any reader, and its tag is stored at once.

import { el, post, renew, t } from "../shared/page.js";

/** @typedef {import("./workshop.js").Shop} Shop */
/** @typedef {import("./workshop.js").Plan} Plan */
/** @typedef {import("./workshop.js").Enrolment} Enrolment */
/** @typedef {import("./workshop.js").Batch} Batch */

/** @param {Plan} plan */
export function makeEnrolment(plan) {
  const content = /** @type {HTMLElement} */ (document.querySelector("#enrolment .content"));
  if (!plan.hubs.length) {
    content.append(el("p", { class: "how" }, t("no-readers")));
    return { update() {} };
  }
  const now = el("div", { class: "now" });
  const said = el("p", { class: "said", role: "status" });
  const total = el("summary");
  const counts = el("div");
  const practice = el("p", { class: "how", hidden: true }, t("practice"));
  content.append(
    el("p", { class: "how" }, t("enrol-how")),
    practice,
    now,
    said,
    el("details", { class: "counts" }, total, counts),
    forgetting(),
  );
  return {
    /** @param {Shop} shop */
    update({ enrolment }) {
      practice.hidden = !enrolment.practice;
      renew(now, enrolment.batch, () =>
        enrolment.batch ? [batch(enrolment.batch, plan)] : [chooser(plan, enrolment)],
      );
      said.textContent = enrolment.said.join(" ");
      total.textContent = sum(plan, enrolment);
      renew(counts, enrolment.counts, () => [table(plan, enrolment)]);
    },
  };
}

/**
 * @param {Plan} plan
 * @param {Enrolment} enrolment
 */
function chooser(plan, { counts }) {
  const first = plan.pieces.find(({ piece, wanted }) => (counts[piece] ?? 0) < wanted) ?? plan.pieces[0];
  const choice = el(
    "select",
    { name: "piece", "aria-label": t("pieces"), "data-key": "piece" },
    ...plan.pieces.map(({ piece, words }) => el("option", { value: piece, selected: piece === first.piece }, words)),
  );
  const afresh = el("input", { type: "checkbox", name: "afresh" });
  const begin = (/** @type {Event} */ event) => {
    event.preventDefault();
    void post("/workshop/enrol", { piece: choice.value, afresh: afresh.checked });
  };
  return el(
    "form",
    { submit: begin },
    choice,
    el("label", { class: "tick" }, afresh, " ", t("afresh")),
    el("button", { type: "submit", class: "main", "data-key": "enrol" }, t("enrol-these")),
  );
}

/**
 * @param {Batch} under
 * @param {Plan} plan
 */
function batch({ words, wanted, count, untapped }, plan) {
  const label = t("batch-count", { number: count, all: wanted });
  const tapNew = () => void post("/workshop/new-piece", {});
  return el(
    "div",
    { class: "batch" },
    el("p", { class: "asked" }, t("batch", { pieces: words })),
    el("progress", { value: count, max: wanted, "aria-label": label }),
    el("p", {}, label, untapped ? ` · ${t("untapped", { number: untapped })}` : ""),
    el(
      "p",
      { class: "way" },
      el(
        "button",
        { type: "button", "data-key": "finish", click: () => void post("/workshop/finish", {}) },
        t("finish-batch"),
      ),
      plan.simulated
        ? el("button", { type: "button", class: "hand", "data-key": "tap-new", click: tapNew }, t("tap-new"))
        : null,
    ),
  );
}

/**
 * @param {Plan} plan
 * @param {Enrolment} enrolment
 */
function sum(plan, { counts }) {
  const number = Object.values(counts).reduce((all, count) => all + count, 0);
  return t("in-all", { number, all: plan.pieces.reduce((all, { wanted }) => all + wanted, 0) });
}

/**
 * @param {Plan} plan
 * @param {Enrolment} enrolment
 */
function table(plan, { counts }) {
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el("tr", {}, ...["pieces", "enrolled", "wanted"].map((name) => el("th", { scope: "col" }, t(name)))),
    ),
    el(
      "tbody",
      {},
      ...plan.pieces.map(({ piece, words, wanted }) =>
        el(
          "tr",
          { class: (counts[piece] ?? 0) < wanted ? "lacks" : "" },
          el("th", { scope: "row" }, words),
          el("td", {}, String(counts[piece] ?? 0)),
          el("td", {}, String(wanted)),
        ),
      ),
    ),
  );
}

function forgetting() {
  const tag = el("input", {
    name: "tag",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 14,
    required: true,
  });
  const answer = el("p", { class: "answer", role: "alert" });
  const forget = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const { status } = await post("/workshop/forget", { tag: tag.value.trim() });
    answer.textContent = status === 200 ? "" : t(status === 400 ? "no-tag" : "failed");
    if (status === 200) tag.value = "";
  };
  return el(
    "details",
    {},
    el("summary", {}, t("forget-tag")),
    el(
      "form",
      { submit: forget },
      el("label", {}, t("tag-number"), " ", tag),
      el("button", { type: "submit" }, t("forget-go")),
      answer,
    ),
  );
}
