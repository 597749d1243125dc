"""Strips of WS2812B lights, on Adafruit's NeoPixel library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hardware.drivers.lights.pixels import Pixels
from hardware.errors import StripOutOfReach

if TYPE_CHECKING:
    from hardware.board import Strip


def open_strip(strip: Strip) -> Pixels:
    """Opens the strip at the pin that the board file names."""
    # In a terminal, Blinka would stop and offer to install packages, even ones we have no use for.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        import board
        import neopixel
    except (ImportError, NotImplementedError, RuntimeError) as error:
        # Blinka raises NotImplementedError on an unknown machine, and RuntimeError when a package is missing.
        raise StripOutOfReach(str(error) or "this machine is not a Raspberry Pi") from None
    try:
        pin = getattr(board, f"D{strip.gpio}")
        pixels: Pixels = neopixel.NeoPixel(
            pin, strip.count, bpp=len(strip.order), auto_write=False, pixel_order=strip.order
        )
    except (OSError, RuntimeError, ValueError, AttributeError, NotImplementedError) as error:
        raise StripOutOfReach(str(error)) from None
    return pixels
