"""Which driver a strip has, and which part of the Raspberry Pi makes its signal."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from hardware.models import LIGHT_DRIVER, Pi

if TYPE_CHECKING:
    from hardware.board import Strip

SPI_GPIO: Final = 10
"""The data pin of SPI0, the only SPI whose bytes follow each other without a pause on every Pi."""
SPI_DEVICE: Final = "/dev/spidev0.0"


class Output(Enum):
    """The part of a Raspberry Pi that makes the signal for the strip."""

    SPI = "SPI"
    PWM = "PWM"
    PCM = "PCM"
    PIO = "PIO"
    NONE = "none"
    """The strip is simulated."""


_NEOPIXEL: Final = {SPI_GPIO: Output.SPI, 12: Output.PWM, 18: Output.PWM, 21: Output.PCM}
"""What rpi_ws281x uses on each pin."""


def driver_of(strip: Strip, pi: Pi | None) -> str:
    """Returns the driver that a board file names, or else the one for the pin and the Pi.

    >>> from dataclasses import replace
    >>> from hardware.board import find_board
    >>> strip = find_board("standard").strip
    >>> driver_of(strip, None), driver_of(replace(strip, gpio=18), None)
    ('spi', 'neopixel')
    """
    if strip.driver:
        return strip.driver
    if strip.gpio != SPI_GPIO:
        return "neopixel"
    return pi.light_driver if pi else LIGHT_DRIVER


def output_of(strip: Strip, pi: Pi | None) -> Output:
    """Returns what makes the signal for a strip on this Pi."""
    driver = driver_of(strip, pi)
    if driver == "neopixel":
        return Output.PIO if pi and pi.has_pio else _NEOPIXEL[strip.gpio]
    return Output.SPI if driver == "spi" else Output.NONE
