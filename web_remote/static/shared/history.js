// The history of the game: the latest turns come with every state, and all the others are fetched once if wanted.

import { el, page, renew, roundName } from "./page.js";
import { ask } from "./request.js";
import { shapeOf } from "./shapes.js";

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").PageHistory} PageHistory
 * @typedef {import("./state.js").PageHistoryTurn} PageHistoryTurn
 */

/** Keeps the turns of the game up to date. */
export class GameHistory {
  constructor() {
    /** The index of the first turn that is known. */
    this.first = 0;
    /** @type {PageHistoryTurn[]} */
    this.turns = [];
    /** The game that the turns are of. */
    this.game = 0;
    /** @type {Promise<void>|null} */
    this.fetching = null;
    /** @type {PageHistory|null} */
    this.latest = null;
    /** Whether something happened that did not come with a state: too much at once, or shown later than the rest. */
    this.missed = false;
    /** Turns that will never have a sentence, by their last move. @type {Set<number>} */
    this.wordless = new Set();
    this.showing = false;
  }

  /**
   * Takes the latest turns of a state. Turns that were taken back are dropped, and those of another game.
   * @param {Pick<PageState, "game" | "history" | "scoring">} state
   */
  take({ game, history, scoring }) {
    if (game !== this.game) {
      [this.game, this.first, this.turns] = [game, 0, []];
      this.missed = false;
    }
    this.#append(history, scoring !== null);
  }

  /**
   * @param {PageHistory} latest
   * @param {boolean} showing whether a scoring is being shown; turns have no sentence until it has been
   */
  #append(latest, showing) {
    this.latest = latest;
    this.showing = showing;
    const { first, before, turns } = latest;
    const at = first - this.first;
    const fits = at === 0 || (at > 0 && this.turns[at - 1]?.last === before);
    if (!fits) this.missed = this.turns.length > 0 && first > 0;
    if (fits) this.turns = [...this.turns.slice(0, at), ...turns];
    else [this.first, this.turns] = [first, turns];
    const wanting = this.turns
      .slice(0, -turns.length)
      .some((turn) => lacksSummary(turn) && !this.wordless.has(turn.last));
    if (wanting && !showing) this.missed = true;
  }

  /** Whether turns are missing, from the beginning of the game on. */
  get incomplete() {
    return this.first > 0;
  }

  /** Fetches what is missing. */
  async complete() {
    this.fetching ??= ask(`/history?language=${page.language}`)
      .then(({ status, data }) => {
        this.missed = false;
        if (status !== 200) return;
        [this.first, this.turns] = [data.first, data.turns];
        if (!this.showing) this.wordless = new Set(this.turns.filter(lacksSummary).map(({ last }) => last));
        // What has been received meanwhile is newer.
        if (this.latest && this.latest.turns.length) this.#append(this.latest, this.showing);
      })
      .finally(() => (this.fetching = null));
    await this.fetching;
  }
}

/** @param {PageHistoryTurn} turn */
const lacksSummary = ({ kind, summary }) => summary === null && kind !== "set-up";

/**
 * Shows the whole history by round and turn, the latest first. Only what has changed is drawn again.
 * @param {HTMLElement} where
 * @param {GameHistory} history
 * @param {PageState} state
 */
export function showHistory(where, history, state) {
  // What is new comes above; whoever has scrolled down goes on reading at the same place.
  const [read, height] = [where.scrollTop, where.scrollHeight];
  const rounds = [...new Set(history.turns.map((turn) => turn.round))].reverse();
  const parts = new Map([...where.children].map((part) => [part.getAttribute("data-round"), part]));
  const wanted = rounds.map((round) => {
    const part = parts.get(String(round)) ?? el("section", { "data-round": round });
    const turns = history.turns.filter((turn) => turn.round === round);
    const names = state.seats.map((seat) => seat.name);
    renew(part, [turns, names], () => [
      el("h3", {}, roundName(round, state.rounds)),
      el("ol", {}, ...turns.map((turn) => turnItem(turn, state)).reverse()),
    ]);
    return part;
  });
  if (wanted.length !== where.children.length || wanted.some((part, at) => where.children[at] !== part))
    where.replaceChildren(...wanted);
  if (read) where.scrollTop = read + where.scrollHeight - height;
}

/**
 * @param {PageHistoryTurn} turn
 * @param {PageState} state
 */
function turnItem(turn, state) {
  const seat = state.seats.find(({ colour }) => colour === turn.seat);
  const title = turn.summary ?? [seat?.name, turn.title].filter(Boolean).join(": ");
  const steps = turn.steps.filter(({ line }) => !line.endsWith(" end"));
  return el(
    "li",
    { class: seat ? `seat-${seat.colour}` : "" },
    el("p", { class: "sum" }, seat ? shapeOf(seat.colour) : null, " ", title),
    el("ul", {}, ...steps.map(({ words }) => el("li", {}, words))),
  );
}
