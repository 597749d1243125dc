"""Flipped bits in a table's file: never a silently different game, and never a traceback."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.engine import Game
from companion.engine.pieces import Piece
from companion.storage.database import Database, look_into, open_database
from companion.storage.errors import DatabaseError
from companion.storage.journal import Entry, Journal, note_entry
from companion.storage.notes import NameNote, PhoneNote, PlayerNote, ReasonNote
from companion.storage.tags import Tags
from tests.support.random_games import finished

PAGE: Final = 4096


class Games(NamedTuple):
    """What people would find in a file: its games, and which of them goes on."""

    games: tuple[object, ...]
    under_way: int | None


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: hundreds of files are made and opened."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def table(folder: Path) -> Path:
    """The files of a table at the moment the power goes: a finished game, and one under way, partly in the log."""
    file = folder / "table.db"
    game = finished(3)
    with open_database(file) as database:
        journal = Journal(database)
        for number in range(5):
            Tags(database).enrol(f"04A1B2C{number}", Piece.parse("king"))
        journal.import_record(short_game().record(), {"names": {"red": "Ann"}})
        journal.finish(1)
        journal.begin(Game(game.seats, game.edition, game.rounds, game.house), {"names": {"red": "Bo"}}, 7)
        moves = [Entry("move", move.text, "person") for move in game.moves]
        seat = game.seats[0]
        journal.append(2, [note_entry(PhoneNote(seat, "abc")), note_entry(NameNote(seat, "Cy")), *moves[:60]])
        journal.append(2, [Entry("undo", "3", "person"), *moves[57:90], note_entry(PlayerNote(seat, "hard"))])
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for move in moves[90:105]:
            journal.append(2, [move, note_entry(ReasonNote(90, "why not", {}), "bot")])
        crashed = folder / "crashed"
        crashed.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{file}{end}", crashed)
    return crashed / "table.db"


@pytest.fixture(scope="module")
def closed(table: Path, folder: Path) -> Path:
    """The same after the program has ended: everything is in the file itself."""
    return folder / "table.db"


def short_game() -> Game:
    """The beginning of a game: the shorter, the faster it is rebuilt hundreds of times."""
    game = finished(4)
    while len(game.moves) > 40:
        game.undo()
    return game


def found_in(database: Database) -> Games:
    """What is in a file; raises if something is damaged."""
    journal = Journal(database)
    Tags(database).snapshot()
    kept = [journal.load(game_id) for (game_id,) in database.execute("SELECT id FROM games ORDER BY id")]
    games = tuple(
        (each.id, each.game.record(), each.made_by, each.options, each.seed, each.begun_at, each.finished_at,
         each.entries, each.notes, each.fixed, each.numbers) for each in kept
    )  # fmt: skip
    under_way = journal.unfinished()
    return Games(games, None if under_way is None else under_way.id)


def outcome(file: Path, whole: Games, look: bool) -> str:
    """Whether damage was reported, or changed nothing; fails when it was neither."""
    try:
        with ExitStack() as stack:
            database = stack.enter_context(look_into(file) if look else open_database(file))
            assert database is not None
            warned = bool(database.warnings)
            found = found_in(database)
    except DatabaseError:
        return "reported"
    if warned:
        return "warned"
    return "the same" if found == whole else "different"


def flipped(table: Path, end: str, byte: int, bit: int, copy: Path) -> Path:
    for each in ("", "-wal", "-shm"):
        Path(f"{copy}{each}").unlink(missing_ok=True)
        if each != "-shm" and Path(f"{table}{each}").exists():
            shutil.copy(f"{table}{each}", f"{copy}{each}")
    with open(f"{copy}{end}", "r+b") as file:
        file.seek(byte)
        [content] = file.read(1)
        file.seek(byte)
        file.write(bytes([content ^ (1 << bit)]))
    return copy


def places(size: int, count: int, seed: int) -> list[tuple[int, int]]:
    """Bytes and bits spread over a file: as many in each page, at fixed seeds."""
    rng = Random(seed)
    pages = range(0, size, PAGE)
    each = -(-count // len(pages))
    bytes_ = [rng.randrange(page, min(size, page + PAGE)) for page in pages for _ in range(each)]
    return [(byte, rng.randrange(8)) for byte in bytes_]


def whole(table: Path) -> Games:
    with look_into(table) as database:
        assert database is not None
        assert not database.warnings
        return found_in(database)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "end", "count"), [("closed", "", 200), ("table", "", 50), ("table", "-wal", 100)],
    ids=["file", "file-with-log", "log"],
)  # fmt: skip
def test_a_flipped_bit_never_gives_another_game_silently(
    state: str, end: str, count: int, folder: Path, request: pytest.FixtureRequest
) -> None:
    table: Path = request.getfixturevalue(state)
    games = whole(table)
    assert games.under_way == 2
    outcomes = []
    for number, (byte, bit) in enumerate(places(Path(f"{table}{end}").stat().st_size, count, seed=11)):
        copy = flipped(table, end, byte, bit, folder / "flipped.db")
        outcomes.append(outcome(copy, games, look=number % 2 == 1))
        assert outcomes[-1] != "different", f"bit {bit} of byte {byte}"
    assert len(outcomes) >= count
    # Some bits are in places that nothing uses.
    assert {"reported", "warned"} & set(outcomes)


@pytest.mark.slow
def test_a_flipped_bit_in_the_header_of_the_file_or_the_log_is_no_traceback(table: Path, folder: Path) -> None:
    games = whole(table)
    for end, size in (("", 100), ("-wal", 56)):
        for byte in range(size):
            copy = flipped(table, end, byte, byte % 8, folder / "flipped.db")
            assert outcome(copy, games, look=False) != "different", f"byte {byte} of table.db{end}"


@pytest.mark.parametrize("word", [b"CREATE TRIGGER", b"CHECK (number", b"T1", b'"red"', b"king"])
def test_commands_report_damage_in_words(closed: Path, folder: Path, word: bytes) -> None:
    at = closed.read_bytes().find(word)
    for bit in range(8) if at >= 0 else ():
        copy = flipped(closed, "", at + 2, bit, folder / "flipped.db")
        for command in ("games", "show"):
            arguments = [command, *(["2"] if command == "show" else []), "--database", str(copy)]
            said = CliRunner().invoke(main, arguments)
            assert said.exception is None or isinstance(said.exception, SystemExit)
