"""Only one program at a time holds a lock."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.storage.errors import NotAFile
from companion.storage.file_lock import Locked, file_lock

HOLDING = """
import sys
from pathlib import Path
from companion.storage.file_lock import file_lock
with file_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_that_another_program_holds_is_refused_until_it_ends_in_any_way(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    for end in ("polite", "killed"):
        command = [sys.executable, "-c", HOLDING, str(file)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            assert program.stdout.readline().strip() == b"held"
            with pytest.raises(Locked), file_lock(file):
                pass
            if end == "killed":
                program.kill()
        with file_lock(file):
            pass


def test_a_lock_leaves_an_empty_file_and_nothing_else(tmp_path: Path) -> None:
    with file_lock(tmp_path / "lock"):
        pass
    assert [(file.name, file.stat().st_size) for file in tmp_path.iterdir()] == [("lock", 0)]


def test_a_lock_that_cannot_be_made_is_another_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), file_lock(tmp_path / "nowhere" / "lock"):
        pass


@pytest.mark.parametrize("target", ["nothing", "a file", "a database"])
def test_a_lock_follows_no_link(tmp_path: Path, target: str) -> None:
    aim, lock = tmp_path / "aim", tmp_path / "lock"
    if target == "a file":
        aim.write_bytes(b"x")
    elif target == "a database":
        with closing(sqlite3.connect(aim)) as database:
            database.execute("CREATE TABLE mine (a)")
    before = aim.read_bytes() if aim.exists() else None
    lock.symlink_to(aim)
    with pytest.raises(NotAFile, match="a link is there"), file_lock(lock):
        pass
    assert (aim.read_bytes() if aim.exists() else None) == before
    assert lock.is_symlink()


@pytest.mark.parametrize("content", [b"x", b"my diary", b"SQLite format 3\0" + bytes(4080)])
def test_a_lock_truncates_nothing(tmp_path: Path, content: bytes) -> None:
    lock = tmp_path / "lock"
    lock.write_bytes(content)
    with pytest.raises(NotAFile, match="not a lock"), file_lock(lock):
        pass
    assert lock.read_bytes() == content
    lock.unlink()
    lock.mkdir()
    with pytest.raises(NotAFile), file_lock(lock):
        pass


def test_a_lock_is_for_this_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with file_lock(tmp_path / "lock"):
            assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
