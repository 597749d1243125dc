"""What the board's lights show, as pure functions of a situation or a scoring."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from companion.engine import PLACES, TABLE, Game
from companion.engine.views import Snapshot
from companion.table.guide import GuideStep
from companion.table.motions import STOCK, PartialMove, next_places
from companion.table.situation import Situation
from hardware.ports import Pattern, Scene, Show

# What each pattern of the lights means.
LEGAL: Final = Pattern.BREATHE
"""A legal place for the next piece, in the colour of the active seat."""
LEADER: Final = Pattern.DIM
"""The seat of this colour leads in the place."""
TAKE: Final = Pattern.PULSE
"""Take a piece from here."""
BRING: Final = Pattern.CHASE
"""Bring a piece here."""
WRONG: Final = Pattern.BLINK
"""Not allowed, or the board does not match the game: always red."""
SCORED: Final = Pattern.STEADY
"""The place is being scored."""

WAVE_S: Final = 1.5
SCORED_S: Final = 0.6
"""How long a place is lit when it is scored."""


def scene(now: Situation) -> Scene:
    """Returns what the lights show in a situation."""
    colour = now.active_seat if now.active_seat is not None and now.active_seat != TABLE else "white"
    asking = now.choices or now.slots or now.roll_call
    places = () if asking else tuple(next_places(now.motions, now.partial))
    step = now.steps[0] if now.steps else None
    scene = scene_of(now.snapshot, colour, places, now.partial, step, now.wrong, now.options.leader_lights)
    if now.knock_place:
        scene = replace(scene, places={**scene.places, now.knock_place: Show(BRING, now.knocking or "white")})
    return scene


def scoring_scenes(game: Game, before: int) -> list[tuple[Scene, float]]:
    """Returns a wave and then each scored place in the colour of its leader, with the seconds each scene lasts.

    :param before: how many scorings there were before.
    """
    king = game.snapshot()["king"]
    scenes = [(Scene(marker=king, wave=True), WAVE_S)]
    for scoring in game.scorings[before:]:
        colour = game.seats[scoring.leader] if scoring.leader >= 0 else "white"
        scenes.append((Scene({PLACES[scoring.place]: Show(SCORED, colour)}, marker=king), SCORED_S))
    return scenes


def scene_of(
    snapshot: Snapshot,
    colour: str,
    legal: Iterable[str],
    partial: PartialMove,
    step: GuideStep | None = None,
    wrong: Collection[str] = (),
    leaders: bool = False,
) -> Scene:
    """Builds a scene.

    :param colour: the colour of the active seat.
    :param legal: the places that can be touched next.
    :param partial: what has been shown of a motion so far.
    :param step: the current step of the guide, which takes precedence over the game.
    :param wrong: the places that blink red.
    :param leaders: whether each region is lit in the colour that leads there.
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
        if partial.origin is not None:
            places[partial.origin] = Show(TAKE, colour)
        places.update({place: Show(LEGAL, colour) for place in legal})
    places.update({place: Show(WRONG, "red") for place in wrong})
    return Scene(places, marker=snapshot["king"])


def _leaders(snapshot: Snapshot) -> dict[str, Show]:
    """Returns each region where one seat has the most, in its colour. The castillo keeps its secret."""
    shows: dict[str, Show] = {}
    for place in PLACES[:-1]:
        counts = {seat: data["regions"][place] for seat, data in snapshot["seats"].items()}
        most = max(counts.values())
        first = [seat for seat, count in counts.items() if count == most]
        if most and len(first) == 1:
            shows[place] = Show(LEADER, first[0])
    return shows
