"""Checks whether we may use the PIO of a Pi 5, by which the light driver `neopixel` works there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding
from hardware.drivers.lights import Output

DEVICE: Final = "/dev/pio0"
RULE: Final = 'SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660"'
RULES_FILE: Final = "/etc/udev/rules.d/99-el-grande.rules"


class Pio(Check):
    """Checks PIO's device file."""

    name = "pio"
    only_on = ("5",)
    only_with = (Output.PIO,)

    def look(self, case: Case) -> Iterator[Finding]:
        device = case.machine.file(DEVICE)
        if not device.exists():
            yield self.problem(
                "There is no {device}: the kernel or the firmware of this Pi is too old for it.",
                "sudo apt full-upgrade, sudo rpi-eeprom-update -a, then sudo reboot",
                device=DEVICE,
            )
        elif not case.machine.may_use(device):
            yield self.problem(
                "{device} exists, but {user} is not allowed to use it.",
                "Join the group: sudo usermod -aG gpio {user}. If the file belongs to the group root (ls -l "
                "{device}), add the line {rule} to {file}. Then sudo reboot",
                device=DEVICE,
                user=case.machine.user,
                file=RULES_FILE,
                rule=RULE,
            )
        else:
            yield self.ok("{device} exists and can be used.", device=DEVICE)
