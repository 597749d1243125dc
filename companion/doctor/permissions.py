"""Checks whether this user may use the pins, lights and hubs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor.check import Case, Check, Finding
from hardware.drivers.lights import SPI_GPIO, Output


class Permissions(Check):
    """Checks the groups of the user."""

    name = "permissions"
    needs_board = True
    only_on = ("3", "4", "5", "Zero 2")

    def look(self, case: Case) -> Iterator[Finding]:
        user = case.machine.user
        if case.machine.is_root:
            yield self.ok("The user {user} may use everything.", user=user)
            return
        groups = dict(case.machine.groups())
        wanted = [group for group, matters in _needed(case) if matters]
        for group in wanted:
            if group not in groups:
                yield self.problem(
                    "The user {user} is not in the group {group}.",
                    "sudo usermod -aG {group} {user}, then log in again.",
                    user=user,
                    group=group,
                )
            elif not groups[group]:
                yield self.problem(
                    "The user {user} is in the group {group}, but not in this session.",
                    "Log out and in again; a service has to be started again.",
                    user=user,
                    group=group,
                )
        if all(groups.get(group) for group in wanted):
            yield self.ok("The user {user} is in the groups {groups}.", user=user, groups=", ".join(wanted))
        if case.light_output in (Output.PWM, Output.PCM):
            yield self.problem(
                "The strip is on GPIO {gpio}, which only root can drive on this Pi.",
                "Put it on GPIO {spi} and say so in the board file (strip.gpio = {spi}), or run as root.",
                gpio=case.board.strip.gpio,
                spi=SPI_GPIO,
            )


def _needed(case: Case) -> Iterator[tuple[str, bool]]:
    """Yields the groups that a board may need, and whether this one does."""
    yield "gpio", True
    yield "spi", case.light_output is Output.SPI
    yield "dialout", bool(case.board.hubs)
