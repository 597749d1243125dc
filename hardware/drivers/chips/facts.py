"""What the host needs to know about a reader chip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ChipFacts:
    """A reader module, as people buy and wire it.

    :param module: its name, as it is printed in drawings.
    :param part: its line in the parts list.
    :param note: what to watch for when buying it.
    :param pins: its pins, in order along its edge.
    :param wires: the wire that each pin gets, by the kinds of `hardware/drawing/svg.py`: `select`, `clock`,
        `to-reader`, `from-reader`, `reset`, `ground` or `3v3`. A pin that is not listed stays free.
    :param field_ma: its current with the field on.
    :param resting_ma: its current with the field off.
    :param basis: where the currents come from.
    """

    module: str
    part: str
    note: str
    pins: tuple[str, ...]
    wires: Mapping[str, str]
    field_ma: float
    resting_ma: float
    basis: str
