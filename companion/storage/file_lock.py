"""A lock that only one program at a time can hold, on every system."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


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
    """
    with closing(sqlite3.connect(file, timeout=0.0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise Locked from None
        yield
