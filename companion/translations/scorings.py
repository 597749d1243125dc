"""A scoring in words: who got how many points where."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine import Message
from companion.engine.messages import Field
from companion.engine.views import ScoringView
from companion.translations import Translator


def scored(scoring: ScoringView, translator: Translator) -> str:
    """Returns one scoring as a line; for the castillo, with what was in it."""
    gains = dict(scoring["points"])
    if scoring["leader"]:
        gains[scoring["leader"]] += scoring["king_bonus"] + scoring["grande_bonus"]
    place = scoring["place"]
    points: Field = _by_seat(gains, translator) or Message("nothing", {})
    if place != "castillo":
        return translator.in_words("{place} is scored: {points}", place=place, points=points)
    held: Field = _by_seat(scoring["counts"], translator) or Message("nobody", {})
    return translator.in_words("{place} is scored (in it: {held}): {points}", place=place, held=held, points=points)


def _by_seat(numbers: Mapping[str, int], translator: Translator) -> str:
    return ", ".join(f"{translator.seat(seat)} {number}" for seat, number in numbers.items() if number)
