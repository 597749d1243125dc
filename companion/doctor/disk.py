"""Checks whether games can be saved: free space on the disk, and permission to write there."""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.doctor.check import Case, Check, Finding
from companion.engine import phrase

MB: Final = 1_000_000
TOO_LITTLE_MB: Final = 20
LITTLE_MB: Final = 200


class Disk(Check):
    """Writes a little where the database is, and checks the free space there."""

    name = "disk"

    def look(self, case: Case) -> Iterator[Finding]:
        file = case.machine.database.absolute()
        blocked = _in_the_way(file)
        if blocked:
            yield self.problem(
                phrase("Games cannot be saved in {file}: {blocked} is not a file.")
                if blocked == file
                else phrase("Games cannot be saved in {file}: {blocked} is not a folder."),
                phrase("Move {blocked} away, or save games elsewhere: set EL_GRANDE_HOME to a folder of your own."),
                file=str(file),
                blocked=str(blocked),
            )
            return
        if os.path.exists(file) and not case.machine.may_use(file):
            yield self.problem(
                "Games cannot be saved in {file}: {user} is not allowed to read and write it.",
                "sudo chown {user} {file}, or save games elsewhere: set EL_GRANDE_HOME to a folder of your own.",
                file=str(file),
                user=case.machine.user,
            )
            return
        folder = nearest_folder(file.parent)
        try:
            write_ms = timed_write(folder)
        except OSError as error:
            yield self.problem(
                "Games cannot be saved in {file}: nothing can be written in {folder} ({why}).",
                _DO.get(error.errno, _DO[None]),
                file=str(file),
                folder=str(folder),
                why=error.strerror or str(error),
            )
            return
        free_mb = case.machine.free_bytes(folder) // MB
        found = phrase("{free} MB are free for games, in {file}; saving a move safely takes {ms} ms.")
        do = phrase("Free some space: a game needs little, but the system and its updates need {little} MB.")
        tell = self.problem if free_mb < TOO_LITTLE_MB else self.warning if free_mb < LITTLE_MB else self.ok
        do = do if free_mb < LITTLE_MB else ""
        yield tell(found, do, free=free_mb, file=str(file), ms=f"{write_ms:.1f}", little=LITTLE_MB)


_DO: Final = {
    errno.EROFS: phrase(
        "The disk is read-only. An SD card locks itself when it is worn out: copy it to a new one. Otherwise: sudo "
        "mount -o remount,rw /"
    ),
    errno.ENOSPC: phrase("The disk is full: free some space."),
    None: phrase("Let this user write there, or save games elsewhere: set EL_GRANDE_HOME to a folder of your own."),
}
"""What to do, by the system's error number; `None` stands for all others."""


def timed_write(folder: Path, size: int = 4096) -> float:
    """Returns how many milliseconds it takes until this many bytes are safe on the disk."""
    with tempfile.TemporaryFile(dir=folder) as file:
        began_s = time.perf_counter()
        file.write(bytes(size))
        file.flush()
        os.fsync(file.fileno())
        return (time.perf_counter() - began_s) * 1000


def nearest_folder(folder: Path) -> Path:
    """Returns the folder itself, or the nearest existing folder above it."""
    return next(there for there in (folder, *folder.parents) if os.path.isdir(there))


def _in_the_way(file: Path) -> Path | None:
    """Returns what blocks the path: something else where the file or one of its folders should be, or `None`."""
    if os.path.lexists(file) and not os.path.isfile(file):
        return file
    return next((there for there in file.parents if os.path.lexists(there) and not os.path.isdir(there)), None)
