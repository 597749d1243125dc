"""Checks whether SPI takes a frame for the whole strip at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from companion.engine import phrase
from hardware.board import Strip
from hardware.drivers.lights import Output, spi

FILE: Final = "/sys/module/spidev/parameters/bufsiz"
RECOMMENDED: Final = 32768

# A frame as rpi_ws281x 5 makes it, whether lights have three colours or four: 4 colours per light, 8 bits per colour,
# 3 bits of SPI for each bit, then a pause of 55 µs at 2.4 MHz, in whole words, and a word before and after.
_BITS_PER_LIGHT: Final = 4 * 8 * 3
_PAUSE_BITS: Final = 132


def frame_bytes(strip: Strip, driver: str) -> int:
    """Returns the size in bytes of a frame, which is sent in one piece.

    >>> from hardware.board import find_board
    >>> strip = find_board("standard").strip
    >>> frame_bytes(strip, "spi"), frame_bytes(strip, "neopixel")
    (1908, 744)
    """
    if driver == "spi":
        return spi.frame_bytes(strip)
    return ((strip.count * _BITS_PER_LIGHT + _PAUSE_BITS) // 8 & ~7) + 8


class Bufsiz(Check):
    """Checks the size of SPI's buffer."""

    name = "spidev.bufsiz"
    only_on = ("3", "4", "5", "Zero 2")
    only_with = (Output.SPI,)

    def look(self, case: Case) -> Iterator[Finding]:
        size = case.machine.read(FILE) or ""
        lights = case.board.strip.count
        needed = frame_bytes(case.board.strip, case.light_driver)
        if not size.isdecimal():
            yield self.skipped("{file} does not exist: switch SPI on first.", file=FILE)
        elif int(size) >= needed:
            yield self.ok(
                "SPI's buffer of {size} bytes is large enough for {lights} lights, which need {needed}.",
                size=int(size),
                needed=needed,
                lights=lights,
            )
        else:
            set_already = "spidev.bufsiz=" in (case.machine.read("/proc/cmdline") or "")
            yield self.problem(
                phrase("SPI's buffer of {size} bytes is too small for {lights} lights, which need {needed}."),
                phrase("Change the number after spidev.bufsiz= in {file} to {recommended}; then sudo reboot")
                if set_already
                else phrase("Add to the one line of {file}: spidev.bufsiz={recommended}; then sudo reboot"),
                size=int(size),
                needed=needed,
                lights=lights,
                file=case.machine.boot_file("cmdline.txt"),
                recommended=RECOMMENDED,
            )
