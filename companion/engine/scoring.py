"""Scoring: what each seat gets for a place, and the order of the general scoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .regions import ALL_REGIONS, TOWER
from .state import Scoring, State

BONUS: Final = 2
GENERAL: Final = "general"


def points(values: Sequence[int], counts: Sequence[int], ties_take_all_ranks: bool) -> tuple[int, ...]:
    """Returns what each seat scores for its rank. Seats that share a rank score the next lower one.

    >>> points((5, 3, 1), (4, 4, 4, 3), ties_take_all_ranks=False)
    (3, 3, 3, 1)
    >>> points((5, 3, 1), (4, 4, 4, 3), ties_take_all_ranks=True)
    (3, 3, 3, 0)
    """
    paid = [0] * len(counts)
    ranks = len(values)
    rank = 0
    for count in sorted(set(counts), reverse=True):
        if not count or rank >= ranks:
            break
        seats = counts.count(count)
        if seats == 1:
            paid[counts.index(count)] = values[rank]
            rank += 1
            continue
        shared = values[rank + 1] if rank + 1 < ranks else 0
        for seat, own in enumerate(counts):
            if own == count:
                paid[seat] = shared
        rank += seats if ties_take_all_ranks else 2
    return tuple(paid)


def firsts(values: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """Returns what each seat scores when only the first rank counts and a tie for it scores nothing.

    >>> firsts((5, 3, 1), (4, 3, 0)), firsts((5, 3, 1), (4, 4, 3))
    ((5, 0, 0), (0, 0, 0))
    """
    best = max(counts)
    alone = best > 0 and counts.count(best) == 1
    return tuple(values[0] if alone and count == best else 0 for count in counts)


def payout(s: State, place: int, only_firsts: bool = False, occasion: str | None = None) -> Scoring:
    """Returns what a place would pay each seat if it were scored now, bonuses included."""
    counts = s.board[place]
    best = max(counts)
    if only_firsts:
        paid = firsts(s.value(place), counts)
    else:
        paid = points(s.value(place), counts, s.setup.edition.ties_take_all_ranks)
    leader = counts.index(best) if best and counts.count(best) == 1 else -1
    king_bonus = grande_bonus = 0
    if leader >= 0 and place != TOWER:
        king_bonus = BONUS if place == s.king else 0
        grande_bonus = BONUS if place == s.grandes[leader] else 0
    return Scoring(
        s.moves_played,
        occasion or s.card or GENERAL,
        place,
        counts,
        paid,
        leader,
        king_bonus,
        grande_bonus,
    )


def score(s: State, place: int, only_firsts: bool = False, occasion: str | None = None) -> None:
    """Scores one place, bonuses included."""
    scoring = payout(s, place, only_firsts, occasion)
    scores = s.scores
    if scoring.leader >= 0:
        scores[scoring.leader] += scoring.king_bonus + scoring.grande_bonus
    for seat, gain in enumerate(scoring.points):
        scores[seat] += gain
    s.scorings += (scoring,)


def general_scoring(s: State) -> None:
    """Scores the castillo, turns the dials, and scores the nine regions."""
    score(s, TOWER, occasion=GENERAL)
    for seat, number in enumerate(s.board[TOWER]):
        if s.dials[seat] == s.king:
            s.court[seat] += number
        elif number:
            s.add(s.dials[seat], seat, number)
    s.board[TOWER] = (0,) * s.setup.count
    for region in ALL_REGIONS:
        score(s, region, occasion=GENERAL)
