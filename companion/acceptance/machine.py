"""Tries the machine: what it is, how warm it is, and whether its supply is strong enough."""

from __future__ import annotations

from typing import Final

from companion.acceptance.bench import Bench
from companion.acceptance.part import AcceptancePart, PartRecord
from companion.acceptance.power import UNDER_VOLTAGE, PowerState
from companion.workshop.bundle import machine_facts, package_versions

SUPPLY: Final = (
    "Use the supply that is sold with this Pi and a short, thick cable, and feed nothing else from it. Then start it "
    "again, which clears the note."
)
COOLING: Final = "Let air get to the Pi, or give it a heat sink."


class MachinePart(AcceptancePart):
    """Notes what the machine is, and its state before anything is tried."""

    name = "machine"
    title = "The machine"
    ahead = "Model, versions, temperature and power supply. Nothing to do for you."
    by_itself = True

    def walk(self, bench: Bench, record: PartRecord) -> None:
        facts = machine_facts(bench.machine)
        record.figures.update({**facts, "packages": {**package_versions()}})
        record.ok(f"{facts['model']}, {facts['system']}, Python {facts['python']}.")
        before = PowerState.of(bench.machine)
        record.figures["before"] = {**before.figures()}
        note_power(before, record)


def note_power(power: PowerState, record: PartRecord, before: PowerState | None = None) -> None:
    """Records the state of the supply, and what to do about it.

    :param before: an earlier state, whose notes are known already.
    """
    known = before.throttling.since_start if before is not None and before.throttling is not None else ()
    throttling = power.throttling
    flags = (
        [] if throttling is None else [flag for flag in (*throttling.now, *throttling.since_start) if flag not in known]
    )
    found = f"{str(power)[0].upper()}{str(power)[1:]}."
    if UNDER_VOLTAGE in flags:
        record.problem(found, SUPPLY)
    elif flags:
        record.warning(found, COOLING)
    else:
        record.ok(found)
