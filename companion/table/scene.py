"""What the board's lights show: a pure function of the game, the hand, the guide and what has just gone wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from companion.engine import PLACES
from companion.engine.views import Snapshot
from companion.table.guide import STOCK, Step
from companion.table.motions import Hand
from hardware.ports import Pattern, Scene, Show

# What each pattern of the lights means.
LEGAL: Final = Pattern.BREATHE
"""A legal place for the next piece, in the colour of the active seat."""
LEADER: Final = Pattern.DIM
"""The place is led by the seat of this colour."""
TAKE: Final = Pattern.PULSE
"""Take a piece from here."""
BRING: Final = Pattern.CHASE
"""Bring a piece here."""
WRONG: Final = Pattern.BLINK
"""Not allowed, or the board does not match the game: always red."""
SCORED: Final = Pattern.STEADY
"""The place is being scored."""


def scene_of(
    snapshot: Snapshot,
    colour: str,
    legal: Iterable[str],
    hand: Hand,
    step: Step | None = None,
    wrong: Collection[str] = (),
    leaders: bool = False,
) -> Scene:
    """The scene.

    :param colour: of the seat that acts.
    :param legal: the places that it can show next.
    :param hand: what it has shown of a motion already.
    :param step: the step of the guide; while there is one, it comes before the game.
    :param wrong: places that blink red.
    :param leaders: whether each place shines in the colour that leads there.
    """
    places: dict[str, Show] = {}
    if leaders:
        places.update(_leaders(snapshot))
    if step is not None:
        shade = step.piece.which if step.piece.kind in ("caballero", "grande") else "white"
        if step.origin != STOCK:
            places[step.origin] = Show(TAKE, shade)
        if step.target != STOCK:
            places[step.target] = Show(BRING, shade)
    else:
        if hand.origin is not None:
            places[hand.origin] = Show(TAKE, colour)
        places.update({place: Show(LEGAL, colour) for place in legal})
    places.update({place: Show(WRONG, "red") for place in wrong})
    return Scene(places, marker=snapshot["king"])


def _leaders(snapshot: Snapshot) -> dict[str, Show]:
    """Each place in the colour of the seat that alone has the most there; the castillo keeps its secret."""
    shows: dict[str, Show] = {}
    for place in PLACES[:-1]:
        counts = {seat: data["regions"][place] for seat, data in snapshot["seats"].items()}
        most = max(counts.values())
        first = [seat for seat, count in counts.items() if count == most]
        if most and len(first) == 1:
            shows[place] = Show(LEADER, first[0])
    return shows
