"""A card that installs the table by itself when a Raspberry Pi starts from it.

These files are added to the boot partition of Raspberry Pi OS, and none that is there is changed:

    vendor-data                 what cloud-init runs at every start, beside whatever user-data says
    EL-GRANDE.txt               what happens, for people
    el-grande/first-boot.sh     installs the release, and shows on the Pi's own light how far it is
    el-grande/release.tar       the release
    el-grande/release.sha256    its hash
    el-grande/hotspot.txt       name and password of the table's own Wi-Fi; not in an archive, where the Pi adds it

The Pi adds `el-grande/install-log.txt` and `el-grande/state.txt`. `companion card` writes all this; a release also has
it as an archive to unpack on a card.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from companion.installation.errors import BadCard
from companion.installation.release import sum_of
from companion.installation.system_files import packaged
from companion.network.hotspot import KEPT_FILE, Hotspot, new_hotspot, read_hotspot
from companion.storage.kept_copies import sync_folder

FOLDER: Final = "el-grande"
RELEASE: Final = f"{FOLDER}/release.tar"
SUM: Final = f"{FOLDER}/release.sha256"
SCRIPT: Final = f"{FOLDER}/first-boot.sh"
READ_ME: Final = "EL-GRANDE.txt"
VENDOR_DATA: Final = "vendor-data"
HOTSPOT: Final = f"{FOLDER}/{KEPT_FILE}"
STATE: Final = f"{FOLDER}/state.txt"
"""Where the Pi notes what it has done."""
LOG: Final = f"{FOLDER}/install-log.txt"
"""What the Pi says about it, for people."""

NAME: Final = "elgrande"
"""What the Pi is called unless somebody named it."""
PIS_OWN_NAME: Final = "raspberrypi"
"""What Raspberry Pi OS calls a Pi that nobody named."""
SPARE_BYTES: Final = 1_000_000
"""What stays free on the card, for the log and what the Pi itself writes."""

_OURS: Final = "# El Grande table:"
_WRITE_AGAIN: Final = (
    "Write Raspberry Pi OS (64-bit), from October 2025 or later, to the card with Raspberry Pi Imager, and try again."
)


# --- What the card has -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PiCard:
    """The boot partition of a card with Raspberry Pi OS.

    :param folder: where it is mounted.
    """

    folder: Path

    def check(self) -> None:
        """Raises `BadCard` unless a Pi that starts from this card would install the table."""
        if not all((self.folder / name).is_file() for name in ("config.txt", "cmdline.txt")):
            raise BadCard(
                f"{self.folder} is not the boot partition of a Raspberry Pi's card: it has no config.txt and "
                "cmdline.txt. Name the folder that a computer shows as bootfs when the card is in it."
            )
        if not all((self.folder / name).is_file() for name in ("user-data", "meta-data")):
            raise BadCard(f"The Raspberry Pi OS on this card is too old: it does not use cloud-init. {_WRITE_AGAIN}")
        # The 64-bit system has no kernel for processors with 32 bits.
        if (self.folder / "kernel7.img").exists():
            raise BadCard(f"The Raspberry Pi OS on this card is a 32-bit one. {_WRITE_AGAIN}")
        if "cloud-init=disabled" in self._read("cmdline.txt").split():
            raise BadCard("cmdline.txt on this card switches cloud-init off. Remove cloud-init=disabled from it.")
        if not runs_vendor_data(self._read("user-data")):
            raise BadCard(
                "user-data on this card tells cloud-init to ignore vendor-data, which the table is installed by. Set "
                "enabled: true under vendor_data, without disabled_handlers."
            )
        if (self.folder / VENDOR_DATA).exists() and VENDOR_DATA not in self.ours:
            raise BadCard(
                "This card has a vendor-data of its own, which stays as it is. Move what it does into user-data, "
                "delete it, and try again."
            )

    @property
    def ours(self) -> list[str]:
        """The names of our files on this card."""
        names = [READ_ME, RELEASE, SUM, SCRIPT, HOTSPOT, STATE, LOG]
        if _OURS in self._read(VENDOR_DATA):
            names.insert(0, VENDOR_DATA)
        return [name for name in names if (self.folder / name).exists()]

    @property
    def host_name(self) -> str:
        """What the Pi will be called: the name that somebody gave it, or else ours."""
        name = None if self._user_data_is_ignored else host_name(self._read("user-data"))
        return NAME if name in (None, PIS_OWN_NAME) else name

    @property
    def hotspot(self) -> Hotspot:
        """The table's own Wi-Fi: the one that the card names already, or else a new one."""
        return read_hotspot(self._read(HOTSPOT)) or new_hotspot("")

    @property
    def note(self) -> str | None:
        """What is wrong with user-data, though the table does not mind it; `None` when nothing is."""
        if not self._user_data_is_ignored:
            return None
        return (
            "user-data starts with a byte order mark, so cloud-init ignores all of it, such as the user and the keys. "
            "Save it as UTF-8 without one."
        )

    @property
    def _user_data_is_ignored(self) -> bool:
        return self._read("user-data").startswith("\ufeff")

    def _read(self, name: str) -> str:
        file = self.folder / name
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""

    # --- Writing ---

    def put(self, archive: Path, version: str) -> None:
        """Puts a release on the card. Each file is there completely or not at all, and what starts it comes last."""
        with self._in_plain_words():
            self._make_room(archive.stat().st_size)
            (self.folder / FOLDER).mkdir(exist_ok=True)
            with archive.open("rb") as release:
                self._write(RELEASE, release)
            for name, text in texts(version, sum_of(archive), self.host_name, self.hotspot).items():
                self._write(name, BytesIO(text.encode()))
            if self._read(STATE).startswith("failed"):
                # Somebody has done something about it, so it is tried again.
                (self.folder / STATE).unlink()
            sync_folder(self.folder)

    def remove(self) -> None:
        """Takes the table off the card."""
        with self._in_plain_words():
            for name in self.ours:
                (self.folder / name).unlink()
            folder = self.folder / FOLDER
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
            sync_folder(self.folder)

    def _make_room(self, size: int) -> None:
        free, old = shutil.disk_usage(self.folder).free, self.folder / RELEASE
        if free >= size + SPARE_BYTES:
            return
        if not old.exists() or free + old.stat().st_size < size + SPARE_BYTES:
            raise BadCard(
                f"Only {free // 1_000_000} MB are free on the card's boot partition, and the table needs "
                f"{(size + SPARE_BYTES) // 1_000_000 + 1} MB. Delete what you put there, or write the card again."
            )
        old.unlink()

    def _write(self, name: str, source: BinaryIO) -> None:
        file = self.folder / name
        new = file.with_name(f"{file.name}.new")
        try:
            with new.open("wb") as opened:
                shutil.copyfileobj(source, opened, 1 << 20)
                opened.flush()
                os.fsync(opened.fileno())
            new.replace(file)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        sync_folder(file.parent)

    @contextmanager
    def _in_plain_words(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno == errno.EROFS:
                raise BadCard("The card is read-only. Slide the switch at its side, or mount it for writing.") from None
            if error.errno == errno.ENOSPC:
                raise BadCard("The card is full. Delete what you put there, or write it again.") from None
            if error.errno in (errno.EACCES, errno.EPERM):
                raise BadCard(f"You may not write to {self.folder}. Run the command as whoever mounted it.") from None
            raise


# --- What user-data says ---------------------------------------------------------------------------------------------


def host_name(user_data: str) -> str | None:
    """Returns the name that user-data gives the Pi, or `None` when it gives none.

    >>> host_name('hostname: "granada"  # in the south')
    'granada'
    >>> host_name("fqdn: sevilla.example.org")
    'sevilla'
    >>> host_name("#hostname: raspberrypi") is None
    True
    """
    for key in ("hostname", "fqdn"):
        found = re.findall(rf"""^{key}[ \t]*:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9-]*)""", user_data, re.MULTILINE)
        if found:
            return str(found[-1])
    return None


def runs_vendor_data(user_data: str) -> bool:
    """Returns whether cloud-init takes vendor-data into account: it does unless user-data forbids it.

    >>> runs_vendor_data("hostname: granada"), runs_vendor_data("vendor_data: {enabled: false}")
    (True, False)
    """
    found = re.search(r"^vendor_data[ \t]*:.*(?:\r?\n(?:[ \t].*)?)*", user_data, re.MULTILINE)
    if found is None:
        return True
    enabled = re.search(r"""\benabled[ \t]*:[ \t]*["']?(\w+)""", found[0])
    is_on = enabled is None or enabled[1].lower() in ("true", "yes", "on", "1")
    return is_on and "disabled_handlers" not in found[0]


# --- What we add -----------------------------------------------------------------------------------------------------


def texts(version: str, digest: str, name: str | None, hotspot: Hotspot | None) -> dict[str, str]:
    """Returns the files of a card beside the release itself, in the order they are written.

    :param digest: the hash of the release's archive.
    :param name: what the Pi is called, or `None` when that is not known yet.
    :param hotspot: the table's own Wi-Fi, or `None` when the Pi is to choose one: an archive is for many cards.
    """
    return {
        SUM: f"{digest}  {Path(RELEASE).name}\n",
        SCRIPT: packaged("first-boot.sh"),
        READ_ME: read_me(version, name, hotspot),
        **({} if hotspot is None else {HOTSPOT: hotspot.text}),
        VENDOR_DATA: packaged("card-vendor-data"),
    }


def hotspot_lines(hotspot: Hotspot | None) -> list[str]:
    """Returns what the read-me says about the table's own Wi-Fi."""
    if hotspot is None:
        return [
            "Without a network that it knows, the Pi opens its own Wi-Fi. Join it, and stay connected although there",
            "is no internet. Its name and password are in the file el-grande/hotspot.txt on this card as soon as the",
            "Pi has been switched on. Or choose them: write that file first, with lines name= and password=.",
        ]
    return [
        "Without a network that it knows, the Pi opens its own Wi-Fi. Join it, and stay connected although there is no",
        f"internet.  Name: {hotspot.name}   Password: {hotspot.password}",
    ]


def read_me(version: str, name: str | None, hotspot: Hotspot | None) -> str:
    """Returns the text on the card for people.

    :param name: what the Pi is called, or `None` when that is not known yet.
    :param hotspot: the table's own Wi-Fi, or `None` when its password is not known yet.
    """
    other = (
        f"\n   If you gave the Pi another name in Raspberry Pi Imager, use that instead of {NAME}."
        if name is None
        else ""
    )
    extra = "".join(f"   {line}\n" for line in hotspot_lines(hotspot))
    return f"""\
El Grande table {version}

This card installs the table by itself. You need no screen, no keyboard and no internet.

1. Put the card into the Raspberry Pi and switch it on.
2. Wait about ten minutes; the Pi restarts once meanwhile. Its own light, beside the card, shows how far it is:

       blinks slowly                       it installs the table
       stays on, for ten minutes           the table is ready
       blinks fast                         something failed: see below

3. On a phone or computer in the same network, open  http://{name or NAME}.local{other}
{extra}
If it failed: switch the Pi off and on again. It tries three times. What went wrong is in el-grande/install-log.txt on
this card, which any computer can read.

User, Wi-Fi and keys are those you chose in Raspberry Pi Imager; they were not changed. If you chose none, the Pi uses a
network cable or opens its own Wi-Fi, and nobody can log in to it: the table does not need that. A screen and a keyboard
still let you make a user.

To install a newer release, put it on this card in the same way: the Pi takes it when it starts next.
To take the table off this card, use  companion card --remove  or delete vendor-data, this file and the folder
el-grande. What a Pi has installed already stays on it. To remove that, log in to the Pi and run
sudo /opt/el-grande/install.sh --uninstall
"""
