"""The strongest bot: it tries out promising moves, and plays the rest of each round the way the normal bot would."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Final

from companion.bots.bot import DIAL_TEMPER, NormalBot, ThinkingBot, mixed
from companion.bots.instinct import Instinct, Scored
from companion.engine import Game, Move, determinise
from companion.engine.views import View

MOST_CANDIDATES: Final = 8
HALVINGS: Final = (2, 4, 8, 16)
"""After this many tries each, the worse half is dropped."""


@dataclass
class Candidate:
    """A move being tried out, and the results of its tries."""

    move: Move
    results: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The average result."""
        return sum(self.results) / len(self.results)


class HardBot(ThinkingBot):
    """A Monte Carlo player: it deals out what it does not know, tries its moves, and plays the round to its end.

    The budget is a number of seconds per decision, or a number of tries, which makes it repeatable.
    """

    def __init__(
        self,
        seed: int = 0,
        seconds: float = 1.0,
        iterations: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(seed)
        self.clock = clock
        self.seconds = seconds
        self.iterations = iterations
        self.normal = NormalBot(seed)

    def choose(self, view: View, game: Game, legal: list[Move], rng: Random) -> Move:
        spent = self._budget()
        if legal[0].verb == "recruit" and legal[-1].verb == "recruit":
            return legal[-1]  # more is better; no need to think
        tried = self.try_out(view, game, self.candidates(game, legal, rng), rng, spent)
        if len(tried) == 1:
            return tried[0].move
        if legal[0].verb == "dial":
            return mixed([(candidate.mean, candidate.move) for candidate in tried], rng, DIAL_TEMPER)
        return max(tried, key=lambda candidate: candidate.mean).move

    def candidates(self, game: Game, legal: list[Move], rng: Random) -> list[Candidate]:
        """Returns the moves worth trying, most promising first; the normal bot's own choice leads."""
        seat, verb = legal[0].seat, legal[0].verb
        planner = self.normal.planner
        rated: Scored
        if verb == "power":
            rated = planner.powers(game, seat, legal)
        elif verb == "card":
            rated = planner.cards(game, seat, legal)
        else:
            rated = Instinct(game, seat).rate(legal)
            favourite = self.normal.judge(game, legal, rng)
            rated = [(float("inf") if move is favourite else gain, move) for gain, move in rated]
            rated = [pair for pair in rated if pair[1].args != ("all",)]
        rated.sort(key=lambda pair: -pair[0])
        return [Candidate(move) for _, move in rated[:MOST_CANDIDATES]]

    def try_out(
        self, view: View, game: Game, candidates: list[Candidate], rng: Random, spent: Callable[[int], bool]
    ) -> list[Candidate]:
        """Tries the candidates in turn until the budget is spent, dropping the worse half as it goes.

        Returns those that can be compared: all were tried equally often, in the same worlds with the same luck. Returns
        only the most promising one when there was no time for more.
        """
        tried = 0
        rest, compared = candidates, candidates[:1]
        for sample in count(1):
            world = game if sample == 1 else determinise(view, rng)
            luck = rng.random()
            results: list[float] = []
            for candidate in rest:
                if spent(tried):
                    break
                results.append(self.outcome(world, candidate.move, Random(luck)))
                tried += 1
            if len(results) < len(rest) and sample > 1:
                break
            for candidate, result in zip(rest, results, strict=False):
                candidate.results.append(result)
            compared = rest[: max(1, len(results))]
            if len(results) < len(rest):
                break
            if sample > 1 and all(len(set(candidate.results)) == 1 for candidate in rest):
                break  # nothing is left to chance
            if sample in HALVINGS:
                rest = sorted(rest, key=lambda candidate: -candidate.mean)[: max(2, len(rest) // 2)]
                compared = rest
        return compared

    def _budget(self) -> Callable[[int], bool]:
        if self.iterations is not None:
            most = self.iterations
            return lambda tried: tried >= most
        end = self.clock() + self.seconds
        return lambda tried: self.clock() >= end

    def outcome(self, world: Game, move: Move, rng: Random) -> float:
        """Plays a move and then the round to its end, and returns what that is worth."""
        game = world.copy()
        number = game.round
        game.play(move)
        while not game.over and game.round == number:
            seat = game.to_act[0]
            legal = game.legal_moves(seat)
            if legal[0].verb == "card":
                # Finding the best turn has already played it: go on from there.
                turns = self.normal.planner.turns(game, seat, legal)
                game = max(turns, key=lambda turn: turn.gain).game
                game.play(Move(seat, "end"))
            else:
                game.play(legal[0] if len(legal) == 1 else self.normal.judge(game, legal, rng))
        return self.normal.planner.worth(game, move.seat)
