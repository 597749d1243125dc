"""Special scorings: stack 3, and the similar card in stack 2."""

from __future__ import annotations

from collections.abc import Callable

from ..messages import phrase
from ..moves import Move
from ..regions import ALL_REGIONS, TOWER
from ..scoring import score
from ..state import State
from .action import Special, holders

Choice = Callable[[State], tuple[int, ...]]


class ScoreOne(Special):
    """Scores one region of the acting seat's choice, or in some editions the castillo."""

    about = phrase("{seat} chooses a region to score")
    to = phrase("Choose a region to score")

    def begin(self, s: State) -> None:
        s.todo = (*ALL_REGIONS, TOWER) if s.setup.edition.score_one_castillo else ALL_REGIONS

    def steps(self, s: State) -> list[Move]:
        moves = s.setup.moves[s.actor].score
        return [moves[place] for place in s.todo]

    def effect(self, s: State, move: Move) -> None:
        s.todo = ()
        score(s, move.place)


class ScoreCastillo(Special):
    """Scores the castillo; what is in it stays."""

    def begin(self, s: State) -> None:
        score(s, TOWER)


class ScoreSeveral(Special):
    """Scores all regions of a kind: one by one while somebody may object, otherwise all at once in track order."""

    about = phrase("{seat} chooses the region to score next")
    to = phrase("Choose the region to score next")

    def __init__(self, choice: Choice, only_firsts: bool = False) -> None:
        self.choice = choice
        self.only_firsts = only_firsts

    def begin(self, s: State) -> None:
        s.todo = self.choice(s)
        self._score_unopposed(s)

    def steps(self, s: State) -> list[Move]:
        moves = s.setup.moves[s.actor].score
        return [moves[region] for region in s.todo]

    def effect(self, s: State, move: Move) -> None:
        score(s, move.place, self.only_firsts)
        s.todo = tuple(region for region in s.todo if region != move.place)
        self._score_unopposed(s)

    def _score_unopposed(self, s: State) -> None:
        if not holders(s):
            for region in s.todo:
                score(s, region, self.only_firsts)
            s.todo = ()


def worth(*firsts: int) -> Choice:
    """Chooses the regions whose first rank is now worth one of these values."""
    return lambda s: tuple(region for region in ALL_REGIONS if s.value(region)[0] in firsts)


def every_region(s: State) -> tuple[int, ...]:
    """Chooses all nine regions."""
    return ALL_REGIONS


def most(s: State) -> tuple[int, ...]:
    """Chooses the region with the most caballeros in total, or all of them when several tie."""
    return _with_sum(s, max(map(sum, s.board[:TOWER])))


def fewest(s: State) -> tuple[int, ...]:
    """Chooses the region with the fewest caballeros in total, or all that tie; an empty region does not count."""
    sums = [total for total in map(sum, s.board[:TOWER]) if total]
    return _with_sum(s, min(sums)) if sums else ()


def _with_sum(s: State, total: int) -> tuple[int, ...]:
    return tuple(region for region in ALL_REGIONS if sum(s.board[region]) == total)
