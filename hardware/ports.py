"""The three ports of a board and what passes through them: scenes go out, presses, taps and troubles come in.

Everything that drives a board, real or simulated, is behind these ports. What the lights, buttons and tags mean is up
to the program that uses them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, Self


class Pattern(Enum):
    """The rhythm a place is lit in. Rhythm and colour always go together, so nobody needs to distinguish colours."""

    BREATHE = "rises and falls slowly, never dark"
    DIM = "steady and dim"
    PULSE = "a slow pulse, from dark to bright"
    CHASE = "one light runs through the place"
    BLINK = "a fast blink"
    STEADY = "steady and bright"


COLOURS: Final = ("red", "blue", "green", "yellow", "brown", "white")
"""The colours a place can be lit in. Light cannot be brown, so brown is shown as violet."""


@dataclass(frozen=True)
class Show:
    """What one place shows: a pattern in a colour."""

    pattern: Pattern
    colour: str = "white"


@dataclass(frozen=True)
class Scene:
    """What the whole board shows: some places lit, one marker light, and perhaps a wave through all places."""

    places: Mapping[str, Show] = field(default_factory=dict)
    marker: str | None = None
    """The place whose marker light is on. What it marks is up to the program."""
    wave: bool = False
    pressed: frozenset[str] = frozenset()
    """Places that were just pressed: white for a moment, whatever else they show."""


DARK: Final = Scene()


@dataclass(frozen=True)
class Press:
    """A button was pressed: the button of a place, or a control.

    A press is reported when the button goes down. If it stays down, a long press of the same button follows.
    """

    button: str
    long: bool = False


@dataclass(frozen=True)
class Tap:
    """A tag came to the reader of a place, or left it."""

    tag: str
    place: str
    gone: bool = False


def phrase(text: str) -> str:
    """Marks a text for people, so that `make messages` finds it for translation."""
    return text


class Fault(Enum):
    """What can go wrong with a board in use, in words that say what to do about it."""

    STUCK_BUTTON = phrase("The button of {where} is stuck. Free it; until then it does nothing.")
    RESTLESS_BUTTON = phrase("The contact of {where} is loose. Check its wires; until then it does nothing.")
    DEAD_BUTTON = phrase("The button of {where} cannot be read ({why}). Use a phone instead, and check its pin.")
    LOST_STRIP = phrase("The lights do not answer ({why}). Check their cable; the game goes on without them.")
    LOST_HUB = phrase(
        "The hub {hub} does not answer ({why}). Check its cable; until then, use the buttons of its places."
    )
    FOREIGN_HUB = phrase(
        "The hub {hub} speaks version {why}, which this table does not. Update it: companion firmware install {hub}"
    )
    DEAD_READER = phrase(
        "The reader of {where} does not answer ({why}). Check its wires; until then, use the button of {where}."
    )
    CROWDED_READER = phrase("More than one piece is at the reader of {where}. Hold one there at a time.")
    FAILED_DISPLAY = phrase("A display failed: {where} ({why}). The game goes on without it.")
    UNKNOWN_TAG = phrase("The tag {why}, seen at {where}, is not enrolled. To enrol it: companion enroll")


OVER: Final = {
    Fault.STUCK_BUTTON: phrase("The button of {where} is free again."),
    Fault.RESTLESS_BUTTON: phrase("The contact of {where} is steady again."),
    Fault.DEAD_BUTTON: phrase("The button of {where} can be read again."),
    Fault.LOST_STRIP: phrase("The lights answer again."),
    Fault.LOST_HUB: phrase("The hub {hub} answers again."),
    Fault.FOREIGN_HUB: phrase("The hub {hub} speaks the right version now."),
    Fault.DEAD_READER: phrase("The reader of {where} answers again."),
    Fault.CROWDED_READER: phrase("The reader of {where} is free again."),
    Fault.FAILED_DISPLAY: phrase("A display works again: {where}."),
}
"""The words for a trouble that is over. A tag that is not enrolled is not a lasting trouble."""


@dataclass(frozen=True)
class Trouble:
    """Something about the board that people should know.

    >>> print(Trouble(Fault.STUCK_BUTTON, "north").text)
    The button of north is stuck. Free it; until then it does nothing.
    >>> print(Trouble(Fault.STUCK_BUTTON, "north", over=True).text)
    The button of north is free again.
    """

    fault: Fault
    where: str
    why: str = ""
    over: bool = False

    @property
    def text(self) -> str:
        """The words for the trouble, or for its end when it is over."""
        words = OVER[self.fault] if self.over else self.fault.value
        return words.format(where=self.where, hub=self.where, why=self.why)


Gesture = Press | Tap | Trouble
GestureListener = Callable[[Gesture], None]


class Device(Protocol):
    """What every device can do: report gestures, and be closed by a call or at the end of a `with` block."""

    def listen(self, listener: GestureListener) -> None:
        """Passes every gesture from now on to the listener, in a thread of the device."""

    def close(self) -> None:
        """Releases pins and ports. Closing twice does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class Buttons(Device, Protocol):
    """Reports presses and long presses of places and controls, and buttons that are stuck."""


class Lights(Device, Protocol):
    """Shows scenes; reports when the strip is lost."""

    def show(self, scene: Scene) -> None:
        """Shows a scene until the next one; returns at once."""

    def acknowledge(self, place: str) -> None:
        """Lights a place white for a moment, to confirm that it was pressed. Returns at once."""


class Pieces(Device, Protocol):
    """Reports tags that come to readers or leave them, and hubs and readers that are lost."""
