"""What a journal remembers besides the moves: one dataclass per kind of note, one writer and one reader.

On disk, a note is a JSON object. A note of a kind that this version does not know is kept as it is.

    >>> write_note(PlayerNote("red", "hard"))
    {'player': ['red', 'hard']}
    >>> read_note({"player": ["red", "hard"]})
    PlayerNote(seat='red', player='hard')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PhoneNote:
    """Which phone holds a seat from now on; no phone does when `phone` is empty."""

    seat: str
    phone: str
    """Identifies the phone without revealing its token."""


@dataclass(frozen=True)
class PlayerNote:
    """Who plays a seat from now on: a person, or a bot of some level."""

    seat: str
    player: str


@dataclass(frozen=True)
class NameNote:
    """What a player is called from now on."""

    seat: str
    name: str


@dataclass(frozen=True)
class PaceNote:
    """How fast bots play from now on."""

    pace: str


@dataclass(frozen=True)
class ReasonNote:
    """Why a bot made a move."""

    number: int
    """The number of the entry that holds the move."""
    text: str
    fields: Mapping[str, str | int]


@dataclass(frozen=True)
class LessonNote:
    """A seat has had a lesson."""

    seat: str
    lesson: str


@dataclass(frozen=True)
class TeachNote:
    """Whether a seat is given lessons from now on."""

    seat: str
    taught: bool


@dataclass(frozen=True)
class HintNote:
    """A seat has asked for a hint. What the hint said is not kept."""

    seat: str
    after: int
    """The number of the entry after which it was asked for."""


@dataclass(frozen=True)
class SetAsideNote:
    """Whether another game may be begun before this one is finished."""

    aside: bool


@dataclass(frozen=True)
class CommitmentNote:
    """The hash of the game's seed, noted when the game begins."""

    sha256: str
    dealt_from: int
    """How many moves the game had already, when it was imported; they were not dealt from this seed."""


@dataclass(frozen=True)
class MixNote:
    """The numbers that phones have added to the deals, by seat."""

    first: int
    """The index of the first move that they count for."""
    numbers: Mapping[str, str]


@dataclass(frozen=True)
class HandoverNote:
    """A seat has changed hands. Whoever plays it now sees its secrets from its next decision on."""

    seat: str
    after: int
    """The number of the entry after which it changed hands."""
    to: str
    """`phone`, `nobody`, `person`, or the level of a bot."""
    by: str
    """The seat that changed it, or `table`."""


@dataclass(frozen=True)
class OtherNote:
    """A note of a kind that this version does not know."""

    fields: Mapping[str, object]


Note = (
    PhoneNote
    | PlayerNote
    | NameNote
    | PaceNote
    | ReasonNote
    | LessonNote
    | TeachNote
    | HintNote
    | SetAsideNote
    | CommitmentNote
    | MixNote
    | HandoverNote
    | OtherNote
)


def write_note(note: Note) -> dict[str, object]:
    """Returns a note as it is stored."""
    match note:
        case PhoneNote(seat, phone):
            return {"phone": [seat, phone]}
        case PlayerNote(seat, player):
            return {"player": [seat, player]}
        case NameNote(seat, name):
            return {"name": [seat, name]}
        case PaceNote(pace):
            return {"pace": pace}
        case ReasonNote(number, text, fields):
            return {"reason": [number, text, dict(fields)]}
        case LessonNote(seat, lesson):
            return {"lesson": [seat, lesson]}
        case TeachNote(seat, taught):
            return {"teach": [seat, taught]}
        case HintNote(seat, after):
            return {"hint": [seat, after]}
        case SetAsideNote(aside):
            return {"set-aside": aside}
        case CommitmentNote(sha256, dealt_from):
            return {"commitment": [sha256, dealt_from]}
        case MixNote(first, numbers):
            return {"mix": [first, dict(numbers)]}
        case HandoverNote(seat, after, to, by):
            return {"handover": [seat, after, to, by]}
        case OtherNote(fields):
            return dict(fields)


def read_note(fields: Mapping[str, object]) -> Note:
    """Returns the note that was stored."""
    match fields:
        case {"phone": [str(seat), str(phone)]}:
            return PhoneNote(seat, phone)
        case {"player": [str(seat), str(player)]}:
            return PlayerNote(seat, player)
        case {"name": [str(seat), str(name)]}:
            return NameNote(seat, name)
        case {"pace": str(pace)}:
            return PaceNote(pace)
        case {"reason": [int(number), str(text), dict(words)]}:
            return ReasonNote(number, text, words)
        case {"lesson": [str(seat), str(lesson)]}:
            return LessonNote(seat, lesson)
        case {"teach": [str(seat), bool(taught)]}:
            return TeachNote(seat, taught)
        case {"hint": [str(seat), int(after)]}:
            return HintNote(seat, after)
        case {"set-aside": bool(aside)}:
            return SetAsideNote(aside)
        case {"commitment": [str(sha256), int(dealt_from)]}:
            return CommitmentNote(sha256, dealt_from)
        case {"mix": [int(first), dict(numbers)]}:
            return MixNote(first, numbers)
        case {"handover": [str(seat), int(after), str(to), str(by)]}:
            return HandoverNote(seat, after, to, by)
    return OtherNote(dict(fields))
