"""A move that somebody is making: what has been shown of it so far, and what a phone is asked about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.engine import Game, Move
from companion.storage.tags import Piece
from companion.table.motions import EMPTY, Hand, Motion, Shown, Slot, show
from companion.table.options import Options
from companion.table.turns import allowed, motions


class Touch(NamedTuple):
    """Something was shown at a place: it was pressed, or a piece was tapped, lifted or set down there."""

    place: str
    piece: Piece | None = None
    slot: Slot | None = None
    """Whether it goes from there or comes to there, if that is known."""


class Making:
    """Half a move."""

    def __init__(self) -> None:
        self.empty()

    def empty(self) -> None:
        """Forgets all of it."""
        self.hand: Hand = EMPTY
        self.choices: tuple[Move, ...] = ()
        """The moves among which a phone is asked to choose."""
        self.slots: tuple[Slot, ...] = ()
        """The meanings of the last touch among which a phone is asked to choose."""
        self.touch: Touch | None = None
        """What those meanings are of."""

    @property
    def half(self) -> bool:
        """Whether anything has been shown."""
        return self.hand != EMPTY or self.asking

    @property
    def asking(self) -> bool:
        """Whether a phone is asked what was meant."""
        return bool(self.choices or self.slots)

    def take(self, motions: Sequence[Motion], touch: Touch) -> Shown:
        """Takes one more gesture; a whole move, or one that fits nothing, is for the caller."""
        shown = show(motions, self.hand, *touch)
        if not shown.refused and shown.move is None:
            self.hand, self.choices, self.slots = shown.hand, shown.choices, shown.slots
            self.touch = touch if shown.slots else None
        return shown

    def put_back(self, touch: Touch) -> bool:
        """Whether a piece that was lifted was set down again where it was, or the other way round."""
        if touch.piece != self.hand.piece:
            return False
        if touch.slot is Slot.TARGET:
            return self.hand.origin == touch.place and self.hand.target is None
        return self.hand.target == touch.place and self.hand.origin is None


def motions_shown(game: Game, options: Options, touches: Sequence[Touch]) -> list[Motion]:
    """The motions that gestures would have been, had nobody objected."""
    making, found = Making(), []
    for touch in touches:
        game = allowed(game)
        possible = motions(game, options)
        move = making.take(possible, touch).move
        if move is not None:
            found += [motion for motion in possible if motion.move == move]
            game = game.copy()
            game.play(move)
            making.empty()
    return found
