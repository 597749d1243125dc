"""A simulated strip: the real NeoPixel libraries, with their bytes kept instead of sent."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final
from weakref import WeakKeyDictionary

from hardware.board import Strip
from hardware.drivers.lights import Pixels
from hardware.drivers.lights.spi import ONE, ZERO, SpiPixels
from hardware.patterns import Colour


class SimulatedStrip:
    """Keeps the bytes of the last frame, counts the frames, and can be lost.

    A board file that names the driver `spi` gets that driver, on a simulated bus; all others get `neopixel`.

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
        """The bytes of the last frame, as the lights would read them."""
        self.frames = 0
        self.lost = False
        """Whether writing fails."""
        self.wired_order = ""
        """The order of colours that the lights really have; empty when the board file is right about it."""
        self.delay: Callable[[], None] = lambda: None
        """Is called for every frame before it is there, and takes as long as a slow strip does."""
        self._order = "GRB"

    def open(self, strip: Strip) -> Pixels:
        """Returns a strip whose bytes come here."""
        self._check()
        self._order = strip.order
        if strip.driver == "spi":
            _library("neopixel_spi")
            return SpiPixels(strip, _SimulatedBus(self))
        library = _library("neopixel")
        library.neopixel_write = _write
        import board

        pixels: Pixels = library.NeoPixel(
            board.Dx_OUTPUT, strip.count, bpp=len(strip.order), auto_write=False, pixel_order=strip.order
        )
        _SINKS[pixels.pin] = self
        return pixels

    def write(self, data: bytes) -> None:
        """Keeps the bytes that the library sends."""
        self._check()
        self.delay()
        self.data = data
        self.frames += 1

    def colours(self) -> list[Colour]:
        """Returns the last frame as red, green and blue of each light."""
        order = self.wired_order or self._order
        width = len(order)
        red, green, blue = (order.index(letter) for letter in "RGB")
        white = order.find("W")
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


_BLINKA: Final = (
    "adafruit_blinka",
    "adafruit_bus_device",
    "board",
    "busio",
    "digitalio",
    "microcontroller",
    "neopixel",
    "neopixel_spi",
    "neopixel_write",
)


def _library(name: str) -> Any:
    """Returns one of the NeoPixel libraries, set up for a generic machine."""
    os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
    try:
        return import_module(name)
    except NotImplementedError:
        # Somebody tried to open a real strip before this was set, and Blinka remembers the machine it found.
        for module in [module for module in sys.modules if module.partition(".")[0] in _BLINKA]:
            del sys.modules[module]
        return import_module(name)


def _write(pin: object, data: bytearray) -> None:
    _SINKS[pin].write(bytes(data))


class _SimulatedBus:
    """A bus of SPI without a device: reads the bits as a strip does, and passes its bytes on."""

    def __init__(self, strip: SimulatedStrip) -> None:
        self._strip = strip
        self.frequency = 0

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None: ...

    def configure(self, baudrate: int, polarity: int, phase: int) -> None:
        self.frequency = baudrate

    def write(self, data: bytes) -> None:
        self._strip.write(lights_bytes(data))

    def deinit(self) -> None: ...


_BITS: Final = {ZERO: "0", ONE: "1"}


def lights_bytes(sent: bytes) -> bytes:
    """Returns the bytes that lights read from what the driver `spi` sends.

    >>> lights_bytes(bytes([0, *[ONE] * 7, ZERO, 0])).hex()
    'fe'
    """
    bits = "".join(_BITS[each] for each in sent.strip(b"\0"))
    return bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))
