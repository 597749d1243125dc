"""How phones take seats: with a code that the web pages check, or when somebody presses a button that lights up.

Which phone holds which seat is a note in the journal, like who plays it, so a phone keeps its seat after a restart.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

from companion.engine import PLACES, TABLE, Message, phrase
from companion.storage.notes import HandoverNote, NameNote, Note, PhoneNote
from companion.table.handovers import NOBODY, PHONE, handover_words
from companion.table.live_game import LiveGame
from companion.table.names import name_problem, tidy_name
from companion.table.options import PERSON
from companion.table.replies import ACCEPTED, WAITING, Reply
from companion.table.seat_guard import SeatGuard

KNOCK_S: Final = 60.0
"""How long a button is lit for a phone that asks for a seat."""
OPEN_S: Final = 120.0
"""How long seats may be taken over after somebody has held down a button."""

IS_IN: Final = phrase("{seat} has joined.")
WANTS_IN: Final = phrase("A phone wants to play {seat}: press the button that is lit for it.")
WANTS_TO_MANAGE: Final = phrase("A phone wants to set up a game: press the button that is lit white.")
TAKEN: Final = phrase("Another phone has {seat}'s seat: nobody was let in.")
PLAYED_BY_A_BOT: Final = phrase("A bot plays {seat} now: nobody was let in.")
SEATS_ARE_OPEN: Final = phrase("Phones may take any seat now, even one that another phone has.")
NO_SEAT: Final = phrase("{seat} is not in this game.")


@dataclass(frozen=True)
class TakeSeat:
    """A request to give a seat to a phone that has shown a code, or to free a seat."""

    seat: str
    phone: str
    """Identifies the phone without revealing its token; empty to free the seat."""
    name: str = ""
    over: bool = False
    """Whether to take the seat over from the phone that holds it; only for whoever may manage the table."""
    by_phone: str = ""
    """The phone that asks for it, if it is another than the one that gets the seat."""


@dataclass(frozen=True)
class Knock:
    """A request for a seat from a phone without a code, which somebody at the board has to grant."""

    seat: str
    phone: str
    name: str = ""


@dataclass(frozen=True)
class KnockToManage:
    """A request to manage the table from a phone without a code, which somebody at the board has to grant."""

    phone: str

    @property
    def seat(self) -> str:
        """Stands for the table itself, as in the notation."""
        return TABLE


@dataclass(frozen=True)
class SeatAccess:
    """The open request, and whether seats may be taken over."""

    knock: Knock | KnockToManage | None = None
    place: str = ""
    """The place whose button grants the request."""
    until_s: float = 0.0
    open_until_s: float = 0.0
    """Until when any seat may be taken; 0 when they may not."""

    def without_knock(self) -> SeatAccess:
        """Returns the same without the request."""
        return SeatAccess(open_until_s=self.open_until_s)


def dark_place(lit: Collection[str], chance: Random) -> str:
    """Returns a place whose button can be lit for a request, if possible one that is not lit already."""
    return chance.choice([place for place in PLACES if place not in lit] or PLACES)


class SeatRequests:
    """Grants and refuses the requests of phones."""

    def __init__(self, live: LiveGame, chance: Random, guard: SeatGuard) -> None:
        self._live = live
        self._guard = guard
        self._chance = chance
        self._access = SeatAccess()
        self._managers: frozenset[str] = frozenset()

    @property
    def managers(self) -> frozenset[str]:
        """The phones that somebody at the board has let manage the table. It is replaced and never changed."""
        return self._managers

    @property
    def access(self) -> SeatAccess:
        """The open request, and whether seats may be taken over."""
        return self._access

    def take_seat(self, wish: TakeSeat) -> Reply:
        """Gives a seat to a phone, if it may have it, or frees the seat."""
        session = self._live.session
        refusal = self._refusal(wish) if wish.phone else self._no_seat(wish.seat)
        if refusal is None and session.holders.get(wish.seat, wish.phone) != wish.phone:
            refusal = self._guard.refusal(wish.seat, wish.by_phone, partial(self._take_seat, wish))
        return self._take_seat(wish) if refusal is None else refusal

    def _take_seat(self, wish: TakeSeat) -> Reply:
        live, session = self._live, self._live.session
        holder, handover = session.holders.get(wish.seat, ""), None
        notes: list[Note] = [PhoneNote(wish.seat, wish.phone)]
        by = self._guard.seat_of(wish.by_phone or wish.phone)
        if wish.phone and session.handovers.is_new(wish.seat, wish.phone):
            handover = HandoverNote(wish.seat, session.version, PHONE, by)
        elif holder and not wish.phone:
            handover = HandoverNote(wish.seat, session.version, NOBODY, by)
        notes += [handover] if handover else []
        name = tidy_name(wish.name)
        if name and name != session.options.names.get(wish.seat):
            notes.append(NameNote(wish.seat, name))
        if not session.note(notes, live.clock()):
            return live.wait_for_disk(partial(self._take_seat_later, wish))
        self._guard.saw(wish.phone)
        if handover is not None:
            live.seat_changed_hands(wish.seat)
            live.announcements.say(*handover_words(handover))
        elif wish.phone and len(session.persons) > 1:
            live.announcements.mention(Message(IS_IN, {"seat": wish.seat}))
        return ACCEPTED

    def _take_seat_later(self, wish: TakeSeat) -> Reply:
        """Does it when it can be saved, unless somebody else has been given the seat meanwhile."""
        refusal = self._refusal(wish) if wish.phone else None
        return self._take_seat(wish) if refusal is None else refusal

    def knock(self, knock: Knock | KnockToManage, lit: Collection[str]) -> Reply:
        """Lights a button for a phone that asks for something, if possible one that is not lit for the game."""
        live = self._live
        refusal = self._refusal(knock) if isinstance(knock, Knock) else None
        if refusal is not None:
            return refusal
        place = dark_place(lit, self._chance)
        self._access = SeatAccess(knock, place, live.clock() + KNOCK_S, self._access.open_until_s)
        words = Message(WANTS_IN, {"seat": knock.seat}) if isinstance(knock, Knock) else Message(WANTS_TO_MANAGE, {})
        live.announcements.say(words)
        return WAITING

    def pressed(self, place: str) -> bool:
        """Grants the open request if its button was pressed. Returns whether it was; otherwise the press is a move."""
        knock = self._access.knock
        if knock is None or place != self._access.place:
            return False
        self._access = self._access.without_knock()
        if isinstance(knock, Knock):
            self.take_seat(TakeSeat(knock.seat, knock.phone, knock.name))
        else:
            self._managers |= {knock.phone}
        return True

    def open_seats(self) -> Reply:
        """Lets phones take any seat for a while, because somebody at the board says that one was lost."""
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
        """Returns when something ends next, or `None` when nothing will."""
        return min((due_s for due_s in (self._access.until_s, self._access.open_until_s) if due_s), default=None)

    def _no_seat(self, seat: str) -> Reply | None:
        return None if seat in self._live.game.seats else Reply.refused(Message(NO_SEAT, {"seat": seat}))

    def _refusal(self, wish: TakeSeat | Knock) -> Reply | None:
        """Returns why a phone may not have a seat, or `None` when it may."""
        live, session = self._live, self._live.session
        if (refusal := self._no_seat(wish.seat)) is not None:
            return refusal
        if (problem := name_problem(wish.seat, wish.name, session.options.names)) is not None:
            return Reply.refused(problem)  # only whoever chose the name is told
        if session.options.player(wish.seat) != PERSON:
            return live.refuse(Message(PLAYED_BY_A_BOT, {"seat": wish.seat}))
        held = session.holders.get(wish.seat, wish.phone)
        over = isinstance(wish, TakeSeat) and wish.over
        if held != wish.phone and not over and live.clock() >= self._access.open_until_s:
            return live.refuse(Message(TAKEN, {"seat": wish.seat}))
        return None
