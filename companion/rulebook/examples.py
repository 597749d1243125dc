"""Worked examples of scorings: positions that the engine itself scores, and the words for what came of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.engine import DEFAULT_EDITION, Message, phrase
from companion.engine.regions import PLACE_INDEX
from companion.engine.scoring import points, score
from companion.engine.state import Phase, Setup, State


class Example(NamedTuple):
    """A place about to be scored."""

    title: Message
    place: str
    counts: dict[str, int]
    king: bool = False
    grande: str = ""
    """The seat whose Grande stands there, if any."""


class Paid(NamedTuple):
    """What one player gets, and why."""

    seat: str
    caballeros: int
    why: str
    points: int
    king_bonus: int
    grande_bonus: int

    @property
    def total(self) -> int:
        """Everything this player gets here."""
        return self.points + self.king_bonus + self.grande_bonus


EXAMPLES: Final = (
    Example(
        Message("{place}, home of {seat}", {"place": "granada", "seat": "red"}),
        "granada",
        {"red": 4, "blue": 2, "green": 1, "yellow": 0},
        grande="red",
    ),
    Example(
        Message("{place}, where the King stands, with a tie for second", {"place": "castilla-la-vieja"}),
        "castilla-la-vieja",
        {"red": 1, "blue": 5, "green": 2, "yellow": 2},
        king=True,
    ),
    Example(
        Message("{place}, with three players tied for first", {"place": "pais-vasco"}),
        "pais-vasco",
        {"red": 3, "blue": 3, "green": 3, "yellow": 2},
        king=True,
    ),
)

ALONE: Final = {
    0: phrase("nothing left"),
    1: phrase("the most"),
    2: phrase("second most"),
    3: phrase("third most"),
}
TIED: Final = {0: phrase("tied, nothing left"), 2: phrase("tied: paid as second"), 3: phrase("tied: paid as third")}
"""Why a player alone, and why tied players, get their points: by the rank that is paid, or 0 for no points."""
ABSENT: Final = phrase("none there")


def scored(example: Example, edition: str = DEFAULT_EDITION) -> list[Paid]:
    """Returns what the engine pays for an example, in seat order.

    >>> [paid.total for paid in scored(EXAMPLES[0])]
    [8, 3, 1, 0]
    """
    seats = tuple(example.counts)
    counts = tuple(example.counts.values())
    state = State(Setup(seats, edition, 9, ()), Phase())
    place = PLACE_INDEX[example.place]
    state.board[place] = counts
    state.king = place if example.king else state.king
    state.grandes = tuple(place if seat == example.grande else -1 for seat in seats)
    score(state, place)
    (result,) = state.scorings
    # The same ranking once more, paying the number of each rank instead of its value.
    ranks = points((1, 2, 3), counts, state.setup.edition.ties_take_all_ranks)
    return [
        Paid(
            seat,
            count,
            _why(count, rank, counts.count(count) > 1),
            gained,
            result.king_bonus if index == result.leader else 0,
            result.grande_bonus if index == result.leader else 0,
        )
        for index, (seat, count, rank, gained) in enumerate(zip(seats, counts, ranks, result.points, strict=True))
    ]


def _why(count: int, rank: int, tied: bool) -> str:
    if not count:
        return ABSENT
    return (TIED if tied else ALONE)[rank]
