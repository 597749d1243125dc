"""Checks whether sound uses the same part of the Pi that drives the strip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from companion.doctor.spi import ON
from companion.engine import phrase

_PWM: Final = ("PWM", "dtparam=audio")
_DRIVERS: Final = {12: _PWM, 18: _PWM, 21: ("PCM", "dtparam=i2s")}
"""What rpi_ws281x drives a strip with on each pin except SPI's, and the setting that lets sound take it."""


class Sound(Check):
    """Checks the sound settings in config.txt."""

    name = "sound"
    needs_board = True
    only_on = ("3", "4", "Zero 2")

    def look(self, case: Case) -> Iterator[Finding]:
        gpio = case.board.strip.gpio
        if gpio not in _DRIVERS:
            yield self.skipped("The strip is on SPI, which makes no sound.")
            return
        driver, setting = _DRIVERS[gpio]
        if case.machine.boot_settings().get(setting) not in ON:
            yield self.ok("No sound uses {driver}, which drives the strip.", driver=driver)
            return
        yield self.problem(
            phrase("GPIO {gpio} is driven by PWM, which the Pi's own sound uses too: the lights go wrong.")
            if driver == "PWM"
            else phrase(
                "GPIO {gpio} is driven by PCM, which sound cards on the header (I2S) use too: the lights go wrong."
            ),
            phrase(
                "Change {setting}=on to {setting}=off in {file}, then sudo reboot; or put the strip on another pin."
            ),
            gpio=gpio,
            setting=setting,
            file=case.machine.boot_file("config.txt"),
        )
