"""Mixing: phones add numbers of their own to the deals, so that not even whoever knows the seed can choose the cards.

A round of mixing has two steps. First every phone sends the hash of a number it has just made, and everybody is shown
the hashes; then every phone sends the number itself. Nobody can fit a number to those of the others: its hash fixed it
before the others were known. A phone that does not answer in time is left out, and everybody can see that.

There is a round before the first deal, which waits for it, and one whenever another phone has taken a seat, which
nothing waits for. The numbers of a round replace those before, from the next deal on. A round counts only if every
seat of the round before that a phone still holds took part again: otherwise one phone could replace the numbers of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from companion.engine import TABLE, Message, phrase
from companion.storage.notes import MixNote
from companion.table.fair_deal import hash_of, is_number
from companion.table.live_game import LiveGame
from companion.table.moment import MixCall, MixStep
from companion.table.replies import ACCEPTED, Reply

FIRST_S: Final = 2.0
"""How long the first deal waits for each step."""
LATER_S: Final = 10.0
"""How long phones have for each step when nothing waits for them."""

NOT_ASKED: Final = phrase("This number was not asked for, or came too late: the cards are dealt without it.")


@dataclass(frozen=True)
class MixAnswer:
    """What a phone sends in a round of mixing: the hash of its number, and then the number."""

    phone: str
    round: int
    value: str


@dataclass(frozen=True)
class _Round:
    number: int
    seats: Mapping[str, str]
    """The phones that are asked; for each, the first seat that it holds."""
    patience_s: float
    """How long the phones have for each step."""
    until_s: float
    step: MixStep = MixStep.HASH
    hashes: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether everybody who is still taking part has answered."""
        if self.step is MixStep.HASH:
            return len(self.hashes) == len(self.seats)
        return len(self.numbers) == len(self.hashes)

    def after(self, answer: MixAnswer) -> _Round | None:
        """Returns the round with what a phone has sent, or `None` when that does not count."""
        phone, value = answer.phone, answer.value
        if answer.round != self.number or phone not in self.seats or not is_number(value):
            return None
        if self.step is MixStep.HASH:
            return replace(self, hashes={phone: value, **self.hashes})
        if hash_of(value) != self.hashes.get(phone):
            return None
        return replace(self, numbers={**self.numbers, phone: value})

    def by_seat(self, values: Mapping[str, str]) -> dict[str, str]:
        """Returns what phones have sent, by their seats."""
        return {self.seats[phone]: value for phone, value in values.items()}


class Mixing:
    """The round of mixing that is under way, and the phones that have been asked."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live
        self._round: _Round | None = None
        self._asked: set[str] = set()

    @property
    def call(self) -> MixCall | None:
        """What phones are asked to send now, or `None`."""
        now = self._round
        return None if now is None else MixCall(now.number, now.step, now.by_seat(now.hashes))

    @property
    def holds_up_the_first_deal(self) -> bool:
        """Whether the table waits with its first deal."""
        return self._round is not None and not self._dealt

    @property
    def _dealt(self) -> bool:
        """Whether the table has dealt anything in this game."""
        dealt_from = self._live.session.fairness.dealt_from
        return any(move.seat == TABLE for move in self._live.game.moves[dealt_from:])

    def hear(self, answer: MixAnswer) -> Reply:
        """Takes what a phone sends. The first answer counts."""
        after = None if self._round is None else self._round.after(answer)
        if after is None:
            return Reply.refused(Message(NOT_ASKED, {}))
        self._round = after
        return ACCEPTED

    def tick(self, now_s: float) -> None:
        """Begins a round when there is a phone that was not asked yet, and goes on when the step is done."""
        if self._round is None:
            self._begin(now_s)
        elif self._round.complete or now_s >= self._round.until_s:
            self._go_on(self._round, now_s)

    def due_s(self) -> float | None:
        """Returns when the step ends, or `None` when there is no round under way."""
        return None if self._round is None else self._round.until_s

    def _begin(self, now_s: float) -> None:
        session = self._live.session
        if not session.fairness.secret or session.options.real_cards or session.game.over:
            return
        seats: dict[str, str] = {}
        for seat in session.persons:
            if seat in session.holders:
                seats.setdefault(session.holders[seat], seat)
        if not seats.keys() - self._asked:
            return
        self._asked |= seats.keys()
        patience_s = LATER_S if self._dealt else FIRST_S
        self._round = _Round(session.version, seats, patience_s, now_s + patience_s)

    def _go_on(self, now: _Round, now_s: float) -> None:
        numbers = now.by_seat(now.hashes if now.step is MixStep.HASH else now.numbers)
        mixes = self._live.session.fairness.mixes
        needed = set(mixes[-1].numbers if mixes else ()) & set(now.seats.values())
        if not numbers or needed - numbers.keys():
            self._round = None
        elif now.step is MixStep.HASH:
            self._round = replace(now, step=MixStep.NUMBER, until_s=now_s + now.patience_s)
        else:
            self._round = None
            self._save(MixNote(len(self._live.game.moves), numbers))

    def _save(self, note: MixNote) -> None:
        session = self._live.session
        if not session.note([note], self._live.clock()):
            session.postpone(partial(self._save, note))
