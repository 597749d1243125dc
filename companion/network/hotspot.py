"""The table's own Wi-Fi: its name and password, made once and kept, or taken from the card the machine starts from."""

from __future__ import annotations

import logging
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from companion.network.wifi_names import NAME_BYTES, is_wifi_password

HOTSPOT_ADDRESS: Final = "10.42.0.1"
"""The machine's own address in its Wi-Fi."""
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of a password: none that looks like another. Twelve of them are 59 bits."""
PASSWORD_LENGTH: Final = 12
KEPT_FILE: Final = "hotspot.txt"
CARD_FILES: Final = ("boot/firmware/el-grande/hotspot.txt", "boot/el-grande/hotspot.txt")
"""Where whoever wrote the card may have said what the Wi-Fi is to be called; the second is for older systems."""
_MOST_BYTES: Final = 4096
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class Hotspot:
    """The name and the password of the table's own Wi-Fi."""

    name: str
    password: str = field(repr=False)

    @property
    def code(self) -> str:
        r"""What a QR code says so that a phone offers to join.

        >>> print(Hotspot("El Grande; 2f", "abcd").code)
        WIFI:T:WPA;S:El Grande\; 2f;P:abcd;;
        """
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"

    @property
    def text(self) -> str:
        """The lines of a file that names it."""
        return f"name={self.name}\npassword={self.password}\n"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in text)


def new_hotspot(machine_id: str) -> Hotspot:
    """Returns a Wi-Fi with a new random password. Two digits of the machine's id tell one table from another.

    >>> new_hotspot("4f8b00000000000000000000000000a2").name
    'El Grande a2'
    """
    digits = machine_id.strip()[-2:]
    password = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))
    return Hotspot(f"El Grande {digits}".strip(), password)


def read_hotspot(text: str) -> Hotspot | None:
    r"""Returns the Wi-Fi that the lines of a file name, or `None` when they name none that would work.

    >>> read_hotspot("name=Games\r\npassword = play with us\n")
    Hotspot(name='Games')
    >>> read_hotspot("name=Games\npassword=short") is None
    True
    """
    pairs = (line.partition("=") for line in text.lstrip("\ufeff").splitlines())
    fields = {key.strip().lower(): value.strip() for key, _, value in pairs}
    name, password = fields.get("name", ""), fields.get("password", "")
    fits = name.isprintable() and 0 < len(name.encode()) <= NAME_BYTES
    return Hotspot(name, password) if fits and is_wifi_password(password) else None


def kept_hotspot(folder: Path, root: Path = Path("/")) -> Hotspot:
    """Returns the table's own Wi-Fi: the one the card names, or else the one kept here, or else a new one.

    :param folder: where it is kept, for root alone.
    :param root: where the machine's files begin.
    """
    kept = _read(folder / KEPT_FILE)
    for file in CARD_FILES:
        if (named := _read(root / file)) is not None:
            break
    hotspot = named or kept or new_hotspot(_machine_id(root))
    if hotspot != kept:
        write_private(folder / KEPT_FILE, hotspot.text)
    return hotspot


def _read(file: Path) -> Hotspot | None:
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    hotspot = read_hotspot(text)
    if hotspot is None:
        _LOG.warning(
            "%s is left out: it needs a line name= with 1 to 32 characters, and a line password= with 8 to 63", file
        )
    return hotspot


def _machine_id(root: Path) -> str:
    try:
        return (root / "etc/machine-id").read_text()
    except OSError:
        return ""


def write_private(file: Path, text: str) -> None:
    """Writes a file that only its owner can read, completely or not at all."""
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(file)
