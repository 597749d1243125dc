"""The support bundle: everything somebody needs to help with a board, in one file without secrets.

It holds no hand, dial, deck or seed of a game, no code or token, no player names, and no user's folder.
"""

from __future__ import annotations

import io
import json
import platform
import zipfile
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from companion.doctor import Case, Finding
from companion.doctor.machine import Machine
from companion.workshop.scrubbing import without_folders
from hardware.board import board_file
from hardware.board_text import board_text

PACKAGES: Final = (
    "el-grande-table", "flask", "waitress", "pyserial", "gpiozero", "lgpio", "adafruit-lgpio", "rpi_ws281x",
    "adafruit-blinka", "Adafruit-PureIO", "adafruit-circuitpython-neopixel", "adafruit-circuitpython-neopixel-spi",
    "Adafruit-Blinka-Raspberry-Pi5-Neopixel",
)  # fmt: skip
"""The packages whose versions matter when a board fails."""

ABOUT: Final = """\
This file was made by the workshop page of an El Grande table, to be sent to somebody who helps with it.

doctor.json   what the doctor found, and what to do about it
machine.json  the kind of computer, and the versions of programs
board.toml    the board file
serial.txt    what the hubs and the table last said to each other
log.txt       the last warnings of the program
game.json     the game as everybody sees it, without names

No dial, no hand of cards, no code and no name is in it. It is plain text: look before you send it.
"""


def support_bundle(
    case: Case,
    findings: Iterable[Finding],
    serial: Iterable[Mapping[str, Any]],
    log: Iterable[str],
    game: Mapping[str, Any],
) -> bytes:
    """Returns the bundle as a zip file."""
    files = {
        "README.txt": ABOUT,
        "doctor.json": _json([_finding(finding) for finding in findings]),
        "machine.json": _json(_machine(case)),
        "board.toml": _board(case),
        "serial.txt": "".join(f"{line['at']} {line['hub']} {line['speaker']}: {line['text']}\n" for line in serial),
        "log.txt": "".join(f"{line}\n" for line in log),
        "game.json": _json(game),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in files.items():
            bundle.writestr(f"el-grande-support/{name}", without_folders(text, case.machine))
    return packed.getvalue()


def _finding(finding: Finding) -> dict[str, str]:
    check, verdict, found, do = finding
    return {"check": check, "verdict": verdict.value, "found": str(found), "do": str(do)}


def _machine(case: Case) -> dict[str, Any]:
    return {
        **machine_facts(case.machine),
        "packages": package_versions(),
        "board": {"name": case.board_name, "simulated": case.simulated},
    }


def machine_facts(machine: Machine) -> dict[str, str]:
    """Returns the kind of computer, and the versions of its system."""
    release = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    return {
        "model": machine.model or "not a Raspberry Pi",
        "system": release.get("PRETTY_NAME", platform.system()),
        "kernel": platform.release(),
        "processor": platform.machine(),
        "python": platform.python_version(),
    }


def package_versions() -> dict[str, str]:
    """Returns the versions of the packages that matter, as far as they are installed."""
    return {name: found for name in PACKAGES if (found := _version(name))}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _board(case: Case) -> str:
    try:
        return board_text(board_file(case.board_name))
    except (OSError, ValueError) as error:
        return f"# It cannot be read: {type(error).__name__}\n"


def _json(data: object) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False)
