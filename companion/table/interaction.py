"""The interaction under way: half a move, held touches, a proposed undo, and what waits for a confirmation."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import Game, Message, Move
from companion.table.confirmations import Confirmations
from companion.table.motions import (
    EMPTY,
    REFUSED,
    STOCK,
    Interpretation,
    Motion,
    PartialMove,
    Slot,
    Touch,
    from_places,
    interpret,
)
from companion.table.options import Options
from companion.table.turns import allowed, motions
from companion.table.undo import UndoProposal


class Interaction:
    """What people have begun at the table and not finished."""

    def __init__(self, roll_call: tuple[Message, ...] = ()) -> None:
        self._partial = EMPTY
        self._choices: tuple[Move, ...] = ()
        self._slots: tuple[Slot, ...] = ()
        self._touch: Touch | None = None
        self._tag: str | None = None
        """The tag of the piece being moved, or `None` when no reader has seen it."""
        self._origins: frozenset[str] = frozenset()
        """The places that piece may have come from, `STOCK` among them. Empty when no reader saw it come."""
        self._lies_there = False
        """Whether the pieces of the moves to choose from already lie where those moves take them."""
        self._begins_special = False
        """Whether the half-made move would begin the special action."""
        self._held: list[Touch] = []
        self._proposal: UndoProposal | None = None
        self.confirmations = Confirmations()
        self._roll_call = roll_call

    # Half a move.

    @property
    def partial(self) -> PartialMove:
        """What has been shown of a move so far."""
        return self._partial

    @property
    def choices(self) -> tuple[Move, ...]:
        """The moves a phone is asked to choose from."""
        return self._choices

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The meanings of the last touch a phone is asked to choose from."""
        return self._slots

    @property
    def touch(self) -> Touch | None:
        """The touch that has several meanings, or `None`."""
        return self._touch

    @property
    def asking(self) -> bool:
        """Whether a phone is asked what was meant."""
        return bool(self._choices or self._slots)

    @property
    def half_made(self) -> bool:
        """Whether part of a move has been shown."""
        return self._partial != EMPTY or self.asking

    @property
    def begins_special(self) -> bool:
        """Whether what has been shown so far would begin the special action."""
        return self._begins_special

    def take(self, possible: Sequence[Motion], touch: Touch, begins_special: bool = False) -> Interpretation:
        """Takes one more touch. Whole moves, and touches that fit nothing, are left to the caller.

        What readers see of two different pieces is never combined into one move, however alike they are.

        :param begins_special: whether the possible motions are those of a special action still to be begun.
        """
        another = touch.tag is not None and self._tag not in (None, touch.tag)
        partial = EMPTY if another else self._partial
        origins, slot = touch.origins, touch.slot
        if touch.tag is None:
            origins = self._origins
            if self._tag is not None and partial.target is not None:
                slot = Slot.ORIGIN  # the piece already lies there: now people show where it came from
        elif not another and partial.origin is not None and self._tag is not None:
            origins = frozenset([partial.origin])
        elif len(origins) == 1 and STOCK not in origins:
            (origin,) = origins
            partial = PartialMove(origin, None, touch.piece)
        meaning = interpret(from_places(possible, origins), partial, touch._replace(slot=slot))
        if another and slot is not None and not (meaning.move or meaning.choices):
            return REFUSED  # one half move at a time; where this piece came from is known when it is set down
        if not meaning.refused and meaning.move is None:
            self._partial, self._choices, self._slots = meaning.partial, meaning.choices, meaning.slots
            self._touch = touch if meaning.slots else None
            self._tag, self._origins = touch.tag or self._tag, origins
            self._lies_there, self._begins_special = False, begins_special
        return meaning

    def ask_which(self, moves: Sequence[Move]) -> None:
        """Asks a phone which of these moves was made, since they all fit how the pieces lie."""
        self.drop_move()
        self._choices, self._lies_there = tuple(moves), True

    def explains(self, move: Move) -> bool:
        """Returns whether a move is one of those that would explain how the pieces already lie."""
        return self._lies_there and move in self._choices

    def possible(self, motions: Sequence[Motion]) -> list[Motion]:
        """Returns the motions that may still be meant, as far as readers know."""
        return from_places(motions, self._origins)

    def is_put_back(self, touch: Touch) -> bool:
        """Returns whether a lifted piece was set down again in the same place, or the other way round."""
        if touch.piece != self._partial.piece:
            return False
        if touch.slot is Slot.TARGET:
            if touch.tag != self._tag and touch.origins and STOCK not in touch.origins:
                return False  # another piece, from another place
            return self._partial.origin == touch.place and self._partial.target is None
        return self._partial.target == touch.place and self._partial.origin is None

    def drop_move(self) -> None:
        """Forgets the half-made move."""
        self._partial, self._choices, self._slots, self._touch = EMPTY, (), (), None
        self._tag, self._origins, self._lies_there, self._begins_special = None, frozenset(), False, False

    # Touches held while somebody may object to the step before them.

    @property
    def held(self) -> Sequence[Touch]:
        """The touches that count as soon as nobody can object."""
        return tuple(self._held)

    def hold(self, touch: Touch) -> None:
        """Holds a touch until nobody can object."""
        self._held.append(touch)

    def next_held(self) -> Touch:
        """Releases the oldest held touch and returns it."""
        return self._held.pop(0)

    def drop_last_held(self) -> None:
        """Forgets the last held touch."""
        self._held.pop()

    def drop_held(self) -> None:
        """Forgets all held touches."""
        self._held.clear()

    # Undo.

    @property
    def proposal(self) -> UndoProposal | None:
        """The undo that waits for everybody's agreement, or `None`."""
        return self._proposal

    def propose(self, count: int, seat: str) -> None:
        """Proposes to take moves back, with the agreement of the seat that asks."""
        self._proposal = UndoProposal(count, frozenset({seat}), seat)

    def agree(self, seat: str) -> None:
        """Notes that a seat agrees to the proposal."""
        if self._proposal is not None:
            self._proposal = self._proposal.agreed_by(seat)

    def drop_proposal(self) -> None:
        """Drops the proposal."""
        self._proposal = None

    # The check after a restart.

    @property
    def roll_call(self) -> tuple[Message, ...]:
        """The list of what should lie where, until people have checked it."""
        return self._roll_call

    def end_roll_call(self) -> None:
        """Ends the roll call: people have checked what lies where."""
        self._roll_call = ()

    def game_changed(self) -> None:
        """Drops half a move, a proposal and what waits to be confirmed: they were about the game before it changed."""
        self.drop_move()
        self._proposal = None
        self.confirmations.forget()


def motions_shown(game: Game, options: Options, touches: Sequence[Touch]) -> list[Motion]:
    """Returns the motions that held touches would have been if nobody had objected."""
    interaction, found = Interaction(), []
    for touch in touches:
        game = allowed(game)
        possible = motions(game, options)
        move = interaction.take(possible, touch).move
        if move is not None:
            found += [motion for motion in possible if motion.move == move]
            game = game.copy()
            game.play(move)
            interaction.drop_move()
    return found
