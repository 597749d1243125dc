"""Eyes for the robot: what each place shows, read from the bytes of the strip over a short time, as a person would."""

from __future__ import annotations

from typing import Final

from hardware.patterns import Colour
from hardware.ports import Pattern
from hardware.simulated.board import SimulatedBoard

LOOK_S: Final = 0.11
"""The time between two looks: no rhythm of the lights is a multiple of it."""
LOOKS: Final = 13
"""Enough to span the slowest rhythm that goes dark and back."""

Film = list[list[Colour]]
"""The lights of a place, look after look."""


def look(board: SimulatedBoard) -> dict[str, Pattern]:
    """Returns what each lit place shows, from the strip's bytes alone; time passes meanwhile."""
    films: dict[str, Film] = {place: [] for place in board.board.places}
    for _ in range(LOOKS):
        board.watch(LOOK_S)
        for place, film in films.items():
            film.append(board.colours(place))
    return {place: pattern for place, film in films.items() if (pattern := pattern_of(film)) is not None}


def pattern_of(film: Film) -> Pattern | None:
    """Returns the rhythm of a place, or `None` when it is dark."""
    levels = [sum(map(sum, lights)) for lights in film]
    if not any(levels):
        return None
    if any(len(set(lights)) > 1 for lights in film):
        return Pattern.CHASE
    if len(set(levels)) == 1:
        bright = max(map(max, film[0])) > DIM_LEVEL
        return Pattern.STEADY if bright else Pattern.DIM
    if min(levels) > 0:
        return Pattern.BREATHE
    return Pattern.BLINK if len(set(levels)) == 2 else Pattern.PULSE


DIM_LEVEL: Final = 30
"""The level a steady light must exceed to count as bright."""
