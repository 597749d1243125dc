"""Power cuts at block level: whatever a disk had not been told to keep may be lost, and nothing that was shown is.

A whole game is played once on a file system that records every write and every flush. Then the power is cut after many
of these steps: with all that was written, and with any of the sectors lost that were not flushed.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import pytest

from companion.storage.database import open_database
from companion.storage.errors import DatabaseError
from companion.storage.journal import Journal
from tests.sim.recording_files import Op

ROOT: Final = Path(__file__).parents[2]
CUTS: Final = 200
SECTOR: Final = 512
PATIENCE_S: Final = 30.0
SHOWN: Final = "/shown.txt"
DATABASE: Final = "/table.db"
SEED: Final = 3


@contextmanager
def recording(folder: Path, log: Path) -> Iterator[None]:
    """Mounts the recording file system on a folder; afterwards, its log is there."""
    command = [sys.executable, "-m", "tests.sim.recording_files", str(folder), str(log)]
    with subprocess.Popen(command, cwd=ROOT) as program:
        end_s = time.monotonic() + PATIENCE_S
        while not os.path.ismount(folder):
            assert program.poll() is None, "the recording file system did not start"
            assert time.monotonic() < end_s
            time.sleep(0.01)
        try:
            yield
        finally:
            subprocess.run(["fusermount3", "-u", str(folder)], check=True)
            program.wait(PATIENCE_S)


@dataclass
class Disk:
    """The files on a disk: what was flushed, and what was written since."""

    kept: dict[str, bytearray] = field(default_factory=dict)
    pending: dict[str, list[Op]] = field(default_factory=dict)

    def do(self, op: Op) -> None:
        """Does the next step of the log."""
        if op.kind == "remove":
            self.kept.pop(op.path, None)
            self.pending.pop(op.path, None)
            return
        self.kept.setdefault(op.path, bytearray())
        self.pending.setdefault(op.path, []).append(op)
        if op.kind == "flush":
            self.kept[op.path] = self.after_the_cut(op.path, None)
            self.pending[op.path] = []

    def after_the_cut(self, path: str, rng: Random | None) -> bytearray:
        """Returns a file as it may be after a power cut: with everything, or with random sectors of it lost."""
        file = bytearray(self.kept[path])
        for op in self.pending[path]:
            if op.kind == "resize":
                file.extend(bytes(max(0, op.offset - len(file))))
                del file[op.offset :]
            elif op.kind == "write":
                for start in range(0, len(op.data), SECTOR):
                    if rng is None or rng.random() < 0.5:
                        at, sector = op.offset + start, op.data[start : start + SECTOR]
                        file.extend(bytes(max(0, at - len(file))))
                        file[at : at + len(sector)] = sector
        return file

    def pull_the_plug(self, folder: Path, rng: Random | None) -> Path:
        """Writes the files as they may be after a power cut, and returns the path of the database."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for path in self.kept:
            # The index of the log is memory that processes share; a new start makes it again.
            if path != SHOWN and not path.endswith("-shm"):
                (folder / path[1:]).write_bytes(self.after_the_cut(path, rng))
        return folder / DATABASE[1:]


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[Op]:
    """Everything that a disk was asked to do during a whole game."""
    if os.geteuid() or not os.path.exists("/dev/fuse") or not shutil.which("fusermount3"):
        pytest.skip("only root can mount a file system of our own, on a kernel with FUSE and with the package fuse3")
    folder, log = tmp_path_factory.mktemp("recorded"), tmp_path_factory.mktemp("log") / "steps"
    with recording(folder, log):
        command = [sys.executable, "-m", "tests.sim.killed", str(folder / DATABASE[1:]), str(SEED)]
        with open(folder / SHOWN[1:], "w") as shown:
            subprocess.run(command, cwd=ROOT, stdout=shown, check=True)
    return [Op(*op) for op in pickle.loads(log.read_bytes())]


def moves_in(database: Path) -> list[str]:
    """Returns the moves in a database, which must open; none if its game had not begun."""
    with open_database(database) as opened:
        games = Journal(opened).games()
        return [str(move) for move in Journal(opened).load(games[0].id).game.moves] if games else []


def shown_by(op: Op) -> int:
    """Returns how many moves people were shown, by what the table printed."""
    return max((int(count) for count in re.findall(rb"shown (\d+)", op.data)), default=0)


@pytest.mark.games
def test_after_a_power_cut_nothing_is_missing_that_was_shown(steps: list[Op], tmp_path: Path) -> None:
    rng = Random(7)
    assert sum(op.kind == "flush" for op in steps) > CUTS / 2
    first = next(number for number, op in enumerate(steps) if op.path == DATABASE)
    cuts = set(rng.sample(range(first, len(steps)), CUTS - 1)) | {len(steps) - 1}
    whole = Disk()
    for op in steps:
        whole.do(op)
    game = moves_in(whole.pull_the_plug(tmp_path / "whole", None))
    disk, shown, dropped = Disk(), 0, 0
    for number, op in enumerate(steps):
        disk.do(op)
        if op.path == SHOWN:
            shown = max(shown, shown_by(op))
        if number not in cuts:
            continue
        for lost in (None, rng):
            moves = moves_in(disk.pull_the_plug(tmp_path / "cut", lost))
            assert moves == game[: len(moves)]
            assert len(moves) >= shown, f"after step {number}"
        dropped += any(pending for path, pending in disk.pending.items() if path != SHOWN)
    assert shown == len(game)
    # The cuts are worth something only if there was often something to lose.
    assert dropped > CUTS / 4


@pytest.mark.games
def test_a_flush_that_is_left_out_is_found(steps: list[Op], tmp_path: Path) -> None:
    """The same check on a disk that ignores flushes must fail, or it would prove nothing."""
    rng, disk, shown = Random(7), Disk(), 0
    lost = 0
    for number, op in enumerate(steps):
        if op.kind != "flush":
            disk.do(op)
        if op.path == SHOWN:
            shown = max(shown, shown_by(op))
        if number % (len(steps) // 20) == 0 and shown:
            try:
                lost += len(moves_in(disk.pull_the_plug(tmp_path / "cut", rng))) < shown
            except DatabaseError:
                lost += 1
    assert lost
