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
 * An undo that people have to agree to.
 * @typedef {object} PageVote
 * @property {string} words who wants to undo how much
 * @property {string[]} moves
 */

/**
 * What a seat gets for a place: for its rank, and for the King and its Grande in addition.
 * @typedef {object} PageGain
 * @property {number} rank
 * @property {number} king
 * @property {number} grande
 */

/**
 * One place scored, or what it would pay.
 * @typedef {object} PageScoring
 * @property {string} place
 * @property {number[]} values what the place pays for first, second and third
 * @property {Record<string, number>} counts the caballeros of the seats that have any there
 * @property {Record<string, PageGain>} gains what each seat gets; seats that get nothing are left out
 * @property {string} words
 */

/**
 * A scoring that is being shown, place by place.
 * @typedef {object} PageScoringShow
 * @property {string|null} place the place that is highlighted; null before the first one, and when the totals are shown
 * @property {PageCard|null} card the card that causes the scoring; null for a general scoring
 * @property {PageScoring[]} rows the places shown so far
 * @property {boolean} totals whether all places have been shown, and the totals are
 */

/**
 * A move, or a place that it scored.
 * @typedef {object} PageStep
 * @property {number} number of the journal entry
 * @property {string} line the move in notation, as far as everybody may know it; or `scored` and a place
 * @property {string} words
 */

/**
 * A turn, or another part of a game that belongs together.
 * @typedef {object} PageHistoryTurn
 * @property {number} round
 * @property {string} kind `set-up`, `power`, `action` or `scoring`
 * @property {string|null} seat whose turn it is; null where everybody acts
 * @property {string|null} card
 * @property {string|null} title of the action card
 * @property {number|null} stack
 * @property {number} last the number of the journal entry of its last move
 * @property {PageStep[]} steps
 * @property {string|null} summary the turn in one sentence once it is over
 */

/**
 * Turns of a game, one after another.
 * @typedef {object} PageHistory
 * @property {number} first the index of the first of these turns in the whole game
 * @property {number} before the number of the journal entry before these turns; 0 at the beginning
 * @property {PageHistoryTurn[]} turns
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
 * A seat at the end of a game.
 * @typedef {object} ResultSeat
 * @property {string} colour
 * @property {string} name
 * @property {number} score
 */

/**
 * What phones are asked to add to the deals now.
 * @typedef {object} PageMixCall
 * @property {number} round
 * @property {string} step `hash` or `number`
 * @property {Record<string, string>} hashes the hashes that phones have sent in this round, by seat
 */

/**
 * How the cards are dealt.
 * @typedef {object} PageFairPlay
 * @property {string} dealt `fair`, `not secret` or `real cards`
 * @property {string} commitment the hash of the seed, shown before the first deal; empty when there is none
 * @property {Record<string, string>} numbers what phones have added to the deals, by seat
 * @property {string} seed empty until the game is over
 * @property {PageMixCall|null} call
 */

/**
 * The result of a game.
 * @typedef {object} PageResult
 * @property {number} game the number of the game in the journal
 * @property {ResultSeat[]} seats
 * @property {string[]} winners
 * @property {PageChart} chart
 * @property {PageFairPlay} fair_play
 */

/**
 * A seat on the set-up page.
 * @typedef {object} WishedSeat
 * @property {string} colour
 * @property {string} player
 * @property {string} name
 */

/**
 * What the set-up page suggests, and what it sends to begin a game.
 * @typedef {object} PageWish
 * @property {WishedSeat[]} seats
 * @property {string} edition
 * @property {number} rounds
 * @property {string[]} house
 * @property {boolean} real_cards
 * @property {boolean} leader_lights
 * @property {number} veto_s
 * @property {string} language
 * @property {string} pace
 * @property {boolean} teach
 * @property {boolean} hints
 */

/**
 * What the set-up page needs to know.
 * @typedef {object} PageSetUp
 * @property {PageWish} wish
 * @property {PageWish} first_game a guided first game
 * @property {Record<string, string>} colours what each seat's colour is called
 * @property {Record<string, string>} editions what each edition is called
 * @property {Record<string, string>} house the house rules there are, and what each changes
 * @property {boolean} playing whether a game is under way, which would be set aside
 * @property {number} in_game the number of the game that is shown now; 0 before the first
 */

/**
 * What one seat is asked, and how it may answer.
 * @typedef {object} PagePrompt
 * @property {string|null} asked
 * @property {string[]} details what would be lost, the step to veto, the moves to undo
 * @property {string|null} kind
 * @property {PageChoice[]} choices
 * @property {PageChoice[]} places
 * @property {string[]} touch
 * @property {string|null} origin
 * @property {number|null} deadline_s when the table stops waiting for the answer, by the clock of now_s
 * @property {string|null} notice
 */

/**
 * What a seat is taught now.
 * @typedef {object} PageLesson
 * @property {string} name
 * @property {string} words
 * @property {string} points_at the part of the page that it is about
 * @property {string|null} place the place that it is about
 * @property {string|null} choice the line of the answer that it names
 */

/**
 * The hint that a seat has asked for.
 * @typedef {object} PageHint
 * @property {string} words
 * @property {string|null} place the place it names
 */

/**
 * What only one seat may see.
 * @typedef {object} PageYou
 * @property {string} seat
 * @property {string[]} seats all seats that its phone holds
 * @property {number[]|null} hand
 * @property {number} castillo how many of its caballeros are in the castillo: it has seen them go in
 * @property {string|null} dial
 * @property {Record<string, string>} refused_cards the power cards in its hand that others have played, and who did
 * @property {PageChoice[]} undo what it can undo, or ask to undo
 * @property {PageLesson|null} lesson what it is taught now, in a guided game
 * @property {boolean} taught whether it is given lessons
 * @property {boolean} may_ask whether it may ask for a hint
 * @property {PageHint|null} hint the hint it has asked for, until the game goes on
 * @property {PagePrompt} prompt
 */

/**
 * Everything a page receives whenever something changes.
 * @typedef {object} PageState
 * @property {number} number counts moments; a page with a lower number shows an old state
 * @property {number} game the number of the game in the journal; another game has another
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
 * @property {string[]} mentions what is worth a quiet line; nothing is wrong
 * @property {PageChoice[]} offers
 * @property {PageVote|null} vote
 * @property {PageHistory} history the latest turns; `/history` has them all
 * @property {PageScoringShow|null} scoring the scoring that is being shown
 * @property {Record<string, PageScoring>} payouts what each place would pay now; a closed castillo is left out
 * @property {number} rounds_to_scoring rounds left before the next general scoring, with this one; 0 after the last
 * @property {string} pace
 * @property {string|null} knocking
 * @property {boolean} seats_open
 * @property {boolean} real_cards
 * @property {PageDeal|null} deal
 * @property {PageFairPlay} fair_play
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
 * @property {string[]} paces how fast bots may play
 * @property {string} language
 * @property {Record<string, string>} languages
 * @property {Record<string, string>} texts
 * @property {Record<string, string>} places
 * @property {string} [code] lets phones in; only for the table screen
 * @property {string} [address] where phones find the table
 * @property {object} [plan] what there is to try in the workshop
 * @property {number} [https_port] the port on which this phone may open the page by HTTPS; 0 when there is none
 * @property {boolean} [network] whether anything looks after the machine's network
 * @property {boolean} [hotspot] whether phones reach the table by its own Wi-Fi
 * @property {PageState} [state] what is shown now, on the page of one seat
 * @property {PageSetUp} [set_up] only for the set-up page
 * @property {PageResult} [result] the result of the latest finished game; only where it is shown
 * @property {string} page
 * @property {string[]} seats
 * @property {boolean} table whether this browser may manage the table
 * @property {boolean} virtual whether there is a virtual board
 * @property {boolean} has_result whether a game has been finished at this table
 */

export {};
