"""Builds a hub from a Raspberry Pi Pico, wired as `pins.py` says."""

import machine

from firmware import pins
from firmware.chips import CHIPS
from firmware.hub import Hub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from firmware.hub import TagReader

    MakeReader = Callable[[machine.SPI, machine.Pin], TagReader]

BAUDRATE = 1_000_000
"""Slow for the chip, safe over loose wires."""


def make_hub(epoch: "Callable[[], str]", chips: "Mapping[str, MakeReader]" = CHIPS) -> Hub:
    """Returns a hub with all readers its pins have room for; the host says how many there are, and with which chip."""
    reset = machine.Pin(pins.RESET, machine.Pin.OUT, value=0)
    buses = {}
    for number, clock, to_readers, from_readers in pins.BUSES:
        buses[number] = machine.SPI(
            number,
            baudrate=BAUDRATE,
            polarity=0,
            phase=0,
            sck=machine.Pin(clock),
            mosi=machine.Pin(to_readers),
            miso=machine.Pin(from_readers),
        )
    # Deselect every reader before the first is woken.
    selects = [machine.Pin(select, machine.Pin.OUT, value=1) for _, select in pins.READERS]
    reset.value(1)
    wired = [(buses[pins.READERS[number][0]], select) for number, select in enumerate(selects)]
    readers = {name: [chip(bus, select) for bus, select in wired] for name, chip in chips.items()}
    return Hub(readers, hexadecimal(machine.unique_id()), epoch)


def hexadecimal(data: bytes) -> str:
    """Returns bytes as the protocol writes them."""
    return "".join(f"{byte:02X}" for byte in data)
