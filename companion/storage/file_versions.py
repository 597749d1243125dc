"""The table's file across versions of the program: copied while it is in use, compared, put back."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.storage.database import look_into, uri_to_look_at
from companion.storage.kept_copies import sync_file
from companion.storage.restore import restore
from companion.storage.sqlite_errors import in_words


@dataclass(frozen=True)
class VersionedFile:
    """The file that games are saved in."""

    file: Path

    def copy(self, to: Path) -> None:
        """Copies the file as it is now, while a table uses it. Without a file, there is nothing to copy."""
        with look_into(self.file) as database:
            if database is None:
                return
            to.touch(mode=0o600)
            database.copy_to(to, lambda done, pages: None)
        sync_file(to)

    def version(self, file: Path) -> int:
        """Returns the version of a file, also of one that is too new for this program; 0 for one that is not there."""
        if not file.exists():
            return 0
        with in_words(file), ExitStack() as stack:
            opened = stack.enter_context(closing(sqlite3.connect(uri_to_look_at(file.absolute(), stack), uri=True)))
            return int(opened.execute("PRAGMA user_version").fetchone()[0])

    def put_back(self, copy: Path) -> Path | None:
        """Puts a copy in the place of the file, and keeps what was there under a dated name.

        Returns where that is, or `None` when nothing was there.
        """
        return restore(copy, self.file, lambda done, pages: None, datetime.now()).kept_as
