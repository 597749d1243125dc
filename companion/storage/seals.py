"""Seals: a hash for everything the journal holds, so that damage is found and never taken for another game.

The seals of moves and undos are a chain. It begins with the game's header and seed, and each seal covers the one
before, so that no move can be changed, lost or put elsewhere. Notes and options, which hold names and other personal
data, have seals of their own outside the chain: they can be deleted, and the chain still holds.

Seals are in a table of their own, by game and number: those from 1 on are for the entries with these numbers, and the
others for the game itself. A row that is lost in one table is missed in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

START: Final = 0
"""The number of the seal that covers a game's header and seed: the chain begins with it."""
AGREED: Final = -1
"""The number of the seal that covers a game's options."""
FINISHED: Final = -2
"""The number of the seal that covers when a game was finished; there is none before that."""

BEGUN: Final = -3
"""The number of the seal that covers when a game was begun."""

GameRow = tuple[bytes, bytes | None, bytes, bytes, bytes]
"""When a game was begun and finished, its header, options and seed."""
EntryRow = tuple[int, bytes, bytes, bytes]
"""The number of an entry, its kind, its line and who made it."""


def seal_of(*parts: bytes | int) -> bytes:
    """Returns the hash of some values, each with its length, so that none can pass for a part of another.

    >>> seal_of(b"ab", b"c") == seal_of(b"a", b"bc")
    False
    """
    whole = sha256()
    for part in parts:
        content = part if isinstance(part, bytes) else str(part).encode()
        whole.update(len(content).to_bytes(4) + content)
    return whole.digest()


def game_seals(game_id: int, row: GameRow) -> dict[int, bytes]:
    """Returns the seals of a game itself."""
    begun_at, finished_at, header, options, seed = row
    seals = {
        START: seal_of(b"start", game_id, header, seed),
        AGREED: seal_of(b"agreed", game_id, options),
        BEGUN: seal_of(b"begun", game_id, begun_at),
    }
    return seals if finished_at is None else {**seals, FINISHED: seal_of(b"finished", game_id, finished_at)}


def entry_seal(game_id: int, entry: EntryRow, before: bytes) -> bytes:
    """Returns the seal of an entry; `before` is that of the move or undo before it, or of the start of the game."""
    number, kind, line, made_by = entry
    return seal_of(b"" if kind == b"note" else before, game_id, number, kind, line, made_by)


def seals_of(game_id: int, entries: Iterable[EntryRow], before: bytes) -> dict[int, bytes]:
    """Returns the seals of entries that follow one another, by number."""
    seals = {}
    for entry in entries:
        seals[entry[0]] = entry_seal(game_id, entry, before)
        before = seals[entry[0]] if entry[1] != b"note" else before
    return seals


def wrong_part(game_id: int, row: GameRow, seals: Mapping[int, bytes]) -> int | None:
    """Returns the number of the first seal of a game itself that does not fit, or `None` when all do."""
    expected = game_seals(game_id, row)
    return next((part for part in (START, AGREED, FINISHED, BEGUN) if seals.get(part) != expected.get(part)), None)
