"""Phones take seats: by a code that the web pages check, or by the button that lights up, if somebody presses it.

Who holds which seat is a note in the journal, as who plays it is: so a phone keeps its seat over a restart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from companion.engine import PLACES, Message, phrase
from companion.storage.journal import Entry, note
from companion.table.course import Course
from companion.table.options import PERSON

KNOCK_S: Final = 60.0
"""How long a button is lit for a phone that wants a seat."""
OPEN_S: Final = 120.0
"""How long a seat may be taken over after somebody held a button down."""
NAME_LENGTH: Final = 20

IS_IN: Final = phrase("{seat} has a phone.")
WANTS_IN: Final = phrase("A phone wants to play {seat}: press the button that is lit for it.")
TAKEN: Final = phrase("Another phone has the seat of {seat}: nobody was let in.")
PLAYED_BY_A_BOT: Final = phrase("A bot plays {seat} now: nobody was let in.")
SEATS_ARE_OPEN: Final = phrase("Phones may take any seat now, also one that another phone has.")


@dataclass(frozen=True)
class Seated:
    """A phone was let in by a code, or a seat is freed."""

    seat: str
    phone: str
    """Stands for the phone: never its token, only what the token is known by. Empty: nobody."""
    name: str = ""


@dataclass(frozen=True)
class Knock:
    """A phone wants a seat, and somebody at the board has to let it in."""

    seat: str
    phone: str
    name: str = ""


@dataclass(frozen=True)
class Door:
    """What is under way at the door."""

    knock: Knock | None = None
    place: str = ""
    """The place whose button lets it in."""
    until_s: float = 0.0
    open_until_s: float = 0.0
    """Until when any seat may be taken."""


def holders_after(notes: Iterable[Mapping[str, object]]) -> dict[str, str]:
    """Which phone holds which seat after the notes of a game."""
    holders: dict[str, str] = {}
    for each in notes:
        match each.get("phone"):
            case [str(seat), str(phone)]:
                holders[seat] = phone
    return {seat: phone for seat, phone in holders.items() if phone}


class Joining:
    """Lets phones in."""

    def __init__(self, course: Course, holders: Mapping[str, str], chance: Random) -> None:
        self._course = course
        self._chance = chance
        self.holders = dict(holders)
        """Which phone holds which seat. It is replaced, never changed, so that any thread may read it."""
        self.door = Door()

    def seat(self, wish: Seated) -> None:
        """A phone sits down, if the seat is to be had, or is sent away."""
        course = self._course
        if wish.seat not in course.game.seats or (wish.phone and self._refused(wish)):
            return
        entries = [note({"phone": [wish.seat, wish.phone]}, "person")]
        name = " ".join(wish.name.split())[:NAME_LENGTH]
        if name and name != course.options.names.get(wish.seat):
            entries.append(note({"name": [wish.seat, name]}, "person"))
        if not self._keep(entries):
            course.keeper.postpone(partial(self.seat, wish))
            return
        self._hold(wish.seat, wish.phone)
        if name:
            course.options = course.options.called(wish.seat, name)
        if wish.phone and len(course.persons) > 1:
            course.say(Message(IS_IN, {"seat": wish.seat}))

    def knock(self, knock: Knock, lit: Collection[str]) -> None:
        """Lights a button for a phone that wants a seat: one that is not asked for now, if there is one."""
        course = self._course
        if knock.seat not in course.game.seats or self._refused(knock):
            return
        place = self._chance.choice([place for place in PLACES if place not in lit] or PLACES)
        self.door = Door(knock, place, course.clock() + KNOCK_S, self.door.open_until_s)
        course.say(Message(WANTS_IN, {"seat": knock.seat}))

    def pressed(self, place: str) -> bool:
        """Whether a press was meant for who knocked: it lets them in, if the seat is still to be had."""
        knock = self.door.knock
        if knock is None or place != self.door.place:
            return False
        self.door = Door(open_until_s=self.door.open_until_s)
        self.seat(Seated(knock.seat, knock.phone, knock.name))
        return True

    def sending_away(self, seat: str) -> list[Entry]:
        """What is to be kept if a seat shall have no phone any more; nothing if it has none."""
        return [note({"phone": [seat, ""]}, "person")] if seat in self.holders else []

    def sent_away(self, seat: str) -> None:
        """It is kept that a seat has no phone any more."""
        self._hold(seat, "")

    def open_seats(self) -> None:
        """Somebody at the board lets phones take any seat for a while: one was lost."""
        self.door = Door(self.door.knock, self.door.place, self.door.until_s, self._course.clock() + OPEN_S)
        self._course.say(Message(SEATS_ARE_OPEN, {}))

    def go_on(self, now_s: float) -> None:
        """Nobody came to the door in time."""
        door = self.door
        if door.knock is not None and now_s >= door.until_s:
            door = Door(open_until_s=door.open_until_s)
        if door.open_until_s and now_s >= door.open_until_s:
            door = Door(door.knock, door.place, door.until_s)
        self.door = door

    def due_s(self) -> float | None:
        """When that is."""
        dues = [due_s for due_s in (self.door.until_s, self.door.open_until_s) if due_s]
        return min(dues, default=None)

    def _refused(self, wish: Seated | Knock) -> bool:
        """Whether a seat is not to be had for a phone; everybody is told why."""
        course, held = self._course, self.holders.get(wish.seat, wish.phone)
        if course.options.player(wish.seat) != PERSON:
            course.say(Message(PLAYED_BY_A_BOT, {"seat": wish.seat}))
            return True
        if held != wish.phone and course.clock() >= self.door.open_until_s:
            course.say(Message(TAKEN, {"seat": wish.seat}))
            return True
        return False

    def _hold(self, seat: str, phone: str) -> None:
        after = {**self.holders, seat: phone}
        self.holders = {seat: phone for seat, phone in after.items() if phone}

    def _keep(self, entries: list[Entry]) -> bool:
        course = self._course
        return course.keeper.keep(entries, len(course.game.moves), course.clock())
