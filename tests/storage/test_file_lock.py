"""Only one program at a time holds a lock."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

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
    with pytest.raises(sqlite3.OperationalError), file_lock(tmp_path / "nowhere" / "lock"):
        pass
