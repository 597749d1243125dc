"""Strips of WS2812B lights, on Adafruit's NeoPixel library: through rpi_ws281x, which is compiled, or a Pi 5's PIO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drivers.lights.pixels import Pixels
from hardware.errors import StripOutOfReach

if TYPE_CHECKING:
    from hardware.board import Strip


def open_strip(strip: Strip) -> Pixels:
    """Opens the strip at the pin that the board file names."""
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
