"""Notices when a table's file is renamed, deleted or replaced while it is open."""

from __future__ import annotations

import ctypes
import os
import sqlite3
import sys
from typing import NamedTuple


class FileIdentity(NamedTuple):
    """The file that a path leads to and its log, each by device and number; `None` when it is not there."""

    file: tuple[int, int] | None
    log: tuple[int, int] | None

    @classmethod
    def of(cls, path: str) -> FileIdentity:
        """Returns which file, and which log of it, a path stands for now. It is asked for every change."""
        return cls(_identity(path), _identity(f"{path}-wal"))


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def close_without_a_trace(connection: sqlite3.Connection) -> None:
    """Closes a connection whose file has lost its name.

    SQLite would delete what has the name of its log, and that may belong to another file by now.
    """
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)
        connection.close()
    else:
        # Never closed: it ends with the program, and then SQLite does nothing.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
