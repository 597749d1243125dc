"""Guards seats while a secret is at stake: then a seat changes hands only if its phone agrees, or has been gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.engine import TABLE, Message, phrase
from companion.table.confirmations import CONFIRM, Confirmation
from companion.table.handovers import secret_at_stake
from companion.table.live_game import LiveGame
from companion.table.options import PERSON
from companion.table.replies import Reply

GONE_S: Final = 60.0
"""How long a phone must have been gone before its seat can be taken without asking it."""

BOT_DECIDES: Final = phrase("The bot that plays {seat} decides in secret now. Change the seat after that.")
PHONE_IS_ASKED: Final = phrase("{seat} decides in secret now, so {seat}'s phone is asked first.")
GIVE_AWAY: Final = phrase("Give your seat away?")
SOMEBODY_WANTS_IT: Final = phrase("Somebody else wants to change who plays {seat}.")
YES_GIVE_AWAY: Final = phrase("Yes, give it away")


@dataclass(frozen=True)
class PhonePresence:
    """A phone has opened its page, or closed it."""

    phone: str
    """Identifies the phone without revealing its token."""
    here: bool


class SeatGuard:
    """Knows which phones are there, and asks them before their seats change hands at a bad time."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live
        self._begun_s = live.clock()
        self._here: set[str] = set()
        self._seen_s: dict[str, float] = {}
        """When each phone was last seen that is not there now."""

    def notice(self, presence: PhonePresence) -> None:
        """Notes that a phone has come or gone."""
        if presence.here:
            self._here.add(presence.phone)
        else:
            self._here.discard(presence.phone)
            self.saw(presence.phone)

    def saw(self, phone: str) -> None:
        """Notes a sign of life of a phone."""
        self._seen_s[phone] = self._live.clock()

    def seat_of(self, phone: str) -> str:
        """Returns the seat of whoever asks for a change, for others to read; without a seat, it is the table."""
        return next((seat for seat, holder in self._live.session.holders.items() if holder == phone), TABLE)

    def refusal(self, seat: str, by_phone: str, change: Callable[[], Reply]) -> Reply | None:
        """Returns why a seat cannot change hands now, or `None` when it can. If its phone is there, it is asked.

        :param by_phone: the phone that wants the change; its own seat is its to give.
        :param change: makes the change, when the seat's phone has agreed.
        """
        live, session = self._live, self._live.session
        if not secret_at_stake(live.game, seat):
            return None
        if session.options.player(seat) != PERSON:
            return live.refuse(Message(BOT_DECIDES, {"seat": seat}))
        holder = session.holders.get(seat, by_phone)
        if holder == by_phone or self._gone_s(holder) >= GONE_S:
            return None
        yes = Message(YES_GIVE_AWAY, {})
        wanted = (Message(SOMEBODY_WANTS_IT, {"seat": seat}),)
        live.interaction.confirmations.ask(
            seat, Confirmation(Message(GIVE_AWAY, {}), wanted, yes, yes, CONFIRM, change)
        )
        return live.refuse(Message(PHONE_IS_ASKED, {"seat": seat}))

    def _gone_s(self, phone: str) -> float:
        if phone in self._here:
            return 0.0
        return self._live.clock() - self._seen_s.get(phone, self._begun_s)
