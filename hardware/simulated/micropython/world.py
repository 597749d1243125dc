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
from firmware.pico import make_hub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STEP_MS = 5
"""How far the clock moves per step when an order spans a longer time."""


class World:
    """Four chips, the tags near them, and a hub that does not know they are simulated."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._epochs = 0
        self._now_ms = 0
        machine.reset_all()
        machine.unique_id = lambda: binascii.unhexlify(f"{binascii.crc32(name.encode()):016X}")
        self._chips = []
        for bus, select in pins.READERS:
            chip = Chip()
            machine.attach(bus, select, chip, pins.RESET)
            self._chips.append(chip)
        self._hub = make_hub(self._epoch)

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
            self._hub = make_hub(self._epoch)
            return
        chip = self._chips[arguments[0]]
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
