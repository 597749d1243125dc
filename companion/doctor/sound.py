"""Checks whether sound uses the same part of the Pi that drives the strip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from companion.doctor.spi import ON
from companion.engine import phrase
from hardware.drivers.lights import Output

_SETTINGS: Final = {Output.PWM: "dtparam=audio", Output.PCM: "dtparam=i2s"}
"""The setting that lets sound take what makes the signal for the strip."""


class Sound(Check):
    """Checks the sound settings in config.txt."""

    name = "sound"
    only_on = ("3", "4", "Zero 2")
    only_with = tuple(_SETTINGS)

    def look(self, case: Case) -> Iterator[Finding]:
        output = case.light_output
        setting = _SETTINGS[output]
        if case.machine.boot_settings().get(setting) not in ON:
            yield self.ok("No sound uses {driver}, which drives the strip.", driver=output.value)
            return
        yield self.problem(
            phrase("GPIO {gpio} is driven by PWM, which the Pi's own sound uses too: the lights go wrong.")
            if output is Output.PWM
            else phrase(
                "GPIO {gpio} is driven by PCM, which sound cards on the header (I2S) use too: the lights go wrong."
            ),
            phrase(
                "Change {setting}=on to {setting}=off in {file}, then sudo reboot; or put the strip on another pin."
            ),
            gpio=case.board.strip.gpio,
            setting=setting,
            file=case.machine.boot_file("config.txt"),
        )
