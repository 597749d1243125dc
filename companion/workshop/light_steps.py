"""What the lights of a board show when they are tried, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from companion.engine import Message, phrase
from hardware.board import Board
from hardware.patterns import current_ma, frame
from hardware.ports import DARK, Pattern, Scene, Show

LIGHTS: Final = (phrase("{place}: light {lights}"), phrase("{place}: lights {lights}"))
"""For one light, and for several."""
KING: Final = phrase("The King's light of {place}: light {lights}")
COLOURS: Final = {
    "red": phrase("{place} in red; if it is another colour, change strip.order in the board file"),
    "green": phrase("{place} in green; if it is another colour, change strip.order in the board file"),
    "blue": phrase("{place} in blue; if it is another colour, change strip.order in the board file"),
}
ALL: Final = phrase("All places at once, within the budget of {budget} mA")
NONE: Final = phrase("Dark")


class LightStep(NamedTuple):
    """Something to look at."""

    what: Message
    scene: Scene

    def current_ma(self, board: Board) -> float:
        """Returns the current the strip should draw meanwhile."""
        return current_ma(frame(self.scene, board, 0.0))


def light_steps(board: Board) -> Iterator[LightStep]:
    """Yields the steps in order: each place, each King's light, three colours, all at once, none."""
    white = Show(Pattern.STEADY)
    for name, place in board.places.items():
        text = LIGHTS[len(place.lights) > 1]
        yield LightStep(Message(text, {"place": name, "lights": _numbers(place.lights)}), Scene({name: white}))
    for name, place in board.places.items():
        if place.marker is not None:
            yield LightStep(Message(KING, {"place": name, "lights": _numbers([place.marker])}), Scene(marker=name))
    first = next(iter(board.places))
    for colour, text in COLOURS.items():
        yield LightStep(Message(text, {"place": first}), Scene({first: Show(Pattern.STEADY, colour)}))
    yield LightStep(Message(ALL, {"budget": f"{board.strip.budget_ma:g}"}), Scene(dict.fromkeys(board.places, white)))
    yield LightStep(Message(NONE, {}), DARK)


def _numbers(lights: Sequence[int]) -> str:
    return ", ".join(map(str, lights))
