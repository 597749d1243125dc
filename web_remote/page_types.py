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


class PageScoring(TypedDict):
    """One place scored."""

    move: int
    place: str
    name: str
    counts: dict[str, int]
    points: dict[str, int]


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


class SharedState(TypedDict):
    """What everybody may see."""

    number: int
    """Counts what was shown: a page that has a lower number has an old state."""
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
    offers: list[PageChoice]
    log: list[str]
    log_from: int
    scorings: list[PageScoring]
    scorings_from: int
    knocking: str | None
    seats_open: bool
    real_cards: bool
    deal: PageDeal | None
    over: bool
    winners: list[str]
    chart: NotRequired[PageChart]
    """Only when the game is over."""


class PagePrompt(TypedDict):
    """What one seat is asked, and how it may answer."""

    asked: str | None
    kind: str | None
    choices: list[PageChoice]
    places: list[PageChoice]
    touch: list[str]
    origin: str | None
    deadline_s: float | None
    """When the table stops waiting for the answer, by the clock of `now_s`."""
    refusal: str | None


class PageYou(TypedDict):
    """What only one seat may see."""

    seat: str
    seats: list[str]
    """All seats that its phone holds."""
    hand: list[int] | None
    dial: str | None
    refused_cards: dict[str, str]
    """The power cards in its hand that others have played, and who played each."""
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


class PageWords(TypedDict):
    """What a page needs to show its texts in a language."""

    language: str
    languages: dict[str, str]
    texts: dict[str, str]
    places: dict[str, str]


class PageExtras(TypedDict, total=False):
    """What only some pages are given."""

    code: str
    """Lets phones in; only for the table screen."""
    address: str
    """Where phones find the table."""
    plan: dict[str, Any]
    """What there is to try in the workshop."""
    state: PageState
    """What is shown now, on the page of one seat."""


class PageData(GameFacts, PageWords, PageExtras):
    """Everything that comes with a page."""

    page: str
    seats: list[str]
    table: bool
    """Whether this browser may manage the table."""
    virtual: bool
    """Whether there is a virtual board."""
