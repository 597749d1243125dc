"""Moments: everything a display may show at one instant.

A moment holds plain values: numbers, texts, `Message`s, and the views that the engine makes for each seat. There is no
game in it: `public` holds nothing secret, and `seen_by` what one seat may know. A display shows the latter to that seat
alone. Nothing in a moment is ever changed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol

from companion.engine import TABLE, Message, Move
from companion.engine.views import ScoringView, View
from companion.engine.words import move_words
from companion.engine.your_words import choice_words
from companion.table.fair_deal import Fairness
from companion.table.options import Options
from hardware.ports import Scene


@dataclasses.dataclass(frozen=True)
class Choice:
    """A line that a player may send. Its meaning is put into words only when needed."""

    line: str
    move: Move | None = None
    """The move that the line stands for, or `None` when it is a command to the table."""
    meaning: Message | None = None

    @property
    def words(self) -> Message:
        """What the line means, to the player who may send it.

        >>> str(Choice("place granada", Move("red", "place", "granada")).words)
        'Place one in granada'
        """
        if self.meaning is not None:
            return self.meaning
        assert self.move is not None
        return move_words(self.move) if self.move.seat == TABLE else choice_words(self.move)


@dataclasses.dataclass(frozen=True)
class Prompt:
    """What one seat is asked, and what it can answer."""

    seat: str
    asked: Message | None = None
    """The question, or `None` when nothing is asked."""
    details: tuple[Message, ...] = ()
    """What there is to know before answering: what would be lost, the step to veto, the moves to undo."""
    choices: tuple[Choice, ...] = ()
    """The answers that can only be given by phone."""
    places: tuple[Choice, ...] = ()
    """The moves that can be shown on the board, for players who prefer to type them."""
    touch: tuple[str, ...] = ()
    """The places that can be touched next, for players who prefer to tap a map."""
    origin: str | None = None
    """The place already touched, where the piece comes from."""
    deadline_s: float | None = None
    """When the table stops waiting for the answer, on the table's clock; `None` means it waits for ever."""
    notice: Message | None = None
    """What concerns this seat alone: why its last answer was refused, or what the table dialled for it."""


@dataclasses.dataclass(frozen=True)
class Vote:
    """An undo that waits until everybody has agreed."""

    words: Message
    """Who wants to undo how much."""
    moves: tuple[Message, ...]
    """The moves to take back, in words."""


class MixStep(Enum):
    """The two steps in which phones add numbers to the deals."""

    HASH = "hash"
    NUMBER = "number"


@dataclasses.dataclass(frozen=True)
class MixCall:
    """What phones are asked to send now, so that nobody can choose the cards."""

    round: int
    step: MixStep
    hashes: Mapping[str, str]
    """The hashes that phones have sent in this round, by seat."""


@dataclasses.dataclass(frozen=True)
class PublicMoment:
    """What everybody may know."""

    view: View
    numbers: tuple[int, ...]
    """The number of the journal entry for each line of the view's log."""
    options: Options
    reasons: Mapping[int, Message | None] = dataclasses.field(default_factory=dict)
    """Why bots made their moves, by the number of the journal entry; `None` where nothing can or may be said."""
    payouts: Mapping[str, ScoringView] = dataclasses.field(default_factory=dict)
    """What each place would pay if it were scored now; a closed castillo is left out."""
    scorings_shown: int = 0
    """How many of the view's scorings people have been shown; a display does not mention the others yet."""
    shows_scoring: bool = False
    """Whether a scoring is being shown."""
    scoring: str | None = None
    """The place whose scoring is being shown; `None` before the first one, and when the totals are shown."""
    shows_totals: bool = False
    """Whether all places of the scoring have been shown, and the totals are."""
    waiting_for: tuple[str, ...] = ()
    touch: tuple[str, ...] = ()
    """The places that can be touched next."""
    origin: str | None = None
    """The place already touched, where the piece comes from."""
    guide: tuple[Message, ...] = ()
    """What people have to do to the pieces; the first step is lit."""
    step: tuple[str | None, str | None] | None = None
    """The place the guide's first step starts from and where it goes; `None` for either means off the map."""
    notices: tuple[Message, ...] = ()
    """What went wrong or would be lost, and what the table played by itself."""
    mentions: tuple[Message, ...] = ()
    """What is worth a quiet line: nothing is wrong, and nobody has to do anything."""
    offers: tuple[Choice, ...] = ()
    """What anybody may send besides answers to what is asked."""
    hints: tuple[HintUse, ...] = ()
    """Who has asked for hints, and when."""
    handovers: tuple[Handover, ...] = ()
    """The seats that have changed hands, and when."""
    vote: Vote | None = None
    """The undo that people have to agree to, or `None`."""
    deal: Prompt | None = None
    """With real cards, the card to turn up and everything it can be."""
    held_seats: tuple[str, ...] = ()
    """The seats that a phone holds."""
    knocking: str | None = None
    """The seat a phone asks for while a button is lit for it, `table` when it asks to manage; otherwise `None`."""
    seats_open: bool = False
    """Whether a phone may take a seat that another one holds."""
    fairness: Fairness = dataclasses.field(default_factory=lambda: Fairness(secret=False))
    """How the cards are dealt; with the seed once the game is over."""
    mix_call: MixCall | None = None
    """What phones are asked to add to the deals now, or `None`."""
    tried: bool = False
    """Whether the workshop holds the board, so that the game waits."""

    @property
    def all_shown(self) -> bool:
        """Whether the game is over and people have been shown its last scoring to the end."""
        return self.view["over"] and not self.shows_scoring


@dataclasses.dataclass(frozen=True)
class LessonWords:
    """A lesson as it is given to a seat."""

    name: str
    words: Message
    points_at: str
    """What it points at: one of `lessons.POINTERS`."""
    place: str | None = None
    """The place that it points at, or `None`."""
    choice: str | None = None
    """The line of the answer that it names and points at, or `None`."""
    suggests: bool = False
    """Whether it suggests something to do."""


@dataclasses.dataclass(frozen=True)
class HintWords:
    """The hint that a seat has asked for, or that a bot still thinks about it."""

    words: Message
    place: str | None = None
    """The place that it names, or `None`."""


class HintUse(NamedTuple):
    """A hint that a seat has asked for, as everybody may know: not what it said."""

    seat: str
    after: int
    """The number of the journal entry after which it was asked for."""


class Handover(NamedTuple):
    """A seat that has changed hands."""

    seat: str
    after: int
    """The number of the journal entry after which it did."""
    words: tuple[Message, Message]
    """What has changed, and who has changed it."""


@dataclasses.dataclass(frozen=True)
class SeatMoment:
    """What one seat may know besides what is public."""

    view: View
    prompt: Prompt
    undo: tuple[Choice, ...] = ()
    """What the seat can undo or ask to undo."""
    lesson: LessonWords | None = None
    """What the seat is taught now, in a guided game."""
    taught: bool = False
    """Whether the seat is given lessons."""
    may_ask: bool = False
    """Whether the seat may ask for a hint."""
    hint: HintWords | None = None
    """The hint it has asked for, until the game goes on."""
    after_scoring: bool = False
    """Whether its question can wait until the scoring has been shown."""


@dataclasses.dataclass(frozen=True)
class Moment:
    """Everything a display may show at one instant.

    Parts that did not change since the previous moment are the same objects.
    """

    game_id: int
    version: int
    """The number of entries in the journal. An answer says which version it is for."""
    public: PublicMoment
    seats: Mapping[str, SeatMoment]
    """What each seat that a person plays may know."""
    holders: Mapping[str, str]
    """Which phone holds which seat. It identifies phones, and is only for access checks."""
    scene: Scene
    managers: frozenset[str] = frozenset()
    """The phones that somebody at the board has let manage the table; like `holders`, only for access checks."""

    def seen_by(self, seat: str) -> SeatMoment:
        """Returns what a seat may know. Only seats that people play are shown anything."""
        return self.seats[seat]

    @property
    def prompts(self) -> dict[str, Prompt]:
        """What each seat is asked."""
        return {seat: seen.prompt for seat, seen in self.seats.items()}

    def same_for_people(self, other: Moment) -> bool:
        """Returns whether people are shown the same as in another moment, so that at most the lights differ."""
        return (
            self.game_id == other.game_id
            and self.version == other.version
            and self.public is other.public
            and self.seats is other.seats
            and self.holders == other.holders
            and self.managers == other.managers
        )


class Display(Protocol):
    """Shows moments: a web page, a terminal, a robot in a test."""

    def show(self, moment: Moment) -> None:
        """Shows this moment from now on. Returns at once; a display that needs longer uses its own thread."""


class News(NamedTuple):
    """What happened between two moments."""

    undone: int
    """How many moves were taken back."""
    lines: tuple[str, ...]
    """The moves played since, as in the public log."""
    first: int
    """The index in the log of the first of these lines."""
    revealed: tuple[str, ...] = ()
    """Moves that were masked before and are known now: dials that were turned over."""


def news(before: PublicMoment | None, after: PublicMoment) -> News:
    """Returns what happened between two moments, whatever was skipped between them.

    Moves are compared by their journal numbers: a move that was taken back and played again is news.
    """
    old: Sequence[int] = () if before is None else before.numbers
    common = 0
    while common < min(len(old), len(after.numbers)) and old[common] == after.numbers[common]:
        common += 1
    log = after.view["log"]
    known = [] if before is None else before.view["log"]
    revealed = tuple(log[index] for index in range(common) if log[index] != known[index])
    return News(len(old) - common, tuple(log[common:]), common, revealed)


def plain(value: object) -> Any:
    """Returns a moment, or a part of one, as JSON-ready data."""
    match value:
        case None | bool() | int() | float() | str():
            return value.value if isinstance(value, Enum) else value
        case Enum():
            return value.name.lower()
        case Move():
            return value.text
        case Message(text, fields):
            return {"text": text, "fields": plain(fields)}
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case tuple() | list() | frozenset():
            return [plain(each) for each in value]
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"a {type(value).__name__} has no place in a moment")
