"""Checks whether the time is right: no game needs it, but the journal does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.doctor.check import Case, Check, Finding

OLDEST_YEAR: Final = 2026
"""The program did not exist before this year."""


class Clock(Check):
    """Checks the clock."""

    name = "time"

    def look(self, case: Case) -> Iterator[Finding]:
        now = case.machine.now()
        synchronised = case.machine.synchronised()
        time = now.strftime("%Y-%m-%d %H:%M")
        if now.year < OLDEST_YEAR:
            yield self.warning(
                "The clock says {time}, which cannot be right.",
                "Connect the network for a moment, or: sudo date -s 'YEAR-MONTH-DAY HOUR:MINUTE'. "
                "Games can be played all the same.",
                time=time,
            )
        elif synchronised is False:
            yield self.warning(
                "The clock says {time}; it is not set over the network.",
                "If the time is wrong: sudo timedatectl set-ntp true, with the network connected. "
                "Games can be played all the same.",
                time=time,
            )
        elif synchronised is None:
            yield self.ok("The clock says {time}; this machine does not tell whether the network sets it.", time=time)
        else:
            yield self.ok("The clock says {time}, set over the network.", time=time)
