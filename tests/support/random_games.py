"""Random games for tests: every edition, seat count, length and house rule, by players of different temperaments."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from companion.engine import EDITIONS, HOUSE_RULES, SEATS, Game, Move

LONGER: Final = int(os.environ.get("EL_GRANDE_GAMES", "1"))
"""How many times as many games as usual; `make soak` sets it."""

SEEDS: Final = st.integers(0, 2**32 - 1)


def games(number: int) -> settings:
    """Hypothesis settings for this many games."""
    return settings(
        max_examples=number * LONGER,
        deadline=None,
        derandomize=LONGER == 1,
        suppress_health_check=[HealthCheck.too_slow],
    )


# How eager a player is, by verb; 1 if a verb is missing. A uniform player seldom runs out of caballeros or uses a
# veto, so the others make rare decisions come up too.
_TEMPERS: Final[tuple[dict[str, float], ...]] = (
    {},
    {"special": 9, "done": 0.1, "end": 0.3, "veto": 0.2},
    {"place": 5, "end": 0.05, "special": 2, "done": 0.3, "recall": 3},
)


class Player:
    """Chooses moves at random, weighted by temperament."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.temper = rng.choice(_TEMPERS)
        self.recruits = rng.random() < 0.5
        self.keeps_vetoes = rng.random() < 0.5

    def choose(self, legal: list[Move]) -> Move:
        return self.rng.choices(legal, [self._weight(move) for move in legal])[0]

    def _weight(self, move: Move) -> float:
        if move.verb == "recruit" and self.recruits:
            return 1 + 9 * move.number
        if move.verb == "power" and self.recruits:
            return 1 / move.number
        if move.verb == "reveal" and move.args[1] == "veto" and self.keeps_vetoes:
            return 9
        if move.args == ("all",):
            return 0.2
        return self.temper.get(move.verb, 1)


def new_game(rng: Random) -> Game:
    """Returns a game of some edition, for some seats."""
    seats = rng.sample(SEATS, rng.randint(2, 5))
    house = [rule for rule in HOUSE_RULES if rng.random() < 0.3]
    return Game(seats, rng.choice(list(EDITIONS)), rng.choice((9, 6)), house)


def decisions(seed: int) -> Iterator[tuple[Game, Move]]:
    """Plays a game. Yields the game before each move, with that move."""
    rng = Random(seed)
    game = new_game(rng)
    player = Player(rng)
    while legal := game.legal_moves():
        move = player.choose(legal)
        yield game, move
        game.play(move)
    assert game.over


def some_position(seed: int) -> Game:
    """Returns a game stopped at some decision."""
    stop = Random(seed).randrange(20, 400)
    game, _ = next(islice(decisions(seed), stop, None), (None, None))
    return game or finished(seed)


def finished(seed: int) -> Game:
    """Returns a game played to its end."""
    game, move = deque(decisions(seed), maxlen=1).pop()
    assert game.moves[-1] is move
    return game
