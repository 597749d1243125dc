"""A hub that is plugged into the lab's machine: the firmware's own code at the other end of a real USB port.

    python hub_in_machine.py /dev/ttyGS0 ORDERS

It runs in the machine, with the modules of the firmware in the installed program. ORDERS is a file with one
`reader tag` a line: those tags are held to the readers.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Generator
from pathlib import Path

from firmware.hub import Hub

READERS = 3


class FileReader:
    """A reader whose tags stand in a file."""

    def __init__(self, number: int, orders: Path) -> None:
        self._number, self._orders = number, orders

    def scan(self, many: bool) -> Generator[None, int, list[str]]:
        """Returns the tags that are held to this reader."""
        yield
        lines = self._orders.read_text().splitlines() if self._orders.exists() else []
        return [line.split()[1] for line in lines if line.split()[0] == str(self._number)]

    def test(self) -> Generator[None, int, str]:
        """Returns the result of a self-test."""
        yield
        return "ok"


def main(port: str, orders: Path) -> None:
    """Runs the hub until its port is closed."""
    line = os.open(port, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line, termios.TCSANOW)
    readers = [FileReader(number, orders) for number in range(READERS)]
    hub = Hub({"rc522": readers}, "E66058388345A52A", lambda: os.urandom(4).hex().upper())
    while hub.running:
        ready, _, _ = select.select([line], [], [], 0.01)
        received = os.read(line, 4096) if ready else b""
        if ready and not received:
            return  # the cable was pulled
        said = hub.step(time.monotonic_ns() // 1_000_000, received)
        if said:
            os.write(line, said)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
