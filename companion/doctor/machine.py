"""The machine as a check sees it: a tree of files and a few functions, so that a test can make up any Pi."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.storage.database import default_path
from hardware.models import MODEL_FILE, Pi, is_pi, pi_of, read_model

BOOT_FILES: Final = ("/boot/firmware", "/boot")
"""Where config.txt and cmdline.txt are; the second folder is for systems before Debian 12."""


def _user() -> str:
    """Returns the name of the user; on Windows, the one in the environment."""
    try:
        import pwd
    except ImportError:
        return os.environ.get("USERNAME", "")
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _group_ids() -> frozenset[int]:
    """Returns the numbers of the user's groups; none on Windows, which has no such groups."""
    return frozenset({*os.getgroups(), os.getegid()}) if hasattr(os, "getgroups") else frozenset()


def is_root() -> bool:
    """Returns whether this program may do everything; never on Windows, where it asks for what it wants."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _synchronised() -> bool | None:
    """Returns whether the clock is set over the network, or `None` when that is not known."""
    command = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=2.0, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(said)


def _throttled() -> str | None:
    """Returns what `vcgencmd get_throttled` prints, or `None` on a machine without that program."""
    try:
        command = ["vcgencmd", "get_throttled"]
        return subprocess.run(command, capture_output=True, text=True, timeout=2.0, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def _has_package(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


@dataclass(frozen=True)
class Machine:
    """The machine to check; without arguments, this one."""

    root: Path = Path("/")
    database: Path = field(default_factory=default_path)
    user: str = field(default_factory=_user)
    group_ids: frozenset[int] = field(default_factory=_group_ids)
    is_root: bool = field(default_factory=is_root)
    may_use: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    has_package: Callable[[str], bool] = _has_package
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    now: Callable[[], datetime] = datetime.now
    synchronised: Callable[[], bool | None] = _synchronised
    throttled: Callable[[], str | None] = _throttled

    def file(self, path: str) -> Path:
        """Returns the path of a file of the machine."""
        return self.root / path.lstrip("/")

    def read(self, path: str) -> str | None:
        """Returns the text of a file, or `None` when it cannot be read."""
        try:
            return self.file(path).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return None

    @property
    def model(self) -> str:
        """The model name of the machine; empty when it has none."""
        return read_model(self.file(MODEL_FILE))

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi of any kind."""
        return is_pi(self.model)

    @property
    def pi(self) -> Pi | None:
        """The kind of Raspberry Pi, or `None` when it is not one that a board can be built on."""
        return pi_of(self.model)

    def boot_file(self, name: str) -> str:
        """Returns the path of a file of the boot partition."""
        paths = [f"{folder}/{name}" for folder in BOOT_FILES]
        return next((path for path in paths if self.file(path).is_file()), paths[0])

    def boot_settings(self) -> dict[str, str]:
        """Returns what config.txt sets on this Pi, such as `core_freq` or `dtparam=spi`."""
        sections = self.pi.sections if self.pi else ()
        return dict(settings_of(self.read(self.boot_file("config.txt")) or "", sections))

    def groups(self) -> Iterator[tuple[str, bool]]:
        """Yields the groups of the user, and whether each counts already or only after the next login."""
        for line in (self.read("/etc/group") or "").splitlines():
            name, _, number, members = (line.split(":") + [""] * 4)[:4]
            counts = number.isdecimal() and int(number) in self.group_ids
            if counts or self.user in members.split(","):
                yield name, counts


def settings_of(text: str, sections: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yields the settings of a config.txt that apply to a Pi, in order: later ones override earlier ones.

    >>> list(settings_of("dtparam=i2c_arm=on,spi=on  # both", ("pi3",)))
    [('dtparam=i2c_arm', 'on'), ('dtparam=spi', 'on')]
    """
    for_us = always = True
    for line in text.splitlines():
        words = line.partition("#")[0].replace(" ", "")
        if words.startswith("["):
            section = words.strip("[]").lower()
            if section == "all":
                for_us = always = True
            elif re.match(r"(pi|cm)\d|none", section):
                for_us = section in sections
            else:
                # Sections by screen, serial number and the like cannot be relied on.
                always = False
        elif for_us and always and "=" in words:
            key, _, value = words.partition("=")
            if key == "dtparam":
                for parameter in value.split(","):
                    name, _, setting = parameter.partition("=")
                    yield f"dtparam={name}", setting
            else:
                yield key, value
