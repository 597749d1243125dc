"""A hub in one interpreter: the real firmware on simulated chips, obeying orders that arrive as lines of JSON.

    {"until": 1250, "in": "686F7374...", "do": [["put", 2, "04A1B2C3"]]}    ->    {"out": "3346..."}

It runs in MicroPython and in CPython alike; `hardware/simulated/hub.py` gives the orders.
"""

import binascii
import json

import machine
from chip import Chip
from tags import Tag

from firmware import pins
from firmware.chips import CHIPS
from firmware.hub import Crowded, Hub
from firmware.pico import make_hub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from firmware.hub import TagReader
    from firmware.pico import MakeReader

STEP_MS = 5
"""How far the clock moves per step when an order spans a longer time."""


EXACT_MS = 15000
"""How long after a fault a quick reader still asks its chip: longer than the firmware takes to recover."""


class QuickReader:
    """A reader that knows what lies on its chip without asking it, for many games in a short time.

    Where a fault is injected, the chip is asked as always, until everything has recovered.
    """

    def __init__(self, reader: "TagReader", chip: Chip) -> None:
        self._reader = reader
        self._chip = chip
        self._exact_until_ms = -1

    def fault(self, now_ms: int) -> None:
        """Asks the chip from now on, for a while."""
        self._exact_until_ms = now_ms + EXACT_MS

    def scan(self, many: bool) -> "Generator[None, int, list[str]]":
        """Returns the numbers of the tags on the chip."""
        now_ms = yield
        if self._chip.dead or self._chip.frozen or now_ms < self._exact_until_ms:
            return (yield from self._reader.scan(many))
        tags = [binascii.hexlify(tag.uid).decode().upper() for tag in self._chip.field]
        if len(tags) > 1 and not many:
            raise Crowded
        return tags

    def test(self) -> "Generator[None, int, str]":
        """Tests the chip."""
        return self._reader.test()


class World:
    """Four chips, the tags near them, and a hub that does not know they are simulated.

    With `quick`, a chip is only asked for its tags where a fault is injected.
    """

    def __init__(self, name: str, quick: bool = False) -> None:
        self._name = name
        self._quick = quick
        self._quick_readers: list[QuickReader] = []
        self._epochs = 0
        self._now_ms = 0
        machine.reset_all()
        machine.unique_id = lambda: binascii.unhexlify(f"{binascii.crc32(name.encode()):016X}")
        self._chips = []
        for bus, select in pins.READERS:
            chip = Chip()
            machine.attach(bus, select, chip, pins.RESET)
            self._chips.append(chip)
        self._hub = self._boot()

    def _boot(self) -> Hub:
        if not self._quick:
            return make_hub(self._epoch)
        self._quick_readers = []
        return make_hub(self._epoch, {name: self._quickly(chip) for name, chip in CHIPS.items()})

    def _quickly(self, make_reader: "MakeReader") -> "MakeReader":
        """Returns what makes a hub's readers, in the order of their chips."""
        chips = iter(self._chips)

        def make(bus: machine.SPI, select: machine.Pin) -> QuickReader:
            reader = QuickReader(make_reader(bus, select), next(chips))
            self._quick_readers.append(reader)
            return reader

        return make

    def _epoch(self) -> str:
        # A number that differs between hubs and between starts, but is the same in every run.
        self._epochs += 1
        name = f"{self._name} {self._epochs}"
        return f"{binascii.crc32(name.encode()):08X}"

    def obey(self, line: str) -> str:
        """Carries out an order. Returns what the hub sent."""
        order = json.loads(line)
        for what in order.get("do", []):
            self._change(what[0], what[1:])
        received = binascii.unhexlify(order.get("in", ""))
        out = b""
        until_ms = order["until"]
        while True:
            before_ms, self._now_ms = self._now_ms, min(until_ms, self._now_ms + STEP_MS)
            machine.elapse((self._now_ms - before_ms) * 1000)
            if self._hub.running:
                out += self._hub.step(self._now_ms, received)
            received = b""
            if self._now_ms >= until_ms:
                return json.dumps({"out": binascii.hexlify(out).decode(), "running": self._hub.running})

    def _change(self, what: str, arguments: "list[Any]") -> None:
        if what == "reset":
            self._hub = self._boot()
            return
        chip = self._chips[arguments[0]]
        if what not in ("put", "take"):
            for reader in self._quick_readers:
                reader.fault(self._now_ms)
        if what == "put":
            chip.put(Tag(binascii.unhexlify(arguments[1])))
        elif what == "take":
            chip.take(binascii.unhexlify(arguments[1]))
        elif what == "dead":
            chip.dead = arguments[1]
        elif what == "freeze":
            chip.frozen = arguments[1]
        elif what == "noise":
            chip.noise = arguments[1]
        elif what == "brown-out":
            chip.reset_now()
        else:
            raise ValueError("no such order: " + what)
