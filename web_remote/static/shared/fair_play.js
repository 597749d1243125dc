// Fair play: the number this phone adds to the deals, and what everybody may know about how cards are dealt.

import { el, post, renew, t } from "./page.js";
import { sha256 } from "./sha256.js";

/**
 * @typedef {import("./state.js").PageFairPlay} PageFairPlay
 * @typedef {import("./state.js").PageState} PageState
 */

/** The number of this phone for a round of mixing, until it has been sent. */
let own = { game: 0, round: -1, bytes: new Uint8Array(0), hash: "", sent: false };

/** @param {Uint8Array} bytes */
const digits = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Adds a random number of this phone to the deals when the table asks for it: first its hash, and the number only when
 * the table shows everybody that hash.
 * @param {PageState} state
 */
export function mixIn({ game, fair_play: { call } }) {
  if (!call) return;
  const { round, step, hashes } = call;
  const asked = own.game === game && own.round === round;
  if (step === "hash" && !asked) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    own = { game, round, bytes, hash: sha256(bytes), sent: false };
    void post("/mix", { round, value: own.hash });
  } else if (step === "number" && asked && !own.sent && Object.values(hashes).includes(own.hash)) {
    own.sent = true;
    void post("/mix", { round, value: digits(own.bytes) });
  }
}

/**
 * Returns a part of a page, closed at first, that tells how the cards are dealt; `content` is for a page that has a place
 * for it already.
 */
export function makeFairPlay() {
  const content = el("div", { class: "fair-play" });
  const panel = el("details", { hidden: true }, el("summary", {}, t("fair-play")), content);
  return {
    panel,
    content,
    /** @param {{game: number, seats: {colour: string, name: string}[], fair_play: PageFairPlay}} state */
    update({ game, seats, fair_play: { dealt, commitment, numbers, seed } }) {
      const added = seats.filter(({ colour }) => numbers[colour]);
      panel.hidden = content.hidden = dealt === "real cards";
      renew(content, [game, dealt, commitment, added.map(({ name }) => name), numbers, seed], () => [
        dealt === "not secret" ? el("p", {}, t("fair-not-secret")) : null,
        commitment ? named(t("fair-commitment"), commitment) : null,
        ...added.map(({ colour, name }) => named(t("fair-number", { name }), numbers[colour])),
        seed ? named(t("fair-seed"), seed) : null,
        seed && dealt === "fair" ? el("p", {}, t("fair-verify", { command: `companion verify ${game}` })) : null,
      ]);
    },
  };
}

/**
 * Returns a number with what it is.
 * @param {string} words
 * @param {string} number
 */
const named = (words, number) => el("p", {}, words, " ", el("code", {}, number));
