"""Bringing caballeros from regions to the court once the province is empty: in a turn, and with the card `court-2`."""

from __future__ import annotations

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
