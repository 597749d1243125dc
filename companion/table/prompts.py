"""What phones show: for each seat the question, the choices, and what else it should know; the port they are behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from companion.engine import Message


class Choice(NamedTuple):
    """A line that may be said, and what it means."""

    line: str
    words: Message


@dataclass(frozen=True)
class Prompt:
    """What one seat's phone shows."""

    seat: str
    asked: Message | None = None
    """The question, if this seat is asked something."""
    choices: tuple[Choice, ...] = ()
    """What can be answered by phone alone."""
    places: tuple[Choice, ...] = ()
    """The moves that can be shown on the board, for who would rather say them."""
    touch: tuple[str, ...] = ()
    """The places that can be touched next, for who would rather tap a map."""
    origin: str | None = None
    """The place that was touched already: from there."""
    waiting_s: float | None = None
    """How long the table waits for the answer, if not for ever."""
    told: Message | None = None
    """Why the last answer was refused, where that is nobody else's business."""


@dataclass(frozen=True)
class Board:
    """What everybody is shown."""

    version: int
    """The number of entries in the journal: an answer says for which it was meant."""
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    waiting_for: tuple[str, ...] = ()
    guide: tuple[Message, ...] = ()
    """What is to be done to the pieces; the first is lit."""
    notices: tuple[Message, ...] = ()
    """What went wrong or would be lost, and what the table played by itself."""
    offers: tuple[Choice, ...] = ()
    """What anybody may say beside what is asked."""
    holders: Mapping[str, str] = field(default_factory=dict)
    """Which phone holds which seat."""
    knocking: str | None = None
    """The seat that a phone wants, while a button is lit for it."""
    seats_open: bool = False
    """Whether a phone may take a seat that another one holds."""
    step: tuple[str | None, str | None] | None = None
    """From where to where the guide wants a piece now; none: off the map."""


NOTHING: Final = Board(0)


class Phones(Protocol):
    """Phones, a terminal, or a robot: they are shown boards, and what people say comes back as lines."""

    def show(self, board: Board) -> None:
        """Shows this from now on; returns at once."""
