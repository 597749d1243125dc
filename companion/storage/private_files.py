"""Keeps a table's files for its user alone, because they hold what players have not shown yet."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.engine import Message, phrase
from companion.storage.kept_copies import BESIDE, beside

LOCK_END: Final = "-playing"
"""How the name of a table's lock file continues that of its database."""

OTHERS_CAN_READ: Final = phrase(
    "Other users of this machine can read {path}, with every secret of the game, and this user cannot change that. Its "
    "owner can: chmod go-rwx {path}"
)
OTHERS_CAN_WRITE: Final = phrase(
    "Other users of this machine can replace the files in {path}. To keep games safe: chmod go-w {path}"
)

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def create_private(file: Path) -> None:
    """Creates a file that is missing, for this user alone."""
    if not file.exists():
        # Not exclusively: another program may be creating it at this moment.
        os.close(os.open(file.resolve(), os.O_WRONLY | os.O_CREAT, 0o600))


def make_private(file: Path, own_folder: bool) -> Iterator[Message]:
    """Takes the rights to a file from other users, and yields what could not be done.

    :param own_folder: whether its folder is the table's own, so that others have no business in it either.
    """
    file = file.resolve()
    if os.name == "nt":
        # Windows keeps a user's folder for that user by other means.
        return
    folder = file.parent
    if own_folder and not folder.stat().st_mode & stat.S_ISVTX:
        yield from _tightened(folder)
    elif folder.stat().st_mode & _OTHERS_WRITE and not folder.stat().st_mode & stat.S_ISVTX:
        yield Message(OTHERS_CAN_WRITE, {"path": str(folder)})
    for end in ("", *BESIDE, LOCK_END):
        yield from _tightened(beside(file, end))


def _tightened(path: Path) -> Iterator[Message]:
    try:
        mode = path.lstat().st_mode
        if mode & _OTHERS and not stat.S_ISLNK(mode):
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
    except FileNotFoundError:
        return
    except OSError:
        yield Message(OTHERS_CAN_READ, {"path": str(path)})
