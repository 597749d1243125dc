"""What an update needs of the machine: the running table, and the file of the games."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol


class Health(NamedTuple):
    """How the service is."""

    works: bool
    """Whether it runs and its pages answer."""
    crashes: int
    """How often it has been restarted since it was started."""
    failed: bool = False
    """Whether it has ended with an error and is not restarted any more."""


class TableService(Protocol):
    """The running table, as an update sees it."""

    def stop(self) -> None:
        """Stops the table between two moves, with its port: no phone starts it again. Everything it showed is saved."""

    def start(self) -> None:
        """Starts the current version."""

    def health(self) -> Health: ...

    def set_up(self, program: Path) -> str:
        """Has a version write the files of the system for itself. Returns what went wrong; nothing if all went well."""

    def restart_network(self) -> None:
        """Restarts the network service with the current version, where there is one."""

    def judge(self, program: Path, database: Path) -> str:
        """Lets a version check itself on a copy of the games. Returns what is wrong; nothing if all is well."""

    def install(self, release: Path) -> str:
        """Installs a release beside the others. Returns what went wrong; nothing if all went well."""


class GameFiles(Protocol):
    """The file of the games, as an update sees it."""

    def copy(self, to: Path) -> None:
        """Copies the file as it is now, also while a table uses it."""

    def version(self, file: Path) -> int:
        """Returns the version of a file."""

    def put_back(self, copy: Path) -> Path | None:
        """Puts a copy in the place of the file. No table may run.

        Returns where what was there is kept, or `None` when nothing was there.
        """
