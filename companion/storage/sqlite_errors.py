"""What the errors of SQLite and of the system mean to people."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.storage.errors import (
    DamagedFile,
    DatabaseError,
    DiskFull,
    FailingDisk,
    FileInUse,
    NoPermission,
    NotAFile,
    ReadOnlyFile,
)

_BY_SQLITE: Final[dict[int, type[DatabaseError]]] = {
    sqlite3.SQLITE_NOTADB: DamagedFile,
    sqlite3.SQLITE_CORRUPT: DamagedFile,
    sqlite3.SQLITE_READONLY: ReadOnlyFile,
    sqlite3.SQLITE_FULL: DiskFull,
    sqlite3.SQLITE_BUSY: FileInUse,
    sqlite3.SQLITE_LOCKED: FileInUse,
    sqlite3.SQLITE_CANTOPEN: NoPermission,
    sqlite3.SQLITE_PERM: NoPermission,
    sqlite3.SQLITE_IOERR: FailingDisk,
}
"""What SQLite's error codes mean to people. Those left out are mistakes in our own statements."""

LASTING: Final = (DamagedFile, ReadOnlyFile, NoPermission, FailingDisk)
"""After these, a connection may never work again, even if the file does."""

_BY_SYSTEM: Final[dict[int | None, type[DatabaseError]]] = {
    errno.EACCES: NoPermission,
    errno.EPERM: NoPermission,
    errno.EROFS: ReadOnlyFile,
    errno.ENOSPC: DiskFull,
    errno.EDQUOT: DiskFull,
    errno.ENOTDIR: NotAFile,
    errno.EEXIST: NotAFile,
    errno.EIO: FailingDisk,
}


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turns errors of the system and of SQLite into our own."""
    try:
        yield
    except sqlite3.Error as error:
        code: int | None = getattr(error, "sqlite_errorcode", None)
        # The low byte is the kind of error; the rest narrows it down.
        found = None if code is None else _BY_SQLITE.get(code & 0xFF)
        # This one has no code, and quotes the text, which may be a secret.
        if "Could not decode" in str(error):
            raise DamagedFile(path, "not valid text") from None
        if found is None:
            raise
        raise found(path, str(error)) from error
    except UnicodeDecodeError:
        # Not even the words of SQLite's error are text: it quotes what it could not read.
        raise DamagedFile(path, "not valid text") from None
    except OSError as error:
        raise _BY_SYSTEM.get(error.errno, DatabaseError)(path, error.strerror or str(error)) from error
