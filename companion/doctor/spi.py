"""Checks whether SPI is switched on for the strip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from hardware.drivers.lights import SPI_DEVICE, Output

ON: Final = ("on", "yes", "true", "1")


class Spi(Check):
    """Checks SPI's device file."""

    name = "spi"
    only_on = ("3", "4", "5", "Zero 2")
    only_with = (Output.SPI,)

    def look(self, case: Case) -> Iterator[Finding]:
        device = case.machine.file(SPI_DEVICE)
        if not device.exists():
            if case.machine.boot_settings().get("dtparam=spi") in ON:
                yield self.problem(
                    "SPI is switched on in {file}, but {device} is not there.",
                    "Restart the Pi: sudo reboot",
                    file=case.machine.boot_file("config.txt"),
                    device=SPI_DEVICE,
                )
            else:
                yield self.problem(
                    "SPI is switched off: there is no {device}.",
                    "sudo raspi-config nonint do_spi 0, then sudo reboot",
                    device=SPI_DEVICE,
                )
        elif not case.machine.may_use(device):
            yield self.problem(
                "{device} exists, but {user} is not allowed to use it.",
                "sudo usermod -aG spi {user}, then log in again.",
                device=SPI_DEVICE,
                user=case.machine.user,
            )
        else:
            yield self.ok("SPI is switched on: {device}.", device=SPI_DEVICE)
