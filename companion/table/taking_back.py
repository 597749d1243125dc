"""Takes back: one's own last gesture at once, more when everybody has agreed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine import Message, Move, phrase
from companion.table.course import Course
from companion.table.undoing import NOTHING, Proposal, Undo, undo_of

NO_AGREEMENT: Final = phrase("It stays as it is: not everybody agreed.")
NO_MOVE_MEANT: Final = phrase("No move makes the game as the board is.")
NO_DIFFERENCE: Final = phrase("The board is as the game has it.")


class TakingBack:
    """What people take back."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._turn_from: int | None = None
        """Where the turn began in which `undo` was pressed just now."""

    def press(self) -> None:
        """The button was pressed."""
        course = self._course
        turn = self._undo_of(None, whole_turn=True)
        self._turn_from = None if turn.refused else len(course.game.moves) - turn.count
        self.undo()

    def hold(self) -> None:
        """The button stays pressed: after the last gesture the rest of that turn, and of no other, is taken back."""
        if self._turn_from is not None and "person" not in self._course.playing.made_by[self._turn_from :]:
            self._course.say(NOTHING)
        else:
            self.undo_turn()

    def undo(self, seat: str | None = None) -> None:
        """Takes the last gesture back.

        :param seat: who wants to; none: whoever has pressed the button.
        """
        course = self._course
        if course.keeper.stuck:
            course.say(*course.keeper.trouble)
        elif course.making.half and seat in (None, course.at_turn):
            course.making.empty()
        elif course.held and seat in (None, course.actor):
            course.held.pop()
        else:
            self._take_back(self._undo_of(seat), seat)

    def undo_turn(self, seat: str | None = None) -> None:
        """Takes back the whole turn, when everybody has agreed."""
        course = self._course
        if course.keeper.stuck:
            course.say(*course.keeper.trouble)
        else:
            self._take_back(self._undo_of(seat, whole_turn=True), seat)

    def agree(self, seat: str, yes: bool) -> None:
        """Somebody agrees to what is proposed, or does not."""
        course = self._course
        if course.proposal is None:
            return
        if yes:
            course.proposal.agreed.add(seat)
            self.settle()
        else:
            course.proposal = None
            course.veto.forget()
            course.say(Message(NO_AGREEMENT, {}))

    def settle(self) -> None:
        """Takes back what is proposed, if everybody has agreed."""
        course = self._course
        if course.proposal is not None and not course.proposal.missing(course.persons):
            course.take_back(course.proposal.count)

    def board_is_right(self, seat: str) -> None:
        """Makes the game as the board is: by the move that was made there, or by taking the last one back."""
        course = self._course
        if not course.guide():
            course.say(Message(NO_DIFFERENCE, {}))
            return
        moves = course.pieces.meant(course.game, course.options)
        if moves:
            self._play(moves)
            return
        undo = self._undo_of(seat)
        before = course.game.copy()
        for _ in range(undo.count):
            before.undo()
        instead = course.pieces.meant(before, course.options)
        if undo.count and not course.pieces.steps(before):
            self._take_back(undo, seat)
        elif undo.count and not undo.by_agreement and instead:
            self._take_back(undo, seat)
            self._play(instead)
        else:
            course.say(Message(NO_MOVE_MEANT, {}))

    def _play(self, moves: Sequence[Move]) -> None:
        """Plays what people have done at the board already, one move after the other, as far as it goes."""
        course = self._course
        for move in moves:
            if course.keeper.stuck or move not in course.game.legal_moves():
                return
            course.play(move, "person", shown=False)

    def _undo_of(self, seat: str | None, whole_turn: bool = False) -> Undo:
        playing = self._course.playing
        return undo_of(self._course.game.moves, playing.made_by, seat, whole_turn, playing.fixed)

    def _take_back(self, undo: Undo, seat: str | None) -> None:
        course = self._course
        if undo.refused:
            course.say(undo.refused)
        elif undo.by_agreement:
            # Whoever presses the button takes back what is their own.
            course.proposal = Proposal(undo.count, {seat or course.game.moves[-undo.count].seat})
            self.settle()
        else:
            course.take_back(undo.count)
