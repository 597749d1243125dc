"""Every example runs, and prints what it is there to show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(file.stem for file in (ROOT / "examples").glob("*.py") if file.stem != "__init__")

EXPECTED = {
    "own_board": [
        "own_board: 10 places",
        "Press(button='granada', long=False)",
        "marked: Aragón",
        "controls.undo: missing",
    ],
    "own_bot": ["15 games", "greedy   wins"],
    "print_moments": ["   1 table king", " end\n", "over after"],
    "robot_game": ["moves by", "scores: red"],
}


def test_every_example_is_run() -> None:
    assert sorted(EXPECTED) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_as_its_docstring_says(name: str) -> None:
    command = f"-m examples.{name}"
    assert f".venv/bin/python {command}\n" in (ROOT / "examples" / f"{name}.py").read_text("utf-8")
    done = subprocess.run(
        [sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    for words in EXPECTED[name]:
        assert words in done.stdout


def test_the_own_board_passes_the_check_that_its_file_names() -> None:
    file = "examples/own_board.toml"
    command = f"companion board check --board {file}"
    assert command in (ROOT / file).read_text("utf-8")
    result = CliRunner().invoke(main, ["board", "check", "--board", str(ROOT / file)])
    assert "has no mistakes" in result.output
