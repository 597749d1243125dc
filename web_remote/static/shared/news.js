// @ts-check
// What is new in a state, compared with what was told before: each thing once, whatever states were skipped.

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").PageHistoryTurn} PageHistoryTurn
 */

/**
 * @typedef {object} Fresh
 * @property {{seat: string|null, words: string, late: boolean}[]} turns that are over; late if the seat of the page has
 *   played since, as when a scoring was being shown meanwhile
 * @property {string[]} rows the places that were scored, in words
 * @property {{seat: string, verb: string, words: string}[]} moves
 */

/** Remembers what it has told. */
export class GameNews {
  constructor() {
    /** @type {Set<string>|null} */
    this.told = null;
    /** Moves up to this one of the journal were made before the page was opened. */
    this.since = 0;
    this.run = "";
    this.version = 0;
  }

  /**
   * Returns what is new. What a page finds when it is opened is not.
   * @param {PageState} state
   * @param {PageHistoryTurn[]} turns
   * @returns {Fresh}
   */
  take({ run, version, you }, turns) {
    // The journal only grows: if it is shorter, another game has begun.
    if (run !== this.run) this.told = null;
    else if (version < this.version) [this.told, this.since] = [new Set(), 0];
    [this.run, this.version] = [run, version];
    const opened = this.told === null;
    const told = (this.told ??= new Set());
    if (opened) this.since = (turns[0]?.steps[0]?.number ?? 1) - 1;
    /** @type {Fresh} */
    const fresh = { turns: [], rows: [], moves: [] };
    const once = (/** @type {number} */ number, /** @type {string} */ key) => {
      if (number <= this.since || told.has(key)) return false;
      told.add(key);
      return !opened;
    };
    const own = turns.map(({ seat, summary }) => Boolean(summary && you && seat === you.seat)).lastIndexOf(true);
    for (const [index, { seat, steps, summary, last }] of turns.entries()) {
      for (const { number, line, words } of steps) {
        if (!once(number, `${number} ${line}`)) continue;
        if (line.startsWith("scored ")) fresh.rows.push(words);
        else {
          const [seat, verb] = line.split(" ");
          fresh.moves.push({ seat, verb, words });
        }
      }
      if (summary && once(last, `turn ${last} ${summary}`))
        fresh.turns.push({ seat, words: summary, late: index < own });
    }
    return fresh;
  }
}
