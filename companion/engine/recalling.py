"""Bringing caballeros home from regions when the province ran out: part of a turn, and of the card `court-2`."""

from __future__ import annotations

from .moves import Move
from .state import State


def recalls(s: State) -> list[Move]:
    """From where the acting seat may bring a caballero home: any region but the King's."""
    moves = s.setup.moves[s.actor].recall
    return [moves[region] for region in s.open_regions() if s.board[region][s.actor]]


def recall(s: State, move: Move) -> None:
    """Brings one caballero from a region to the court."""
    s.add(move.place, s.actor, -1)
    s.court[s.actor] += 1
