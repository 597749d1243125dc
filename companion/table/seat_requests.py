"""Phones take seats: with a code that the web pages check, or by a button that lights up and somebody presses.

Which phone holds which seat is a note in the journal, like who plays it, so a phone keeps its seat over a restart.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

from companion.engine import PLACES, Message, phrase
from companion.storage.notes import NameNote, Note, PhoneNote
from companion.table.live_game import LiveGame
from companion.table.options import PERSON
from companion.table.replies import ACCEPTED, WAITING, Reply

KNOCK_S: Final = 60.0
"""How long a button is lit for a phone that asks for a seat."""
OPEN_S: Final = 120.0
"""How long a seat may be taken over after somebody held a button down."""
NAME_LENGTH: Final = 20

IS_IN: Final = phrase("{seat} has a phone.")
WANTS_IN: Final = phrase("A phone wants to play {seat}: press the button that is lit for it.")
TAKEN: Final = phrase("Another phone has the seat of {seat}: nobody was let in.")
PLAYED_BY_A_BOT: Final = phrase("A bot plays {seat} now: nobody was let in.")
SEATS_ARE_OPEN: Final = phrase("Phones may take any seat now, also one that another phone has.")
NO_SEAT: Final = phrase("Nobody sits at {seat} in this game.")


@dataclass(frozen=True)
class TakeSeat:
    """A phone that showed a code takes a seat, or a seat becomes free."""

    seat: str
    phone: str
    """Identifies the phone without revealing its token; empty when the seat becomes free."""
    name: str = ""


@dataclass(frozen=True)
class Knock:
    """A phone without a code asks for a seat, and somebody at the board has to let it in."""

    seat: str
    phone: str
    name: str = ""


@dataclass(frozen=True)
class SeatAccess:
    """The request that is open, and whether seats may be taken over."""

    knock: Knock | None = None
    place: str = ""
    """The place whose button grants the request."""
    until_s: float = 0.0
    open_until_s: float = 0.0
    """Until when any seat may be taken."""

    def without_knock(self) -> SeatAccess:
        """The same without the request."""
        return SeatAccess(open_until_s=self.open_until_s)


class SeatRequests:
    """Grants and refuses the requests of phones."""

    def __init__(self, live: LiveGame, chance: Random) -> None:
        self._live = live
        self._chance = chance
        self._access = SeatAccess()

    @property
    def access(self) -> SeatAccess:
        """The request that is open, and whether seats may be taken over."""
        return self._access

    def take_seat(self, wish: TakeSeat) -> Reply:
        """A phone takes a seat, if it may have it; or a seat becomes free."""
        live, session = self._live, self._live.session
        refusal = self._refusal(wish) if wish.phone else self._no_seat(wish.seat)
        if refusal is not None:
            return refusal
        notes: list[Note] = [PhoneNote(wish.seat, wish.phone)]
        name = " ".join(wish.name.split())[:NAME_LENGTH]
        if name and name != session.options.names.get(wish.seat):
            notes.append(NameNote(wish.seat, name))
        if not session.note(notes, live.clock()):
            session.postpone(partial(self.take_seat, wish))
            return WAITING
        if wish.phone and len(session.persons) > 1:
            live.announcements.say(Message(IS_IN, {"seat": wish.seat}))
        return ACCEPTED

    def knock(self, knock: Knock, lit: Collection[str]) -> Reply:
        """Lights a button for a phone that asks for a seat: one that is not lit for the game, if there is one."""
        live = self._live
        refusal = self._refusal(knock)
        if refusal is not None:
            return refusal
        place = self._chance.choice([place for place in PLACES if place not in lit] or PLACES)
        self._access = SeatAccess(knock, place, live.clock() + KNOCK_S, self._access.open_until_s)
        live.announcements.say(Message(WANTS_IN, {"seat": knock.seat}))
        return WAITING

    def pressed(self, place: str) -> bool:
        """Whether a press granted a request, rather than being a move."""
        knock = self._access.knock
        if knock is None or place != self._access.place:
            return False
        self._access = self._access.without_knock()
        self.take_seat(TakeSeat(knock.seat, knock.phone, knock.name))
        return True

    def open_seats(self) -> Reply:
        """Somebody at the board lets phones take any seat for a while, because one was lost."""
        self._access = replace(self._access, open_until_s=self._live.clock() + OPEN_S)
        self._live.announcements.say(Message(SEATS_ARE_OPEN, {}))
        return ACCEPTED

    def tick(self, now_s: float) -> None:
        """Ends what nobody has answered in time."""
        if self._access.knock is not None and now_s >= self._access.until_s:
            self._access = self._access.without_knock()
        if self._access.open_until_s and now_s >= self._access.open_until_s:
            self._access = replace(self._access, open_until_s=0.0)

    def due_s(self) -> float | None:
        """When something ends next."""
        return min((due_s for due_s in (self._access.until_s, self._access.open_until_s) if due_s), default=None)

    def _no_seat(self, seat: str) -> Reply | None:
        return None if seat in self._live.game.seats else Reply.refused(Message(NO_SEAT, {"seat": seat}))

    def _refusal(self, wish: TakeSeat | Knock) -> Reply | None:
        """Why a phone may not have a seat; everybody is told. Returns `None` when it may."""
        live, session = self._live, self._live.session
        if (refusal := self._no_seat(wish.seat)) is not None:
            return refusal
        if session.options.player(wish.seat) != PERSON:
            return live.refuse(Message(PLAYED_BY_A_BOT, {"seat": wish.seat}))
        held = session.holders.get(wish.seat, wish.phone)
        if held != wish.phone and live.clock() >= self._access.open_until_s:
            return live.refuse(Message(TAKEN, {"seat": wish.seat}))
        return None
