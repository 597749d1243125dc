"""A scoring and the result in words: who got how many points where, and who wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.engine import Message, Several
from companion.engine.messages import Field
from companion.engine.views import ScoringView
from companion.translations import Translator


def gains_of(scoring: ScoringView) -> dict[str, dict[str, int]]:
    """Returns what each seat gets for a place: for its `rank`, and for the `king` and its `grande` in addition."""
    gains = {seat: {"rank": points, "king": 0, "grande": 0} for seat, points in scoring["points"].items()}
    if scoring["leader"]:
        gains[scoring["leader"]] |= {"king": scoring["king_bonus"], "grande": scoring["grande_bonus"]}
    return {seat: parts for seat, parts in gains.items() if any(parts.values())}


def scored(scoring: ScoringView, translator: Translator) -> str:
    """Returns one scoring as a line; for the castillo, with what was in it."""
    gains = {seat: sum(parts.values()) for seat, parts in gains_of(scoring).items()}
    place = scoring["place"]
    points: Field = _by_seat(gains, translator) or Message("nothing", {})
    if place != "castillo":
        return translator.in_words("{place} is scored: {points}", place=place, points=points)
    held: Field = _by_seat(scoring["counts"], translator) or Message("nobody", {})
    return translator.in_words("{place} is scored (in it: {held}): {points}", place=place, held=held, points=points)


def ended(winners: Sequence[str], translator: Translator) -> str:
    """Says how a game ended."""
    if len(winners) == 1:
        return translator.in_words("The game is over: {winner} wins.", winner=winners[0])
    return translator.in_words("The game is over: {winners} share the win.", winners=Several(winners))


def _by_seat(numbers: Mapping[str, int], translator: Translator) -> str:
    return ", ".join(f"{translator.seat(seat)} {number}" for seat, number in numbers.items() if number)
