"""A table's file that is renamed, deleted or replaced while a table runs, and who may read it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.errors import DamagedFile, FileGone, FileReplaced
from companion.storage.journal import Entry, Journal
from companion.table.journal_writer import RETRY_S
from companion.table.options import Options
from tests.support.arrange import at, opening, turn_of
from tests.support.table_rig import table_rig

ROOT = Path(__file__).parents[2]
THREE = ("red", "blue", "green")
MOVES = [Entry("move", move.text) for move in opening(THREE).moves]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@contextmanager
def journal_in(file: Path) -> Iterator[Journal]:
    with open_database(file) as database:
        journal = Journal(database)
        journal.begin(Game(THREE), {}, 7)
        journal.append(1, MOVES[:3])
        yield journal


def moves_in(file: Path) -> int:
    with open_database(file) as database:
        return len(Journal(database).load(1).game.moves)


def rescued(file: Path) -> Path:
    [copy] = file.parent.glob("table-rescued-*.db")
    return copy


@pytest.mark.parametrize("files", [("",), ("", "-wal", "-shm")])
def test_a_file_that_was_renamed_is_noticed_and_used_again_when_it_is_back(file: Path, files: tuple[str, ...]) -> None:
    with journal_in(file) as journal:
        for end in files:
            Path(f"{file}{end}").rename(file.with_name(f"away.db{end}"))
        for _ in range(3):
            with pytest.raises(FileGone, match="was renamed or deleted while the table was using it") as caught:
                journal.append(1, MOVES[3:4], after=3)
            assert "Put the file back under its name." in str(caught.value)
            assert str(rescued(file)) in str(caught.value)
        assert not file.exists()
        for end in files:
            file.with_name(f"away.db{end}").rename(f"{file}{end}")
        assert journal.append(1, MOVES[3:4], after=3) == 4
    assert moves_in(file) == 4
    assert moves_in(rescued(file)) == 3
    assert rescued(file).stat().st_mode & 0o777 == 0o600


def test_a_file_that_was_deleted_can_be_restored_from_what_the_table_still_had(file: Path) -> None:
    with journal_in(file) as journal:
        for end in ("", "-wal", "-shm"):
            Path(f"{file}{end}").unlink()
        with pytest.raises(FileGone):
            journal.append(1, MOVES[3:4], after=3)
    assert not file.exists()
    said = CliRunner().invoke(main, ["restore", str(rescued(file)), "--database", str(file)])
    assert said.exit_code == 0
    assert moves_in(file) == 3


def test_a_file_that_was_replaced_is_noticed_and_the_new_one_is_left_alone(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "table.db"
    with open_database(other) as database:
        journal = Journal(database)
        journal.begin(Game(THREE), {}, 7)
        journal.append(1, MOVES[:1])
        shutil.copytree(other.parent, tmp_path / "copied")
    with journal_in(file) as journal:
        for end in ("", "-wal", "-shm"):
            os.replace(tmp_path / "copied" / f"table.db{end}", f"{file}{end}")
        before = Path(f"{file}-wal").read_bytes()
        assert before
        with pytest.raises(FileReplaced, match="was replaced by another file while the table was using it"):
            journal.append(1, MOVES[3:4], after=3)
    # When the program ends, SQLite does not delete the log that has this name now.
    assert Path(f"{file}-wal").read_bytes() == before
    assert moves_in(file) == 1
    assert moves_in(rescued(file)) == 3


def test_a_log_that_was_deleted_costs_nothing(file: Path) -> None:
    with journal_in(file) as journal:
        Path(f"{file}-wal").unlink()
        assert journal.append(1, MOVES[3:4], after=3) == 4
        with closing(sqlite3.connect(file)) as other:
            assert other.execute("SELECT count(*) FROM entries").fetchone() == (4,)
        assert journal.append(1, MOVES[4:5], after=4) == 5
    assert moves_in(file) == 5


def test_the_table_says_so_and_keeps_what_was_accepted(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    with table_rig(tmp_path, turn_of("score-4s", THREE), Options(guided=False)) as rig:
        file.rename(tmp_path / "away.db")
        rig.say("red", "place castillo")
        assert rig.replies[-1].outcome.value == "waiting"
        said = " ".join(rig.notices)
        assert f"{file} was renamed or deleted while the table was using it." in said
        assert "Put the file back under its name." in said
        assert at(rig.game, "castillo", "red") == 0
        (tmp_path / "away.db").rename(file)
        rig.pass_s(RETRY_S)
        assert at(rig.game, "castillo", "red") == 1
        assert rig.notices == ["Everything is saved again."]


# --- who may read it -------------------------------------------------------------------------------------------------


@pytest.fixture
def generous() -> Iterator[None]:
    """Files that are made without thinking can be read and written by everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.mark.usefixtures("generous")
def test_files_are_private_from_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path / "home"))
    with journal_in(tmp_path / "home" / "table.db") as journal:
        assert modes(tmp_path / "home") == dict.fromkeys(("table.db", "table.db-wal", "table.db-shm"), 0o600)
        assert journal.database.warnings == []
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


@pytest.mark.usefixtures("generous")
def test_files_that_were_there_before_become_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("EL_GRANDE_HOME", str(home))
    open_database(home / "table.db").close()
    (home / "table.db-playing").touch()
    for path in (home, *home.iterdir()):
        path.chmod(0o777)
    with open_database(home / "table.db") as database:
        assert set(modes(home).values()) <= {0o600, 0o700}
        assert database.warnings == []
    assert home.stat().st_mode & 0o777 == 0o700


OPEN_AS_NOBODY = """
import os, sys
from pathlib import Path
from companion.storage.database import open_database
os.setgid(65534)
os.setuid(65534)
with open_database(Path(sys.argv[1])) as database:
    for warning in database.warnings:
        print(warning)
"""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can be another user")
def test_what_cannot_be_made_private_is_said() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        file = Path(folder, "table.db")
        open_database(file).close()
        file.chmod(0o666)
        command = [sys.executable, "-c", OPEN_AS_NOBODY, str(file)]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
        assert f"Other users of this machine can read {file}" in said
        assert f"chmod go-rwx {file}" in said


def test_a_file_that_is_not_ours_keeps_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_text("mine")
    file.chmod(0o644)
    with pytest.raises(DamagedFile):
        open_database(file)
    assert file.stat().st_mode & 0o777 == 0o644


@pytest.mark.usefixtures("generous")
def test_a_folder_that_is_not_the_tables_own_keeps_its_rights(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o777)
    with open_database(folder / "table.db") as database:
        assert [str(warning) for warning in database.warnings] == [
            f"Other users of this machine can replace the files in {folder}. To keep games safe: chmod go-w {folder}"
        ]
    assert folder.stat().st_mode & 0o777 == 0o777
    assert set(modes(folder).values()) == {0o600}
