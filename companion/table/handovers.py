"""Handovers: seats that change hands, what everybody is told about it, and what the new player may see.

Whoever takes a seat over sees its secrets (its dial, the cards it has taken back) only from its next decision on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from companion.engine import TABLE, Game, Message, phrase
from companion.storage.notes import HandoverNote, Note, PhoneNote, PlayerNote
from companion.table.moment import Handover
from companion.table.options import PERSON

PHONE: Final = "phone"
NOBODY: Final = "nobody"

ANOTHER_PHONE: Final = phrase("Another phone plays {seat} now.")
SEAT_IS_FREE: Final = phrase("{seat}'s seat is free now.")
BOT_PLAYS: Final = phrase("A bot plays {seat} now.")
PERSON_PLAYS: Final = phrase("A person plays {seat} now.")
CHANGED_BY: Final = phrase("Changed by {seat}.")
CHANGED_AT_THE_TABLE: Final = phrase("Changed at the table.")

_WORDS: Final = {PHONE: ANOTHER_PHONE, NOBODY: SEAT_IS_FREE, PERSON: PERSON_PLAYS}


def handover_words(note: HandoverNote) -> tuple[Message, Message]:
    """Returns what has changed, and who has changed it.

    >>> [str(line) for line in handover_words(HandoverNote("red", 7, "easy", by="blue"))]
    ['A bot plays red now.', 'Changed by blue.']
    """
    words = _WORDS.get(note.to, BOT_PLAYS)
    by = Message(CHANGED_AT_THE_TABLE, {}) if note.by == TABLE else Message(CHANGED_BY, {"seat": note.by})
    return Message(words, {"seat": note.seat}), by


class Handovers:
    """Who has had each seat, and since when.

    :param notes: the notes in the game's journal.
    """

    def __init__(self, notes: Iterable[Note]) -> None:
        self._last: dict[str, str] = {}
        """The phone that had each seat last; empty when a bot may have played it since."""
        self._since: dict[str, int] = {}
        """The number of the entry after which each seat changed hands."""
        self._all: tuple[Handover, ...] = ()
        self.take(notes)

    @property
    def all(self) -> tuple[Handover, ...]:
        """Every handover of the game, for the log."""
        return self._all

    def take(self, notes: Iterable[Note]) -> None:
        """Takes what has been noted."""
        for note in notes:
            match note:
                case PhoneNote(seat, phone) if phone:
                    self._last[seat] = phone
                case PlayerNote(seat):
                    self._last[seat] = ""
                case HandoverNote(seat, after, to):
                    if to != NOBODY:  # its own phone may come back
                        self._since[seat] = after
                    self._all += (Handover(seat, after, handover_words(note)),)

    def is_new(self, seat: str, phone: str) -> bool:
        """Returns whether a phone takes a seat over from somebody else. The first one to have it does not."""
        return self._last.get(seat, phone) != phone

    def veiled(self, seat: str, game: Game, numbers: Sequence[int], made_by: Sequence[str]) -> bool:
        """Returns whether the player of a seat may not see its secrets, because it has had no decision since.

        :param numbers: the number of the journal entry for each move of the game.
        :param made_by: who made each move; what the table plays for a seat is not a decision.
        """
        since = self._since.get(seat)
        if since is None or not numbers or numbers[-1] <= since:
            return since is not None
        made = zip(game.moves, numbers, made_by, strict=True)
        decided = any(number > since and move.seat == seat and by != "table" for move, number, by in made)
        return not decided and seat not in game.to_act


def secret_at_stake(game: Game, seat: str) -> bool:
    """Returns whether a seat must not change hands just like that.

    That is so while dials are being set, and while the seat must choose from cards that nobody else knows.
    """
    hidden: Mapping[str, object] = game.view(None)["seats"][seat]
    return game.dialling or (seat in game.to_act and hidden["hand"] is None)
