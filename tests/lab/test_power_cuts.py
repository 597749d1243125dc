"""Replayed power cuts: what is on a disk after one, and what may be missing."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

from tests.lab.power_cuts import ENTRY, FLUSH, FUA, MAGIC, SUPER, Recording, Write, read_log
from tests.lab.tools import LabError

BLOCK = 512


def block_of(letter: str) -> bytes:
    return letter.encode() * BLOCK


def log_of(*entries: tuple[int, str, int]) -> bytes:
    """A log of writes: the block where each goes, its data as letters, and its flags."""
    log = SUPER.pack(MAGIC, 1, len(entries), BLOCK).ljust(BLOCK, b"\0")
    for block, letters, flags in entries:
        log += ENTRY.pack(block, len(letters), flags, 0).ljust(BLOCK, b"\0")
        log += b"".join(map(block_of, letters))
    return log


def disk_after(folder: Path, log: bytes, after: int, rng: Random | None) -> str:
    """The letters on a disk of four blocks after a power cut."""
    (folder / "log").write_bytes(log)
    (folder / "disk").write_bytes(block_of("-") * 4)
    writes = list(read_log(io.BytesIO(log)))
    Recording(folder / "disk", folder / "log").cut(writes, after, folder / "disk", rng)
    return "".join(chr(byte) for byte in (folder / "disk").read_bytes()[::BLOCK])


def test_a_log_is_read_as_far_as_it_was_recorded() -> None:
    log = log_of((0, "ab", 0), (2, "", FLUSH), (2, "c", FUA))
    assert list(read_log(io.BytesIO(log))) == [
        Write(0, 2 * BLOCK, 2 * BLOCK, 0, 4 * BLOCK),
        Write(2 * BLOCK, 5 * BLOCK, 0, FLUSH, 5 * BLOCK),
        Write(2 * BLOCK, 6 * BLOCK, BLOCK, FUA, 7 * BLOCK),
    ]
    # The last write was being recorded when the power went.
    assert len(list(read_log(io.BytesIO(log[:-1])))) == 2
    with pytest.raises(LabError, match="not a log"):
        list(read_log(io.BytesIO(b"x" * BLOCK)))


@pytest.mark.parametrize(("after", "letters"), [(0, "----"), (1, "ab--"), (2, "ab--"), (3, "abc-"), (4, "dbc-")])
def test_everything_before_a_cut_is_there_if_nothing_is_lost(after: int, letters: str, tmp_path: Path) -> None:
    log = log_of((0, "ab", 0), (0, "", FLUSH), (2, "c", 0), (0, "d", 0))
    assert disk_after(tmp_path, log, after, None) == letters


def test_only_what_was_written_after_the_last_flush_can_be_lost(tmp_path: Path) -> None:
    log = log_of((0, "ab", 0), (0, "", FLUSH), (0, "cd", 0), (3, "e", FUA))
    found = {disk_after(tmp_path, log, 4, Random(seed)) for seed in range(40)}
    assert found == {"ab-e", "cb-e", "ad-e", "cd-e"}
