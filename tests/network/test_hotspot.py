"""The name and password of the table's own Wi-Fi: made once, kept for root alone, and settable on the card."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion.network import Hotspot, kept_hotspot
from companion.network.hotspot import CARD_FILES, LETTERS, read_hotspot


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/machine-id").write_text("0123456789abcdef0123456789abcd2f\n")
    (tmp_path / "kept").mkdir()
    return tmp_path


def on_the_card(root: Path, text: str, file: str = CARD_FILES[0]) -> None:
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_bytes(text.encode())


def test_it_is_made_once_and_kept_for_root_alone(root: Path) -> None:
    first = kept_hotspot(root / "kept", root)
    assert first.name == "El Grande 2f"
    assert len(first.password) == 12
    assert set(first.password) <= set(LETTERS)
    assert not set("01ilo") & set(LETTERS)
    assert kept_hotspot(root / "kept", root) == first
    assert oct((root / "kept/hotspot.txt").stat().st_mode)[-3:] == "600"
    (root / "other").mkdir()
    assert kept_hotspot(root / "other", root).password != first.password


@pytest.mark.parametrize("file", CARD_FILES)
def test_the_card_wins_and_is_remembered_when_its_file_is_gone(root: Path, file: str) -> None:
    kept_hotspot(root / "kept", root)
    on_the_card(root, "\ufeffname=Games: ☕\r\npassword=play with us\r\n", file)
    assert kept_hotspot(root / "kept", root) == Hotspot("Games: ☕", "play with us")
    (root / file).unlink()
    assert kept_hotspot(root / "kept", root) == Hotspot("Games: ☕", "play with us")


@pytest.mark.parametrize(
    "text",
    [
        "", "name=Games\n", "password=long enough\n", "name=\npassword=long enough\n", "name=Games\npassword=short\n",
        f"name={'x' * 33}\npassword=long enough\n", "name=Games\npassword=pässwörter\n", "x" * 10_000,
    ],
)  # fmt: skip
def test_a_card_that_names_none_that_would_work_is_left_out_and_said(
    root: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    first = kept_hotspot(root / "kept", root)
    on_the_card(root, text)
    assert kept_hotspot(root / "kept", root) == first
    assert "is left out" in caplog.text
    assert "long enough" not in caplog.text


def test_a_password_is_not_in_what_is_printed_of_it() -> None:
    assert "secret" not in repr(Hotspot("Games", "secretsecret"))


def test_what_is_kept_can_be_read_again() -> None:
    hotspot = Hotspot('A;B:"C",\\', "p;a:s\\s,word")
    assert read_hotspot(hotspot.text) == hotspot
    assert hotspot.code == 'WIFI:T:WPA;S:A\\;B\\:\\"C\\"\\,\\\\;P:p\\;a\\:s\\\\s\\,word;;'
