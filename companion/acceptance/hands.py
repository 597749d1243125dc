"""Hands and eyes for a simulated board, where there is nothing to press and nothing to see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.acceptance.bench import Task

if TYPE_CHECKING:
    from hardware.patterns import Colour
    from hardware.simulated.board import SimulatedBoard

TAGS: Final = ("04A1B2C3", "04D4E5F6")
RANGE_MM: Final = 10
"""Up to which height simulated readers read."""
PRESS_S: Final = 0.12


class SimulatedHands:
    """Does what a person is asked for on a simulated board, and says what there is to see."""

    def __init__(self, simulated: SimulatedBoard) -> None:
        self._simulated = simulated
        self._there: set[tuple[str, str]] = set()
        """The tags at readers, each with its place."""

    def __call__(self, task: Task) -> str:
        match task.do:
            case "press":
                self.press(task.about)
                return "(A simulated finger presses it.)"
            case "tap":
                self.put(TAGS[0], task.about)
                return "(A simulated tag is there.)"
            case "raise":
                if task.amount > RANGE_MM:
                    self.take(TAGS[0], task.about)
                return "(Done, as far as a simulated tag can be raised.)"
            case "two":
                for tag in TAGS:
                    self.put(tag, task.about)
                return "(Two simulated tags are there.)"
            case "take":
                for tag in TAGS:
                    self.take(tag, task.about)
                return "(It is gone.)"
            case "look" | "colour":
                return f"(The simulated strip shows {self._seen()}.)"
        return ""

    def press(self, button: str) -> None:
        """Presses a button for a moment."""
        self._simulated.press(button, PRESS_S)

    def put(self, tag: str, place: str) -> None:
        """Holds a tag to a reader, unless it is there."""
        if (tag, place) not in self._there:
            self._there.add((tag, place))
            self._simulated.put(tag, place)

    def take(self, tag: str, place: str) -> None:
        """Takes a tag away, if it is there."""
        if (tag, place) in self._there:
            self._there.discard((tag, place))
            self._simulated.take(tag, place)

    def _seen(self) -> str:
        """Returns how many lights shine, and in which colour."""
        lit = [colour for colour in self._simulated.strip.colours() if any(colour)]
        return f"{len(lit)} lights in {looks(lit[0])}" if lit else "nothing"


def looks(light: Colour) -> str:
    """Returns how a light looks.

    >>> looks((56, 0, 0)), looks((0, 200, 2)), looks((0, 2, 255)), looks((255, 255, 255))
    ('red', 'green', 'blue', 'white')
    """
    brightest = max(light)
    if min(light) > brightest / 2:
        return "white"
    return ("red", "green", "blue")[light.index(brightest)]
