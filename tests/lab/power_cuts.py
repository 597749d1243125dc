"""Power cuts, replayed: what a disk would have after losing power at any moment of a recorded game.

QEMU's `blklogwrites` records every write to the disk and every flush, in the format of the kernel's `dm-log-writes`: a
block that describes the log, and then a block for each write with where it goes, followed by its data. After a power
cut, everything before the last flush is on the disk; of what came later, any part may be missing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import BinaryIO, Final, NamedTuple

from tests.lab.tools import LabError

MAGIC: Final = 0x6A736677736872
SUPER: Final = struct.Struct("<QQQI")
ENTRY: Final = struct.Struct("<QQQQ")
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
PIECE: Final = 512
"""The smallest part of a write that can be lost on its own."""


class Write(NamedTuple):
    """A write to the disk, or a flush."""

    at: int
    """The byte on the disk where it goes."""
    data_at: int
    """Where its data is in the log."""
    size: int
    flags: int
    logged: int
    """The size of the log with this write in it."""

    @property
    def is_flush(self) -> bool:
        """Whether everything before it is on the disk when it is done."""
        return bool(self.flags & FLUSH)


def read_log(file: BinaryIO) -> Iterator[Write]:
    """Yields the writes of a log in order, as far as they were recorded completely."""
    head = file.read(SUPER.size)
    magic, _version, _entries, block = SUPER.unpack(head)
    if magic != MAGIC:
        raise LabError("This is not a log of writes.")
    end = file.seek(0, 2)
    at = block
    while at + block <= end:
        file.seek(at)
        sector, sectors, flags, _length = ENTRY.unpack(file.read(ENTRY.size))
        if not (sector or sectors or flags):
            return
        size = 0 if flags & DISCARD else sectors * block
        logged = at + block + size
        if logged > end:
            return
        yield Write(sector * block, at + block, size, flags, logged)
        at = logged


class Recording(NamedTuple):
    """A recorded game, as a log of writes and the disk before it."""

    disk: Path
    log: Path

    def cut(self, writes: list[Write], after: int, image: Path, rng: Random | None) -> None:
        """Brings a copy of the disk into the state of a power cut.

        :param after: how many writes had been recorded.
        :param image: a copy of the disk as it was before; it is changed.
        :param rng: chooses what is lost of the writes since the last flush; with `None`, nothing is.
        """
        flushed = max((number + 1 for number, write in enumerate(writes[:after]) if write.is_flush), default=0)
        with self.log.open("rb") as log, image.open("r+b") as disk:
            for number, write in enumerate(writes[:after]):
                if not write.size:
                    continue
                log.seek(write.data_at)
                data = log.read(write.size)
                if number < flushed or write.flags & FUA or rng is None:
                    disk.seek(write.at)
                    disk.write(data)
                else:
                    self._partly(disk, write.at, data, rng)

    @staticmethod
    def _partly(disk: BinaryIO, at: int, data: bytes, rng: Random) -> None:
        for start in range(0, len(data), PIECE):
            if rng.random() < 0.5:
                disk.seek(at + start)
                disk.write(data[start : start + PIECE])
