"""An RC522 driver on a rig: a chip simulated down to its registers, its tags, and a count of its accesses."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from firmware.rc522 import RC522

STAND_INS = Path(__file__).parents[2] / "hardware" / "simulated" / "micropython"
TX_CONTROL = 0x14
MOST_ACCESSES = 400
"""The most accesses between two turns of the others: 15 ms."""
Modules = dict[str, Any]
T = TypeVar("T")


@contextmanager
def stand_ins() -> Iterator[Modules]:
    """Yields the simulated chip and its machine, under the names they have in MicroPython."""
    with pytest.MonkeyPatch.context() as patch:
        names = [file.stem for file in STAND_INS.glob("*.py") if file.stem != "world"]
        for name in names:
            patch.delitem(sys.modules, name, raising=False)
        patch.syspath_prepend(str(STAND_INS))
        yield {name: importlib.import_module(name) for name in names}
        for name in names:
            sys.modules.pop(name, None)


class ReaderRig:
    """A reader on its bus, with measurements of the time it takes."""

    def __init__(self, modules: Modules, *tags: str, gap_us: int = 1000) -> None:
        self.machine = modules["machine"]
        self.machine.reset_all()
        self.gap_us = gap_us
        self.chip = modules["chip"].Chip()
        self._tag = modules["tags"].Tag
        select = self.machine.Pin(5, self.machine.Pin.OUT, value=1)
        self.machine.Pin(6, self.machine.Pin.OUT, value=1)
        self.machine.attach(0, 5, self.chip, 6)
        self._spi = self.machine.SPI(0, baudrate=1_000_000)
        self.machine.elapse(5_000)
        self.reader = RC522(self, select)
        self.accesses = 0
        self.longest = 0
        """The most accesses between two turns of the others."""
        self.took_ms = 0.0
        self.at: dict[int, Callable[[], object]] = {}
        """What happens at an access to the bus, counted from the start of a scan."""
        for tag in tags:
            self.put(tag)

    def put(self, tag: str) -> None:
        self.chip.put(self._tag(bytes.fromhex(tag)))

    def take(self, tag: str) -> None:
        self.chip.take(bytes.fromhex(tag))

    # As a bus.

    def write(self, buf: bytes) -> None:
        self._access()
        self._spi.write(buf)

    def write_readinto(self, out: bytes, into: bytearray) -> None:
        self._access()
        self._spi.write_readinto(out, into)

    def _access(self) -> None:
        self.accesses += 1
        self.at.pop(self.accesses, lambda: None)()

    # As a hub.

    def run(self, work: Generator[None, int, T]) -> T:
        """Runs a scan or a test to its end, letting others have their turn whenever it waits."""
        began_us = self.machine.now_us()
        self.accesses = self.longest = 0
        last = 0
        try:
            next(work)
            while True:
                self.longest, last = max(self.longest, self.accesses - last), self.accesses
                self.machine.elapse(self.gap_us)
                work.send(self.machine.now_us() // 1000)
        except StopIteration as done:
            found: T = done.value
            return found
        finally:
            self.longest = max(self.longest, self.accesses - last)
            self.took_ms = (self.machine.now_us() - began_us) / 1000

    def scan(self, many: bool = False) -> list[str]:
        try:
            return sorted(self.run(self.reader.scan(many)))
        finally:
            assert self.longest <= MOST_ACCESSES
            assert not self.chip.read(TX_CONTROL) & 3 or self.chip.dead, "the field is on only while it scans"
