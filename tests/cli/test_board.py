"""`companion board`, as a person types it."""

from __future__ import annotations

import os
import re
import resource
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner, Result

from companion.cli import main, options
from companion.cli.options import default_board, own_board_file
from companion.cli.try_board import try_board
from hardware.board import SHIPPED, find_board
from hardware.errors import NoSuchBoard


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ("board", *args), catch_exceptions=False)


def own_board(folder: Path, old: str = "", new: str = "") -> Path:
    """A file with the standard board, one thing in it changed."""
    file = folder / "mine.toml"
    file.write_text((SHIPPED / "standard.toml").read_text("utf-8").replace(old, new, 1), encoding="utf-8")
    return file


def test_a_board_is_found_by_its_name_or_its_file(tmp_path: Path) -> None:
    assert find_board("buttons-only").name == "buttons-only"
    assert find_board(str(own_board(tmp_path))).name == "mine"
    with pytest.raises(NoSuchBoard, match="Choose buttons-only or standard"):
        find_board(str(tmp_path / "theirs.toml"))


def test_list_names_every_board_with_what_it_has() -> None:
    result = run("list")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "buttons-only  10 places, 12 buttons, 60 lights on GPIO 10, no tag readers",
        "standard      10 places, 12 buttons, 60 lights on GPIO 10, 3 hubs with 10 readers",
    ]


def test_check_praises_a_good_board(tmp_path: Path) -> None:
    file = own_board(tmp_path)
    result = run("check", "--board", str(file))
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{file} has no mistakes: 10 places, 12 buttons")


def test_the_board_is_the_one_of_the_environment_or_of_the_data_folder_or_the_standard_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    assert default_board() == "standard"
    own = own_board(tmp_path).rename(tmp_path / "board.toml")
    assert default_board() == str(own)
    assert run("check").stdout.startswith(f"{own} has no mistakes: ")
    monkeypatch.setenv("EL_GRANDE_BOARD", "buttons-only")
    assert default_board() == "buttons-only"
    assert run("check").stdout.startswith("buttons-only has no mistakes: ")
    assert run("check", "--board", "standard").stdout.startswith("standard has no mistakes: ")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The board file of a table that is installed on this machine; the user has a data folder without one."""
    data = tmp_path / "installed"
    data.mkdir()
    monkeypatch.delenv("EL_GRANDE_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(options, "DATA", data)
    monkeypatch.setattr(options, "is_root", lambda: True)
    return own_board(tmp_path).rename(data / "board.toml")


def test_for_root_it_is_the_board_of_the_installed_table(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert default_board() == str(own_board_file()) == str(installed)
    assert run("check").stdout.startswith(f"{installed} has no mistakes: ")
    # A data folder that is named is what is meant.
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path / "mine"))
    assert own_board_file() == tmp_path / "mine" / "board.toml"
    assert default_board() == "standard"
    monkeypatch.delenv("EL_GRANDE_HOME")
    installed.unlink()
    assert own_board_file() == tmp_path / "el-grande" / "board.toml"
    assert default_board() == "standard"


def test_whoever_cannot_read_the_board_of_the_installed_table_is_told(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "is_root", lambda: False)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != installed.parent)
    result = run("check")
    assert result.stdout.startswith("standard has no mistakes: ")
    assert "only root can read the board file of the installed table" in result.stderr
    assert "sudo" in result.stderr
    assert result.stderr.count("\n") == 1
    # Not where it would not be used anyway.
    assert run("check", "--board", "standard").stderr == ""
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    assert run("check").stderr == ""
    monkeypatch.delenv("EL_GRANDE_HOME")
    own = tmp_path / "el-grande" / "board.toml"
    own.parent.mkdir()
    installed.rename(own)
    assert run("check").stdout.startswith(f"{own} has no mistakes: ")
    assert run("check").stderr == ""


def test_a_default_board_that_is_wrong_is_told_and_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    own = own_board(tmp_path, "count = 60", "count = 'many'").rename(tmp_path / "board.toml")
    assert f"{own} has " in run("check").stderr
    own.unlink()
    own.symlink_to(tmp_path / "gone.toml")
    assert f"There is no board called {own}" in run("parts").stderr


@pytest.mark.parametrize(
    "command", [["board", "check"], ["board", "try", "lights"], ["doctor"], ["enroll"], ["firmware", "install"]]
)
def test_help_says_which_board_is_meant(command: list[str]) -> None:
    words = " ".join(CliRunner().invoke(main, [*command, "--help"]).output.split())
    assert "[default: $EL_GRANDE_BOARD, or board.toml in your data folder, or standard]" in words
    assert "For root, the installed table's data folder counts." in words


def test_check_tells_all_mistakes_at_once(tmp_path: Path) -> None:
    file = own_board(tmp_path, "button = 4\n", "button = 99\nlamp = 1\n")
    result = run("check", "--board", str(file))
    assert result.exit_code == 1
    assert f"Error: {file} has 2 mistakes:" in result.stderr
    assert "places.galicia.button: GPIO 99; expected 2 to 27" in result.stderr
    assert "places.galicia.lamp: an unknown key" in result.stderr


@pytest.mark.parametrize("command", ["check", "wiring", "parts"])
def test_an_unknown_board_is_refused_with_those_there_are(command: str) -> None:
    result = run(command, "--board", "nonesuch")
    assert result.exit_code == 1
    assert "There is no board called nonesuch" in result.stderr
    assert "buttons-only or standard" in result.stderr
    assert "Traceback" not in result.stderr


def test_wiring_writes_both_pictures_and_says_where(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    result = run("wiring", "--board", "buttons-only", "--out", str(out))
    assert result.exit_code == 0
    assert sorted(file.name for file in out.iterdir()) == ["buttons-only-pins.svg", "buttons-only-wiring.svg"]
    for file in out.iterdir():
        assert str(file) in result.stdout
        Xml.parse(file)


def test_wiring_prints_the_pins_and_leaves_no_files_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("wiring")
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "19 GPIO 10 data of the strip" in lines
    assert lines.count("reader SDA SCK MOSI MISO GND RST 3.3V") == 3
    assert "Galicia 22 24 25 21 38 29 36" in lines
    assert list(tmp_path.iterdir()) == []


def test_wiring_says_politely_where_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    result = run("wiring", "--out", str(tmp_path / "taken" / "below"))
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: Not a directory")


def test_a_full_disk_leaves_no_half_picture_and_is_told_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "standard-wiring.svg").write_text("the old one")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # What is written past the limit fails, as on a disk that is full.
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        result = run("wiring", "--out", str(tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert result.exit_code == 1
    assert f"Cannot write {tmp_path}/standard-wiring.svg: " in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["standard-wiring.svg"]
    assert (tmp_path / "standard-wiring.svg").read_text() == "the old one"


def test_parts_prints_the_list_and_the_power_sum() -> None:
    result = run("parts")
    assert result.exit_code == 0
    for words in ("push button", "158", "fuse of 3.15 A", "a supply of 5 V and 4 A", "hub north: a Pico, 4 readers"):
        assert words in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


GUIDES = [SHIPPED.parents[1] / "README.md", SHIPPED.parent / "README.md"]


@pytest.mark.parametrize("guide", GUIDES, ids=["README", "hardware"])
def test_a_guide_says_how_the_command_is_called(guide: Path) -> None:
    text = guide.read_text("utf-8")
    assert "`. .venv/bin/activate`" in text
    assert "`.venv/bin/companion`" in text
    assert "EL_GRANDE_BOARD" in text


def test_the_first_power_on_goes_by_commands_that_there_are() -> None:
    steps = GUIDES[1].read_text("utf-8").partition("## First power-on")[2]
    named = set(re.findall(r"`companion board try (\w+)", steps))
    assert named == set(try_board.commands) == {"lights", "buttons", "readers"}
