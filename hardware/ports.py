"""The three ports of a board, and what passes through them: scenes go out, presses and taps come in.

Whatever drives a board, the real one or a simulated one, is behind these; the rest of the program knows nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol


class Pattern(Enum):
    """How a place is lit. Colour and rhythm always go together, so that nobody needs to tell colours apart."""

    LEGAL = "breathing: a legal place for the next piece"
    LEADER = "steady and dim: this seat leads here"
    TAKE = "a slow pulse: take a piece from here"
    BRING = "a chase: bring it here"
    WRONG = "a fast red blink: this is not allowed, or does not match"
    SCORED = "steady and bright: this place is being scored"


COLOURS: Final = ("red", "blue", "green", "yellow", "brown", "white")
"""What a place can be lit in: a seat's colour, or white where no seat is meant."""


@dataclass(frozen=True)
class Show:
    """What one place shows."""

    pattern: Pattern
    colour: str = "white"


@dataclass(frozen=True)
class Scene:
    """What the whole board shows: some places lit, the King's light, and perhaps a wave through all of it."""

    places: Mapping[str, Show] = field(default_factory=dict)
    king: str | None = None
    wave: bool = False


DARK: Final = Scene()


@dataclass(frozen=True)
class Press:
    """A button was pressed: of a place, or a control."""

    button: str
    long: bool = False


@dataclass(frozen=True)
class Tap:
    """A tag came to a reader, or went from it."""

    tag: str
    place: str
    gone: bool = False


@dataclass(frozen=True)
class Trouble:
    """Something about the board that people should be told: what, and what to do about it."""

    where: str
    what: str
    over: bool = False
    """Whether it has passed."""


Gesture = Press | Tap | Trouble
Listener = Callable[[Gesture], None]


class Buttons(Protocol):
    """Presses and long presses of places and controls."""

    def listen(self, listener: Listener) -> None:
        """Hands every gesture from now on to the listener, in a thread of its own."""

    def close(self) -> None:
        """Lets go of the pins."""


class Lights(Protocol):
    """Shows scenes."""

    def show(self, scene: Scene) -> None:
        """Shows a scene until the next one; returns at once."""

    def close(self) -> None:
        """Goes dark and lets go of the strip."""


class Pieces(Protocol):
    """Tags seen at readers."""

    def listen(self, listener: Listener) -> None:
        """Hands every gesture from now on to the listener, in a thread of its own."""

    def close(self) -> None:
        """Lets go of the serial ports."""
