"""Puts a backup in the place of a table's file, as a whole, and keeps what was there."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.storage.database import Database, look_into
from companion.storage.errors import BadJournal, DamagedFile, NewerFile, NotABackup, OpenElsewhere
from companion.storage.journal import Journal
from companion.storage.kept_copies import (
    BESIDE,
    beside,
    keep_copy,
    same_owner,
    sync_file,
    sync_folder,
    taking_the_place_of,
)
from companion.storage.sqlite_errors import in_words


@dataclass(frozen=True)
class FileContents:
    """What a file holds."""

    games: int
    tags: int
    damaged: tuple[BadJournal, ...] = ()
    """What is wrong with the games that cannot be rebuilt."""

    def __str__(self) -> str:
        return f"{self.games} games and {self.tags} tags"


@dataclass(frozen=True)
class Restored:
    """What was put in place, and where the file is that was there before; `None` when there was none."""

    contents: FileContents
    kept_as: Path | None


def contents_of(database: Database) -> FileContents:
    """Returns what a file holds, of whatever version it is. Every game is rebuilt, so that damage is found."""
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    [[tags]] = database.execute("SELECT count(*) FROM tags") if "tags" in tables else [[0]]
    games = Journal(database).games() if "entries" in tables else []
    return FileContents(len(games), tags, tuple(game.problem for game in games if game.problem is not None))


def restore(backup: Path, file: Path, progress: Callable[[int, int], None], now: datetime) -> Restored:
    """Puts a copy of the backup in the place of a file. Whenever this is interrupted, the old or the new one is there.

    What was there is copied to a dated name first, byte for byte. The caller makes sure that no table is running.
    """
    # SQLite keeps its own files beside the real one, wherever a link leads.
    file = file.resolve()
    if file.exists() and backup.exists() and os.path.samefile(backup, file):
        raise NotABackup(backup, "it is the very file that would be replaced")
    # Only the copy is looked at from here on, because it is what will be used.
    with in_words(file), taking_the_place_of(file) as new:
        with look_into(backup) as source:
            if source is None:
                raise NotABackup(backup, "there is no such file")
            source.copy_to(new, progress)
        with look_into(new, called=backup) as copied:
            assert copied is not None
            if not copied.execute("PRAGMA user_version")[0][0]:
                raise NotABackup(backup, "it is empty")
            contents = contents_of(copied)
        sync_file(new)
        kept_as = None
        if file.exists():
            same_owner(file, new)
            kept_as = keep_copy(file, "before", now)
            try:
                _fold(file)
            except BaseException:
                for end in ("", *BESIDE):
                    beside(kept_as, end).unlink(missing_ok=True)
                raise
        # Left where they are, they would be taken for a part of the new file. If the old one was damaged, they are
        # still here, and whole beside its copy.
        for end in BESIDE:
            beside(file, end).unlink(missing_ok=True)
        sync_folder(file.parent)
        os.replace(new, file)
        sync_folder(file.parent)
    return Restored(contents, kept_as)


def _fold(file: Path) -> None:
    """Moves everything into the file itself, so that it can be replaced in one step. A damaged file stays as it is."""
    try:
        with look_into(file):
            pass
    except DamagedFile:
        return
    except NewerFile:
        pass  # a newer program has used it; SQLite can still read it
    with closing(sqlite3.connect(file, timeout=0.0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            raise OpenElsewhere(file) from None
