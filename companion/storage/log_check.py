"""Finds out whether SQLite's log, the file `-wal`, was cut short by damage.

SQLite reads the log up to the first frame whose checksum is wrong, and takes that for its end, as after a power cut. So
one flipped bit there would silently take back everything that was saved after it.

A log is a header of 32 bytes and frames of one page each, with 24 bytes before the page: its number, the size of the
database if the frame ends a change, two numbers that all frames of this log share with its header, and a checksum over
everything so far.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

LONGEST: Final = 64_000_000
"""A longer log is not one of ours and is left to SQLite: ours are folded into the file from 4 MB on."""
HEADER: Final = 32
FRAME_HEADER: Final = 24
_MAGIC: Final = 0x377F0682
"""The first number of a log; with 1 added, the checksums read the log as big-endian numbers."""
_PAGE_SIZES: Final = {1 << power for power in range(9, 17)}


def changes_lost(log: Path) -> int:
    """Returns how many changes at the end of a log were written and will not be read; 0 when all is well.

    The last of them may be one that was being written when the power failed: a log cannot tell.
    """
    try:
        content = log.read_bytes() if log.stat().st_size <= LONGEST else b""
    except FileNotFoundError:
        return 0
    if len(content) <= HEADER + FRAME_HEADER or not any(content[:HEADER]):
        return 0
    magic, _version, page_size, _count, *salts = struct.unpack_from(">6I", content)
    order = ">" if magic & 1 else "<"
    checksum = _checksum((0, 0), content[:24], order)
    if magic & ~1 != _MAGIC or page_size not in _PAGE_SIZES or checksum != struct.unpack_from(">2I", content, 24):
        # Nothing of it is read. How long its frames are is only known if that is not the damage.
        return _changes_after(content, page_size) if page_size in _PAGE_SIZES else 1
    size = FRAME_HEADER + page_size
    for start in range(HEADER, len(content) - size + 1, size):
        frame_salts = list(struct.unpack_from(">2I", content, start + 8))
        computed = _checksum(checksum, content[start : start + 8] + content[start + 24 : start + size], order)
        fits = computed == struct.unpack_from(">2I", content, start + 16)
        if fits and frame_salts == salts:
            checksum = computed
            continue
        later = [
            struct.unpack_from(">I", content, other + 4)[0]
            for other in range(start, len(content) - size + 1, size)
            if list(struct.unpack_from(">2I", content, other + 8)) == salts
        ]
        # Frames of an older log, which this one has begun to write over, have other numbers and do not fit.
        return max(1, sum(map(bool, later))) if fits or later else 0
    return 0


def _changes_after(content: bytes, page_size: int) -> int:
    """Returns how many changes there are in the frames that belong to the same log as the first."""
    size = FRAME_HEADER + page_size
    frames = [struct.unpack_from(">4I", content, start) for start in range(HEADER, len(content) - size + 1, size)]
    return max(1, sum(bool(ends) for _page, ends, *salts in frames if salts == list(frames[0][2:]))) if frames else 0


def _checksum(before: tuple[int, int], content: bytes, order: str) -> tuple[int, int]:
    """Returns SQLite's checksum of some bytes that follow others."""
    first, second = before
    numbers = iter(struct.unpack(f"{order}{len(content) // 4}I", content))
    for one in numbers:
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + next(numbers) + first) & 0xFFFFFFFF
    return first, second
