"""Input from phones: a line is a move or a command to the table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from companion.bots import LEVELS
from companion.engine import PLACES, TABLE, IllegalMove, Message, Move, Several, phrase
from companion.storage.notes import HandoverNote, HintNote, LessonNote, Note, PaceNote, PhoneNote, PlayerNote, TeachNote
from companion.table.board_input import BoardInput
from companion.table.confirmations import CONFIRM
from companion.table.handovers import handover_words
from companion.table.hints import why_no_hint
from companion.table.lessons import NAMES
from companion.table.live_game import LiveGame
from companion.table.motions import Slot, Touch
from companion.table.options import PACES, PERSON
from companion.table.rate_limit import RateLimit
from companion.table.refusals import not_counted
from companion.table.replies import ACCEPTED, TOO_FAST, TOO_LATE, Reply
from companion.table.seat_guard import SeatGuard
from companion.table.undo_input import UndoInput

PLAYERS: Final = (PERSON, *LEVELS)
WISHES: Final = (12, 5.0)
"""How often a seat may change the pace or whether it is taught: times at once, then seconds for each more."""

NO_PACE: Final = phrase("Bots play at one of these paces: {expected}.")
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
    by_phone: str = ""
    """The phone that asks for it, if it was one."""


class PhoneInput:
    """Carries out what phones send."""

    def __init__(self, live: LiveGame, board: BoardInput, undo: UndoInput, guard: SeatGuard) -> None:
        self._live = live
        self._guard = guard
        self._board = board
        self._undo = undo
        self._wishes = RateLimit(*WISHES)

    def hear(self, said: SeatLine) -> Reply:
        """Carries out a line sent by a seat."""
        live, session, seat, words = self._live, self._live.session, said.seat, said.line.split()
        if seat not in live.game.seats or not words:
            return ACCEPTED
        live.announcements.untell(seat)
        if not session.is_current(said.version):
            # What somebody wanted to skip is over already.
            return ACCEPTED if words == ["next"] else live.refuse_privately(seat, TOO_LATE)
        asked = live.interaction.confirmations.answered(seat)
        match words:
            case ["go", "on", "unsaved"]:
                session.go_on_unsaved()
                return ACCEPTED
            case _ if session.stuck:
                return live.refuse(*session.trouble)
            case ["next"]:
                return self._live.go_ahead()
            case ["pace", pace]:
                return self._set_pace(seat, pace)
            case _ if session.options.player(seat) != PERSON:
                return ACCEPTED
            case ["yes" | "no" as answer]:
                return asked.do() if asked is not None and answer == "yes" else ACCEPTED
            case ["confirm"]:
                return self._board.confirm(seat)
            case ["hint"]:
                return self._hint(seat)
            case ["lesson", "seen", name] if name in NAMES:
                return self._note(LessonNote(seat, name))
            case ["lessons", "on" | "off" as wanted]:
                return self._note_now_and_then(seat, TeachNote(seat, wanted == "on"))
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

    def _set_pace(self, seat: str, pace: str) -> Reply:
        """Changes how fast bots play."""
        if pace not in PACES:
            return self._live.refuse(Message(NO_PACE, {"expected": Several(PACES)}))
        return self._note_now_and_then(seat, PaceNote(pace))

    def _note_now_and_then(self, seat: str, note: Note) -> Reply:
        """Writes down a wish, unless its seat changes its mind all the time: each is kept for ever."""
        if not self._wishes.take(seat, self._live.clock()):
            return self._live.refuse_privately(seat, TOO_FAST)
        return self._note(note)

    def _note(self, note: Note) -> Reply:
        """Writes down what somebody said that is not a move."""
        session = self._live.session
        if not session.note([note], self._live.clock()):
            return self._live.wait_for_disk(partial(self._note, note))
        return ACCEPTED

    def _hint(self, seat: str) -> Reply:
        """Asks a bot what it would do in the place of a seat. That it was asked is public, its answer is not."""
        live, session = self._live, self._live.session
        why = why_no_hint(live.game, session.options, seat)
        if why is not None:
            return live.refuse_privately(seat, why)
        if not live.hints.possible or live.hints.words(seat) is not None:
            return ACCEPTED
        noted = self._note(HintNote(seat, session.version))
        if noted is ACCEPTED:
            live.hints.ask(live.game, seat, session.version)
        return noted

    def change_player(self, change: ChangePlayer) -> Reply:
        """Changes who plays a seat. A bot's seat loses its phone, which would see the bot's hand and dial."""
        live, session = self._live, self._live.session
        if change.seat not in live.game.seats or change.player not in PLAYERS:
            return live.refuse(Message(NO_PLAYER, {"expected": Several(PLAYERS)}))
        if session.stuck:
            return live.refuse(*session.trouble)
        before = session.options.player(change.seat)
        if before != change.player and PERSON in (before, change.player):
            refusal = self._guard.refusal(change.seat, change.by_phone, partial(self._change_player, change))
            if refusal is not None:
                return refusal
        return self._change_player(change)

    def _change_player(self, change: ChangePlayer) -> Reply:
        live, session, seat = self._live, self._live.session, change.seat
        if session.options.player(seat) == change.player:
            return ACCEPTED
        handover = HandoverNote(seat, session.version, change.player, self._guard.seat_of(change.by_phone))
        notes: list[Note] = [PlayerNote(seat, change.player), handover]
        if change.player != PERSON and seat in session.holders:
            notes.append(PhoneNote(seat, ""))
        acts, active = seat == session.actor, seat == session.active_seat
        if not session.note(notes, live.clock()):
            return live.wait_for_disk(partial(self._change_player, change))
        if active:
            live.interaction.drop_move()
        if acts:
            live.interaction.drop_held()
        live.seat_changed_hands(seat)
        live.announcements.say(*handover_words(handover))
        live.veto.forget()
        self._undo.settle()
        return ACCEPTED

    def _touch(self, seat: str, place: str) -> Reply:
        """Takes a tap on a map like a press of the button, but only from the active seat; anybody may enter a card."""
        session = self._live.session
        if session.active_seat == TABLE or seat in (session.active_seat, session.actor if session.vetoing else None):
            return self._board.touch(Touch(place), seat)
        return self._live.refuse_privately(seat, not_counted(self._live.game, seat))

    def _say_which_way(self, seat: str, place: str, slot: Slot) -> Reply:
        """Takes what the last touch meant: from there, or to there."""
        touch = self._live.interaction.touch
        if touch is not None and touch.place == place and seat == self._live.session.active_seat:
            return self._board.touch(touch._replace(slot=slot), seat)
        return ACCEPTED

    def _play(self, seat: str, line: str) -> Reply:
        live = self._live
        text = line if line.startswith(f"{TABLE} ") and live.session.options.real_cards else f"{seat} {line}"
        try:
            move = Move.parse(text)
            if live.interaction.begins_special and move in live.interaction.choices and seat == move.seat:
                return self._board.begin_special(move, CONFIRM, seat)
            if move not in live.game.legal_moves():
                live.game.copy().play(move)
        except IllegalMove as error:
            return live.refuse_privately(seat, error.message)
        return self._board.play(move, seat)
