"""`companion card`, as somebody types it with a card in the computer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.installation.release import make_keys
from tests.support.cards import USER_DATA, content, make_card, make_release

# By its name the command is found, and not its module.
MODULE = sys.modules["companion.cli.card"]


@pytest.fixture(autouse=True)
def _nobody_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "trusted_keys", list)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_card(tmp_path / "bootfs")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_release(tmp_path / "el-grande-table-0.2.0.tar")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["card", *map(str, words)], catch_exceptions=False)


def test_a_card_is_prepared_and_cleared_again(folder: Path, archive: Path) -> None:
    before = content(folder)
    done = run(folder, "--release", archive)
    assert done.exit_code == 0
    assert "Copying version 0.2.0" in done.output
    assert "http://granada.local" in done.output
    assert (folder / "el-grande/release.tar").read_bytes() == archive.read_bytes()
    assert "http://granada.local" in (folder / "EL-GRANDE.txt").read_text()

    assert "would delete" in run(folder, "--remove", "--dry-run").output
    assert content(folder) != before
    assert run(folder, "--remove").exit_code == 0
    assert content(folder) == before
    again = run(folder, "--remove")
    assert again.exit_code == 1
    assert "There is no El Grande table on" in again.output


def test_a_dry_run_writes_nothing(folder: Path, archive: Path) -> None:
    before = content(folder)
    done = run(folder, "--release", archive, "--dry-run")
    assert done.exit_code == 0
    assert f"would write: {folder / 'vendor-data'}" in done.output
    assert content(folder) == before


def test_the_newest_release_here_is_taken(
    folder: Path, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(folder).exit_code == 0
    archive.unlink()
    missing = run(folder)
    assert missing.exit_code == 2
    assert "--release" in missing.output


def test_a_damaged_release_does_not_reach_the_card(folder: Path, archive: Path) -> None:
    before = content(folder)
    archive.write_bytes(archive.read_bytes().replace(b"exit 0", b"exit 1"))
    done = run(folder, "--release", archive)
    assert done.exit_code == 1
    assert "The release is damaged: install.sh" in done.output
    assert content(folder) == before


def test_where_keys_are_trusted_the_release_must_be_signed(
    folder: Path, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_keys(tmp_path / "private.pem", tmp_path / "public.pem")
    monkeypatch.setattr(MODULE, "trusted_keys", lambda: [tmp_path / "public.pem"])
    done = run(folder, "--release", archive)
    assert done.exit_code == 1
    assert "not signed" in done.output


def test_what_is_not_a_card_is_refused_in_plain_words(archive: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "nowhere", "--release", archive)
    assert done.exit_code == 1
    assert "not the boot partition" in done.output


def test_user_data_that_cloud_init_ignores_is_pointed_out(archive: Path, tmp_path: Path) -> None:
    folder = make_card(tmp_path / "card", USER_DATA["with a byte order mark"])
    done = run(folder, "--release", archive)
    assert done.exit_code == 0
    assert "byte order mark" in done.output
