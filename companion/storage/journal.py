"""The journal of the table: every move is on disk before anybody sees its effect, and nothing is ever deleted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from companion.engine import TABLE, EngineError, Game, Move, NotAMove, NothingToUndo
from companion.engine.views import SECRET_VERBS
from companion.storage.database import Database
from companion.storage.errors import BadHeader, BadJournal, FinishedGame, NoSuchGame, OtherEntries
from companion.storage.notes import NameNote, Note, SetAsideNote, read_note, write_note

KINDS: Final = ("move", "undo", "note")
MAKERS: Final = ("person", "bot", "table")

HMAC_SEED: Final = "hmac-sha256:"
"""What a seed of 32 bytes begins with, followed by its hexadecimal digits. Any other seed is a plain number."""
_SEED: Final = re.compile(rf"-?\d+|{HMAC_SEED}[0-9a-f]{{64}}", re.ASCII)

_MOST_GAMES: Final = 2**63 - 1


@dataclass(frozen=True)
class Entry:
    """One entry of a journal: a move, a number of moves to take back, or a note, which is a JSON object.

    >>> Entry("move", "red power 7", "person")
    Entry(kind='move', line='red power 7', by='person')
    >>> Entry("undo", "0")
    Traceback (most recent call last):
    ...
    ValueError: an undo takes back a number of moves from 1 on, not '0'
    """

    kind: str
    line: str
    by: str = "table"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"there is no entry of the kind '{self.kind}'; the kinds are {', '.join(KINDS)}")
        if self.by not in MAKERS:
            raise ValueError(f"nobody called '{self.by}' makes entries; expected one of {', '.join(MAKERS)}")
        _CHECKS[self.kind](self.line)


def note_entry(note: Note, by: str = "table") -> Entry:
    """Returns the entry for a note.

    >>> from companion.storage.notes import PlayerNote
    >>> note_entry(PlayerNote("red", "hard"), by="person")
    Entry(kind='note', line='{"player": ["red", "hard"]}', by='person')
    """
    return Entry("note", _json(write_note(note)), by)


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
class GameSummary:
    """A saved game in one line."""

    id: int
    begun_at: str
    finished_at: str | None
    edition: str = ""
    seats: tuple[str, ...] = ()
    moves: int = 0
    round: int = 0
    scores: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    set_aside: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    secret: bool = True
    """Whether the cards follow from a seed that cannot be found by trying."""
    problem: BadJournal | None = None
    """Why the game cannot be rebuilt, in which case nothing more is known about it."""


def utc_now() -> str:
    """Returns the current time in the format of the journal."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """The games of a table. When a call returns, its changes are on disk; if it raises, nothing was written.

    >>> from tempfile import TemporaryDirectory
    >>> from companion.storage.database import open_database
    >>> with TemporaryDirectory() as folder, open_database(Path(folder, "table.db")) as database:
    ...     journal = Journal(database)
    ...     number = journal.begin(Game(("red", "blue")), {"language": "en"}, seed=7)
    ...     _ = journal.append(number, [Entry("move", "table king galicia")], after=0)
    ...     journal.load(number).game.moves
    (Move('table', 'king', 'galicia'),)

    `append` does not check the rules: the caller knows what is legal, and when a game is over.
    """

    def __init__(self, database: Database, now: Callable[[], str] = utc_now) -> None:
        self.database = database
        self._now = now

    # Writing.

    def begin(self, game: Game, options: Mapping[str, object], seed: str | int, notes: Sequence[Note] = ()) -> int:
        """Saves a game that begins, with what is noted about it from the start, and returns its number."""
        if game.moves:
            raise ValueError("the game has moves already; import_record keeps such a game")
        with self.database.transaction():
            number = self._insert_game(game, options, seed)
            if notes:
                self._insert_entries(number, map(note_entry, notes), 0)
        return number

    def append(self, game_id: int, entries: Sequence[Entry], after: int | None = None) -> int:
        """Adds entries, all or none, and returns how many there are now.

        `after` is how many the caller knows of. There may be more, if an earlier append was written although it seemed
        to fail: the same entries are then not written again, and anything else is refused.
        """
        with self.database.transaction():
            finished_at = self._row(game_id)[1]
            count = self._count(game_id)
            there = 0 if after is None else self._already_there(game_id, entries, after, count)
            new = entries[there:]
            if new and finished_at is not None:
                raise FinishedGame(self.database.path, game=game_id)
            self._check_undos(game_id, new)
            self._insert_entries(game_id, new, count)
        return count + len(new)

    def finish(self, game_id: int) -> None:
        """Marks a game as finished, so that it cannot go on. Doing it again changes nothing."""
        with self.database.transaction():
            if self._row(game_id)[1] is None:
                self.database.execute("UPDATE games SET finished_at = ? WHERE id = ?", (self._now(), game_id))

    def set_aside(self, game_id: int) -> None:
        """Sets a game aside, so that another can be begun before it is finished."""
        self.append(game_id, [note_entry(SetAsideNote(True))])

    def import_record(
        self,
        text: str,
        options: Mapping[str, object] | None = None,
        seed: str | int = 0,
        notes: Sequence[Note] = (),
    ) -> int:
        """Saves the game of a record and returns its number. It does not replace a game under way."""
        game = Game.from_record(text)
        entries = [Entry("move", move.text, "table" if move.seat == TABLE else "person") for move in game.moves]
        entries += map(note_entry, notes)
        with self.database.transaction():
            if not game.over and self._under_way() is not None:
                entries.append(note_entry(SetAsideNote(True)))
            number = self._insert_game(game, options or {}, seed, finished=game.over)
            self._insert_entries(number, entries, 0)
        return number

    # Reading.

    def load(self, game_id: int) -> Kept:
        """Rebuilds a game from its entries. Raises `BadJournal` when they cannot be replayed."""
        with self.database.transaction("DEFERRED"):
            row = self._row(game_id)
            # As bytes, so that damaged text is reported with its entry.
            entries = self.database.execute(
                "SELECT number, CAST(kind AS BLOB), CAST(line AS BLOB), CAST(made_by AS BLOB)"
                " FROM entries WHERE game = ? ORDER BY number",
                (game_id,),
            )
        return _rebuilt(self.database.path, game_id, row, entries)

    def unfinished(self) -> Kept | None:
        """Returns the latest game that is neither finished nor set aside, or `None` when all games are.

        Its last move may have been played already, if the program ended before it could finish the game.
        """
        game_id = self._under_way()
        return None if game_id is None else self.load(game_id)

    def latest_finished(self) -> Kept | None:
        """Returns the game that was finished last, skipping damaged ones, or `None` if no game was finished."""
        rows = self.database.execute(
            "SELECT id FROM games WHERE finished_at IS NOT NULL ORDER BY finished_at DESC, id DESC"
        )
        for [game_id] in rows:
            try:
                kept = self.load(game_id)
            except BadJournal:
                continue
            if kept.game.over:
                return kept
        return None

    def games(self) -> list[GameSummary]:
        """Returns all saved games, oldest first."""
        rows = self.database.execute("SELECT id, begun_at, finished_at FROM games ORDER BY id")
        return [self._summary(*row) for row in rows]

    def _summary(self, game_id: int, begun_at: str, finished_at: str | None) -> GameSummary:
        try:
            kept = self.load(game_id)
        except BadJournal as problem:
            return GameSummary(game_id, begun_at, finished_at, problem=problem)
        game = kept.game
        return GameSummary(
            game_id, begun_at, finished_at, game.edition, game.seats, len(game.moves), game.round, game.scores,
            game.winners, kept.set_aside, kept.options, kept.notes, kept.seed.startswith(HMAC_SEED),
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Journal in {self.database.path}>"

    # In a transaction.

    def _row(self, game_id: int) -> Any:
        """Returns when a game was begun and finished, its header, options and seed."""
        rows: list[Any] = []
        if 0 < game_id <= _MOST_GAMES:
            rows = self.database.execute(
                "SELECT begun_at, finished_at, CAST(header AS BLOB), CAST(options AS BLOB), CAST(seed AS BLOB)"
                " FROM games WHERE id = ?",
                (game_id,),
            )
        if not rows:
            raise NoSuchGame(self.database.path, game=game_id)
        return rows[0]

    def _count(self, game_id: int) -> int:
        [[count]] = self.database.execute("SELECT coalesce(max(number), 0) FROM entries WHERE game = ?", (game_id,))
        return int(count)

    def _under_way(self) -> int | None:
        rows = self.database.execute(
            """
            SELECT id FROM games WHERE finished_at IS NULL AND ? != coalesce(
                (SELECT line FROM entries WHERE game = id AND kind = 'note' AND line IN (?, ?)
                 ORDER BY number DESC LIMIT 1), '')
            ORDER BY id DESC LIMIT 1
            """,
            (_SET_ASIDE, _SET_ASIDE, _TAKEN_UP),
        )
        return rows[0][0] if rows else None

    def _already_there(self, game_id: int, entries: Sequence[Entry], after: int, count: int) -> int:
        """Returns how many of the entries an earlier append has written."""
        rows = self.database.execute(
            "SELECT kind, line, made_by FROM entries WHERE game = ? AND number > ? ORDER BY number", (game_id, after)
        )
        same = [(entry.kind, entry.line, entry.by) for entry in entries[: len(rows)]]
        if after > count or rows != same:
            raise OtherEntries(self.database.path, game=game_id, found=count, expected=after)
        return len(rows)

    def _check_undos(self, game_id: int, entries: Iterable[Entry]) -> None:
        """Refuses to take back more moves than there are, because such a journal could not be replayed."""
        if all(entry.kind != "undo" for entry in entries):
            return
        [[standing]] = self.database.execute(
            "SELECT total(CASE kind WHEN 'move' THEN 1 WHEN 'undo' THEN -CAST(line AS INTEGER) END)"
            " FROM entries WHERE game = ?",
            (game_id,),
        )
        for entry in entries:
            standing += 1 if entry.kind == "move" else -int(entry.line) if entry.kind == "undo" else 0
            if standing < 0:
                raise NothingToUndo("{count} moves cannot be taken back: there are fewer", count=int(entry.line))

    def _insert_game(self, game: Game, options: Mapping[str, object], seed: str | int, finished: bool = False) -> int:
        now = self._now()
        header = game.record().partition("\n\n")[0]
        self.database.execute(
            "INSERT INTO games (begun_at, finished_at, header, options, seed) VALUES (?, ?, ?, ?, ?)",
            (now, now if finished else None, header, _json(options), str(seed)),
        )
        [[number]] = self.database.execute("SELECT last_insert_rowid()")
        return int(number)

    def _insert_entries(self, game_id: int, entries: Iterable[Entry], count: int) -> None:
        now = self._now()
        for number, entry in enumerate(entries, start=count + 1):
            self.database.execute(
                "INSERT INTO entries (game, number, kind, line, made_by, at) VALUES (?, ?, ?, ?, ?, ?)",
                (game_id, number, entry.kind, entry.line, entry.by, now),
            )


# --- Making and reading entries --------------------------------------------------------------------------------------


def _json(fields: Mapping[str, object]) -> str:
    return json.dumps(dict(fields), ensure_ascii=False, sort_keys=True, allow_nan=False)


def _undone(line: str) -> int:
    if not (line.isascii() and line.isdecimal() and int(line)):
        raise ValueError(f"an undo takes back a number of moves from 1 on, not '{line}'")
    return int(line)


def _noted(line: str) -> dict[str, object]:
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise ValueError("a note is an object in JSON")
    return fields


_SET_ASIDE: Final = _json(write_note(SetAsideNote(True)))
_TAKEN_UP: Final = _json(write_note(SetAsideNote(False)))
_CHECKS: Final[dict[str, Callable[[str], object]]] = {"move": Move.parse, "undo": _undone, "note": _noted}


def _rebuilt(path: Path, game_id: int, row: Any, entries: Iterable[tuple[int, bytes, bytes, bytes]]) -> Kept:
    """Rebuilds a game by playing its entries from the beginning."""
    begun_at, finished_at, header, options, seed = row
    try:
        game = Game.from_record(header.decode())
        agreed = _noted(options.decode())
        secret = seed.decode()
        if not _SEED.fullmatch(secret):
            raise ValueError("its seed is neither a number nor 32 bytes in hexadecimal digits")
    except ValueError as error:
        raise BadHeader(path, str(error), game_id) from None
    made_by: list[str] = []
    notes: list[Note] = []
    numbers: list[int] = []
    count = fixed = 0
    for number, kind, content, maker in entries:
        count += 1
        line = ""
        try:
            if number != count:
                raise ValueError("it is missing")
            line = content.decode()
            match kind.decode():
                case "move":
                    game.play(line)
                    made_by.append(maker.decode())
                    numbers.append(count)
                    if line.startswith(f"{TABLE} "):
                        fixed = max(fixed, fixed_by(game.moves, len(game.moves) - 1))
                case "undo":
                    for _ in range(_undone(line)):
                        game.undo()
                        made_by.pop()
                        numbers.pop()
                case "note":
                    notes.append(read_note(_noted(line)))
                case unknown:
                    raise ValueError(f"there are no entries of the kind '{unknown}'")
        except ValueError as error:
            raise BadJournal(path, _reason(line, error), game_id, count) from None
    return Kept(
        game_id, game, tuple(made_by), agreed, secret, begun_at, finished_at, count, tuple(notes), fixed, tuple(numbers)
    )


def _reason(line: str, error: ValueError) -> str:
    """Returns why an entry cannot be replayed, without giving away what a player may not have shown yet."""
    if isinstance(error, NotAMove):
        return "it is not a move"
    if any(word in line.split() for word in SECRET_VERBS):
        return "it is not legal at that point"
    return str(error.message) if isinstance(error, EngineError) else str(error)
