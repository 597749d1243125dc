"""Copies of a table's file as it was, byte for byte, under a dated name beside it."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file: its name continues with one of these."""

Now = Callable[[], datetime]


def beside(file: Path, end: str) -> Path:
    """Returns the path of what SQLite keeps beside a file.

    >>> beside(Path("table.db"), "-wal").name
    'table.db-wal'
    """
    return file.with_name(f"{file.name}{end}")


def dated_name(file: Path, word: str, now: datetime) -> Path:
    """Returns a path beside a file that says when it was made, and that nothing has yet.

    >>> dated_name(Path("table.db"), "before", datetime(2024, 5, 1, 18, 3, 22)).name
    'table-before-2024-05-01-180322.db'
    """
    stem = f"{file.stem}-{word}-{now:%Y-%m-%d-%H%M%S}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 100))]
    paths = (file.with_name(f"{name}{file.suffix}") for name in names)
    free = (path for path in paths if not any(os.path.lexists(beside(path, end)) for end in ("", *BESIDE)))
    return next(free)


def copy_private(source: Path, copy: Path) -> None:
    """Copies a file to a new one that only this user can read; it is on disk when this returns."""
    handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(source, "rb") as reader, os.fdopen(handle, "wb") as writer:
            shutil.copyfileobj(reader, writer)
            writer.flush()
            os.fsync(writer.fileno())
        same_owner(source, copy)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def keep_copy(file: Path, word: str, now: datetime) -> Path:
    """Copies a file, with what SQLite keeps beside it, to a dated name. Returns the path of the copy.

    Not for a process that has the file open: it would drop its locks.
    """
    copy = dated_name(file, word, now)
    made: list[Path] = []
    try:
        # The file itself comes last: where it is, everything that belongs to it is. The -shm is only an index.
        for end in ("-wal", "-journal", ""):
            if beside(file, end).exists():
                copy_private(beside(file, end), beside(copy, end))
                made.append(beside(copy, end))
        sync_folder(file.parent)
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        raise
    return copy


@contextmanager
def taking_the_place_of(file: Path) -> Iterator[Path]:
    """Yields a new file beside another, for this user only. It is deleted afterwards unless it was renamed."""
    # Always the same name, so that the next one clears up what a crash has left. Only one is made at a time.
    new = beside(file, ".part")
    for end in ("", *BESIDE):
        beside(new, end).unlink(missing_ok=True)
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield new
    finally:
        for end in ("", *BESIDE):
            beside(new, end).unlink(missing_ok=True)


def same_owner(like: Path, file: Path) -> None:
    """Gives a file the owner of another: root may restore what belongs to the user of a service."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = like.stat()
        os.chown(file, owner.st_uid, owner.st_gid)


def sync_file(file: Path) -> None:
    """Returns when the content of a file is on disk."""
    handle = os.open(file, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Returns when the names in a folder are on disk."""
    # Windows does not let programs open a folder, and writes names to disk without being asked.
    with contextlib.suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
