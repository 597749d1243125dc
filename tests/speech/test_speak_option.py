"""`companion play --speak`: the table speaks beside whatever else it shows, or says what to install."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main


def run(folder: Path, *args: str, keys: str = "") -> Result:
    fixed = ("--database", str(folder / "table.db"), "--board", "buttons-only", "--simulated", "--pace", "instant")
    return CliRunner().invoke(main, ["play", "--terminal", "--speak", *fixed, *args], input=keys)


def test_without_espeak_it_says_what_to_install_and_begins_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run(tmp_path, "--language", "en")
    assert result.exit_code == 1
    assert "sudo apt install espeak-ng" in result.output
    assert not (tmp_path / "table.db").exists()


def test_the_game_is_spoken_while_it_is_played_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = tmp_path / "heard"
    program = tmp_path / "espeak-ng"
    program.write_text(f'#!/bin/sh\necho "$2" $(/bin/cat) >> {heard}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    result = run(tmp_path, "--seed", "5", "--language", "de", "--name", "red=Ann", keys="power 9\nquit\n")
    assert result.exit_code == 0
    assert any(line.startswith("de ") and "Ann" in line for line in heard.read_text().splitlines())
