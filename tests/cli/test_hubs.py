"""`companion hubs`: Picos are plugged in one after another, get the firmware, and the board file gets their ports."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from hardware.board import BoardHub, find_board
from hardware.errors import CopyFailed

MODULE = sys.modules["companion.cli.hubs"]
BY_ID = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_"


class Bench:
    """A desk with Picos, of which one is plugged in each time the command has asked for one."""

    def __init__(self, picos: list[str]) -> None:
        self.picos = [f"{BY_ID}{pico}-if00" for pico in picos]
        self.plugged: list[str] = []
        self.installed: list[tuple[str, str]] = []
        self.broken: set[str] = set()
        self._asked = False

    def ports(self) -> list[str]:
        if self._asked and self.picos:
            self.plugged.append(self.picos.pop(0))
        # The first look is at what was there before; then somebody is asked.
        self._asked = not self._asked
        return list(self.plugged)

    def install(self, hub: BoardHub, folder: Path, report: Callable[[str], None]) -> str:
        assert (folder / "main.py").is_file()
        if hub.name in self.broken:
            raise CopyFailed(hub.name, hub.port, "it did not answer")
        self.installed.append((hub.name, hub.port))
        return "e66058388345a52a"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EL_GRANDE_HOME", str(tmp_path))
    monkeypatch.delenv("EL_GRANDE_BOARD", raising=False)
    return tmp_path


def hubs(bench: Bench, monkeypatch: pytest.MonkeyPatch, *args: str, said: str = "") -> Result:
    monkeypatch.setattr(MODULE, "pico_ports", bench.ports)
    monkeypatch.setattr(MODULE, "install", bench.install)
    monkeypatch.setattr(MODULE, "LOOK_S", 0.0)
    return CliRunner().invoke(main, ["hubs", *args], input=said, catch_exceptions=False)


def test_each_pico_becomes_the_hub_that_was_asked_for_and_its_port_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "board.toml").write_text((Path("hardware/boards/standard.toml")).read_text())
    bench = Bench(["west", "north", "south"])
    result = hubs(bench, monkeypatch)
    assert result.exit_code == 0, result.output
    assert [name for name, _ in bench.installed] == ["west", "north", "south"]
    board = find_board(str(home / "board.toml"))
    assert {hub.name: hub.port for hub in board.hubs.values()} == {
        name: f"{BY_ID}{name}-if00" for name in ("west", "north", "south")
    }
    # Nothing else in the file has changed.
    changed = set((home / "board.toml").read_text().splitlines()) ^ set(
        Path("hardware/boards/standard.toml").read_text().splitlines()
    )
    assert all(line.startswith("port = ") for line in changed)


def test_a_board_without_hubs_grows_into_the_standard_one_if_people_want_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = Path("hardware/boards/buttons-only.toml").read_text()
    (home / "board.toml").write_text(only)
    refused = hubs(Bench([]), monkeypatch, said="n\n")
    assert refused.exit_code == 1
    assert (home / "board.toml").read_text() == only
    result = hubs(Bench(["west", "north", "south"]), monkeypatch, said="y\n")
    assert result.exit_code == 0, result.output
    assert set(find_board(str(home / "board.toml")).hubs) == {"west", "north", "south"}
    assert (home / "board.toml.before").read_text() == only


def test_only_the_hubs_that_are_named_are_asked_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "board.toml").write_text(Path("hardware/boards/standard.toml").read_text())
    bench = Bench(["spare"])
    assert hubs(bench, monkeypatch, "north").exit_code == 0
    assert [name for name, _ in bench.installed] == ["north"]
    assert "the board has no hub 'east'" in hubs(Bench([]), monkeypatch, "east").output


def test_a_pico_that_fails_keeps_its_old_port_and_says_why(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "board.toml").write_text(Path("hardware/boards/standard.toml").read_text())
    bench = Bench(["west", "north", "south"])
    bench.broken = {"north"}
    result = hubs(bench, monkeypatch)
    assert result.exit_code == 1
    assert "it did not answer" in result.output
    assert "companion hubs north" in result.output
    ports = {hub.name: hub.port for hub in find_board(str(home / "board.toml")).hubs.values()}
    assert ports["north"] == "/dev/serial/by-id/el-grande-north"
    assert ports["south"] == f"{BY_ID}south-if00"


def test_a_pico_that_does_not_come_is_given_up_with_what_to_try(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "board.toml").write_text(Path("hardware/boards/standard.toml").read_text())
    result = hubs(Bench([]), monkeypatch, "west", "--wait", "0.05")
    assert result.exit_code == 1
    assert "BOOTSEL" in result.output
    assert "data" in result.output


def test_no_link_beside_the_board_file_is_followed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    precious = home / "precious"
    precious.write_text("mine")
    (home / "board.toml").write_text(Path("hardware/boards/buttons-only.toml").read_text())
    for name in (".board.toml.new", "board.toml.before", ".board.toml.before.new"):
        (home / name).symlink_to(precious)
    assert hubs(Bench(["west", "north", "south"]), monkeypatch, said="y\n").exit_code == 0
    assert precious.read_text() == "mine"
