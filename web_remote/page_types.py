"""The types of what pages receive: the state that the stream sends, and the data that comes with each page.

`static/shared/state.js` has the same types for the scripts, under the same names; a test compares the two.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class PageChoice(TypedDict):
    """A line that may be sent, and what it means."""

    line: str
    words: str


class PageCard(TypedDict):
    """An action card."""

    card: str
    title: str
    text: str


class PageSeat(TypedDict):
    """A seat as everybody may see it."""

    colour: str
    name: str
    player: str
    """`person`, or the level of its bot."""
    held: bool
    """Whether a phone holds the seat."""
    score: int
    court: int
    province: int
    castillo: int | None
    """`None` while the castillo is closed."""
    grande: str | None
    regions: dict[str, int]
    """The regions where the seat has caballeros, and how many."""
    cards: int
    """How many power cards are left."""
    played: list[int]
    power: int | None
    """The power card of this round."""
    vetoes: int
    dialled: bool


class PageTurn(TypedDict):
    """The turn under way."""

    actor: str | None
    order: list[str]
    start: str | None
    card: PageCard | None
    stack: int | None
    to_place: int
    special: str
    left: int
    step: str | None
    """The step that waits for a veto."""


class PageQuestion(TypedDict):
    """What a seat is asked."""

    seat: str
    words: str


class PageVote(TypedDict):
    """An undo that people have to agree to."""

    words: str
    """Who wants to undo how much."""
    moves: list[str]


class PageGain(TypedDict):
    """What a seat gets for a place: for its rank, and for the King and its Grande in addition."""

    rank: int
    king: int
    grande: int


class PageScoring(TypedDict):
    """One place scored, or what it would pay."""

    place: str
    values: list[int]
    """What the place pays for first, second and third."""
    counts: dict[str, int]
    """The caballeros of the seats that have any there."""
    gains: dict[str, PageGain]
    """What each seat gets; seats that get nothing are left out."""
    words: str


class PageScoringShow(TypedDict):
    """A scoring that is being shown, place by place."""

    place: str | None
    """The place that is highlighted; `None` before the first one, and when the totals are shown."""
    card: PageCard | None
    """The card that causes the scoring, or `None` for a general scoring."""
    rows: list[PageScoring]
    """The places shown so far."""
    totals: bool
    """Whether all places have been shown, and the totals are."""


class PageStep(TypedDict):
    """A move, or a place that it scored."""

    number: int
    """The number of the journal entry."""
    line: str
    """The move in notation, as far as everybody may know it; or `scored` and a place."""
    words: str


class PageHistoryTurn(TypedDict):
    """A turn, or another part of a game that belongs together."""

    round: int
    kind: str
    """`set-up`, `power`, `action` or `scoring`."""
    seat: str | None
    """Whose turn it is, or `None` where everybody acts."""
    card: str | None
    title: str | None
    """The title of the action card."""
    stack: int | None
    last: int
    """The number of the journal entry of its last move."""
    steps: list[PageStep]
    summary: str | None
    """The turn in one sentence once it is over."""


class PageHistory(TypedDict):
    """Turns of a game, one after another."""

    first: int
    """The index of the first of these turns in the whole game."""
    before: int
    """The number of the journal entry before these turns; 0 at the beginning."""
    turns: list[PageHistoryTurn]


class PageDeal(TypedDict):
    """With real cards: what to turn up, and everything it can be."""

    asked: str
    choices: list[PageChoice]


class ChartPoint(TypedDict):
    """The points of every seat after a move."""

    move: int
    totals: dict[str, int]


class PageChart(TypedDict):
    """The points over a whole game, and where they came from."""

    points: list[ChartPoint]
    sources: dict[str, dict[str, int]]
    rounds: list[int]
    """The moves at which rounds began."""


class ResultSeat(TypedDict):
    """A seat at the end of a game."""

    colour: str
    name: str
    score: int


class PageMixCall(TypedDict):
    """What phones are asked to add to the deals now."""

    round: int
    step: str
    """`hash` or `number`."""
    hashes: dict[str, str]
    """The hashes that phones have sent in this round, by seat."""


class PageFairPlay(TypedDict):
    """How the cards are dealt."""

    dealt: str
    """`fair`, `not secret` or `real cards`."""
    commitment: str
    """The hash of the seed, shown before the first deal; empty when there is none."""
    numbers: dict[str, str]
    """The numbers that phones have added to the deals, by seat."""
    seed: str
    """Empty until the game is over."""
    call: PageMixCall | None


class PageResult(TypedDict):
    """The result of a game."""

    game: int
    """The number of the game in the journal."""
    seats: list[ResultSeat]
    winners: list[str]
    chart: PageChart
    fair_play: PageFairPlay


class SharedState(TypedDict):
    """What everybody may see."""

    number: int
    """Counts what was shown: a page that has a lower number has an old state."""
    game: int
    """The number of the game in the journal; another game has another."""
    version: int
    """The number of entries in the journal: an answer says for which it was meant."""
    language: str
    round: int
    rounds: int
    king: str | None
    tiles: dict[str, str | None]
    seats: list[PageSeat]
    open: dict[str, PageCard]
    turn: PageTurn
    waiting_for: list[str]
    asked: list[PageQuestion]
    touch: list[str]
    origin: str | None
    guide: list[str]
    step: tuple[str | None, str | None] | None
    """Where the guide wants a piece moved from and to; `None` stands for off the map."""
    notices: list[str]
    mentions: list[str]
    """What is worth a quiet line; nothing is wrong."""
    offers: list[PageChoice]
    vote: PageVote | None
    history: PageHistory
    """The latest turns; `/history` has them all."""
    scoring: PageScoringShow | None
    """The scoring that is being shown."""
    payouts: dict[str, PageScoring]
    """What each place would pay if it were scored now; a closed castillo is left out."""
    rounds_to_scoring: int
    """How many rounds are left before the next general scoring, with this one; 0 after the last."""
    pace: str
    knocking: str | None
    seats_open: bool
    real_cards: bool
    deal: PageDeal | None
    fair_play: PageFairPlay
    over: bool
    winners: list[str]
    chart: NotRequired[PageChart]
    """Only when the game is over."""


class PagePrompt(TypedDict):
    """What one seat is asked, and how it may answer."""

    asked: str | None
    details: list[str]
    """What there is to know before answering: what would be lost, the step to veto, the moves to undo."""
    kind: str | None
    choices: list[PageChoice]
    places: list[PageChoice]
    touch: list[str]
    origin: str | None
    deadline_s: float | None
    """When the table stops waiting for the answer, by the clock of `now_s`."""
    notice: str | None


class PageLesson(TypedDict):
    """What a seat is taught now."""

    name: str
    words: str
    points_at: str
    """The part of the page that it is about."""
    place: str | None
    """The place that it is about."""
    choice: str | None
    """The line of the answer that it names."""


class PageHint(TypedDict):
    """The hint that a seat has asked for."""

    words: str
    place: str | None
    """The place it names."""


class PageYou(TypedDict):
    """What only one seat may see."""

    seat: str
    seats: list[str]
    """All seats that its phone holds."""
    hand: list[int] | None
    castillo: int
    """How many of its caballeros are in the castillo: it has seen them go in."""
    dial: str | None
    refused_cards: dict[str, str]
    """The power cards in its hand that others have played, and who played each."""
    undo: list[PageChoice]
    """What it can undo, or ask to undo."""
    lesson: PageLesson | None
    """What it is taught now, in a guided game."""
    taught: bool
    """Whether it is given lessons."""
    may_ask: bool
    """Whether it may ask for a hint."""
    hint: PageHint | None
    """The hint it has asked for, until the game goes on."""
    prompt: PagePrompt


class PageState(SharedState):
    """Everything a page receives whenever something changes."""

    now_s: float
    """The table's clock when the state was sent; deadlines refer to it."""
    run: str
    """Differs each time the program starts."""
    you: NotRequired[PageYou]
    """Only for the page of a seat."""


class PageTile(TypedDict):
    """A score tile, and what it pays for first, second and third."""

    tile: str
    values: list[int]


class GameFacts(TypedDict):
    """What scripts need to know about the game itself."""

    colours: list[str]
    regions: list[str]
    values: dict[str, list[int]]
    tiles: list[PageTile]
    recruits: list[int]
    rounds: dict[str, list[int]]
    """The rounds that are played, by the length of the game."""
    scoring_rounds: list[int]
    sources: list[str]
    players: list[str]
    paces: list[str]
    """How fast bots may play."""


class PageWords(TypedDict):
    """What a page needs to show its texts in a language."""

    language: str
    languages: dict[str, str]
    texts: dict[str, str]
    places: dict[str, str]


class WishedSeat(TypedDict):
    """A seat on the set-up page."""

    colour: str
    player: str
    name: str


class PageWish(TypedDict):
    """What the set-up page suggests, and what it sends to begin a game."""

    seats: list[WishedSeat]
    edition: str
    rounds: int
    house: list[str]
    real_cards: bool
    leader_lights: bool
    veto_s: float
    language: str
    pace: str
    teach: bool
    hints: bool


class PageSetUp(TypedDict):
    """What the set-up page needs to know."""

    wish: PageWish
    first_game: PageWish
    """A guided first game."""
    colours: dict[str, str]
    """What each seat's colour is called."""
    editions: dict[str, str]
    """What each edition is called."""
    house: dict[str, str]
    """The house rules there are, and what each changes."""
    playing: bool
    """Whether a game is under way, which would be set aside."""
    in_game: int
    """The number of the game that is shown now; 0 when there is none yet."""


class PageExtras(TypedDict, total=False):
    """What only some pages are given."""

    code: str
    """Lets phones in; only for the table screen."""
    address: str
    """Where phones find the table."""
    plan: dict[str, Any]
    """What there is to try in the workshop."""
    https_port: int
    """The port on which this phone may open the page by HTTPS, so that its screen can stay on; 0 when there is none."""
    network: bool
    """Whether anything looks after the machine's network; for the table screen and the workshop."""
    hotspot: bool
    """Whether phones reach the table by its own Wi-Fi; for the page on which they join."""
    state: PageState
    """What is shown now, on the page of one seat."""
    set_up: PageSetUp
    """Only for the set-up page."""
    result: PageResult
    """The result of the latest finished game; only where it is shown."""


class PageData(GameFacts, PageWords, PageExtras):
    """Everything that comes with a page."""

    page: str
    seats: list[str]
    table: bool
    """Whether this browser may manage the table."""
    virtual: bool
    """Whether there is a virtual board."""
    has_result: bool
    """Whether a game has been finished at this table."""
