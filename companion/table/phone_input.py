"""Input from phones: a line is a move or a command to the table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from companion.bots import LEVELS
from companion.engine import PLACES, TABLE, IllegalMove, Message, Move, Several, phrase
from companion.engine.views import SECRET_VERBS
from companion.storage.notes import Note, PhoneNote, PlayerNote
from companion.table.board_input import BoardInput
from companion.table.live_game import LiveGame
from companion.table.motions import Slot, Touch
from companion.table.options import PERSON
from companion.table.replies import ACCEPTED, TOO_LATE, WAITING, Reply
from companion.table.undo_input import UndoInput

PLAYERS: Final = (PERSON, *LEVELS)

NOT_YOUR_TURN: Final = phrase("It is not your turn.")
BOT_PLAYS: Final = phrase("A bot plays {seat} now.")
NO_PLAYER: Final = phrase("A seat is played by one of these: {expected}.")


@dataclass(frozen=True)
class SeatLine:
    """A line sent by a seat, for the version of the game that its player saw."""

    seat: str
    line: str
    version: int


@dataclass(frozen=True)
class ChangePlayer:
    """A request to hand a seat from a person to a bot, or back."""

    seat: str
    player: str


class PhoneInput:
    """Carries out what phones send."""

    def __init__(self, live: LiveGame, board: BoardInput, undo: UndoInput) -> None:
        self._live = live
        self._board = board
        self._undo = undo

    def hear(self, said: SeatLine) -> Reply:
        """Carries out a line sent by a seat."""
        live, session, seat, words = self._live, self._live.session, said.seat, said.line.split()
        if seat not in live.game.seats or not words:
            return ACCEPTED
        live.announcements.untell(seat)
        if not session.is_current(said.version):
            return live.refuse_privately(seat, TOO_LATE)
        match words:
            case ["go", "on", "unsaved"]:
                session.go_on_unsaved()
                return ACCEPTED
            case _ if session.stuck:
                return live.refuse(*session.trouble)
            case _ if session.options.player(seat) != PERSON:
                return ACCEPTED
            case ["confirm"]:
                return self._board.confirm(seat)
            case ["undo"]:
                return self._undo.undo(seat)
            case ["undo", "turn"]:
                return self._undo.undo_turn(seat)
            case ["agree" | "disagree" as answer]:
                return self._undo.agree(seat, answer == "agree")
            case ["board", "is", "right"]:
                return self._undo.board_is_right(seat)
            case ["from" | "to" as slot, place]:
                return self._say_which_way(seat, place, Slot(slot))
            case ["touch", place] if place in PLACES:
                return self._touch(seat, place)
        return self._play(seat, said.line)

    def change_player(self, change: ChangePlayer) -> Reply:
        """Changes who plays a seat. A bot's seat loses its phone, which would see the bot's hand and dial."""
        live, session = self._live, self._live.session
        if change.seat not in live.game.seats or change.player not in PLAYERS:
            return live.refuse(Message(NO_PLAYER, {"expected": Several(PLAYERS)}))
        return live.refuse(*session.trouble) if session.stuck else self._change_player(change)

    def _change_player(self, change: ChangePlayer) -> Reply:
        live, session, seat = self._live, self._live.session, change.seat
        notes: list[Note] = [PlayerNote(seat, change.player)]
        if change.player != PERSON and seat in session.holders:
            notes.append(PhoneNote(seat, ""))
        acts, active = seat == session.actor, seat == session.active_seat
        if not session.note(notes, live.clock()):
            session.postpone(partial(self._change_player, change))
            return WAITING
        if active:
            live.interaction.drop_move()
        if acts:
            live.interaction.drop_held()
        if change.player != PERSON:
            live.announcements.say(Message(BOT_PLAYS, {"seat": seat}))
        live.veto.forget()
        self._undo.settle()
        return ACCEPTED

    def _touch(self, seat: str, place: str) -> Reply:
        """Takes a tap on a map like a press of the button, but only from the active seat; anybody may enter a card."""
        session = self._live.session
        if session.active_seat == TABLE or seat in (session.active_seat, session.actor if session.vetoing else None):
            return self._board.touch(Touch(place))
        return self._live.refuse_privately(seat, Message(NOT_YOUR_TURN, {}))

    def _say_which_way(self, seat: str, place: str, slot: Slot) -> Reply:
        """Takes what the last touch meant: from there, or to there."""
        touch = self._live.interaction.touch
        if touch is not None and touch.place == place and seat == self._live.session.active_seat:
            return self._board.touch(touch._replace(slot=slot))
        return ACCEPTED

    def _play(self, seat: str, line: str) -> Reply:
        live = self._live
        text = line if line.startswith(f"{TABLE} ") and live.session.options.real_cards else f"{seat} {line}"
        try:
            move = Move.parse(text)
            if move not in live.game.legal_moves():
                live.game.copy().play(move)
        except IllegalMove as error:
            if line.split()[0] in SECRET_VERBS or live.game.asks_in_secret(seat):
                return live.refuse_privately(seat, error.message)
            return live.refuse(error.message)
        return live.play(move, "person")
