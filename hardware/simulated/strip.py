"""A simulated strip: the real NeoPixel library, with its bytes kept instead of sent."""

from __future__ import annotations

import os
import sys
from typing import Any, Final
from weakref import WeakKeyDictionary

from hardware.board import Strip
from hardware.drivers.lights import Pixels
from hardware.patterns import Colour


class SimulatedStrip:
    """Keeps the bytes of the last frame, counts the frames, and can be lost.

    >>> from hardware.board import example_board
    >>> strip = SimulatedStrip()
    >>> pixels = strip.open(example_board().strip)
    >>> pixels[:] = [(255, 0, 0)] * 10
    >>> pixels.show()
    >>> strip.data[:6].hex(), strip.colours()[0]
    ('00ff0000ff00', (255, 0, 0))
    >>> pixels.deinit()
    """

    def __init__(self) -> None:
        self.data = b""
        """The bytes of the last frame, as they would go down the wire."""
        self.frames = 0
        self.lost = False
        """Whether writing fails."""
        self._order = "GRB"

    def open(self, strip: Strip) -> Pixels:
        """Returns a NeoPixel object whose bytes come here."""
        self._check()
        library = _library()
        self._order = strip.order
        import board

        pixels: Pixels = library.NeoPixel(
            board.Dx_OUTPUT, strip.count, bpp=len(strip.order), auto_write=False, pixel_order=strip.order
        )
        _SINKS[pixels.pin] = self
        return pixels

    def write(self, data: bytes) -> None:
        """Keeps the bytes that the library sends."""
        self._check()
        self.data = data
        self.frames += 1

    def colours(self) -> list[Colour]:
        """Returns the last frame as red, green and blue of each light."""
        width = len(self._order)
        red, green, blue = (self._order.index(letter) for letter in "RGB")
        white = self._order.find("W")
        lights: list[Colour] = []
        for start in range(0, len(self.data), width):
            light = self.data[start : start + width]
            pale = light[white] if white >= 0 else 0
            lights.append((max(light[red], pale), max(light[green], pale), max(light[blue], pale)))
        return lights

    def _check(self) -> None:
        if self.lost:
            raise OSError("the strip was unplugged")


_SINKS: Final[WeakKeyDictionary[Any, SimulatedStrip]] = WeakKeyDictionary()


_BLINKA: Final = ("adafruit_blinka", "board", "digitalio", "microcontroller", "neopixel", "neopixel_write")


def _library() -> Any:
    """Returns the NeoPixel library, set up for a generic machine and to pass its bytes to us."""
    os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
    try:
        import neopixel
    except NotImplementedError:
        # Somebody tried to open a real strip before this was set, and Blinka remembers the machine it found.
        for name in [name for name in sys.modules if name.partition(".")[0] in _BLINKA]:
            del sys.modules[name]
        import neopixel

    neopixel.neopixel_write = _write
    return neopixel


def _write(pin: object, data: bytearray) -> None:
    _SINKS[pin].write(bytes(data))
