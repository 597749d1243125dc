"""What the board's lights show, as pure functions of a situation or a scoring."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import inf
from typing import Final, NamedTuple

from companion.engine import PLACES, TABLE, Game
from companion.engine.views import Snapshot
from companion.table.guide import GuideStep
from companion.table.motions import STOCK, PartialMove, next_places
from companion.table.scoring_show import ShowFrame
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
POINTED: Final = Pattern.DIM
"""A lesson is about this place: always white."""
SCORED: Final = Pattern.STEADY
"""The place is being scored."""


class ShowTimes(NamedTuple):
    """How long each kind of frame of a scoring is shown, in seconds."""

    wave_s: float
    paid_s: float
    """A place that pays somebody."""
    unpaid_s: float
    """A place that pays nobody."""
    totals_s: float
    """The totals, after several places were scored."""


SHOW_TIMES: Final = {
    "slow": ShowTimes(1.5, 3.0, 0.4, 8.0),
    "normal": ShowTimes(1.5, 1.6, 0.4, 5.0),
    "fast": ShowTimes(1.5, 0.6, 0.4, 2.0),
    "step": ShowTimes(1.5, inf, 0.4, inf),
    "instant": ShowTimes(0.1, 0.1, 0.1, 0.1),
}
"""The times of a scoring show, by the pace of the game. `step` waits for `next`; `instant` is a flicker."""


def scene(now: Situation, pointed: str | None = None) -> Scene:
    """Returns what the lights show in a situation.

    :param pointed: the place that a lesson points at. It is lit only if nothing else is to be shown there.
    """
    colour = now.active_seat if now.active_seat is not None and now.active_seat != TABLE else "white"
    asking = now.choices or now.slots or now.roll_call
    places = () if asking else tuple(next_places(now.motions, now.partial))
    step = now.steps[0] if now.steps else None
    scene = scene_of(now.snapshot, colour, places, now.partial, step, now.wrong, now.options.leader_lights)
    if now.knock_place:
        shade = now.knocking if now.knocking and now.knocking != TABLE else "white"
        scene = replace(scene, places={**scene.places, now.knock_place: Show(BRING, shade)})
    if pointed is not None and pointed not in scene.places:
        scene = replace(scene, places={**scene.places, pointed: Show(POINTED, "white")})
    return scene


def scoring_frames(game: Game, before: int, pace: str = "normal") -> list[ShowFrame]:
    """Returns a wave, then each scored place in the colour of its leader, and a dark board while totals are shown.

    :param before: how many scorings there were before.
    :param pace: how fast the game goes: one of `options.PACES`.
    """
    king, times = game.snapshot()["king"], SHOW_TIMES.get(pace, SHOW_TIMES["normal"])
    frames = [ShowFrame(Scene(marker=king, wave=True), times.wave_s, before)]
    for number, scoring in enumerate(game.scorings[before:], before + 1):
        colour = game.seats[scoring.leader] if scoring.leader >= 0 else "white"
        place = PLACES[scoring.place]
        seconds = times.paid_s if any(scoring.points) or scoring.king_bonus else times.unpaid_s
        frames.append(ShowFrame(Scene({place: Show(SCORED, colour)}, marker=king), seconds, number, place))
    scored = len(game.scorings)
    if scored - before > 1:
        frames.append(ShowFrame(Scene(marker=king), times.totals_s, scored, totals=True))
    return frames


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
