"""Checks which Raspberry Pi this is, and whether the packages for it are installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from companion.engine import Message, phrase
from companion.engine.messages import Field
from hardware.models import EXTRA, Pi

_BUTTONS: Final = ("gpiod", "lgpio")
"""What gpiozero and Blinka import on every Pi."""
_LIGHTS: Final = {
    "pi": ("Adafruit_PureIO", "neopixel_spi"),
    "pi-neopixel": ("neopixel", "_rpi_ws281x"),
    "pi5-neopixel": ("neopixel", "adafruit_raspberry_pi5_neopixel_write"),
}
"""For each extra, what its light driver imports."""
_INSTALL: Final = phrase("In the project's folder: pip install --editable '.[{extra}]'")
_COMPILE: Final = phrase(
    "In the project's folder: sudo apt install gcc python3-dev, then pip install --editable '.[{extra}]'"
)


class Model(Check):
    """Checks which Pi this is."""

    name = "model"

    def look(self, case: Case) -> Iterator[Finding]:
        model: Field = case.machine.model or Message("unknown model", {})
        if case.simulated and case.machine.is_pi:
            yield self.skipped("{model}: not checked, because the board is simulated.", model=model)
        elif case.simulated:
            yield self.skipped(
                "This machine is not a Raspberry Pi ({model}). The board is simulated.",
                "To check a real board, run this on the Pi under it; --real checks one here all the same.",
                model=model,
            )
        elif case.pi is None:
            yield self.problem(
                phrase("{model}: this Raspberry Pi cannot run a board; our packages are made for other models.")
                if case.machine.is_pi
                else phrase("This machine is not a Raspberry Pi ({model})."),
                phrase("Use a Raspberry Pi 3, 4, 5 or Zero 2; without one, play on the simulated board (--simulated)."),
                model=model,
            )
        else:
            yield self.ok("{model}.", model=model)
            yield self._packages(case, case.pi)

    def _packages(self, case: Case, pi: Pi) -> Finding:
        by_neopixel = case.good_board is not None and case.light_driver == "neopixel"
        extra = pi.neopixel_extra if by_neopixel else EXTRA
        missing = [package for package in (*_BUTTONS, *_LIGHTS[extra]) if not case.machine.has_package(package)]
        if missing:
            found = phrase("Packages for this Pi are missing: {missing}.")
            do = _COMPILE if "_rpi_ws281x" in missing else _INSTALL
            return self.problem(found, do, missing=", ".join(missing), extra=extra)
        return self.ok("The packages of the extra {extra} are installed.", extra=extra)
