"""Files that are no games and no boards: refused in words, within a second and 100 MB."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.arrange import opening

ROOT = Path(__file__).parents[2]
MB = 1_000_000

# Runs commands, and says of each how it ended, what it said and how long it took, and how much memory all took. Without
# the limits, a mistake here would take the whole machine with it.
MEASURED = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
from click.testing import CliRunner
from companion.cli import main
outcomes = []
for command in json.loads(sys.argv[1]):
    began_s = time.process_time()
    result = CliRunner().invoke(main, command)
    crashed = result.exception is not None and not isinstance(result.exception, SystemExit)
    outcomes.append((result.exit_code, result.output, time.process_time() - began_s, crashed))
# Not what the system counts for the process, which begins with the memory of the one that started it.
with open("/proc/self/status") as status:
    memory_kb = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(json.dumps([outcomes, memory_kb]))
"""


def refused(folder: Path, *commands: Sequence[object]) -> list[str]:
    """What is said of files that are refused. A crash, too much time or too much memory fails the test."""
    words = json.dumps([list(map(str, command)) for command in commands])
    environment = {**os.environ, "EL_GRANDE_HOME": str(folder / "home")}
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, words], cwd=ROOT, capture_output=True, env=environment, timeout=120
    )
    assert not done.returncode, done.stderr.decode()
    outcomes, memory_kb = json.loads(done.stdout)
    assert memory_kb < 100_000
    for command, (code, said, took_s, crashed) in zip(commands, outcomes, strict=True):
        assert not crashed, command
        assert code in (1, 2), command
        assert took_s < 1.0, command
        assert len(said) < 10_000
    return [said for _, said, _, _ in outcomes]


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file of 300 MB that takes no room."""
    file = tmp_path / "large.txt"
    with file.open("wb") as opened:
        opened.truncate(300 * MB)
    return file


def test_a_file_without_an_end_or_of_300_mb_is_no_record(tmp_path: Path, large: Path) -> None:
    for said in refused(tmp_path, ["show", "/dev/zero"], ["import", "/dev/zero"], ["show", large], ["import", large]):
        assert "is not a game record: it has more than 500 kB." in said
    assert not (tmp_path / "home").exists()


RECORDS = [
    (b"a" * 400_000, "line 1 has more than 300 characters"),
    (b"\n" * 400_000, ""),
    (b"# a comment\n" * 30_000, ""),
    (b"edition: bigbox-de\n" * 20_000, ""),
    (b"rounds: " + b"9" * 290, ""),
    (b"seats: " + b"red " * 70, ""),
    (opening().record().encode() + b"red power " + b"1" * 280, "power takes a number"),
    (opening().record().encode() + b"red " * 70, "is not a move"),
    (b"\xff\xfe" * 100_000, "it is not text"),
    ("\u2028".encode() * 150_000, ""),
    (b"\0" * 400_000, "line 1 has more"),
]


def test_a_record_full_of_nonsense_is_refused(tmp_path: Path) -> None:
    files = [tmp_path / f"record-{number}.txt" for number in range(len(RECORDS))]
    for file, (content, _) in zip(files, RECORDS, strict=True):
        file.write_bytes(content)
    said = refused(tmp_path, *(("show", file) for file in files))
    assert [words for (_, words), each in zip(RECORDS, said, strict=True) if words not in each] == []


BOARDS = [
    ("a = [" + "\n[" * 40_000, "nested too deeply"),
    ("a = " + "[" * 900, "nested too deeply"),
    ("a = " + "{a = " * 190, ""),
    (".".join("a" * 40_000) + " = 1", "line 1 has more than 1000 characters"),
    ("[" + ".".join("a" * 490) + "]\nb = 1\n", ""),
    ("[" + ".".join("a" * 480) + "]\n" + (".".join("b" * 480) + " = 1\n"), ""),
    ("\n".join(f"[a{number}]" for number in range(10_000)), "more"),
    ("name = '" + "x" * 99_000 + "'", "line 1 has more"),
    ("#" * 200_000, "it has more than 100 kB"),
    ("\0" * 90_000, ""),
]


def test_a_board_file_full_of_nonsense_is_refused(tmp_path: Path, large: Path) -> None:
    files = [tmp_path / f"board-{number}.toml" for number in range(len(BOARDS))]
    for file, (content, _) in zip(files, BOARDS, strict=True):
        file.write_text(content)
    *said, too_large, endless = refused(
        tmp_path, *(("board", "check", "--board", file) for file in (*files, large, Path("/dev/zero")))
    )
    assert [words for (_, words), each in zip(BOARDS, said, strict=True) if words not in each] == []
    assert "it has more than 100 kB" in too_large
    assert "/dev/zero" in endless


def test_a_database_of_300_mb_that_is_none_is_refused_before_it_is_copied(tmp_path: Path, large: Path) -> None:
    commands = (["games"], ["show", "1"], ["backup", tmp_path / "copy.db"], ["export", "1"], ["repair", "1"])
    for said in refused(tmp_path, *([*command, "--database", large] for command in commands)):
        assert "is not a database" in said
    for said in refused(tmp_path, *([*command, "--database", "/dev/zero"] for command in commands)):
        assert "something that is not a file is there" in said
    [said] = refused(tmp_path, ["restore", large, "--database", tmp_path / "table.db"])
    assert "is not a database" in said
    assert large.stat().st_size == 300 * MB


def test_a_file_of_300_mb_holds_no_results_of_a_tournament(tmp_path: Path, large: Path) -> None:
    [said] = refused(tmp_path, ["tournament", "--bots", "easy,easy", "--games", "1", "--file", large])
    assert "holds the results of another tournament" in said
