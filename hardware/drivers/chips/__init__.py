"""The chips of tag readers: one file per chip, and its name here. A board file names the chip of each hub.

These files hold what the host needs to know about a chip, for drawings, parts lists and power budgets. The driver runs
on the hub: a file of the same name in `firmware/`, with its line in `firmware/chips.py`.

    >>> chip_facts("rc522").module
    'RC522'
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from hardware.drivers.chips.facts import ChipFacts

__all__ = ("CHIPS", "ChipFacts", "chip_facts")

CHIPS: Final = (
    "rc522",
)  # fmt: skip
"""The first is the default for hubs that name no chip."""


def chip_facts(chip: str) -> ChipFacts:
    """Returns the facts about a chip in this list."""
    facts: ChipFacts = import_module(f"{__name__}.{chip}").FACTS
    return facts
