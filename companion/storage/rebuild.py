"""Rebuilds a saved game from its rows in the journal, and finds out from its seals whether it is damaged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from companion.engine import TABLE, EngineError, Game, Move, NotAMove
from companion.engine.views import SECRET_VERBS
from companion.storage.entries import fields_of, moves_undone
from companion.storage.errors import BadAgreement, BadHeader, BadJournal
from companion.storage.notes import NameNote, Note, SetAsideNote, read_note
from companion.storage.seals import (
    AGREED,
    BEGUN,
    FINISHED,
    START,
    EntryRow,
    GameRow,
    entry_seal,
    game_seals,
    wrong_part,
)

HMAC_SEED: Final = "hmac-sha256:"
"""What a seed of 32 bytes begins with, followed by its hexadecimal digits. Any other seed is a plain number."""
_SEED: Final = re.compile(rf"-?\d+|{HMAC_SEED}[0-9a-f]{{64}}", re.ASCII)
_NO_NUMBER: Final = 2**63
"""More than any entry's number."""
_WRONG_PARTS: Final = {
    START: "its header or seed does not fit its seal",
    AGREED: "its options do not fit their seal",
    FINISHED: "whether it is finished does not fit its seal",
    BEGUN: "the time it was begun does not fit its seal",
}


@dataclass(frozen=True)
class Kept:
    """A saved game, rebuilt from the journal."""

    id: int
    game: Game
    made_by: tuple[str, ...]
    """Who made each move that stands: one entry per move of the game."""
    options: dict[str, object]
    seed: str = field(repr=False)
    begun_at: str
    finished_at: str | None
    entries: int
    """The number of entries: the `after` of the next append."""
    notes: tuple[Note, ...]
    fixed: int = 0
    """How many moves cannot be undone: cards were turned up after them, even if those were taken back since."""

    numbers: tuple[int, ...] = ()
    """The number of the entry that holds each move that stands."""

    @property
    def names(self) -> dict[str, str]:
        """What the players are called, by seat: as agreed, and as those who joined said."""
        agreed = self.options.get("names")
        names = {str(seat): str(name) for seat, name in agreed.items()} if isinstance(agreed, dict) else {}
        return names | {note.seat: note.name for note in self.notes if isinstance(note, NameNote)}

    @property
    def set_aside(self) -> bool:
        """Whether another game may be begun before this one is finished."""
        return next((note.aside for note in reversed(self.notes) if isinstance(note, SetAsideNote)), False)


def fixed_by(moves: Sequence[Move], index: int) -> int:
    """Returns how many moves a turned-up card fixes: all those before the cards turned up together with it."""
    while index and moves[index - 1].seat == TABLE:
        index -= 1
    return index


@dataclass(frozen=True)
class Stored:
    """A game as it is stored; `seals` is `None` when the file is of a version without them."""

    id: int
    row: GameRow
    entries: Sequence[EntryRow]
    seals: Mapping[int, bytes] | None


def rebuilt(path: Path, stored: Stored) -> Kept:
    """Rebuilds a game by playing its entries from the beginning, and checks every seal."""
    game_id, seals = stored.id, stored.seals
    begun_at, finished_at, header, options, seed = stored.row
    try:
        game = Game.from_record(header.decode())
        agreed = fields_of(options.decode())
        secret = seed.decode()
        if not _SEED.fullmatch(secret):
            raise ValueError("its seed is neither a number nor 32 bytes in hexadecimal digits")
    except ValueError as error:
        raise _bad_beginning(stored)(path, str(error), game_id) from None
    if seals is not None and (wrong := wrong_part(game_id, stored.row, seals)) is not None:
        raise _bad_beginning(stored)(path, _WRONG_PARTS[wrong], game_id)
    made_by: list[str] = []
    notes: list[Note] = []
    numbers: list[int] = []
    last = fixed = 0
    link = b"" if seals is None else seals[START]
    for entry in stored.entries:
        number, kind, content, maker = entry
        line, move = "", len(numbers) + 1
        lost = _first_lost(seals, last, number)
        last = lost or number
        try:
            if lost:
                raise ValueError("it is missing")
            seal = entry_seal(game_id, entry, link)
            line = content.decode()
            match kind.decode():
                case "move":
                    game.play(line)
                    made_by.append(maker.decode())
                    numbers.append(number)
                    if line.startswith(f"{TABLE} "):
                        fixed = max(fixed, fixed_by(game.moves, len(game.moves) - 1))
                case "undo":
                    for _ in range(moves_undone(line)):
                        game.undo()
                        made_by.pop()
                        numbers.pop()
                case "note":
                    notes.append(read_note(fields_of(line)))
                case unknown:
                    raise ValueError(f"there are no entries of the kind '{unknown}'")
            if seals is not None and seals.get(number) != seal:
                raise ValueError("it does not fit its seal")
        except ValueError as error:
            raise BadJournal(path, _reason(line, error), game_id, last, move) from None
        link = link if kind == b"note" else seal
    if lost := _first_lost(seals, last, _NO_NUMBER):
        raise BadJournal(path, "it is missing", game_id, lost, len(numbers) + 1)
    return Kept(
        game_id, game, tuple(made_by), agreed, secret, text_of(begun_at),
        None if finished_at is None else text_of(finished_at), last, tuple(notes), fixed, tuple(numbers),
    )  # fmt: skip


def _bad_beginning(stored: Stored) -> type[BadHeader]:
    """Returns what to raise for a game whose beginning is wrong: its header and seed may be good all the same."""
    start = game_seals(stored.id, stored.row)[START]
    return BadHeader if stored.seals is None or stored.seals.get(START) != start else BadAgreement


def _first_lost(seals: Mapping[int, bytes] | None, last: int, number: int) -> int:
    """Returns the number of the first entry between two that was there once, or 0 when there was none.

    A note that was deleted, together with its seal, was there once and is not missed.
    """
    if number == last + 1:
        return 0
    if seals is None:
        return 0 if number == _NO_NUMBER else last + 1
    return min((sealed for sealed in seals if last < sealed < number), default=0)


def mended(path: Path, stored: Stored) -> Stored:
    """Returns what is good of a damaged game: everything up to its last good move.

    Damaged notes become empty ones, and damaged options become none; the moves do not depend on them.
    """
    seals, entries = stored.seals, stored.entries
    while True:
        try:
            rebuilt(path, Stored(stored.id, stored.row, entries, seals))
        except BadHeader as problem:
            stored, seals = _with_agreement(stored, seals, problem)
        except BadJournal as problem:
            bad = next((entry for entry in entries if entry[0] == problem.entry), None)
            if bad is not None and bad[1] == b"note" and bad[2:] != _EMPTY:
                empty = (bad[0], b"note", *_EMPTY)
                entries = [empty if entry is bad else entry for entry in entries]
                seals = _resealed(seals, problem.entry, entry_seal(stored.id, empty, b""))
            elif bad is None:
                # If it was a note, what follows still fits; if it was a move, that does not.
                seals = _resealed(seals, problem.entry, None)
            else:
                entries = [entry for entry in entries if entry[0] < problem.entry]
                seals = seals and {number: seal for number, seal in seals.items() if number < problem.entry}
        else:
            return Stored(stored.id, stored.row, entries, seals)


_EMPTY: Final = (b"{}", b"table")


def _resealed(seals: Mapping[int, bytes] | None, number: int, seal: bytes | None) -> Mapping[int, bytes] | None:
    if seals is None:
        return None
    others = {each: seals[each] for each in seals if each != number}
    return others if seal is None else {**others, number: seal}


def _with_agreement(
    stored: Stored, seals: Mapping[int, bytes] | None, problem: BadHeader
) -> tuple[Stored, Mapping[int, bytes] | None]:
    """Returns a game with options and an end that can be trusted, if its header and seed can be."""
    begun_at, finished_at, header, options, seed = stored.row
    right = game_seals(stored.id, stored.row)
    if seals is None or seals.get(START) != right[START]:
        raise problem
    if seals.get(FINISHED) != right.get(FINISHED):
        finished_at = None
    if seals.get(AGREED) != right[AGREED]:
        options = _EMPTY[0]
    row = (begun_at, finished_at, header, options, seed)
    if row == stored.row and seals.get(BEGUN) == right[BEGUN]:
        raise problem
    entry_seals = {number: seal for number, seal in seals.items() if number > START}
    return Stored(stored.id, row, stored.entries, seals), {**entry_seals, **game_seals(stored.id, row)}


def text_of(content: bytes) -> str:
    """Returns a text from the journal, even if it is damaged."""
    return content.decode(errors="replace")


def _reason(line: str, error: ValueError) -> str:
    """Returns why an entry cannot be replayed, without giving away what a player may not have shown yet."""
    if isinstance(error, NotAMove):
        return "it is not a move"
    if any(word in line.split() for word in SECRET_VERBS):
        return "it is not legal at that point"
    return str(error.message) if isinstance(error, EngineError) else str(error)
