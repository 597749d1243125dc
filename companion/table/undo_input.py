"""Undo, from the button or a phone: one's own last gesture at once, anything more when everybody has agreed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine import Message, Move, phrase
from companion.table.live_game import LiveGame
from companion.table.replies import ACCEPTED, WAITING, Reply
from companion.table.undo import NOTHING, Undo, undo_of

NO_AGREEMENT: Final = phrase("It stays as it is: not everybody agreed.")
NO_MOVE_MEANT: Final = phrase("No move makes the game as the board is.")
NO_DIFFERENCE: Final = phrase("The board is as the game has it.")


class UndoInput:
    """Takes back what people want to take back."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live
        self._turn_from: int | None = None
        """Where the turn began in which `undo` was pressed last."""

    def press(self) -> Reply:
        """The button was pressed."""
        turn = self._undo_of(None, whole_turn=True)
        self._turn_from = None if turn.refused else len(self._live.game.moves) - turn.count
        return self.undo()

    def hold(self) -> Reply:
        """The button stays pressed: after the last gesture, the rest of that turn is taken back, and no other."""
        if self._turn_from is not None and "person" not in self._live.session.made_by[self._turn_from :]:
            return self._live.refuse(NOTHING)
        return self.undo_turn()

    def undo(self, seat: str | None = None) -> Reply:
        """Takes the last gesture back.

        :param seat: who wants to; `None`: whoever has pressed the button.
        """
        live, session, interaction = self._live, self._live.session, self._live.interaction
        if session.stuck:
            return live.refuse(*session.trouble)
        if interaction.half_made and seat in (None, session.active_seat):
            interaction.drop_move()
            return ACCEPTED
        if interaction.held and seat in (None, session.actor):
            interaction.drop_last_held()
            return ACCEPTED
        return self._take_back(self._undo_of(seat), seat)

    def undo_turn(self, seat: str | None = None) -> Reply:
        """Takes back the whole turn, when everybody has agreed."""
        if self._live.session.stuck:
            return self._live.refuse(*self._live.session.trouble)
        return self._take_back(self._undo_of(seat, whole_turn=True), seat)

    def agree(self, seat: str, yes: bool) -> Reply:
        """Somebody agrees to what is proposed, or does not."""
        live = self._live
        if live.interaction.proposal is None:
            return ACCEPTED
        if yes:
            live.interaction.agree(seat)
            return self.settle()
        live.interaction.drop_proposal()
        live.veto.forget()
        live.announcements.say(Message(NO_AGREEMENT, {}))
        return ACCEPTED

    def settle(self) -> Reply:
        """Takes back what is proposed, if everybody has agreed."""
        live, proposal = self._live, self._live.interaction.proposal
        if proposal is None:
            return ACCEPTED
        return live.take_back(proposal.count) if not proposal.missing(live.session.persons) else WAITING

    def board_is_right(self, seat: str) -> Reply:
        """Makes the game match the board: by the move that was made there, or by taking the last one back."""
        live = self._live
        if not live.guide():
            return live.refuse(Message(NO_DIFFERENCE, {}))
        moves = live.pieces.meant(live.game, live.session.options)
        if moves:
            return self._play(moves)
        undo = self._undo_of(seat)
        before = live.game.copy()
        for _ in range(undo.count):
            before.undo()
        instead = live.pieces.meant(before, live.session.options)
        if undo.count and not live.pieces.steps(before):
            return self._take_back(undo, seat)
        if undo.count and not undo.by_agreement and instead:
            self._take_back(undo, seat)
            return self._play(instead)
        return live.refuse(Message(NO_MOVE_MEANT, {}))

    def _play(self, moves: Sequence[Move]) -> Reply:
        """Plays what people have already done on the board, one move after another, as far as it is legal."""
        live, reply = self._live, ACCEPTED
        for move in moves:
            if live.session.stuck or move not in live.game.legal_moves():
                break
            reply = live.play(move, "person", shown=False)
        return reply

    def _undo_of(self, seat: str | None, whole_turn: bool = False) -> Undo:
        session = self._live.session
        return undo_of(session.game.moves, session.made_by, seat, whole_turn, session.fixed)

    def _take_back(self, undo: Undo, seat: str | None) -> Reply:
        live = self._live
        if undo.refused:
            return live.refuse(undo.refused)
        if undo.by_agreement:
            # Whoever presses the button takes back what is their own.
            live.interaction.propose(undo.count, seat or live.game.moves[-undo.count].seat)
            return self.settle()
        return live.take_back(undo.count)
