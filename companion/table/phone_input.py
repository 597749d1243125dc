"""What phones say: a line is a move, or a word to the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from companion.bots import LEVELS
from companion.engine import PLACES, TABLE, IllegalMove, Message, Move, Several, phrase
from companion.storage.journal import note
from companion.table import turns
from companion.table.board_input import Hands
from companion.table.course import Course
from companion.table.making import Touch
from companion.table.motions import Slot
from companion.table.options import PERSON
from companion.table.seat_holders import Joining
from companion.table.taking_back import TakingBack

PLAYERS: Final = (PERSON, *LEVELS)

NOT_YOUR_TURN: Final = phrase("It is not your turn.")
TOO_LATE: Final = phrase("The game has gone on meanwhile.")
BOT_PLAYS: Final = phrase("A bot plays {seat} now.")
NO_PLAYER: Final = phrase("A seat is played by one of these: {expected}.")


@dataclass(frozen=True)
class Said:
    """A word from a phone: a line, and for which version of the game it was meant."""

    seat: str
    line: str
    version: int
    reply: Callable[[bool], None] | None = field(default=None, compare=False)
    """Is told whether it was in time, when all that came of it is on disk."""


class Listener:
    """Does what phones say."""

    def __init__(self, course: Course, hands: Hands, taking_back: TakingBack, joining: Joining) -> None:
        self._course = course
        self._hands = hands
        self._taking_back = taking_back
        self._joining = joining

    def hear(self, said: Said) -> None:
        """Somebody said something."""
        in_time = self._hear(said)
        if said.reply is not None:
            said.reply(in_time)

    def _hear(self, said: Said) -> bool:
        """Does what was said; whether it was in time."""
        course, seat, words = self._course, said.seat, said.line.split()
        if seat not in course.game.seats or not words:
            return True
        course.told.pop(seat, None)
        if not course.asked_at <= said.version <= course.version:
            course.told[seat] = Message(TOO_LATE, {})
            return False
        match words:
            case ["go", "on", "unsaved"]:
                course.keeper.go_on_in_memory()
            case _ if course.keeper.stuck:
                course.say(*course.keeper.trouble)
            case ["player", who, player]:
                self._change_player(who, player)
            case _ if course.options.player(seat) != PERSON:
                pass
            case ["confirm"]:
                self._hands.confirm(seat)
            case ["undo"]:
                self._taking_back.undo(seat)
            case ["undo", "turn"]:
                self._taking_back.undo_turn(seat)
            case ["agree" | "disagree" as answer]:
                self._taking_back.agree(seat, answer == "agree")
            case ["board", "is", "right"]:
                self._taking_back.board_is_right(seat)
            case ["from" | "to" as slot, place]:
                self._say_which_way(seat, place, Slot(slot))
            case ["touch", place] if place in PLACES:
                self._touch(seat, place)
            case _:
                self._play(seat, said.line)
        return True

    def _touch(self, seat: str, place: str) -> None:
        """A place on a map: as its button, but only of whose turn it is; what was turned up anybody may say."""
        at_turn = self._course.at_turn
        if at_turn == TABLE or seat in (at_turn, self._course.actor if self._course.vetoing else None):
            self._hands.touch(Touch(place))
        else:
            self._course.told[seat] = Message(NOT_YOUR_TURN, {})

    def _say_which_way(self, seat: str, place: str, slot: Slot) -> None:
        """What was meant by the last touch: from there, or to there."""
        touch = self._course.making.touch
        if touch is not None and touch.place == place and seat == self._course.at_turn:
            self._hands.touch(touch._replace(slot=slot))

    def _play(self, seat: str, line: str) -> None:
        course = self._course
        text = line if line.startswith(f"{TABLE} ") and course.options.real_cards else f"{seat} {line}"
        try:
            move = Move.parse(text)
            if move not in course.game.legal_moves():
                course.game.copy().play(move)
        except IllegalMove as error:
            if line.split()[0] in turns.SECRET or turns.secret(course.game, seat):
                course.told[seat] = error.message
            else:
                course.say(error.message)
            return
        course.play(move, "person")

    def _change_player(self, seat: str, player: str) -> None:
        """A seat goes from a person to a bot, or back. A bot's has no phone: that would see the bot's hand and dial."""
        course = self._course
        if seat not in course.game.seats or player not in PLAYERS:
            course.say(Message(NO_PLAYER, {"expected": Several(PLAYERS)}))
            return
        entries = [note({"player": [seat, player]}, "person")]
        if player != PERSON:
            entries += self._joining.sending_away(seat)
        if not course.keeper.keep(entries, len(course.game.moves), course.clock()):
            course.keeper.postpone(partial(self._change_player, seat, player))
            return
        if seat == course.at_turn:
            course.making.empty()
        if seat == course.actor:
            course.held.clear()
        if player != PERSON:
            self._joining.sent_away(seat)
            course.say(Message(BOT_PLAYS, {"seat": seat}))
        course.options = course.options.seated(seat, player)
        course.veto.forget()
        self._taking_back.settle()
