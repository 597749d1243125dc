"""Chance: plays the moves of the seat `table` as a fair shuffle would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from .errors import IllegalMove
from .messages import Several
from .moves import ChanceMoves, Move
from .regions import TABLE

if TYPE_CHECKING:
    from .game import Game

Drawn = TypeVar("Drawn")


class Chooser(Protocol):
    """Chooses one of several, each equally likely; a `random.Random` does."""

    def choice(self, seq: Sequence[Drawn], /) -> Drawn: ...


def deal(game: Game, rng: Chooser) -> Move:
    """Plays one chance move and returns it."""
    if game.to_act != (TABLE,):
        raise IllegalMove("there is nothing to deal; to act: {seats}", seats=Several(game.to_act))
    s = game._state
    if s.phase.kind == "reveal":
        # Every copy is equally likely, so a card with two copies comes up twice as often.
        move = ChanceMoves.reveal[rng.choice(s.decks[s.open.index(None)])]
    else:
        move = rng.choice(s.legal())
    game.play(move)
    return move
