"""The light drivers: one file per driver, and its name here. A board file names its driver in `[strip]`.

A driver is a module with one function, `open_strip(strip)`, which opens the strip of a board file and returns its
pixels, or raises `StripOutOfReach`. Only the driver that a board uses is imported.

    >>> from dataclasses import replace
    >>> from hardware.board import example_board
    >>> pixels = open_strip(replace(example_board().strip, driver="simulated"))
    >>> pixels[:] = [(255, 0, 0)] * 10
    >>> pixels.show()
    >>> pixels.deinit()
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final

from hardware.drivers.lights.pixels import Pixels

if TYPE_CHECKING:
    from hardware.board import Strip

__all__ = ("LIGHT_DRIVERS", "Pixels", "StripOpener", "open_strip")

LIGHT_DRIVERS: Final = (
    "neopixel",
    "simulated",
)  # fmt: skip
"""The first is the default for boards that name no driver."""

StripOpener = Callable[["Strip"], Pixels]


def open_strip(strip: Strip) -> Pixels:
    """Opens a strip with the driver that its board file names."""
    driver = import_module(f"{__name__}.{strip.driver}")
    opened: Pixels = driver.open_strip(strip)
    return opened
