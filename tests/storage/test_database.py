"""The table's file: made when it is missing, never written over, and every error really happens here, in words."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.storage.database import APPLICATION_ID, MIGRATIONS, Database, default_path, look_into, open_database
from companion.storage.errors import (
    DamagedFile,
    DatabaseError,
    DiskFull,
    FailingDisk,
    FileInUse,
    ForeignFile,
    NewerFile,
    NoPermission,
    NotAFile,
    ReadOnlyFile,
)

ROOT = Path(__file__).parents[2]
INSERT = "INSERT INTO tags VALUES (?, ?)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


def tags_in(file: Path) -> list[str]:
    with open_database(file) as database:
        return [tag for (tag,) in database.execute("SELECT tag FROM tags ORDER BY tag")]


def insert(database: Database, *tags: str) -> None:
    with database.transaction():
        for tag in tags:
            database.execute(INSERT, (tag, "king"))


def filled(file: Path, tags: int) -> None:
    with open_database(file) as database:
        insert(database, *(f"{number:08X}" for number in range(tags)))


# --- what it does ----------------------------------------------------------------------------------------------------


def test_a_missing_file_is_made_with_its_folders_for_this_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "far" / "away" / "table.db"
    with open_database(file) as database:
        assert database.execute("SELECT * FROM tags") == []
    assert file.is_file()
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_a_change_is_on_disk_when_it_is_made(file: Path) -> None:
    with open_database(file) as database:
        settings = [
            database.execute(f"PRAGMA {name}")[0][0]
            for name in (
                "journal_mode",
                "synchronous",
                "foreign_keys",
                "busy_timeout",
                "application_id",
                "user_version",
            )
        ]
    assert settings == ["wal", 2, 1, 5000, APPLICATION_ID, len(MIGRATIONS)]


def test_a_file_tells_where_it_is_and_closes_at_the_end_of_a_with(file: Path) -> None:
    with open_database(file) as database:
        assert repr(database) == f"<Database {file}, open>"
    assert repr(database) == f"<Database {file}, closed>"
    database.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database.execute("SELECT 1")


def test_a_transaction_is_kept_whole_or_not_at_all(file: Path) -> None:
    with open_database(file) as database:
        insert(database, "A")
        with contextlib.suppress(ZeroDivisionError), database.transaction():
            database.execute(INSERT, ("B", "king"))
            raise ZeroDivisionError
        with pytest.raises(sqlite3.IntegrityError):
            insert(database, "C", "A")
        insert(database, "D")
    assert tags_in(file) == ["A", "D"]


def test_an_older_file_is_brought_up_to_date_and_keeps_what_it_has(file: Path) -> None:
    filled(file, 1)
    later = (*MIGRATIONS, ("CREATE TABLE more (a)", "INSERT INTO more SELECT tag FROM tags"))
    for _ in range(2):
        with open_database(file, migrations=later) as database:
            assert database.execute("SELECT a FROM more") == [("00000000",)]
            assert database.execute("PRAGMA user_version") == [(len(later),)]


def test_before_it_is_brought_up_to_date_the_old_file_is_kept_beside_it(file: Path) -> None:
    filled(file, 2)
    file.chmod(0o644)
    with open_database(file, migrations=(*MIGRATIONS, ("DROP TABLE tags",))) as database:
        [warning] = database.warnings
    [kept] = file.parent.glob(f"table-version-{len(MIGRATIONS)}-*.db")
    assert str(kept) in str(warning)
    assert str(file) in str(warning)
    assert kept.stat().st_mode & 0o077 == 0
    assert tags_in(kept) == ["00000000", "00000001"]
    with look_into(kept) as before:
        assert before is not None
        assert before.execute("PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert not list(file.parent.glob("*.part*"))


def test_a_new_file_and_one_that_is_up_to_date_leave_no_copy(file: Path) -> None:
    for _ in range(2):
        with open_database(file) as database:
            assert database.warnings == []
    assert not list(file.parent.glob("table-version-*"))


def test_what_a_table_that_was_cut_off_had_saved_is_in_the_copy(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "cut off" / file.name
    other.parent.mkdir()
    with open_database(file) as database:
        insert(database, "A")
        for end in ("", "-wal"):
            shutil.copy(f"{file}{end}", f"{other}{end}")
    open_database(other, migrations=(*MIGRATIONS, ("DROP TABLE tags",))).close()
    [kept] = other.parent.glob("table-version-*.db")
    assert tags_in(kept) == ["A"]


def test_a_file_that_cannot_be_kept_is_not_brought_up_to_date(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(file, 1)

    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Database, "copy_to", full)
    with pytest.raises(DiskFull):
        open_database(file, migrations=(*MIGRATIONS, ("DROP TABLE tags",)))
    assert tags_in(file) == ["00000000"]
    assert not list(file.parent.glob("table-version-*"))


def test_a_migration_that_fails_leaves_the_file_at_its_version(file: Path) -> None:
    filled(file, 1)
    broken = (*MIGRATIONS, ("CREATE TABLE more (a)", "this is no statement"))
    with pytest.raises(sqlite3.OperationalError, match="syntax"):
        open_database(file, migrations=broken)
    # A service tries again and again: it must not leave a copy each time.
    assert not list(file.parent.glob("table-version-*"))
    with open_database(file) as database:
        assert database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'more'") == [(0,)]


def test_several_may_make_the_file_at_once(file: Path) -> None:
    code = f"import pathlib, companion.storage.database as d; d.open_database(pathlib.Path({str(file)!r})).close()"
    makers = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(4)]
    assert [maker.wait(60) for maker in makers] == [0, 0, 0, 0]
    assert tags_in(file) == []


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"EL_GRANDE_HOME": "/srv/table", "XDG_DATA_HOME": "/data"}, "/srv/table/table.db"),
        ({"XDG_DATA_HOME": "/data"}, "/data/el-grande/table.db"),
        ({"EL_GRANDE_HOME": "", "XDG_DATA_HOME": ""}, "/home/somebody/.local/share/el-grande/table.db"),
        ({"LOCALAPPDATA": "/users/somebody/local"}, "/users/somebody/local/el-grande/table.db"),
        ({"XDG_DATA_HOME": "/data", "LOCALAPPDATA": "/users/somebody/local"}, "/data/el-grande/table.db"),
        ({"XDG_DATA_HOME": "relative"}, "/home/somebody/.local/share/el-grande/table.db"),
        ({}, "/home/somebody/.local/share/el-grande/table.db"),
        ({"EL_GRANDE_HOME": "~/table"}, "/home/somebody/table/table.db"),
    ],
)
def test_the_file_has_one_place_by_itself(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EL_GRANDE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/somebody", **variables}.items():
        monkeypatch.setenv(name, value)
    assert default_path() == Path(expected)


# --- a look ----------------------------------------------------------------------------------------------------------


def test_a_look_finds_what_a_killed_program_left_beside_the_file(file: Path) -> None:
    command = [sys.executable, "-c", KILLED_IN_A_TRANSACTION, str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        program.stdout.readline()
        program.kill()
    Path(f"{file}-shm").unlink()
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    assert f"{file.name}-wal" in before
    with look_into(file) as database:
        assert database is not None
        assert database.execute("SELECT tag FROM tags") == [("KEPT",)]
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == before


def test_a_look_makes_nothing_and_brings_nothing_up_to_date(file: Path) -> None:
    with look_into(file / "deeper" / "table.db") as database:
        assert database is None
    file.touch()
    with look_into(file) as database:
        assert database is not None
        assert database.execute("PRAGMA user_version") == [(0,)]
    assert file.stat().st_size == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(("content", "kind"), [(b"my diary", DamagedFile), (b"x", DamagedFile)])
def test_a_look_at_what_is_no_database_is_refused(file: Path, content: bytes, kind: type[DatabaseError]) -> None:
    file.write_bytes(content)
    with pytest.raises(kind), look_into(file):
        pytest.fail("looked into")
    with pytest.raises(NotAFile), look_into(file.parent):
        pytest.fail("looked into")


def test_an_error_tells_its_cause_and_what_to_do_apart(file: Path) -> None:
    error = DamagedFile(file, "torn")
    assert str(error) == f"{error.cause} {error.advice('name another file with --database')}"
    assert "elsewhere, please" in str(error.advice("elsewhere, please"))


# --- what can go wrong -----------------------------------------------------------------------------------------------


def refused(file: Path, kind: type[DatabaseError]) -> str:
    """What is said of a file that cannot be used, which is as it was afterwards."""
    before = file.read_bytes()
    with pytest.raises(DatabaseError) as caught:
        open_database(file, patience_s=0)
    assert type(caught.value) is kind
    assert file.read_bytes() == before
    assert str(file) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("content", [b"my diary", b"x", b"SQLite format 3\0", bytes(5000), b"\xff" * 5000])
def test_what_is_no_database_is_left_as_it_is(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    words = refused(file, DamagedFile)
    assert "is not a database, or it is damaged" in words
    assert "Move it away" in words


def test_a_damaged_file_is_told_when_it_is_opened(file: Path) -> None:
    filled(file, 2000)
    content = bytearray(file.read_bytes())
    file.write_bytes(content[: len(content) // 2])
    refused(file, DamagedFile)
    content[8192:12288] = b"\xa5" * 4096
    file.write_bytes(content)
    refused(file, DamagedFile)


@pytest.mark.parametrize("statement", ["PRAGMA application_id = 7", "PRAGMA user_version = 3", "CREATE TABLE mine (a)"])
def test_a_file_of_another_program_is_left_as_it_is(file: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as theirs:
        theirs.execute(statement)
        theirs.commit()
    assert "belongs to another program" in refused(file, ForeignFile)


def test_a_file_of_a_newer_version_is_left_as_it_is(file: Path) -> None:
    open_database(file, migrations=(*MIGRATIONS, ("CREATE TABLE more (a)",))).close()
    known = len(MIGRATIONS)
    assert f"the file has version {known + 1}, this program knows {known}" in refused(file, NewerFile)


def test_a_folder_or_a_pipe_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotAFile, match="a folder is there"):
        open_database(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAFile, match="something that is not a file is there"):
        open_database(tmp_path / "pipe")
    (tmp_path / "diary").write_text("mine")
    with pytest.raises(NotAFile, match=r"Not a directory|File exists"):
        open_database(tmp_path / "diary" / "table.db")
    with pytest.raises(DatabaseError, match="too long"):
        open_database(tmp_path / ("x" * 300) / "table.db")


def test_a_full_disk_keeps_all_but_the_last_change(file: Path) -> None:
    with open_database(file) as database:
        database.execute(INSERT, ("A", "king"))
        [[pages]] = database.execute("PRAGMA page_count")
        database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(DiskFull, match="the disk is full"):
            insert(database, *(f"{number:08X}" for number in range(10_000)))
        database.execute("PRAGMA max_page_count = 1000")
        insert(database, "B")
    assert tags_in(file) == ["A", "B"]


def test_a_file_locked_by_another_is_told_and_then_usable(file: Path) -> None:
    with open_database(file) as ours, open_database(file, patience_s=0.05) as theirs:
        with ours.transaction():
            ours.execute(INSERT, ("A", "king"))
            with pytest.raises(FileInUse, match="Another program is using"), theirs.transaction():
                pytest.fail("begun while another was writing")
            with pytest.raises(FileInUse):
                open_database(file, patience_s=0.05)
        insert(theirs, "B")
    assert tags_in(file) == ["A", "B"]


def test_a_file_that_cannot_be_written_is_told_at_the_change(file: Path) -> None:
    with open_database(file) as database:
        database.execute("PRAGMA query_only = ON")
        with pytest.raises(ReadOnlyFile, match="can be read but not written"), database.transaction():
            database.execute(INSERT, ("A", "king"))
    assert tags_in(file) == []


# Another program opens the file, as a user who is not root: root may do everything.
OPEN_AS_NOBODY = """
import os, sys
from pathlib import Path
from companion.storage.database import open_database
from companion.storage.errors import DatabaseError
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    open_database(Path(sys.argv[1])).close()
except DatabaseError as error:
    print(type(error).__name__, error)
"""


def opened_as_nobody(file: Path) -> str:
    command = [sys.executable, "-c", OPEN_AS_NOBODY, str(file)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, as pytest's own cannot."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_file_that_may_only_be_read_is_told_when_it_is_opened(open_folder: Path) -> None:
    file = open_folder / "table.db"
    open_database(file).close()
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    file.chmod(0o444)
    open_folder.chmod(0o777)
    assert opened_as_nobody(file).startswith(ReadOnlyFile.__name__)


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_may_not_be_opened_is_told_with_what_to_do(open_folder: Path, there: bool) -> None:
    file = open_folder / "table.db"
    if there:
        open_database(file).close()
        file.chmod(0o000)
        open_folder.chmod(0o777)
    else:
        open_folder.chmod(0o555)
    words = opened_as_nobody(file)
    assert words.startswith(NoPermission.__name__)
    assert "Give this user access to the file" in words


def test_a_folder_that_may_not_be_made_is_told(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    assert opened_as_nobody(open_folder / "deep" / "table.db").startswith(f"{NoPermission.__name__} ")


# What is written past the limit fails as on a broken card, not as on a full one.
WRITE_TO_A_LIMIT = """
import resource, signal, sys
from pathlib import Path
from companion.storage.database import open_database
from companion.storage.errors import DatabaseError
database = open_database(Path(sys.argv[1]))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    for number in range(10_000):
        with database.transaction():
            database.execute("INSERT INTO tags VALUES (?, 'king')", (f"{number:08X}",))
        print(number, flush=True)
except DatabaseError as error:
    print(type(error).__name__, error)
"""


def test_a_failing_disk_keeps_all_but_the_last_change(file: Path) -> None:
    command = [sys.executable, "-c", WRITE_TO_A_LIMIT, str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    *kept, words = done.stdout.splitlines()
    assert words.startswith(f"{FailingDisk.__name__} The disk failed at {file}")
    assert len(tags_in(file)) == len(kept) > 0


# --- interruptions ---------------------------------------------------------------------------------------------------

KILLED_IN_A_TRANSACTION = """
import sys, time
from pathlib import Path
from companion.storage.database import open_database
database = open_database(Path(sys.argv[1]))
with database.transaction():
    database.execute("INSERT INTO tags VALUES ('KEPT', 'king')")
with database.transaction():
    database.execute("INSERT INTO tags VALUES ('LOST', 'king')")
    print("now", flush=True)
    time.sleep(60)
"""


def test_a_program_killed_in_a_change_leaves_the_changes_before_it(file: Path) -> None:
    command = [sys.executable, "-c", KILLED_IN_A_TRANSACTION, str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "now\n"
        program.send_signal(signal.SIGKILL)
    assert tags_in(file) == ["KEPT"]
    filled(file, 1)
