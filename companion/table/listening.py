"""What phones say: a line is a move, or a word to the table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from companion.bots import LEVELS
from companion.engine import TABLE, IllegalMove, Message, Move, Several, phrase
from companion.journal import note
from companion.table import asking
from companion.table.course import Course
from companion.table.hands import Hands
from companion.table.motions import Slot
from companion.table.options import PERSON
from companion.table.taking_back import TakingBack

PLAYERS: Final = (PERSON, *LEVELS)

TOO_LATE: Final = phrase("The game has gone on meanwhile.")
NO_PLAYER: Final = phrase("A seat is played by one of these: {expected}.")


@dataclass(frozen=True)
class Said:
    """A word from a phone: a line, and for which version of the game it was meant."""

    seat: str
    line: str
    version: int


class Listener:
    """Does what phones say."""

    def __init__(self, course: Course, hands: Hands, taking_back: TakingBack) -> None:
        self._course = course
        self._hands = hands
        self._taking_back = taking_back

    def hear(self, said: Said) -> None:
        """Somebody said something."""
        course, seat, words = self._course, said.seat, said.line.split()
        if seat not in course.game.seats or not words:
            return
        course.told.pop(seat, None)
        if not course.asked_at <= said.version <= course.version:
            course.say(Message(TOO_LATE, {}))
            return
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
            case _:
                self._play(seat, said.line)

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
            if line.split()[0] in asking.SECRET or asking.secret(course.game, seat):
                course.told[seat] = error.message
            else:
                course.say(error.message)
            return
        course.play(move, "person")

    def _change_player(self, seat: str, player: str) -> None:
        """A seat goes from a person to a bot, or back."""
        course = self._course
        if seat not in course.game.seats or player not in PLAYERS:
            course.say(Message(NO_PLAYER, {"expected": Several(PLAYERS)}))
            return
        entry = note({"player": [seat, player]}, "person")
        if not course.keeper.keep([entry], len(course.game.moves), course.clock()):
            course.keeper.postpone(partial(self._change_player, seat, player))
            return
        if seat == course.at_turn:
            course.making.empty()
        if seat == course.actor:
            course.held.clear()
        course.options = course.options.seated(seat, player)
        course.veto.forget()
        self._taking_back.settle()
