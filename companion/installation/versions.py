"""The versions of the program that are installed side by side, and which of them runs."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.installation.layout import PROGRAMS
from companion.storage.kept_copies import sync_folder

KEPT: Final = 3
"""How many versions stay installed: the current one, the one before it, and one more."""
COMPLETE: Final = "complete"
"""The file that says that a version was installed whole."""


@dataclass(frozen=True)
class Versions:
    """The versions in a folder such as /opt/el-grande."""

    folder: Path = PROGRAMS

    @property
    def current(self) -> str | None:
        """The version that runs, or `None` when nothing is installed."""
        return self._linked("current")

    @property
    def previous(self) -> str | None:
        """The version to go back to, or `None` when only one is installed."""
        found = self._linked("previous")
        return found if found in self.installed() else None

    def installed(self) -> list[str]:
        """Returns the versions that are installed whole, the oldest first."""
        found = (self.folder / "versions").glob(f"*/{COMPLETE}")
        return sorted((path.parent.name for path in found), key=order_of)

    def home(self, version: str) -> Path:
        """Returns the folder of a version."""
        return self.folder / "versions" / version

    def program(self, version: str) -> Path:
        """Returns the command of a version."""
        return self.home(version) / "bin" / "companion"

    def switch(self, version: str) -> None:
        """Makes this the version that runs from the next start on. At any time one of the two is current."""
        before = self.current
        if before is not None and before != version:
            self._link("previous", before)
        self._link("current", version)

    def switch_back(self, version: str, previous: str | None) -> None:
        """Undoes a switch.

        :param version: the version that ran before.
        :param previous: the version that could be gone back to then, or `None` when there was none.
        """
        self._link("current", version)
        if previous is None:
            (self.folder / "previous").unlink(missing_ok=True)
            sync_folder(self.folder)
        else:
            self._link("previous", previous)

    def appoint_updater(self, version: str) -> None:
        """Makes this the version that judges the one on trial: a broken one cannot judge itself."""
        self._link("updater", version)

    def delete(self, version: str) -> None:
        """Deletes a version that does not run."""
        if version == self.current:
            raise ValueError(f"version {version} is in use and cannot be deleted")
        # First of all: what is left of it after a power cut must not be taken for a whole version.
        (self.home(version) / COMPLETE).unlink(missing_ok=True)
        if self.home(version).exists():
            sync_folder(self.home(version))
            shutil.rmtree(self.home(version))

    def prune(self) -> list[str]:
        """Deletes versions that nobody goes back to. Returns which."""
        needed = {self.current, self.previous}
        spare = [version for version in self.installed() if version not in needed]
        old = spare[: max(0, len(self.installed()) - KEPT)]
        for version in old:
            self.delete(version)
        return old

    def _linked(self, name: str) -> str | None:
        link = self.folder / name
        return link.readlink().name if link.is_symlink() else None

    def _link(self, name: str, version: str) -> None:
        new = self.folder / f"{name}.new"
        new.unlink(missing_ok=True)
        new.symlink_to(Path("versions", version))
        new.replace(self.folder / name)
        sync_folder(self.folder)


def order_of(version: str) -> tuple[tuple[int, str], ...]:
    """Returns what versions are sorted by.

    >>> sorted(["0.10.0", "0.9.1", "0.9.0+g12ab"], key=order_of)
    ['0.9.0+g12ab', '0.9.1', '0.10.0']
    """
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"[.+-]", version))
