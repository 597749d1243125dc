"""What the board's lights show: a pure function of the game, the hand, the guide and what has just gone wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.engine import PLACES
from companion.engine.views import Snapshot
from companion.table.guide import STOCK, Step
from companion.table.motions import Hand
from hardware.ports import Pattern, Scene, Show


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
            places[step.origin] = Show(Pattern.TAKE, shade)
        if step.target != STOCK:
            places[step.target] = Show(Pattern.BRING, shade)
    else:
        if hand.origin is not None:
            places[hand.origin] = Show(Pattern.TAKE, colour)
        places.update({place: Show(Pattern.LEGAL, colour) for place in legal})
    places.update({place: Show(Pattern.WRONG) for place in wrong})
    return Scene(places, king=snapshot["king"])


def _leaders(snapshot: Snapshot) -> dict[str, Show]:
    """Each place in the colour of the seat that alone has the most there; the castillo keeps its secret."""
    shows: dict[str, Show] = {}
    for place in PLACES[:-1]:
        counts = {seat: data["regions"][place] for seat, data in snapshot["seats"].items()}
        most = max(counts.values())
        first = [seat for seat, count in counts.items() if count == most]
        if most and len(first) == 1:
            shows[place] = Show(Pattern.LEADER, first[0])
    return shows
