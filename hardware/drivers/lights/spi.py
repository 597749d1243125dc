"""Strips of WS2812B lights over SPI, on Adafruit's NeoPixel library for SPI: on every Pi, without root or a compiler.

The library turns each bit for the lights into eight bits of SPI. How long the line is high tells a one from a zero:

    >>> microseconds = 1e6 / FREQUENCY_HZ
    >>> ZERO.bit_count() * microseconds, ONE.bit_count() * microseconds, 8 * microseconds
    (0.32, 0.8, 1.28)

The data sheets allow 0.25 to 0.38 µs for a zero and 0.65 to 0.95 µs for a one. The library's own patterns give 0.64 µs
for a one, which is too short for the first WS2812B.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Final, Protocol

from hardware.drivers.lights.output import SPI_DEVICE, SPI_GPIO
from hardware.drivers.lights.pixels import Pixels
from hardware.errors import StripOutOfReach

if TYPE_CHECKING:
    from hardware.board import Strip

FREQUENCY_HZ: Final = 6_250_000
"""An even fraction of the clock under SPI, which is all a Pi can make: of 250, 400 or 500 MHz, on a Pi 5 of 200."""
ZERO: Final = 0b11000000
ONE: Final = 0b11111000
RESET_S: Final = 300e-6
"""How long the line is low before and after a frame; newer lights take one over after 280 µs, older ones after 50."""


def frame_bytes(strip: Strip) -> int:
    """Returns the size in bytes of a frame, which is sent in one piece.

    >>> from hardware.board import find_board
    >>> frame_bytes(find_board("standard").strip)
    1908
    """
    return 2 * round(FREQUENCY_HZ * RESET_S / 8) + 8 * strip.count * len(strip.order)


class SpiBus(Protocol):
    """What Adafruit's library needs of a `busio.SPI`."""

    @property
    def frequency(self) -> int: ...

    def try_lock(self) -> bool: ...

    def unlock(self) -> None: ...

    def configure(self, baudrate: int, polarity: int, phase: int) -> None: ...

    def write(self, data: bytes) -> None: ...

    def deinit(self) -> None: ...


class SpidevBus:
    """A bus of SPI through its device file, with nothing on it but the strip.

    Blinka's own `busio.SPI` needs to know the model of the Pi, splits long frames and cannot be closed.
    """

    def __init__(self, device: str) -> None:
        from Adafruit_PureIO.spi import SPI

        self._spi = SPI(device)
        self._open = True
        self.frequency = 0

    def try_lock(self) -> bool:
        """Returns that the bus is free: nobody else uses it."""
        return True

    def unlock(self) -> None:
        """Does nothing, like `try_lock`."""

    def configure(self, baudrate: int, polarity: int, phase: int) -> None:
        """Sets the frequency and the mode, before every frame."""
        if self.frequency != baudrate:
            self._spi.mode = polarity << 1 | phase
            self._spi.bits_per_word = 8
            self._spi.max_speed_hz = self.frequency = baudrate

    def write(self, data: bytes) -> None:
        """Sends a frame. Lights would take the pause between two pieces for the end of it, so it is never split."""
        self._spi.chunk_size = len(data)
        try:
            self._spi.writebytes(data)
        except OSError as error:
            if error.errno != errno.EMSGSIZE:
                raise
            raise StripOutOfReach(
                f"the lights need {len(data)} bytes at once, and SPI's buffer is smaller (spidev.bufsiz)"
            ) from None

    def deinit(self) -> None:
        """Closes the device. Closing twice does nothing."""
        if self._open:
            self._open = False
            os.close(self._spi.handle)


class SpiPixels:
    """A strip on a bus of SPI: Adafruit's `NeoPixel_SPI`, which also closes its bus."""

    def __init__(self, strip: Strip, bus: SpiBus) -> None:
        from neopixel_spi import NeoPixel_SPI

        self.pin = bus
        self._pixels = NeoPixel_SPI(
            bus,
            strip.count,
            auto_write=False,
            pixel_order=strip.order,
            frequency=FREQUENCY_HZ,
            reset_time=RESET_S,
            bit0=ZERO,
            bit1=ONE,
        )

    def __setitem__(self, index: slice, colours: list[tuple[int, int, int]]) -> None:
        self._pixels[index] = colours

    def show(self) -> None:
        """Sends a frame."""
        self._pixels.show()

    def deinit(self) -> None:
        """Darkens the strip and closes the bus."""
        try:
            self._pixels.deinit()
        finally:
            self.pin.deinit()


def open_strip(strip: Strip) -> Pixels:
    """Opens the strip at the data pin of SPI."""
    if strip.gpio != SPI_GPIO:
        raise StripOutOfReach(f"SPI sends on GPIO {SPI_GPIO}, and the strip is on GPIO {strip.gpio}")
    try:
        bus = SpidevBus(SPI_DEVICE)
    except (ImportError, OSError) as error:
        raise StripOutOfReach(_reason(error)) from None
    try:
        return SpiPixels(strip, bus)
    except (ImportError, OSError, NotImplementedError, RuntimeError) as error:
        # Blinka, which the library imports, raises the last two on an unknown machine and when a package is missing.
        bus.deinit()
        raise StripOutOfReach(_reason(error)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{SPI_DEVICE}: {error.strerror}"
    return str(error) or "this machine is not a Raspberry Pi"
