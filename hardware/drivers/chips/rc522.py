"""The RC522 module: NXP's MFRC522 with an antenna, over SPI."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from hardware.drivers.chips.facts import ChipFacts

FACTS: Final = ChipFacts(
    module="RC522",
    part="RC522 reader module, 13.56 MHz",
    note="one per place; antennas differ, so buy one kind",
    pins=("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V"),
    wires=MappingProxyType(
        {
            "SDA": "select",  # named for its use as the data line over I2C
            "SCK": "clock",
            "MOSI": "to-reader",
            "MISO": "from-reader",
            "GND": "ground",
            "RST": "reset",
            "3.3V": "3v3",
        }
    ),
    # 60 mA for the antenna, 6.5 and 7 mA for the rest.
    field_ma=75.0,
    resting_ma=14.0,
    basis="by the data sheet of its chip",
)
