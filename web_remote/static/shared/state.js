// The types of what pages receive. `web_remote/page_types.py` has the same in Python; a test compares the two.

/**
 * A line that may be sent, and what it means.
 * @typedef {object} PageChoice
 * @property {string} line
 * @property {string} words
 */

/**
 * An action card.
 * @typedef {object} PageCard
 * @property {string} card
 * @property {string} title
 * @property {string} text
 */

/**
 * A seat as everybody may see it.
 * @typedef {object} PageSeat
 * @property {string} colour
 * @property {string} name
 * @property {string} player `person`, or the level of its bot
 * @property {boolean} held whether a phone holds the seat
 * @property {number} score
 * @property {number} court
 * @property {number} province
 * @property {number|null} castillo null while the castillo is closed
 * @property {string|null} grande
 * @property {Record<string, number>} regions the regions where the seat has caballeros, and how many
 * @property {number} cards how many power cards are left
 * @property {number[]} played
 * @property {number|null} power the power card of this round
 * @property {number} vetoes
 * @property {boolean} dialled
 */

/**
 * The turn under way.
 * @typedef {object} PageTurn
 * @property {string|null} actor
 * @property {string[]} order
 * @property {string|null} start
 * @property {PageCard|null} card
 * @property {number|null} stack
 * @property {number} to_place
 * @property {string} special
 * @property {number} left
 * @property {string|null} step the step that waits for a veto
 */

/**
 * What a seat is asked.
 * @typedef {object} PageQuestion
 * @property {string} seat
 * @property {string} words
 */

/**
 * One place scored.
 * @typedef {object} PageScoring
 * @property {number} move
 * @property {string} place
 * @property {string} name
 * @property {Record<string, number>} counts
 * @property {Record<string, number>} points
 */

/**
 * With real cards: what to turn up, and everything it can be.
 * @typedef {object} PageDeal
 * @property {string} asked
 * @property {PageChoice[]} choices
 */

/**
 * The points of every seat after a move.
 * @typedef {object} ChartPoint
 * @property {number} move
 * @property {Record<string, number>} totals
 */

/**
 * The points over a whole game, and where they came from.
 * @typedef {object} PageChart
 * @property {ChartPoint[]} points
 * @property {Record<string, Record<string, number>>} sources
 * @property {number[]} rounds the moves at which rounds began
 */

/**
 * What one seat is asked, and how it may answer.
 * @typedef {object} PagePrompt
 * @property {string|null} asked
 * @property {string|null} kind
 * @property {PageChoice[]} choices
 * @property {PageChoice[]} places
 * @property {string[]} touch
 * @property {string|null} origin
 * @property {number|null} deadline_s when the table stops waiting for the answer, by the clock of now_s
 * @property {string|null} refusal
 */

/**
 * What only one seat may see.
 * @typedef {object} PageYou
 * @property {string} seat
 * @property {string[]} seats all seats that its phone holds
 * @property {number[]|null} hand
 * @property {string|null} dial
 * @property {Record<string, string>} refused_cards the power cards in its hand that others have played, and who did
 * @property {PagePrompt} prompt
 */

/**
 * Everything a page receives whenever something changes.
 * @typedef {object} PageState
 * @property {number} number counts moments; a page with a lower number shows an old state
 * @property {number} version the number of entries in the journal; an answer says which one it was meant for
 * @property {string} language
 * @property {number} round
 * @property {number} rounds
 * @property {string|null} king
 * @property {Record<string, string|null>} tiles
 * @property {PageSeat[]} seats
 * @property {Record<string, PageCard>} open
 * @property {PageTurn} turn
 * @property {string[]} waiting_for
 * @property {PageQuestion[]} asked
 * @property {string[]} touch
 * @property {string|null} origin
 * @property {string[]} guide
 * @property {[string|null, string|null]|null} step where the guide wants a piece moved from and to; null is off the map
 * @property {string[]} notices
 * @property {PageChoice[]} offers
 * @property {string[]} log
 * @property {number} log_from
 * @property {PageScoring[]} scorings
 * @property {number} scorings_from
 * @property {string|null} knocking
 * @property {boolean} seats_open
 * @property {boolean} real_cards
 * @property {PageDeal|null} deal
 * @property {boolean} over
 * @property {string[]} winners
 * @property {PageChart} [chart] only when the game is over
 * @property {number} now_s the table's clock when the state was sent; deadlines refer to it
 * @property {string} run differs each time the program starts
 * @property {PageYou} [you] only for the page of a seat
 */

/**
 * A score tile, and what it pays for first, second and third.
 * @typedef {object} PageTile
 * @property {string} tile
 * @property {number[]} values
 */

/**
 * Everything that comes with a page.
 * @typedef {object} PageData
 * @property {string[]} colours
 * @property {string[]} regions
 * @property {Record<string, number[]>} values
 * @property {PageTile[]} tiles
 * @property {number[]} recruits
 * @property {Record<string, number[]>} rounds the rounds that are played, by the length of the game
 * @property {number[]} scoring_rounds
 * @property {string[]} sources
 * @property {string[]} players
 * @property {string} language
 * @property {Record<string, string>} languages
 * @property {Record<string, string>} texts
 * @property {Record<string, string>} places
 * @property {string} [code] lets phones in; only for the table screen
 * @property {string} [address] where phones find the table
 * @property {object} [plan] what there is to try in the workshop
 * @property {PageState} [state] what is shown now, on the page of one seat
 * @property {string} page
 * @property {string[]} seats
 * @property {boolean} table whether this browser may manage the table
 * @property {boolean} virtual whether there is a virtual board
 */

export {};
