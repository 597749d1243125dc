"""Bringing caballeros from regions to the court once the province is empty: in a turn, and with the card `court-2`."""

from __future__ import annotations

from .messages import Field, QuestionWords, phrase
from .moves import Move
from .state import State


def recalls(s: State) -> list[Move]:
    """Returns the recalls open to the acting seat: from any region but the King's where it has a caballero."""
    moves = s.setup.moves[s.actor].recall
    return [moves[region] for region in s.open_regions() if s.board[region][s.actor]]


def recall(s: State, move: Move) -> None:
    """Brings one caballero from a region to the court."""
    s.add(move.place, s.actor, -1)
    s.court[s.actor] += 1


def recall_question(s: State, seat: int, number: int) -> QuestionWords:
    """Returns what a seat is asked that may bring this many more from regions."""
    fields: dict[str, Field] = {"seat": s.setup.name(seat), "number": number}
    return QuestionWords.using(
        phrase("{seat} may bring home {number} more from regions"),
        phrase("Bring home up to {number} more from regions"),
        fields,
    )
