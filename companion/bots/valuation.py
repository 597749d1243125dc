"""What a position is worth to a seat: the points it can expect at the coming scorings, less what the others can.

The worth is a sum over places, so one caballero more or less somewhere changes only one term. Comparing a hundred
moves takes no longer than looking at a few dozen terms.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import exp
from typing import Final, NamedTuple

from companion.engine.regions import ALL_REGIONS, NOWHERE, SCORING_ROUNDS, TOWER
from companion.engine.state import State

Counts = tuple[int, ...]


class Weights(NamedTuple):
    """What the valuation assumes, in points unless it says otherwise."""

    later: float = 0.3
    """The weight of the general scoring after the next; the one after that weighs this squared."""
    blur: float = 0.55
    """How uncertain the counts are at a scoring after this round, in caballeros."""
    blur_a_round: float = 0.5
    """How much more uncertain they get with every further round."""
    entry: float = 0.4
    """How likely a seat without caballeros in a place is to contend there, per round, compared to one with some."""
    tower: float = 0.9
    """A caballero in the castillo, for the region it will go to, on top of the castillo's own points."""
    court: float = 0.55
    """A caballero in the court that can still be placed."""
    court_spare: float = 0.12
    """A caballero in the court beyond that."""
    cards: float = 0.1
    """How likely a card is to score a place before the next general scoring, per round."""
    others: float = 1.0
    """How much the others' points count against the seat's own, on average over the others."""


DEFAULT: Final = Weights()

_PLACES: Final = range(TOWER + 1)
_NO_TILES: Final = (NOWHERE, NOWHERE)


@cache
def _behind(blur: float) -> tuple[float, ...]:
    """Returns how likely somebody with d caballeros more is to end ahead or level, for d from -30 to 30."""
    return tuple(1 / (1 + exp(-(d + 0.45) / blur)) for d in range(-30, 31))


@lru_cache(maxsize=200_000)
def expected(values: tuple[int, ...], counts: Counts, blur: float, entry: float, bonuses: Counts) -> tuple[float, ...]:
    """Returns what each seat can expect from a scoring; `bonuses` is what each gets for leading alone."""
    behind = _behind(blur)
    ladder = (*values, 0, 0, 0, 0, 0)
    points = []
    for seat, own in enumerate(counts):
        if not own:
            points.append(0.0)
            continue
        rank, first = 0.0, 1.0
        for other, count in enumerate(counts):
            if other != seat:
                chance = behind[count - own + 30]
                if not count:
                    chance *= entry
                rank += chance
                first *= 1 - chance
        step = int(rank)
        share = rank - step
        points.append(ladder[step] * (1 - share) + ladder[step + 1] * share + bonuses[seat] * first)
    return tuple(points)


class Horizon(NamedTuple):
    """A future scoring: how much it counts, and how uncertain the counts are until then."""

    weight: float
    blur: float
    entry: float


@cache
def horizons(number: int, rounds: tuple[int, ...], w: Weights) -> tuple[Horizon, ...]:
    """Returns the general scorings to come from a round on, next first."""
    found: list[Horizon] = []
    for scoring in SCORING_ROUNDS:
        if scoring < number:
            continue
        to_play = max(1, sum(number <= other <= scoring for other in rounds))
        by_cards = 0.0 if found else w.cards * to_play
        blur = w.blur + w.blur_a_round * (to_play - 1)
        found.append(Horizon(w.later ** len(found) + by_cards, blur, min(1.0, w.entry * to_play)))
    return tuple(found)


@lru_cache(maxsize=4096)
def _bonuses(king: int, grandes: tuple[int, ...]) -> tuple[Counts, ...]:
    """Returns what each seat gets for leading alone, by place."""
    regions = (tuple(2 * (place == king) + 2 * (place == home) for home in grandes) for place in ALL_REGIONS)
    return (*regions, (0,) * len(grandes))


Known = dict[tuple[int, Counts], float]


@lru_cache(maxsize=256)
def _known_terms(
    values: tuple[tuple[int, ...], ...], bonuses: tuple[Counts, ...], ahead: tuple[Horizon, ...], seat: int, w: Weights
) -> Known:
    """Returns the terms already worked out under these conditions, shared by all positions that have them in common."""
    return {}


class Valuation:
    """A position's worth to one seat, as long as the King, tiles and Grandes stay where they are."""

    def __init__(self, s: State, seat: int, weights: Weights = DEFAULT) -> None:
        self.s = s
        self.seat = seat
        self.w = weights
        self.horizons = horizons(s.round, s.setup.rounds, weights)
        self.against = -weights.others / (s.setup.count - 1)
        self.values = tuple(map(s.value, _PLACES)) if s.tiles != _NO_TILES else s.setup.values
        self.bonuses = _bonuses(s.king, s.grandes)
        self._terms = _known_terms(self.values, self.bonuses, self.horizons, seat, weights)

    def margin(self, points: tuple[float, ...]) -> float:
        """Returns the seat's own points, less those of the others."""
        own = points[self.seat]
        return own + self.against * (sum(points) - own)

    def term(self, place: int, counts: Counts) -> float:
        """Returns what a place is worth with these counts."""
        key = (place, counts)
        worth = self._terms.get(key)
        if worth is None:
            values, bonuses = self.values[place], self.bonuses[place]
            worth = 0.0
            # The castillo is emptied at the next general scoring, so only that one counts.
            for weight, blur, entry in self.horizons[:1] if place == TOWER else self.horizons:
                worth += weight * self.margin(expected(values, counts, blur, entry, bonuses))
            if place == TOWER:
                worth += self.w.tower * self.margin(counts)
            self._terms[key] = worth
        return worth

    def change(self, place: int, seat: int, number: int) -> float:
        """Returns what it is worth when this many caballeros of a seat come to a place, or leave it."""
        counts = self.s.board[place]
        after = (*counts[:seat], counts[seat] + number, *counts[seat + 1 :])
        return self.term(place, after) - self.term(place, counts)

    def court_worth(self, number: int) -> float:
        """Returns what caballeros in a court are worth to their owner."""
        useful = min(number, 6)
        return self.w.court * useful + self.w.court_spare * (number - useful)

    def total(self, s: State) -> float:
        """Returns what a whole position is worth, including points already scored.

        Caballeros and scores may differ from the position it was made for; the King, tiles and Grandes may not.
        """
        if s.phase.kind == "over":
            return self.margin(tuple(map(float, s.scores)))
        reserve = tuple(self.court_worth(number) for number in s.court)
        worth = self.margin(tuple(map(float, s.scores))) + self.margin(reserve)
        for place, counts in enumerate(s.board):
            worth += self.term(place, counts)
        return worth


def worth(s: State, seat: int, weights: Weights = DEFAULT) -> float:
    """Returns what a position is worth to a seat, worked out from scratch."""
    return Valuation(s, seat, weights).total(s)
