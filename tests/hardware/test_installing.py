"""Firmware for the hubs: compiled by the real mpy-cross, copied by the real mpremote to a Pico that then runs it."""

from __future__ import annotations

import os
import subprocess
import threading
import tty
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from hardware import installing, pieces
from hardware.board import SHIPPED, BoardHub, read_board
from hardware.errors import CopyFailed, NoSuchPort
from hardware.installing import MAIN, ask_to_leave, build, firmware_files
from hardware.simulated.interpreters import MICROPYTHON, command_of

ROOT = Path(__file__).parents[2]
HUB = read_board(SHIPPED / "standard.toml").hubs["west"]


@pytest.fixture
def pico() -> Iterator[str]:
    """The port of a new Pico: MicroPython's prompt, and once it is reset, what was copied to it."""
    node = command_of("micropython")[0]
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    process = subprocess.Popen(
        [
            node,
            str(ROOT / "tests/support/pico_in_node.mjs"),
            str(MICROPYTHON / "micropython.mjs"),
            str(ROOT / "hardware/simulated/micropython"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    to_pico, from_pico = process.stdin.fileno(), process.stdout.fileno()

    def carry(source: int, target: int) -> None:
        try:
            while data := os.read(source, 4096):
                os.write(target, data)
        except OSError:
            return

    down = threading.Thread(target=carry, args=(from_pico, ours))
    up = threading.Thread(target=carry, args=(ours, to_pico), daemon=True)
    down.start()
    up.start()
    yield os.ttyname(theirs)
    process.kill()
    process.wait()
    down.join()
    os.close(theirs)
    up.join()
    os.close(ours)
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize("source", [False, True])
def test_the_files_of_a_hub_are_made(tmp_path: Path, source: bool) -> None:
    files = build(tmp_path / "built", source)
    suffix = ".py" if source else ".mpy"
    wanted = {f"firmware/{file.stem}{suffix}" for file in (ROOT / "firmware").glob("*.py")}
    assert {str(file) for file in files} == wanted | {"main.py"}
    assert (tmp_path / "built/main.py").read_text() == MAIN
    if not source:
        assert (tmp_path / "built/firmware/hub.mpy").read_bytes()[:2] == b"M\x06"


def test_build_says_how_to_copy_by_hand(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["firmware", "build", "--out", str(tmp_path / "out")])
    assert result.exit_code == 0
    assert "mpremote fs cp -r firmware main.py : + reset" in result.output


NOT_OURS = {
    "letters": {"dear.txt": "..."},
    "a program of somebody's": {"main.py": "print('mine')\n", "notes.txt": "..."},
    "a program of one file": {"main.py": "print('mine')\n"},
    "ours, and something beside it": {"main.py": MAIN, "firmware/hub.py": "", "notes.txt": "..."},
    "ours, and something in its folder": {"main.py": MAIN, "firmware/hub.py": "", "firmware/wifi.py": "..."},
    "ours, and a folder": {"main.py": MAIN, "firmware/hub.py": "", "firmware/hub.mpy/deep.txt": "..."},
    "a copy of the source": {"firmware/hub.py": "...", "firmware/lines.py": "..."},
}


@pytest.mark.parametrize("files", NOT_OURS.values(), ids=NOT_OURS)
def test_build_touches_no_folder_with_files_that_are_not_its_own(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for option in ([], ["--source"]):
        result = CliRunner().invoke(main, ["firmware", "build", "--out", str(tmp_path), *option])
        assert result.exit_code == 1
        assert f"{tmp_path} has other files in it, such as " in result.output
        there = {str(file.relative_to(tmp_path)): file.read_text() for file in tmp_path.rglob("*") if file.is_file()}
        assert there == files


def test_build_renews_its_own_folder_and_leaves_nothing_stale_in_it(tmp_path: Path) -> None:
    compiled = build(tmp_path)
    assert build(tmp_path) == compiled
    source = build(tmp_path, source=True)
    assert {file.suffix for file in source} == {".py"}
    assert sorted(file.relative_to(tmp_path) for file in tmp_path.rglob("*.*")) == source


def test_build_wants_a_folder(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("...")
    result = CliRunner().invoke(main, ["firmware", "build", "--out", str(tmp_path / "letter")])
    assert result.exit_code == 2
    assert "is a file" in result.output


@pytest.mark.slow
def test_a_new_pico_becomes_a_hub_and_an_old_one_is_renewed(pico: str) -> None:
    run = CliRunner().invoke
    first = run(main, ["firmware", "install", "west", "--port", pico])
    assert first.exit_code == 0, first.output
    assert "Our firmware is not running" in first.output
    assert "west runs. Its serial number is 00000000" in first.output
    again = run(main, ["firmware", "install", "west", "--port", pico, "--source"])
    assert again.exit_code == 0, again.output
    assert "has stopped" in again.output
    assert "west runs" in again.output


@pytest.mark.slow
def test_new_picos_that_are_plugged_in_become_hubs_though_the_board_has_none(
    pico: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EL_GRANDE_BOARD", "buttons-only")
    monkeypatch.setattr(pieces, "pico_ports", lambda: [pico, "/dev/not-there"])
    for said in ("Our firmware is not running", "has stopped"):  # once more brings it up to date
        result = CliRunner().invoke(main, ["firmware", "install", "--plugged-in"])
        assert said in result.output
        assert f"{pico} runs. Its serial number is 00000000" in result.output
        # The other one was pulled out meanwhile.
        assert "1 of 2 Picos run the firmware." in result.output
        assert result.exit_code == 1


@pytest.mark.slow
def test_a_pico_with_a_program_of_somebody_else_is_left_alone(
    pico: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.py").write_text("print('a clock')\n")
    copied = installing._mpremote(pico, "fs", "cp", str(tmp_path / "main.py"), ":main.py")
    assert copied.returncode == 0, copied.stderr
    called: list[tuple[str, ...]] = []
    mpremote = installing._mpremote

    def noted(device: str, *command: str) -> subprocess.CompletedProcess[str]:
        called.append(command)
        # The stand-in has no other program to start again.
        return mpremote(device, *command) if command != ("reset",) else subprocess.CompletedProcess([], 0, "", "")

    monkeypatch.setattr(installing, "_mpremote", noted)
    monkeypatch.setattr(pieces, "pico_ports", lambda: [pico])
    result = CliRunner().invoke(main, ["firmware", "install", "--plugged-in"])
    assert result.exit_code == 0, result.output
    assert f"{pico} has another program on it, and was left alone" in result.output
    assert "companion hubs" in result.output
    assert "0 of 1 Picos run the firmware." in result.output
    # It was interrupted to look at its files, so it is started again.
    assert called == [("fs", "cat", ":main.py"), ("reset",)]


def test_where_no_pico_is_plugged_in_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "pico_ports", list)
    result = CliRunner().invoke(main, ["firmware", "install", "--plugged-in"])
    assert result.exit_code == 1
    assert "No Pico is plugged in that runs MicroPython." in result.output


def test_the_compiled_firmware_of_a_release_is_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tmp_path / "release"
    build(release)
    monkeypatch.setattr(installing, "READY", release)
    said: list[str] = []
    assert firmware_files(tmp_path / "built", said.append) == release
    assert (said, (tmp_path / "built").exists()) == ([], False)
    # Source files, or those of another version, are not what it brings.
    assert firmware_files(tmp_path / "source", said.append, source=True) == tmp_path / "source"
    (release / "firmware" / "hub.mpy").unlink()
    assert firmware_files(tmp_path / "built", said.append) == tmp_path / "built"
    assert said == ["Collecting the source files", "Compiling"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--plugged-in", "west"], "--plugged-in is for every Pico"),
        (["--plugged-in", "--port", "/dev/ttyACM0"], "--plugged-in is for every Pico"),
        (["nowhere"], "the board has no hub 'nowhere'; it has west, north, south"),
        (["--port", "/dev/null"], "--port is for one hub"),
        (["west", "--port", ""], '"" is not a hub\'s port'),
        (["west", "--port", "socket://pi:7000"], "socket://pi:7000 is not a hub's port"),
        (["--board", "buttons-only"], "has no hubs"),
        (["west", "--port", "/dev/not-there"], "no port /dev/not-there"),
    ],
)
def test_what_cannot_be_installed_is_said(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["firmware", "install", *arguments])
    assert result.exit_code != 0
    assert said in result.output


def test_one_hub_that_fails_does_not_keep_the_others_from_getting_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    def install(hub: BoardHub, folder: Path, tell: Callable[[str], None], only_new: bool) -> str:
        if hub.name == "west":
            raise NoSuchPort(hub.name, hub.port, [])
        return "E66058388345A52A"

    monkeypatch.setattr(installing, "install", install)
    monkeypatch.setattr(installing, "build", lambda folder, source: [])
    result = CliRunner().invoke(main, ["firmware", "install"])
    assert result.exit_code == 1
    assert "north runs." in result.output
    assert "south runs." in result.output
    assert result.output.endswith(
        f"Error: 2 of 3 hubs run.\n  west: there is no port {HUB.port}; this machine has no serial ports\n"
    )
    result = CliRunner().invoke(main, ["firmware", "install", "north", "south"])
    assert result.exit_code == 0
    assert result.output.endswith("2 of 2 hubs run.\n")


def test_a_copy_that_does_not_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(device: str, *command: str) -> None:
        raise subprocess.TimeoutExpired("mpremote", 120)

    build(tmp_path / "built", source=True)
    monkeypatch.setattr(installing, "ask_to_leave", lambda hub, tell: "/dev/ttyACM0")
    monkeypatch.setattr(installing, "_mpremote", hang)
    with pytest.raises(CopyFailed, match="it did not answer within 120 s"):
        installing.install(HUB, tmp_path / "built", print)


def test_a_port_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(NoSuchPort, match="there is no port"):
        ask_to_leave(replace(HUB, port="/dev/not-there"), print)
