"""Undo, from the button or a phone: your own last gesture at once, anything more when everybody has agreed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from companion.engine import Message, Move, Several, phrase
from companion.engine.words import move_words
from companion.table import confirmations
from companion.table.live_game import LiveGame
from companion.table.replies import ACCEPTED, WAITING, Reply
from companion.table.undo import NOTHING, Undo, undo_of, undo_words

NO_AGREEMENT: Final = phrase("Not everybody agreed: nothing is undone.")
NO_MOVE_MEANT: Final = phrase("No legal move matches the board.")
SEVERAL_FIT: Final = phrase("The board does not show which move was made. Choose one: {moves}.")
UNDO_FITS_TOO: Final = phrase("If the last move was wrong, undo it instead.")
NO_DIFFERENCE: Final = phrase("The board matches the game already.")


class UndoInput:
    """Takes back what people want to take back."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live
        self._turn_from: int | None = None
        """The index of the first move of the turn in which `undo` was last pressed, or `None`."""

    def press(self) -> Reply:
        """Takes back the last gesture, because the button was pressed."""
        meant = self._live.interaction.confirmations.repeated(confirmations.UNDO)
        if meant is not None:
            return meant.do()
        turn = self._undo_of(None, whole_turn=True)
        self._turn_from = None if turn.refused else len(self._live.game.moves) - turn.count
        return self.undo()

    def hold(self) -> Reply:
        """Takes back the rest of the turn, but no earlier one, because the button is held down."""
        if self._turn_from is not None and "person" not in self._live.session.made_by[self._turn_from :]:
            return self._live.refuse(NOTHING)
        return self.undo_turn()

    def undo(self, seat: str | None = None) -> Reply:
        """Takes back the last gesture.

        :param seat: who wants to; `None` means whoever has pressed the button.
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
        return self._take_back(self._undo_of(seat, whole_turn=True), seat, whole_turn=True)

    def agree(self, seat: str, yes: bool) -> Reply:
        """Takes a seat's answer to the proposal."""
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
        """Makes the game match the board, by playing the moves made there or by taking back the last one.

        If several moves would do that, it only asks which of them was meant.
        """
        live, options = self._live, self._live.session.options
        if not live.guide():
            return live.refuse_to(seat, Message(NO_DIFFERENCE, {}))
        ways = live.pieces.meant(live.game, options)
        undo = self._undo_of(seat)
        before = live.game.copy()
        for _ in range(undo.count):
            before.undo()
        undone = bool(undo.count) and not live.pieces.steps(before)
        instead: list[tuple[Move, ...]] = []
        if undo.count and not undo.by_agreement:
            # Taking a move back and making it again is not another way.
            taken_back = set(live.game.moves[-undo.count :])
            instead = [moves for moves in live.pieces.meant(before, options) if not taken_back & set(moves)]
        if ways and instead and len(instead[0]) > len(ways[0]):
            instead = []  # not as short
        if len(ways) == 1 and not undone and not instead:
            return self._play(ways[0])
        if ways:
            return self._ask(ways, undone or bool(instead))
        if undone:
            return self._take_back(undo, seat)
        if not instead:
            return live.refuse_to(seat, Message(NO_MOVE_MEANT, {}))
        reply = self._take_back(undo, seat)
        if live.session.stuck:
            return reply
        return self._play(instead[0]) if len(instead) == 1 else self._ask(instead)

    def _ask(self, ways: Sequence[Sequence[Move]], undo_fits: bool = False) -> Reply:
        """Asks people to choose the move that was made. If more moves are needed, they will be asked again."""
        live = self._live
        legal = live.game.legal_moves()
        choices = list(dict.fromkeys(move for moves in ways for move in moves if move in legal))
        live.interaction.ask_which(choices)
        question = Message(SEVERAL_FIT, {"moves": Several(map(move_words, choices))})
        live.announcements.say(question, *((Message(UNDO_FITS_TOO, {}),) if undo_fits else ()))
        return WAITING

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

    def _take_back(self, undo: Undo, seat: str | None, whole_turn: bool = False) -> Reply:
        """Takes moves back, if nobody has to be asked; asks first before it goes past a bot."""
        live = self._live
        if undo.refused:
            return live.refuse_to(seat, undo.refused)
        do = partial(self._carry_out, undo, seat)
        if not undo.past:
            return do()
        words = undo_words(live.game.moves, undo, seat, len(live.session.persons) == 1, whole_turn)
        return live.confirm_first(seat, confirmations.undoing(words, undo.past, do))

    def _carry_out(self, undo: Undo, seat: str | None) -> Reply:
        live = self._live
        if undo.by_agreement:
            # The button is taken to be pressed by the player whose move it is.
            live.interaction.propose(undo.count, seat or live.game.moves[-undo.count].seat)
            return self.settle()
        return live.take_back(undo.count)
