"""Checks whether the clock that SPI is derived from is steady: if not, the lights show random colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from hardware.drivers.lights import Output

_FIXED_AT_250: Final = {"core_freq": "250"}
_WANTED: Final = {
    # A Zero 2 has the same chip as a Pi 3, with the same clocks.
    "3": _FIXED_AT_250,
    "Zero 2": _FIXED_AT_250,
    "4": {"core_freq": "500", "core_freq_min": "500"},
}
"""The settings in config.txt that keep the core clock the same, idle or busy. A Pi 5 has a clock for SPI alone."""


class CoreFreq(Check):
    """Checks the clocks in config.txt."""

    name = "core_freq"
    only_on = tuple(_WANTED)
    only_with = (Output.SPI,)

    def look(self, case: Case) -> Iterator[Finding]:
        wanted = _WANTED[case.pi.kind if case.pi else ""]
        settings = case.machine.boot_settings()
        wrong = [f"{key}={value}" for key, value in wanted.items() if settings.get(key) != value]
        file = case.machine.boot_file("config.txt")
        if wrong:
            yield self.problem(
                "SPI's clock changes with the load, because these lines are not in {file}: {lines}.",
                "Write at the end of {file}, under a line [all]: {lines}, each on a line of its own; then sudo reboot",
                file=file,
                lines=", ".join(wrong),
            )
        else:
            yield self.ok("{file} keeps SPI's clock steady.", file=file)
