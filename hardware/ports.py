"""The three ports of a board, and what passes through them: scenes go out, presses and taps come in.

Whatever drives a board, the real one or a simulated one, is behind these; the rest of the program knows nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, Self


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
    pressed: frozenset[str] = frozenset()
    """Places that were pressed just now: white for a moment, whatever else they show."""


DARK: Final = Scene()


@dataclass(frozen=True)
class Press:
    """A button was pressed: of a place, or a control.

    A press is told when the button goes down. If it stays down, a long press of the same button follows.
    """

    button: str
    long: bool = False


@dataclass(frozen=True)
class Tap:
    """A tag came to a reader, or went from it."""

    tag: str
    place: str
    gone: bool = False


def phrase(text: str) -> str:
    """Marks a text for people, so that it is found for translation; the engine has its own, and is not known here."""
    return text


class Fault(Enum):
    """What can be wrong with a board while it plays: in words, with what to do about it."""

    STUCK_BUTTON = phrase("The button of {where} stays pressed. Free it; until then it does nothing.")
    RESTLESS_BUTTON = phrase("The contact of {where} flutters. Check its wires; until then it does nothing.")
    DEAD_BUTTON = phrase(
        "The button of {where} cannot be read ({why}). Play its place by phone, and look after its pin."
    )
    LOST_STRIP = phrase("The lights do not answer ({why}). Check their cable; the game goes on without them.")
    LOST_HUB = phrase(
        "The hub {hub} does not answer ({why}). Check its cable; its places go by their buttons meanwhile."
    )
    FOREIGN_HUB = phrase(
        "The hub {hub} speaks version {why}, which we do not. Renew it: companion firmware install {hub}"
    )
    DEAD_READER = phrase(
        "The reader of {where} does not answer ({why}). Check its wires; the button of {where} does its work."
    )
    CROWDED_READER = phrase("More than one piece is at the reader of {where}. Hold one there at a time.")
    FAILED_DISPLAY = phrase("A display failed: {where} ({why}). The game goes on without it.")
    UNKNOWN_TAG = phrase("Nobody enrolled the tag {why}, seen at {where}. To enrol it: companion enroll")


OVER: Final = {
    Fault.STUCK_BUTTON: phrase("The button of {where} is free again."),
    Fault.RESTLESS_BUTTON: phrase("The contact of {where} is steady again."),
    Fault.DEAD_BUTTON: phrase("The button of {where} can be read again."),
    Fault.LOST_STRIP: phrase("The lights answer again."),
    Fault.LOST_HUB: phrase("The hub {hub} answers again."),
    Fault.FOREIGN_HUB: phrase("The hub {hub} can be understood now."),
    Fault.DEAD_READER: phrase("The reader of {where} answers again."),
    Fault.CROWDED_READER: phrase("The reader of {where} is free again."),
    Fault.FAILED_DISPLAY: phrase("A display works again: {where}."),
}
"""What is said when a trouble has passed. A tag that nobody enrolled is no lasting trouble."""


@dataclass(frozen=True)
class Trouble:
    """Something about the board that people should be told."""

    fault: Fault
    where: str
    why: str = ""
    over: bool = False
    """Whether it has passed."""

    @property
    def text(self) -> str:
        """The trouble in words, or that it has passed."""
        words = OVER[self.fault] if self.over else self.fault.value
        return words.format(where=self.where, hub=self.where, why=self.why)


Gesture = Press | Tap | Trouble
Listener = Callable[[Gesture], None]


class Device(Protocol):
    """What every device can do: tell what happens at it, and be closed, by hand or at the end of a `with`."""

    def listen(self, listener: Listener) -> None:
        """Hands every gesture from now on to the listener, in a thread of the device."""

    def close(self) -> None:
        """Lets go of pins and ports. A second time does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class Buttons(Device, Protocol):
    """Presses and long presses of places and controls; and buttons that stick."""


class Lights(Device, Protocol):
    """Shows scenes; tells when the strip is lost."""

    def show(self, scene: Scene) -> None:
        """Shows a scene until the next one; returns at once."""

    def acknowledge(self, place: str) -> None:
        """Lights a place white for a moment: it was pressed, whatever comes of it. Returns at once."""


class Pieces(Device, Protocol):
    """Tags seen at readers and gone from them; hubs and readers that are lost."""
