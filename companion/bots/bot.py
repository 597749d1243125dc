"""The computer players: a bot is given a view and its legal moves, and chooses one."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import exp
from random import Random
from typing import Final, Protocol

from companion.bots.instinct import Instinct, Scored
from companion.bots.planning import Planner, best
from companion.bots.reasons import because
from companion.bots.valuation import DEFAULT, Weights
from companion.engine import Game, Message, Move, determinise
from companion.engine.views import View


@dataclass(frozen=True)
class Decision:
    """A move and, if somebody wants to know, what it is meant to lead to.

    :param view: what the bot decided on; leave it out when there is no reason to give.
    """

    move: Move
    view: View | None = field(default=None, repr=False)

    @cached_property
    def because(self) -> Message | None:
        """The reason as a clause, such as "to win Granada"; `None` where nothing can or may be said."""
        return None if self.view is None else because(self.view, self.move)


class Bot(Protocol):
    """A player. Its decisions depend only on the view, its seed and its budget, so they survive a restart.

    With a budget in seconds, they also depend on how fast the machine is.
    """

    def decide(self, view: View, legal: list[Move]) -> Decision:
        """Chooses one of its legal moves."""
        ...


def chance(seed: int, view: View) -> Random:
    """Returns a bot's random numbers for a decision: the same seed, seat and number of moves give the same ones."""
    return Random(f"{seed}/{view['viewer']}/{len(view['log'])}")


def mixed(rated: Scored, rng: Random, temper: float) -> Move:
    """Chooses at random, in favour of better moves; the smaller the temper, the more it favours the best one."""
    top = max(gain for gain, _ in rated)
    weights = [exp((gain - top) / temper) for gain, _ in rated]
    return rng.choices([move for _, move in rated], weights)[0]


class RandomBot:
    """Chooses at random; the other bots are measured against it."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def decide(self, view: View, legal: list[Move]) -> Decision:
        return Decision(chance(self.seed, view).choice(legal))


class ThinkingBot:
    """A bot that thinks about a whole game, dealt to match what its view shows."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def decide(self, view: View, legal: list[Move]) -> Decision:
        if len(legal) == 1:
            return Decision(legal[0], view)
        rng = chance(self.seed, view)
        game = determinise(view, rng)
        move = self.choose(view, game, legal, rng)
        return Decision(move, view)

    def choose(self, view: View, game: Game, legal: list[Move], rng: Random) -> Move:
        """Chooses a move in a game that agrees with the view."""
        raise NotImplementedError


DIAL_TEMPER: Final = 0.6
"""How freely dials are mixed, in points: a predictable dial can be countered."""
VETO_HARM: Final = 2.0
"""How many points a special action must cost to be worth a veto."""


class NormalBot(ThinkingBot):
    """Takes what promises the most points at the next and later scorings, and plans its power cards."""

    weights = DEFAULT

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.planner = Planner(self.weights)

    def choose(self, view: View, game: Game, legal: list[Move], rng: Random) -> Move:
        return self.judge(game, legal, rng)

    def judge(self, game: Game, legal: list[Move], rng: Random) -> Move:
        """Returns the move it would make for the seat whose legal moves these are."""
        seat, verb = legal[0].seat, legal[0].verb
        if verb == "power":
            return best(self.planner.powers(game, seat, legal))
        if verb == "card":
            return best(self.planner.cards(game, seat, legal))
        if verb == "veto":
            return self.answer(game, seat, legal)
        if verb == "dial":
            return mixed(Instinct(game, seat, self.weights).rate(legal), rng, DIAL_TEMPER)
        if game.state.phase.kind == "act":
            return self.planner.turn(game, seat).first
        return best(Instinct(game, seat, self.weights).rate(legal))

    def answer(self, game: Game, seat: str, legal: list[Move]) -> Move:
        """Decides whether to veto a step: it does if letting the whole special action happen hurts enough."""
        veto, allow, _ = legal
        after = game.copy()
        after.play(allow)
        self.planner.finish_special(after)
        harm = self.planner.worth(game, seat) - self.planner.worth(after, seat)
        return veto if harm > VETO_HARM else allow


MISTAKES: Final = 0.2
"""How often the easy bot makes a random move."""


class EasyBot(NormalBot):
    """Plays sensibly, but looks no further than the next scoring, takes any card, and makes mistakes."""

    weights = Weights(later=0.0, cards=0.0, blur=0.5, blur_a_round=0.3, tower=0.5)

    def judge(self, game: Game, legal: list[Move], rng: Random) -> Move:
        """Returns a random move now and then, and mostly the one that looks best."""
        if legal[0].verb in ("power", "card") or rng.random() < MISTAKES:
            return rng.choice(legal)
        return super().judge(game, legal, rng)
