"""A lock that only one program at a time can hold, on every system."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.storage.errors import NotAFile


class Locked(Exception):
    """Another program holds the lock."""


@contextmanager
def file_lock(file: Path) -> Iterator[None]:
    """Holds the lock of a file, which is created empty if it is missing. It ends with the program, however that ends.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, file_lock(Path(folder, "lock")), file_lock(Path(folder, "lock")):
    ...     pass
    Traceback (most recent call last):
    ...
    companion.storage.file_lock.Locked

    SQLite takes it, because SQLite knows how to lock a file on each system.

    :raises Locked: another program, or another part of this one, holds it.
    :raises NotAFile: something else is where the lock should be. It is left as it is.
    """
    _check_lock_file(file)
    with closing(sqlite3.connect(file, timeout=0.0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise Locked from None
        yield


def _check_lock_file(file: Path) -> None:
    """Creates a lock file that is missing, and refuses a link or anything that could be damaged by locking it."""
    try:
        # This never follows a link, and never opens what is there.
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        there = os.lstat(file)
        if stat.S_ISLNK(there.st_mode):
            raise NotAFile(file, "a link is there, and the lock follows none") from None
        if not stat.S_ISREG(there.st_mode) or there.st_size:
            raise NotAFile(file, "something that is not a lock is there") from None
