"""The light drivers: one file per driver, and its name here. A board file may name its driver in `[strip]`.

A driver is a module with one function, `open_strip(strip)`, which opens the strip of a board file and returns its
pixels, or raises `StripOutOfReach`. It imports its packages only then.

    >>> from dataclasses import replace
    >>> from hardware.board import example_board
    >>> pixels = open_strip(replace(example_board().strip, driver="simulated"))
    >>> pixels[:] = [(255, 0, 0)] * 10
    >>> pixels.show()
    >>> pixels.deinit()
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.drivers.lights.output import SPI_DEVICE, SPI_GPIO, Output, driver_of, output_of
from hardware.drivers.lights.pixels import Pixels
from hardware.models import MODEL_FILE, pi_of, read_model

if TYPE_CHECKING:
    from hardware.board import Strip

__all__ = (
    "LIGHT_DRIVERS",
    "SPI_DEVICE",
    "SPI_GPIO",
    "Output",
    "Pixels",
    "StripOpener",
    "driver_of",
    "open_strip",
    "output_of",
)

LIGHT_DRIVERS: Final = (
    "neopixel",
    "simulated",
    "spi",
)

StripOpener = Callable[["Strip"], Pixels]


def open_strip(strip: Strip) -> Pixels:
    """Opens a strip with the driver that its board file names, or else the one for its pin and this machine."""
    # In a terminal, Blinka would stop and offer to install packages, even ones we have no use for.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    driver = import_module(f"{__name__}.{driver_of(strip, pi_of(read_model(Path(MODEL_FILE))))}")
    opened: Pixels = driver.open_strip(strip)
    return opened
