"""The journal of the table: every move is on disk before anybody sees its effect, and nothing is ever deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from companion.engine import TABLE, Game, NothingToUndo
from companion.storage.database import Database
from companion.storage.entries import Entry, as_json, note_entry
from companion.storage.errors import BadJournal, FinishedGame, NoSuchGame, OtherEntries
from companion.storage.notes import Note, SetAsideNote, write_note
from companion.storage.rebuild import HMAC_SEED, Kept, Stored, fixed_by, mended, rebuilt, text_of
from companion.storage.seals import FINISHED, START, EntryRow, GameRow, game_seals, seals_of, wrong_part

__all__ = ("HMAC_SEED", "Entry", "GameSummary", "Journal", "Kept", "fixed_by", "note_entry", "utc_now")

_MOST_GAMES: Final = 2**63 - 1


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

    >>> from pathlib import Path
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
                seals = game_seals(game_id, self._row(game_id))
                self._insert_seals(game_id, {FINISHED: seals[FINISHED]})

    def set_aside(self, game_id: int) -> None:
        """Sets a game aside, so that another can be begun before it is finished. Even a damaged one can be."""
        with self.database.transaction():
            self._row(game_id)
            self._insert_entries(game_id, [note_entry(SetAsideNote(True))], self._count(game_id))

    def repair(self, game_id: int) -> Kept:
        """Saves a new game that is a damaged one up to its last good move, and returns it.

        The damaged game stays as it is, and is set aside. Raises `BadHeader` when nothing of it can be trusted.
        """
        with self.database.transaction():
            stored = self._stored(game_id)
            good = mended(self.database.path, stored)
            now, (_, finished_at, header, options, seed) = self._now(), good.row
            number = self._insert_row(now, None if finished_at is None else now, *map(text_of, (header, options, seed)))
            for entry, kind, line, by in good.entries:
                self._insert_entry(number, entry, text_of(kind), text_of(line), text_of(by), now)
            start = game_seals(number, self._row(number))[START]
            self._insert_seals(number, seals_of(number, good.entries, start))
            if finished_at is None:
                self._insert_entries(game_id, [note_entry(SetAsideNote(True))], self._count(game_id))
                if self._is_aside(number):
                    self._insert_entries(number, [note_entry(SetAsideNote(False))], self._count(number))
        return self.load(number)

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
        """Rebuilds a game from its entries. Raises `BadJournal` when they are damaged or cannot be replayed."""
        with self.database.transaction("DEFERRED"):
            stored = self._stored(game_id)
        return rebuilt(self.database.path, stored)

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
        return [self._summary(game_id) for [game_id] in self.database.execute("SELECT id FROM games ORDER BY id")]

    def _summary(self, game_id: int) -> GameSummary:
        try:
            kept = self.load(game_id)
        except BadJournal as problem:
            begun_at, finished_at, *_ = self._row(game_id)
            ended = None if finished_at is None else text_of(finished_at)
            return GameSummary(game_id, text_of(begun_at), ended, problem=problem)
        game = kept.game
        return GameSummary(
            game_id, kept.begun_at, kept.finished_at, game.edition, game.seats, len(game.moves), game.round,
            game.scores, game.winners, kept.set_aside, kept.options, kept.notes, kept.seed.startswith(HMAC_SEED),
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Journal in {self.database.path}>"

    # In a transaction.

    def _row(self, game_id: int) -> GameRow:
        """Returns a game without its entries, as bytes, so that damaged text is reported with its game."""
        rows: list[GameRow] = []
        if 0 < game_id <= _MOST_GAMES:
            rows = self.database.execute(
                "SELECT CAST(begun_at AS BLOB), CAST(finished_at AS BLOB), CAST(header AS BLOB),"
                " CAST(options AS BLOB), CAST(seed AS BLOB) FROM games WHERE id = ?",
                (game_id,),
            )
        if not rows:
            raise NoSuchGame(self.database.path, game=game_id)
        return rows[0]

    def _stored(self, game_id: int) -> Stored:
        return Stored(game_id, self._row(game_id), self._entries(game_id), self._seals(game_id))

    def _entries(self, game_id: int) -> list[EntryRow]:
        """Returns the entries of a game, as bytes, so that damaged text is reported with its entry."""
        return self.database.execute(
            "SELECT number, CAST(kind AS BLOB), CAST(line AS BLOB), CAST(made_by AS BLOB)"
            " FROM entries WHERE game = ? ORDER BY number",
            (game_id,),
        )

    def _seals(self, game_id: int, up_to: int = _MOST_GAMES) -> dict[int, bytes] | None:
        """Returns the seals of a game by number, or `None` when the file is of a version without seals."""
        if not self.database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'seals'"):
            return None
        found = self.database.execute("SELECT number, seal FROM seals WHERE game = ? AND number <= ?", (game_id, up_to))
        return dict(found)

    def _count(self, game_id: int) -> int:
        [[count]] = self.database.execute("SELECT coalesce(max(number), 0) FROM entries WHERE game = ?", (game_id,))
        return int(count)

    def _under_way(self) -> int | None:
        """Returns the latest game that is neither finished nor set aside, even if it is damaged."""
        for [game_id] in self.database.execute("SELECT id FROM games ORDER BY id DESC"):
            row, seals = self._row(game_id), self._seals(game_id, up_to=START)
            # That it is finished may be a flipped bit.
            finished = row[1] is not None and (seals is None or wrong_part(game_id, row, seals) is None)
            if not finished and not self._is_aside(game_id):
                return int(game_id)
        return None

    def _is_aside(self, game_id: int) -> bool:
        rows = self.database.execute(
            "SELECT line FROM entries WHERE game = ? AND kind = 'note' AND line IN (?, ?) ORDER BY number DESC LIMIT 1",
            (game_id, _SET_ASIDE, _TAKEN_UP),
        )
        return rows == [(_SET_ASIDE,)]

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
        return self._insert_row(now, now if finished else None, header, as_json(options), str(seed))

    def _insert_row(self, begun_at: str, finished_at: str | None, header: str, options: str, seed: str) -> int:
        # A number that nothing has, not even an entry whose game was lost.
        [[number]] = self.database.execute(
            "SELECT 1 + max(coalesce((SELECT max(game) FROM entries), 0), coalesce((SELECT max(game) FROM seals), 0),"
            " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'games'), 0))"
        )
        self.database.execute(
            "INSERT INTO games (id, begun_at, finished_at, header, options, seed) VALUES (?, ?, ?, ?, ?, ?)",
            (number, begun_at, finished_at, header, options, seed),
        )
        self._insert_seals(number, game_seals(number, self._row(number)))
        return int(number)

    def _insert_entries(self, game_id: int, entries: Iterable[Entry], count: int) -> None:
        now = self._now()
        rows = []
        for number, entry in enumerate(entries, start=count + 1):
            self._insert_entry(game_id, number, entry.kind, entry.line, entry.by, now)
            rows.append((number, entry.kind.encode(), entry.line.encode(), entry.by.encode()))
        self._insert_seals(game_id, seals_of(game_id, rows, self._end_of_chain(game_id, count)))

    def _insert_entry(self, game_id: int, number: int, kind: str, line: str, by: str, at: str) -> None:
        self.database.execute(
            "INSERT INTO entries (game, number, kind, line, made_by, at) VALUES (?, ?, ?, ?, ?, ?)",
            (game_id, number, kind, line, by, at),
        )

    def _insert_seals(self, game_id: int, seals: Mapping[int, bytes]) -> None:
        for number, seal in seals.items():
            self.database.execute("INSERT INTO seals (game, number, seal) VALUES (?, ?, ?)", (game_id, number, seal))

    def _end_of_chain(self, game_id: int, count: int) -> bytes:
        """Returns the seal of the last move or undo up to an entry, or of the start of the game."""
        rows = self.database.execute(
            "SELECT seal FROM entries JOIN seals USING (game, number) WHERE game = ? AND number <= ? AND kind != 'note'"
            " ORDER BY number DESC LIMIT 1",
            (game_id, count),
        ) or self.database.execute("SELECT seal FROM seals WHERE game = ? AND number = ?", (game_id, START))
        # Without one the game is damaged, and loading it says so.
        return bytes(rows[0][0]) if rows else b""


_SET_ASIDE: Final = as_json(write_note(SetAsideNote(True)))
_TAKEN_UP: Final = as_json(write_note(SetAsideNote(False)))
