"""A simulated strip: with `driver = "simulated"`, a board without lights can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drivers.lights.pixels import Pixels

if TYPE_CHECKING:
    from hardware.board import Strip


def open_strip(strip: Strip) -> Pixels:
    """Opens a simulated strip; what it shows goes nowhere."""
    from hardware.simulated.strip import SimulatedStrip

    return SimulatedStrip().open(strip)
