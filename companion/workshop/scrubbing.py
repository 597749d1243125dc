"""Takes out of texts for others what is nobody else's business."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.doctor.machine import Machine

HIDDEN: Final = "…"
"""What stands where something was left out."""
_SHORTEST: Final = 3
"""Shorter words are part of too many others, as `pi` is."""

_IDENTIFIERS: Final = (
    (re.compile(r"\b[a-z]+://\S+"), HIDDEN),
    (re.compile(r"/dev/serial/\S+"), f"/dev/serial/{HIDDEN}"),
    (re.compile(r"\bSER=\S+"), f"SER={HIDDEN}"),
    # Network cards, then addresses of both kinds.
    (re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b"), HIDDEN),
    (re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"), HIDDEN),
    (re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){4,7}[0-9A-Fa-f]{1,4}(?![\w:])"), HIDDEN),
    (re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{1,4}:)+(?::[0-9A-Fa-f]{1,4})+(?![\w:])"), HIDDEN),
    # Tags, serial numbers, tokens, seeds: long hexadecimal numbers.
    (re.compile(r"(?<![^\W_])(?=\w*\d)[0-9A-Fa-f]{8,}(?![^\W_])"), HIDDEN),
)


def without_folders(text: str, machine: Machine) -> str:
    """Returns a text with the user's folders and the program's folder left out.

    >>> without_folders("in /home/ann/games/table.db", Machine(user="ann", database=Path("/x/y/table.db")))
    'in ~/games/table.db'
    """
    for folder in sorted({str(machine.database.parent), str(Path(__file__).parents[2])}, key=len, reverse=True):
        text = text.replace(folder, HIDDEN)
    # JSON does not escape slashes, so one pattern is enough.
    return re.sub(r"/(?:home/[^/\s\"']+|root)(?=[/\s\"']|$)", "~", text)


def without_secrets(text: str, machine: Machine, words: Iterable[str] = ()) -> str:
    """Returns a text without folders, addresses, serial numbers, tags and tokens, and without these words.

    >>> machine = Machine(user="ann", database=Path("/x/y/table.db"))
    >>> without_secrets("ann saw 04A1B2C3 on kitchen, at http://192.168.1.7/?code=1234", machine, ["kitchen"])
    '… saw … on …, at …'
    >>> without_secrets("usb-MicroPython_Board_e66058388345a52a: version 92, 12:30:45", machine)
    'usb-MicroPython_Board_…: version 92, 12:30:45'
    """
    text = without_folders(text, machine)
    for word in {machine.user, *words} - _COMMON:
        if len(word) >= _SHORTEST:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", HIDDEN, text)
    for pattern, replacement in _IDENTIFIERS:
        text = pattern.sub(replacement, text)
    return text


_COMMON: Final = frozenset({"root", "raspberrypi", "localhost"})
"""Names of users and machines that say nothing about anybody."""
