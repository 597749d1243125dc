"""The journal of the table: every move is on disk before anybody sees its effect, and nothing is ever deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from companion.engine import TABLE, EngineError, Game, Move, NotAMove, NothingToUndo
from companion.engine.views import SECRET_VERBS
from companion.storage.database import Database
from companion.storage.entries import Entry, as_json, fields_of, moves_undone, note_entry
from companion.storage.errors import BadHeader, BadJournal, FinishedGame, NoSuchGame, OtherEntries
from companion.storage.notes import NameNote, Note, SetAsideNote, read_note, write_note
from companion.storage.seals import (
    AGREED,
    FINISHED,
    START,
    EntryRow,
    GameRow,
    entry_seal,
    game_seals,
    seals_of,
    wrong_part,
)

__all__ = ("Entry", "GameSummary", "Journal", "Kept", "fixed_by", "note_entry", "utc_now")

_MOST_GAMES: Final = 2**63 - 1


@dataclass(frozen=True)
class Kept:
    """A saved game, rebuilt from the journal."""

    id: int
    game: Game
    made_by: tuple[str, ...]
    """Who made each move that stands: one entry per move of the game."""
    options: dict[str, object]
    seed: int = field(repr=False)
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

    def begin(self, game: Game, options: Mapping[str, object], seed: int) -> int:
        """Saves a game that begins, and returns its number."""
        if game.moves:
            raise ValueError("the game has moves already; import_record keeps such a game")
        with self.database.transaction():
            return self._insert_game(game, options, seed)

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
        """Sets a game aside, so that another can be begun before it is finished."""
        self.append(game_id, [note_entry(SetAsideNote(True))])

    def import_record(self, text: str, options: Mapping[str, object] | None = None, seed: int = 0) -> int:
        """Saves the game of a record and returns its number. It does not replace a game under way."""
        game = Game.from_record(text)
        entries = [Entry("move", move.text, "table" if move.seat == TABLE else "person") for move in game.moves]
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
            row, entries, seals = self._row(game_id), self._entries(game_id), self._seals(game_id)
        return _rebuilt(self.database.path, game_id, row, entries, seals)

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
            return GameSummary(game_id, _text(begun_at), _text(finished_at) if finished_at else None, problem=problem)
        game = kept.game
        return GameSummary(
            game_id, kept.begun_at, kept.finished_at, game.edition, game.seats, len(game.moves), game.round, game.scores,
            game.winners, kept.set_aside, kept.options, kept.notes,
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

    def _entries(self, game_id: int) -> list[EntryRow]:
        """Returns the entries of a game, as bytes, so that damaged text is reported with its entry."""
        return self.database.execute(
            "SELECT number, CAST(kind AS BLOB), CAST(line AS BLOB), CAST(made_by AS BLOB)"
            " FROM entries WHERE game = ? ORDER BY number",
            (game_id,),
        )

    def _seals(self, game_id: int) -> dict[int, bytes] | None:
        """Returns the seals of a game by number, or `None` when the file is of a version without seals."""
        if not self.database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'seals'"):
            return None
        return dict(self.database.execute("SELECT number, seal FROM seals WHERE game = ?", (game_id,)))

    def _count(self, game_id: int) -> int:
        [[count]] = self.database.execute("SELECT coalesce(max(number), 0) FROM entries WHERE game = ?", (game_id,))
        return int(count)

    def _under_way(self) -> int | None:
        """Returns the latest game that is neither finished nor set aside, even if it is damaged."""
        for [game_id] in self.database.execute("SELECT id FROM games ORDER BY id DESC"):
            row, seals = self._row(game_id), self._seals(game_id)
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

    def _insert_game(self, game: Game, options: Mapping[str, object], seed: int, finished: bool = False) -> int:
        now = self._now()
        header = game.record().partition("\n\n")[0]
        self.database.execute(
            "INSERT INTO games (begun_at, finished_at, header, options, seed) VALUES (?, ?, ?, ?, ?)",
            (now, now if finished else None, header, as_json(options), str(seed)),
        )
        [[number]] = self.database.execute("SELECT last_insert_rowid()")
        self._insert_seals(number, game_seals(number, self._row(number)))
        return int(number)

    def _insert_entries(self, game_id: int, entries: Iterable[Entry], count: int) -> None:
        now = self._now()
        rows = [
            (number, entry.kind.encode(), entry.line.encode(), entry.by.encode())
            for number, entry in enumerate(entries, start=count + 1)
        ]
        for number, kind, line, by in rows:
            self.database.execute(
                "INSERT INTO entries (game, number, kind, line, made_by, at) VALUES (?, ?, ?, ?, ?, ?)",
                (game_id, number, kind.decode(), line.decode(), by.decode(), now),
            )
        self._insert_seals(game_id, seals_of(game_id, rows, self._end_of_chain(game_id, count)))

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
_WRONG_PARTS: Final = {
    START: "its header or seed does not fit its seal",
    AGREED: "its options or the time it was begun do not fit their seal",
    FINISHED: "whether it is finished does not fit its seal",
}


def _rebuilt(
    path: Path, game_id: int, row: GameRow, entries: Iterable[EntryRow], seals: Mapping[int, bytes] | None
) -> Kept:
    """Rebuilds a game by playing its entries from the beginning, and checks every seal; `None` when it has none."""
    begun_at, finished_at, header, options, seed = row
    try:
        game = Game.from_record(header.decode())
        agreed = fields_of(options.decode())
        secret = int(seed)
        if seals is not None and (wrong := wrong_part(game_id, row, seals)) is not None:
            raise ValueError(_WRONG_PARTS[wrong])
    except ValueError as error:
        raise BadHeader(path, str(error), game_id) from None
    made_by: list[str] = []
    notes: list[Note] = []
    numbers: list[int] = []
    last = fixed = 0
    link = b"" if seals is None else seals[START]
    for entry in entries:
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
    if lost := _first_lost(seals, last, _MOST_GAMES):
        raise BadJournal(path, "it is missing", game_id, lost, len(numbers) + 1)
    return Kept(
        game_id, game, tuple(made_by), agreed, secret, _text(begun_at),
        None if finished_at is None else _text(finished_at), last, tuple(notes), fixed, tuple(numbers),
    )  # fmt: skip


def _first_lost(seals: Mapping[int, bytes] | None, last: int, number: int) -> int:
    """Returns the number of the first entry between two that was there once, or 0 when there was none.

    A note that was deleted, together with its seal, was there once and is not missed.
    """
    if number == last + 1:
        return 0
    if seals is None:
        return 0 if number == _MOST_GAMES else last + 1
    return min((sealed for sealed in seals if last < sealed < number), default=0)


def _text(content: bytes) -> str:
    return content.decode(errors="replace")


def _reason(line: str, error: ValueError) -> str:
    """Returns why an entry cannot be replayed, without giving away what a player may not have shown yet."""
    if isinstance(error, NotAMove):
        return "it is not a move"
    if any(word in line.split() for word in SECRET_VERBS):
        return "it is not legal at that point"
    return str(error.message) if isinstance(error, EngineError) else str(error)
