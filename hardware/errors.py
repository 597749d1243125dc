"""What can go wrong with a board: all errors in one file, each saying what to do about it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

MOST_SHOWN: Final = 50
"""How many mistakes of a board file are listed."""


class Mistake(NamedTuple):
    """One thing wrong in a board file: where it is, what was found, and what was expected."""

    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.key}: {self.found}; expected {self.expected}"


def quoted(value: object) -> str:
    """Returns a value of a board file as TOML writes it, but text without quotes unless it needs them.

    >>> quoted(True), quoted(""), quoted("west/0"), quoted(["west/0", 1.5]), quoted({})
    ('true', '""', 'west/0', '["west/0", 1.5]', 'a table')
    """
    if isinstance(value, str):
        plain = bool(value) and value == value.strip() and value.isprintable()
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(json.dumps(item) if isinstance(item, str) else quoted(item) for item in value)}]"
    return "a table" if isinstance(value, dict) else str(value)


class BoardError(Exception):
    """Something is wrong with the board."""


class NoSuchBoard(BoardError, LookupError):
    """A name is neither a board that comes with the project nor a file."""

    def __init__(self, name: str, shipped: Sequence[str]) -> None:
        meant = name.removesuffix(".toml")
        there = f"Choose {' or '.join(shipped)}, or give the path of a board file."
        super().__init__(
            f"There is no board called {name or quoted(name)}, and no file of that name. "
            + (f"The board that comes with the project is called {meant}." if meant in shipped else there)
        )


class UnreadableBoardFile(BoardError, OSError):
    """A board file exists but cannot be read."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name} cannot be read as a board file: {why}.")


class BadBoardFile(BoardError, ValueError):
    """A board file has mistakes; all are reported at once, so that they can be fixed together."""

    def __init__(self, name: str, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        lines = "\n".join(f"  {mistake}" for mistake in mistakes[:MOST_SHOWN])
        if len(mistakes) > MOST_SHOWN:
            lines += f"\n  and {len(mistakes) - MOST_SHOWN} more"
        noun = "mistake" if len(mistakes) == 1 else "mistakes"
        super().__init__(f"{name} has {len(mistakes)} {noun}:\n{lines}")


class PinsOutOfReach(BoardError, RuntimeError):
    """The pins of the machine cannot be used."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The buttons cannot be reached: {why}.\n"
            "On a Raspberry Pi your user must be in the group gpio (sudo usermod -aG gpio $USER, then log in again), "
            "and no other program may use the pins. Without a board, use the simulated one: --simulated."
        )


class StripOutOfReach(BoardError, RuntimeError):
    """The strip of lights cannot be used."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(
            f"The lights cannot be reached: {why}.\n"
            "On a Raspberry Pi switch SPI on (sudo raspi-config, Interface Options), join the group spi "
            "(sudo usermod -aG spi $USER, then log in again) and install the extra pi. "
            "To find out more: companion doctor"
        )


class NoSuchPort(BoardError, LookupError):
    """A serial port in the board file does not exist."""

    def __init__(self, hub: str, port: str, present: Sequence[str]) -> None:
        there = f"the ports here are {', '.join(present)}" if present else "this machine has no serial ports"
        super().__init__(f"there is no port {port}; {there}")
        self.hub, self.port, self.present = hub, port, tuple(present)


class NotAPort(BoardError, ValueError):
    """A port in the board file cannot be a port on this machine."""

    def __init__(self, hub: str, port: str) -> None:
        super().__init__(f"{port} is not a serial port of this machine; expected a path such as /dev/ttyACM0")
        self.hub, self.port = hub, port


class PortNotAllowed(BoardError, PermissionError):
    """The user is not allowed to open a serial port."""

    def __init__(self, hub: str, port: str, group: str) -> None:
        super().__init__(
            f"no permission for {port}; join the group {group} (sudo usermod -aG {group} $USER, then log in again)"
        )
        self.hub, self.port, self.group = hub, port, group


class PortBusy(BoardError, RuntimeError):
    """A serial port is in use by another program."""

    def __init__(self, hub: str, port: str) -> None:
        super().__init__(f"{port} is in use by another program; close it")
        self.hub, self.port = hub, port


class PortFailed(BoardError, OSError):
    """A serial port exists but cannot be used, for a reason that the system gives."""

    def __init__(self, hub: str, port: str, why: str) -> None:
        super().__init__(f"{port} cannot be used: {why}")
        self.hub, self.port, self.why = hub, port, why


class NoInterpreter(BoardError, LookupError):
    """An interpreter for the simulated hubs is not installed."""

    def __init__(self, interpreter: str) -> None:
        super().__init__(
            f"{interpreter} is not installed here. `make test` installs it; without it, "
            "the same firmware runs in Python."
        )


class NoTool(BoardError, LookupError):
    """A program needed to put firmware on hubs is not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"{package} is not installed: pip install 'el-grande-table[firmware]', or use `make firmware`."
        )


class FolderTaken(BoardError, FileExistsError):
    """The folder for the built firmware contains other files, which must not be lost."""

    def __init__(self, folder: Path, file: Path) -> None:
        super().__init__(f"{folder} has other files in it, such as {file}. Nothing was changed. Choose a new folder.")


class OtherProgram(BoardError, FileExistsError):
    """A Pico has a program on it that is not ours, which must not be lost."""

    def __init__(self, port: str) -> None:
        super().__init__(
            f"{port} has another program on it, and was left alone. To make it a hub all the same, unplug it and run "
            "`companion hubs`."
        )


class CopyFailed(BoardError, RuntimeError):
    """The firmware could not be copied to a hub."""

    def __init__(self, hub: str, port: str, why: str) -> None:
        last = why.strip().splitlines()[-1:] or ["no reason given"]
        super().__init__(
            f"The firmware could not be installed on {hub} at {port}: {last[0]}.\n"
            "Is MicroPython on it? Hold its BOOTSEL button while plugging it in and copy MicroPython's file for the "
            "Pico to the drive that appears; then try again. Close every program that uses the port."
        )
