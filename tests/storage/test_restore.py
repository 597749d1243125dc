"""Restoring a backup: it takes the place of the file as a whole, and what was there is kept."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.engine import Game
from companion.storage.database import MIGRATIONS, open_database
from companion.storage.errors import DamagedFile, ForeignFile, NewerFile, NotABackup, OpenElsewhere
from companion.storage.file_lock import file_lock
from companion.storage.journal import Entry, Journal
from companion.storage.restore import restore
from tests.support.arrange import opening

ROOT = Path(__file__).parents[2]
NOW = datetime(2024, 5, 1, 18, 3, 22)
OLD = ["table king galicia"]
NEW = [move.text for move in opening(("red", "blue", "green")).moves]

# A table whose power is cut: what it wrote last is in the -wal.
CUT_OFF = """
import os, sys
from pathlib import Path
from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Entry, Journal
journal = Journal(open_database(Path(sys.argv[1])))
journal.begin(Game(("red", "blue", "green")), {}, 7)
journal.append(1, [Entry("move", line) for line in sys.argv[2:]])
os._exit(9)
"""


def cut_off(file: Path, lines: list[str] = OLD) -> None:
    command = [sys.executable, "-c", CUT_OFF, str(file), *lines]
    assert subprocess.run(command, cwd=ROOT, timeout=60).returncode == 9
    assert Path(f"{file}-wal").stat().st_size > 0


def moves_in(file: Path) -> list[str]:
    with open_database(file) as database:
        return [move.text for move in Journal(database).load(1).game.moves]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of another game than the one in the file."""
    source = tmp_path / "elsewhere" / "table.db"
    with open_database(source) as database:
        journal = Journal(database)
        journal.begin(Game(("red", "blue", "green")), {}, 7)
        journal.append(1, [Entry("move", line) for line in NEW])
    copy = tmp_path / "copy.db"
    run("backup", copy, "--database", source)
    shutil.rmtree(source.parent)
    return copy


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, args)), catch_exceptions=False)


def put(backup: Path, file: Path) -> Path | None:
    return restore(backup, file, lambda _done, _pages: None, NOW).kept_as


def test_a_backup_copied_by_hand_is_replaced_by_the_old_game(file: Path, backup: Path) -> None:
    """Why there is a command: SQLite takes the -wal for a part of the file."""
    cut_off(file)
    shutil.copy(backup, file)
    assert moves_in(file) == OLD


def test_a_restored_backup_is_what_is_there_and_the_old_game_is_kept(file: Path, backup: Path) -> None:
    for again in range(5):
        for path in file.parent.glob("table*"):
            path.unlink()
        cut_off(file)
        said = run("restore", backup, "--database", file)
        assert said.exit_code == 0, said.output
        assert moves_in(file) == NEW, again
        [kept] = file.parent.glob("table-before-*.db")
        assert str(kept) in said.stdout
        assert f"Restored {file} from {backup}: 1 games and 0 tags." in said.stdout
        assert moves_in(kept) == OLD
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_was_there_is_kept_byte_for_byte_and_can_be_restored(file: Path, backup: Path) -> None:
    cut_off(file)
    before = [path.read_bytes() for path in (file, Path(f"{file}-wal"))]
    kept = put(backup, file)
    assert kept is not None
    assert kept.name == "table-before-2024-05-01-180322.db"
    assert [path.read_bytes() for path in (kept, Path(f"{kept}-wal"))] == before
    assert kept.stat().st_mode & 0o777 == 0o600
    put(kept, file)
    assert moves_in(file) == OLD
    assert moves_in(file.with_name("table-before-2024-05-01-180322-2.db")) == NEW


def test_a_backup_can_be_restored_where_there_was_nothing(tmp_path: Path, backup: Path) -> None:
    file = tmp_path / "new" / "table.db"
    said = run("restore", backup, "--database", file)
    assert said.exit_code == 0
    assert "kept" not in said.stdout
    assert moves_in(file) == NEW
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_a_link_stays_a_link(tmp_path: Path, backup: Path) -> None:
    real, file = tmp_path / "drive" / "games.db", tmp_path / "table.db"
    real.parent.mkdir()
    cut_off(real)
    file.symlink_to(real)
    put(backup, file)
    assert file.is_symlink()
    assert moves_in(file) == moves_in(real) == NEW


def test_a_look_through_a_link_sees_what_is_in_the_log(tmp_path: Path) -> None:
    real, file = tmp_path / "drive" / "games.db", tmp_path / "table.db"
    real.parent.mkdir()
    cut_off(real)
    file.symlink_to(real)
    assert "unfinished" in run("games", "--database", file).stdout


def left_alone(file: Path, backup: Path, kind: type[Exception]) -> str:
    """What is said of a backup that is refused; nothing in the folder has changed."""
    before = {path.name: path.read_bytes() for path in file.parent.iterdir() if path.is_file()}
    with pytest.raises(kind) as caught:
        put(backup, file)
    assert {path.name: path.read_bytes() for path in file.parent.iterdir() if path.is_file()} == before
    return str(caught.value)


def test_what_is_no_backup_is_refused_and_nothing_changes(file: Path, backup: Path, tmp_path: Path) -> None:
    cut_off(file)
    other = tmp_path / "other"
    assert "there is no such file" in left_alone(file, other, NotABackup)
    assert "the very file" in left_alone(file, file, NotABackup)
    other.write_bytes(b"")
    assert "it is empty" in left_alone(file, other, NotABackup)
    other.write_text("my diary")
    assert str(other) in left_alone(file, other, DamagedFile)
    torn = bytearray(backup.read_bytes())
    torn[8192:9000] = b"\xa5" * 808
    other.write_bytes(torn)
    assert str(other) in left_alone(file, other, DamagedFile)
    other.unlink()
    open_database(other, migrations=(*MIGRATIONS, ("CREATE TABLE more (a)",))).close()
    left_alone(file, other, NewerFile)
    assert moves_in(file) == OLD


def test_a_file_of_another_program_is_not_replaced(file: Path, backup: Path) -> None:
    with closing(sqlite3.connect(file)) as theirs:
        theirs.execute("CREATE TABLE mine (a)")
    left_alone(file, backup, ForeignFile)


def test_a_damaged_file_is_replaced_and_kept_as_it_is(file: Path, backup: Path) -> None:
    cut_off(file)
    file.write_bytes(b"\xa5" * 5000)
    log = Path(f"{file}-wal").read_bytes()
    kept = put(backup, file)
    assert kept is not None
    assert kept.read_bytes() == b"\xa5" * 5000
    assert Path(f"{kept}-wal").read_bytes() == log
    assert moves_in(file) == NEW


def test_an_older_backup_is_restored_and_brought_up_to_date(file: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    with open_database(old, migrations=MIGRATIONS[:1]) as database:
        database.execute("INSERT INTO tags VALUES ('A', 'king')")
    put(old, file)
    with open_database(file) as database:
        assert database.execute("SELECT tag FROM tags") == [("A",)]
        assert Journal(database).games() == []


def test_nothing_is_replaced_while_a_table_runs_or_the_file_is_open(file: Path, backup: Path) -> None:
    cut_off(file)
    with file_lock(file.with_name("table.db-playing")):
        said = run("restore", backup, "--database", file)
    assert said.exit_code == 1
    assert "Another program is playing" in said.stderr
    with open_database(file):
        assert "has" in left_alone(file, backup, OpenElsewhere)
    assert moves_in(file) == OLD


# --- interruptions ---------------------------------------------------------------------------------------------------


def restored_until(step: int, backup: Path, file: Path) -> int:
    """Restores in a child that dies at a step: a file that is opened, renamed or deleted. Returns its exit code."""
    child = os.fork()
    if not child:
        steps = 0

        def take(event: str, _arguments: object) -> None:
            nonlocal steps
            steps += event.startswith(("os.", "open", "sqlite3.", "shutil."))
            if steps > step:
                os._exit(9)

        sys.addaudithook(take)
        put(backup, file)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.slow
def test_a_crash_at_any_step_leaves_the_old_game_or_the_new_one(tmp_path: Path, backup: Path) -> None:
    start, folder = tmp_path / "start", tmp_path / "crashed"
    start.mkdir()
    cut_off(start / "table.db")
    found = []
    for step in range(400):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(start, folder)
        code = restored_until(step, backup, folder / "table.db")
        assert code in (0, 9)
        found.append(moves_in(folder / "table.db"))
        assert found[-1] in (OLD, NEW)
        if found[-1] == NEW:
            [kept] = folder.glob("table-before-*.db")
            assert moves_in(kept) == OLD
        if not code:
            break
    assert len(found) > 20
    # Once it is there, it stays.
    assert found == sorted(found, key=len)
    assert [found[0], found[-1]] == [OLD, NEW]
