"""Looks at the machine again, when everything has been tried: memory, temperature, power supply."""

from __future__ import annotations

import re
from typing import Final

from companion.acceptance.bench import Bench
from companion.acceptance.machine import note_power
from companion.acceptance.part import AcceptancePart, PartRecord
from companion.acceptance.power import PowerState
from companion.doctor import Machine

LITTLE_MB: Final = 100
"""With less memory left, the system begins to swap, and everything stutters."""


class AfterwardsPart(AcceptancePart):
    """Notes the state of the machine after the work."""

    name = "afterwards"
    title = "The machine, afterwards"
    ahead = "Memory, temperature and power supply once more. Nothing to do for you."
    by_itself = True

    def walk(self, bench: Bench, record: PartRecord) -> None:
        after = PowerState.of(bench.machine)
        record.figures["after"] = {**after.figures()}
        note_power(after, record)
        free_mb, total_mb = (memory_mb(bench.machine, name) for name in ("MemAvailable", "MemTotal"))
        record.figures["memory"] = {"free_mb": free_mb, "total_mb": total_mb}
        if free_mb is None or total_mb is None:
            record.skipped("This machine does not say how much memory is free.")
        elif free_mb < LITTLE_MB:
            record.warning(f"{free_mb} of {total_mb} MB of memory are free.", "Close other programs on this Pi.")
        else:
            record.ok(f"{free_mb} of {total_mb} MB of memory are free.")


def memory_mb(machine: Machine, name: str) -> int | None:
    """Returns a figure of /proc/meminfo, or `None` when it is not there."""
    found = re.search(rf"^{name}: +(\d+) kB$", machine.read("/proc/meminfo") or "", re.MULTILINE)
    return int(found[1]) // 1024 if found else None
