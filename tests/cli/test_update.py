"""`companion update`, `versions`, `rollback` and `self-check`, as they are typed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.engine import Game
from companion.installation import versions
from companion.storage.database import open_database
from companion.storage.journal import Journal


def typed(*args: str) -> Result:
    return CliRunner().invoke(main, list(args), catch_exceptions=False)


def test_where_nothing_is_installed_everything_says_so() -> None:
    assert "Nothing was installed" in typed("versions").output
    result = typed("rollback")
    assert result.exit_code == 1
    assert "Run install.sh first" in result.output


def test_an_update_needs_a_file_that_is_there(tmp_path: Path) -> None:
    assert "Name the file of the release" in typed("update").output
    assert "does not exist" in typed("update", str(tmp_path / "release.tar")).output


@pytest.mark.parametrize("command", [["rollback"], ["update", __file__]])
def test_only_root_changes_the_version(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    result = typed(*command)
    assert result.exit_code == 1
    assert f"{' '.join(command)}\n" in result.output
    assert "sudo " in result.output


def test_the_installed_versions_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["companion.cli.update"], "Versions", lambda: versions.Versions(tmp_path))
    for version in ("0.1.0", "0.2.0", "0.10.0"):
        (tmp_path / "versions" / version).mkdir(parents=True)
        (tmp_path / "versions" / version / versions.COMPLETE).touch()
        versions.Versions(tmp_path).switch(version)
    lines = typed("versions").output.splitlines()
    assert lines[:3] == ["0.1.0", "0.2.0  (companion rollback goes back to it)", "0.10.0  (current)"]


@pytest.mark.slow
def test_a_version_checks_itself_on_a_copy_of_the_games(tmp_path: Path) -> None:
    file = tmp_path / "table.db"
    with open_database(file) as database:
        Journal(database).begin(Game(("red", "blue")), {}, 7)
    result = typed("self-check", "--database", str(file))
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "1 games and 0 tags can be read",
        "Bots have played a round",
        "The doctor has found nothing wrong",
        "The pages are served",
    ]


def test_a_file_that_cannot_be_read_fails_the_check(tmp_path: Path) -> None:
    (tmp_path / "table.db").write_bytes(os.urandom(5000))
    result = typed("self-check", "--database", str(tmp_path / "table.db"))
    assert result.exit_code == 1
    assert "table.db" in result.output
