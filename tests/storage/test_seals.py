"""Seals of the journal: a changed move is found and reported with its number, and the game goes on before it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.engine import Game
from companion.storage.database import MIGRATIONS, Database, look_into, open_database
from companion.storage.errors import BadAgreement, BadHeader, BadJournal
from companion.storage.journal import Entry, Journal, note_entry
from companion.storage.log_check import changes_lost
from companion.storage.notes import NameNote, OtherNote, PlayerNote
from tests.support.arrange import opening
from tests.support.random_games import finished

GAME = finished(3)
MOVES = [Entry("move", move.text, "person") for move in GAME.moves[:80]]
SEAT = GAME.seats[0]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def journal(file: Path) -> Iterator[Journal]:
    """A game with names, an undo and 78 moves that stand."""
    with open_database(file) as database:
        found = Journal(database)
        found.begin(Game(GAME.seats, GAME.edition, GAME.rounds, GAME.house), {"names": {SEAT: "Ann"}}, 7)
        found.append(1, [note_entry(NameNote(SEAT, "Anna")), *MOVES[:40]])
        found.append(1, [Entry("undo", "2", "person"), *MOVES[38:78], note_entry(PlayerNote(SEAT, "hard"))])
        yield found


def meddle(database: Database, statement: str) -> None:
    """Changes what cannot be changed by any call of ours."""
    triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute("PRAGMA foreign_keys = OFF")
    for name, _ in triggers:
        database.execute(f"DROP TRIGGER {name}")
    database.execute(statement)
    for _, text in triggers:
        database.execute(text)


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, args)), catch_exceptions=False)


# Entry 1 is a note, entries 2 to 41 are moves, 42 is an undo, 43 to 82 are moves, 83 is a note.
DAMAGE = [
    ("UPDATE entries SET made_by = 'bot' WHERE number = 20", 20, 19, "does not fit its seal"),
    ("UPDATE entries SET line = '1' WHERE number = 42", 42, 41, "does not fit its seal"),
    ("DELETE FROM entries WHERE number = 82", 82, 78, "it is missing"),
    ("UPDATE entries SET game = 2 WHERE number = 82", 82, 78, "it is missing"),
    ("UPDATE entries SET number = 90 WHERE number = 82", 82, 78, "it is missing"),
    ("DELETE FROM entries WHERE number = 30", 30, 29, "it is missing"),
    ("UPDATE seals SET seal = zeroblob(32) WHERE number = 60", 60, 56, "does not fit its seal"),
    ("DELETE FROM seals WHERE number = 60", 60, 56, "does not fit its seal"),
    ("UPDATE entries SET line = replace(line, 'Anna', 'Anne') WHERE number = 1", 1, 1, "does not fit its seal"),
]


@pytest.mark.parametrize(("damage", "entry", "move", "words"), DAMAGE)
def test_damage_is_reported_with_the_number_of_the_move(
    journal: Journal, damage: str, entry: int, move: int, words: str
) -> None:
    assert len(journal.load(1).game.moves) == 78
    meddle(journal.database, damage)
    with pytest.raises(BadJournal, match=words) as caught:
        journal.load(1)
    assert (caught.value.entry, caught.value.move) == (entry, move)
    assert f"cannot be read from move {move} on: entry {entry}" in str(caught.value)
    assert "`companion repair 1`" in str(caught.value)
    with pytest.raises(BadJournal):
        journal.unfinished()


def test_swapped_moves_are_found_even_if_they_could_be_played(journal: Journal) -> None:
    """A chain and not only a seal for each: what was a move once does not fit elsewhere."""
    other = journal.begin(Game(GAME.seats, GAME.edition, GAME.rounds, GAME.house), {}, 7)
    journal.append(other, MOVES[:10])
    meddle(
        journal.database,
        "UPDATE seals SET seal = (SELECT seal FROM seals AS theirs WHERE game = 1 AND theirs.number = seals.number + 1)"
        f" WHERE game = {other} AND number = 5",
    )
    with pytest.raises(BadJournal) as caught:
        journal.load(other)
    assert caught.value.entry == 5


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("UPDATE games SET seed = '8'", BadHeader),
        ("UPDATE games SET header = replace(header, 'rounds: 9', 'rounds: 6')", BadHeader),
        ("""UPDATE games SET options = '{"names": {}}'""", BadAgreement),
        ("UPDATE games SET options = '['", BadAgreement),
        ("UPDATE games SET begun_at = '2024'", BadAgreement),
        ("UPDATE games SET finished_at = 0", BadAgreement),
        ("UPDATE games SET finished_at = '2024-05-01T18:00:00+00:00'", BadAgreement),
    ],
)
def test_a_changed_beginning_or_end_is_found(journal: Journal, damage: str, kind: type[BadJournal]) -> None:
    """Even if the game then seems to be finished, so that nobody would go on with it."""
    meddle(journal.database, damage)
    with pytest.raises(BadJournal) as caught:
        journal.unfinished()
    assert type(caught.value) is kind
    assert journal.games()[0].problem is not None
    if kind is BadHeader:
        with pytest.raises(BadHeader):
            journal.repair(1)
    else:
        repaired = journal.repair(1)
        assert len(repaired.game.moves) == 78
        # Only what is damaged is left out.
        assert repaired.options == ({} if "options" in damage else {"names": {SEAT: "Ann"}})
        under_way = journal.unfinished()
        assert under_way is not None
        assert under_way.id == 2


def test_names_can_be_deleted_and_the_chain_still_holds(journal: Journal) -> None:
    before = journal.load(1)
    meddle(journal.database, "DELETE FROM entries WHERE kind = 'note'")
    meddle(journal.database, "DELETE FROM seals WHERE number IN (1, 83)")
    after = journal.load(1)
    assert (after.game.record(), after.numbers, after.made_by) == (before.game.record(), before.numbers, before.made_by)
    assert after.notes == ()
    journal.append(1, MOVES[78:79], after=after.entries)
    assert len(journal.load(1).game.moves) == 79


def test_seals_stay(journal: Journal) -> None:
    for statement in ("DELETE FROM seals", "UPDATE seals SET seal = zeroblob(32)"):
        with pytest.raises(sqlite3.IntegrityError, match="what is in the journal stays"):
            journal.database.execute(statement)


def test_an_older_file_is_sealed_as_it_is_and_goes_on(file: Path) -> None:
    with closing(sqlite3.connect(file)) as old:
        for migration in MIGRATIONS[:2]:
            for statement in migration:
                assert isinstance(statement, str)
                old.execute(statement)
        old.execute(f"PRAGMA application_id = {0x456C4772}")
        old.execute("PRAGMA user_version = 2")
        game = opening(("red", "blue", "green"))
        header = game.record().partition("\n\n")[0]
        for finished_at in ("'2024-05-01T18:00:00+00:00'", "NULL"):
            old.execute(
                "INSERT INTO games (begun_at, finished_at, header, options, seed)"
                f" VALUES ('2024-05-01T18:00:00+00:00', {finished_at}, ?, '{{}}', '7')",
                (header,),
            )
        for number, move in enumerate(game.moves, start=1):
            for game_id in (1, 2):
                values = (game_id, number, "move", move.text, "table", "")
                old.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", values)
        old.commit()
    with look_into(file) as database:
        assert database is not None
        assert [summary.problem for summary in Journal(database).games()] == [None, None]
    with open_database(file) as database:
        journal = Journal(database)
        assert [summary.problem for summary in journal.games()] == [None, None]
        kept = journal.unfinished()
        assert kept is not None
        assert (kept.id, kept.game.record()) == (2, game.record())
        journal.append(2, [Entry("move", "red power 7", "person")], after=kept.entries)
        meddle(database, "UPDATE entries SET line = 'red power 8' WHERE number = 10")
        with pytest.raises(BadJournal) as caught:
            journal.load(2)
        assert caught.value.move == 10


# --- going on --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("damage", "entry", "move", "words"), DAMAGE)
def test_a_damaged_game_goes_on_from_its_last_good_move(
    journal: Journal, damage: str, entry: int, move: int, words: str
) -> None:
    del words
    lines = [line for (line,) in journal.database.execute("SELECT line FROM entries WHERE game = 1 ORDER BY number")]
    meddle(journal.database, damage)
    rows = journal.database.execute("SELECT * FROM entries WHERE game = 1 ORDER BY number")
    repaired = journal.repair(1)
    # A damaged note is left out, and all moves are there.
    moves = 78 if entry == 1 else move - 1
    assert len(repaired.game.moves) == moves
    assert [each.text for each in repaired.game.moves] == [each.text for each in GAME.moves[:moves]]
    assert repaired.seed == "7"
    assert repaired.options == {"names": {SEAT: "Ann"}}
    assert repaired.notes[0] == (OtherNote({}) if entry == 1 else NameNote(SEAT, "Anna"))
    under_way = journal.unfinished()
    assert under_way is not None
    assert under_way.id == repaired.id
    journal.append(repaired.id, MOVES[moves : moves + 1], after=repaired.entries)
    assert len(journal.load(repaired.id).game.moves) == moves + 1
    # Nothing is deleted: what was damaged is still there for whoever looks.
    assert journal.database.execute("SELECT * FROM entries WHERE game = 1 ORDER BY number")[: len(rows)] == rows
    assert len(lines) == 83


def test_repair_is_a_command_and_play_names_it(journal: Journal, file: Path) -> None:
    assert "not damaged" in run("repair", "1", "--database", file).stderr
    meddle(journal.database, DAMAGE[0][0])
    journal.database.close()
    said = run("play", "--terminal", "--simulated", "--database", file)
    assert said.exit_code == 1
    assert "from move 19 on" in said.stderr
    assert "`companion repair 1` goes on from the last good move" in said.stderr
    assert "damaged" in run("games", "--database", file).stdout
    said = run("repair", "1", "--database", file)
    assert said.exit_code == 0
    assert "Game 2 has its first 18 moves. `companion play` continues it." in said.stdout
    lines = run("games", "--database", file).stdout.splitlines()
    assert lines[2].endswith("damaged; for details: companion show 1")
    assert lines[3].endswith("unfinished; not secret")


# --- the end of the log ----------------------------------------------------------------------------------------------

APPEND_AND_DIE = """
import os, sys
from pathlib import Path
from companion.storage.database import open_database
from companion.storage.journal import Journal, note_entry
from companion.storage.notes import OtherNote
journal = Journal(open_database(Path(sys.argv[1])))
for number in range(int(sys.argv[2])):
    journal.append(1, [note_entry(OtherNote({"number": number}))])
os._exit(9)
"""


def test_changes_lost_at_the_end_of_the_log_are_reported_and_kept(journal: Journal, file: Path) -> None:
    entries = journal.load(1).entries
    journal.database.close()
    subprocess.run([sys.executable, "-c", APPEND_AND_DIE, str(file), "5"], cwd=ROOT, timeout=60)
    log = Path(f"{file}-wal")
    content = bytearray(log.read_bytes())
    assert changes_lost(log) == 0
    # In the third of five changes, of two pages each.
    content[32 + 4 * 4120 + 1000] ^= 1
    log.write_bytes(content)
    assert changes_lost(log) == 3
    assert "(lost changes: 3)" in run("games", "--database", file).stderr
    with open_database(file) as database:
        assert Journal(database).load(1).entries == entries + 2
        [warning] = database.warnings
        assert "(lost changes: 3)" in str(warning)
        [copy] = file.parent.glob("table-damaged-*.db-wal")
        assert str(copy) in str(warning)
        assert copy.read_bytes() == content
    with open_database(file) as database:
        assert database.warnings == []


def test_a_log_that_is_in_use_or_was_written_over_is_not_reported(journal: Journal, file: Path) -> None:
    log = Path(f"{file}-wal")
    assert changes_lost(log) == 0
    # What was written before is still there behind what is written over it.
    journal.database.execute("PRAGMA wal_checkpoint(RESTART)")
    journal.append(1, MOVES[78:79])
    assert changes_lost(log) == 0
    with open_database(file) as second:
        assert second.warnings == []
    assert changes_lost(file.with_name("nothing")) == 0
