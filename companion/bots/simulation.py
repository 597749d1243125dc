"""Statistics of random games: who scores what, how long they take, where the points come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from companion.engine import CASTILLO, PLACES, TABLE, Game, Scoring, deal

KINDS: Final = (
    "castillo, general",
    "regions, general",
    "castillo, by cards",
    "regions, by cards",
    "King's bonus",
    "Grande's bonus",
)


class Setting(NamedTuple):
    """What every game of a simulation has in common."""

    seats: Sequence[str]
    edition: str
    rounds: int
    house: Sequence[str]


class Result(NamedTuple):
    """One finished game."""

    scores: dict[str, int]
    winners: tuple[str, ...]
    by_order: list[int]
    """Scores clockwise, starting with the seat that played the first power card of the game."""
    moves: int
    points: Counter[str]
    """The points of all seats together, by kind."""


def random_game(setting: Setting, rng: Random) -> Game:
    """Plays a whole game in which everybody chooses at random and the cards are shuffled fairly."""
    game = Game(setting.seats, setting.edition, setting.rounds, setting.house)
    while moves := game.legal_moves():
        if moves[0].seat == TABLE:
            deal(game, rng)
        else:
            game.play(rng.choice(moves))
    return game


def result_of(game: Game) -> Result:
    """Returns the result of a finished game."""
    start = next(move.colour for move in game.moves if move.verb == "start")
    first = game.seats.index(start)
    order = game.seats[first:] + game.seats[:first]
    points: Counter[str] = Counter()
    for scoring in game.scorings:
        points.update(points_by_kind(scoring))
    return Result(game.scores, game.winners, [game.scores[seat] for seat in order], len(game.moves), points)


def points_by_kind(scoring: Scoring) -> dict[str, int]:
    """Returns the points of one scoring, all seats together, by where they come from."""
    place = "castillo" if PLACES[scoring.place] == CASTILLO else "regions"
    occasion = "general" if scoring.occasion == "general" else "by cards"
    return {
        f"{place}, {occasion}": sum(scoring.points),
        "King's bonus": scoring.king_bonus,
        "Grande's bonus": scoring.grande_bonus,
    }


class Mean(NamedTuple):
    """A mean and how far off it may be, with 95 % certainty."""

    value: float
    margin: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Mean:
        """Returns the mean of some values."""
        numbers = list(values)
        margin = 1.96 * stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else float("nan")
        return cls(fmean(numbers), margin)

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.margin:.1f}" if self.margin == self.margin else f"{self.value:.1f}"


@dataclass
class SimulationSummary:
    """All games of a simulation."""

    setting: Setting
    results: list[Result] = field(default_factory=list)

    def score_of(self, seat: str) -> Mean:
        """Returns a seat's mean score."""
        return Mean.of(result.scores[seat] for result in self.results)

    def wins_of(self, seat: str) -> float:
        """Returns the share of games a seat won; a shared win counts in part."""
        return fmean((seat in result.winners) / len(result.winners) for result in self.results)

    def score_by_order(self, place: int) -> Mean:
        """Returns the mean score of the seat that was first, second, ... to play a power card, counted from 0."""
        return Mean.of(result.by_order[place] for result in self.results)

    def length(self) -> Mean:
        """Returns the number of moves per game, including those of chance."""
        return Mean.of(result.moves for result in self.results)

    def points(self, kind: str) -> Mean:
        """Returns the points of a kind per seat and game."""
        seats = len(self.setting.seats)
        return Mean.of(result.points[kind] / seats for result in self.results)
