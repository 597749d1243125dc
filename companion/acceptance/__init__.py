"""Acceptance: walks somebody through every part of a new board, measures it, and writes one report without secrets.

There is one file per part, and `PARTS` lists them. `walk` tries them in order on a `Bench`: a board, a person and a
clock. `companion accept` is the command for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.acceptance.afterwards import AfterwardsPart
from companion.acceptance.bench import Bench, Person, Task
from companion.acceptance.buttons import ButtonsPart
from companion.acceptance.checks import DoctorPart
from companion.acceptance.lights import LightsPart
from companion.acceptance.machine import MachinePart
from companion.acceptance.part import AcceptancePart, PartRecord, PartState, Remark
from companion.acceptance.readers import ReadersPart
from companion.acceptance.report import AcceptanceReport, NotAReport
from companion.acceptance.saving import SavingPart
from companion.acceptance.walk import walk

__all__ = (
    "PARTS",
    "AcceptancePart",
    "AcceptanceReport",
    "Bench",
    "NotAReport",
    "PartRecord",
    "PartState",
    "Person",
    "Remark",
    "Task",
    "walk",
)

PARTS: Final[Sequence[AcceptancePart]] = (
    MachinePart(),
    DoctorPart(),
    LightsPart(),
    ButtonsPart(),
    ReadersPart(),
    SavingPart(),
    AfterwardsPart(),
)
"""All parts, in the order they are tried: first what needs nobody, then what needs eyes and hands."""
