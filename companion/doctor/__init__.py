"""The doctor: checks a board and its machine, and reports for each check what was found and what to do.

There is one file per check, and `CHECKS` lists them. `examine` opens what the checks look at, and `run` yields the
findings of one check. A check that crashes becomes a finding itself, and the others go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from companion.doctor.bufsiz import Bufsiz
from companion.doctor.check import Case, Check, Finding, Verdict
from companion.doctor.clock import Clock
from companion.doctor.configuration import Configuration
from companion.doctor.core_freq import CoreFreq
from companion.doctor.disk import Disk
from companion.doctor.equipment import Equipment, real_equipment, simulated_equipment
from companion.doctor.hubs import Hubs
from companion.doctor.machine import Machine
from companion.doctor.model import Model
from companion.doctor.permissions import Permissions
from companion.doctor.pins import Pins
from companion.doctor.pio import Pio
from companion.doctor.program import ProgramVersion
from companion.doctor.readers import Readers
from companion.doctor.saved_games import SavedGames
from companion.doctor.sound import Sound
from companion.doctor.spi import Spi
from companion.doctor.strip import StripOfLights
from companion.doctor.tags import EnrolledTags
from companion.doctor.web_port import WebPort
from companion.engine import Message
from companion.table.board_check import EL_GRANDE
from hardware.board import find_board
from hardware.errors import BoardError

__all__ = ("CHECKS", "Case", "Check", "Equipment", "Finding", "Machine", "Verdict", "examine", "run")

CHECKS: Final[Sequence[Check]] = (
    ProgramVersion(),
    Configuration(),
    Model(),
    Permissions(),
    Spi(),
    CoreFreq(),
    Bufsiz(),
    Sound(),
    Pio(),
    Pins(),
    StripOfLights(),
    Hubs(),
    Readers(),
    Disk(),
    SavedGames(),
    EnrolledTags(),
    Clock(),
    WebPort(),
)
"""All checks; each comes after those it depends on."""


@contextmanager
def examine(
    board_name: str,
    simulated: bool | None = None,
    web_port: int = 8000,
    machine: Machine | None = None,
    board_option: str = "",
) -> Iterator[Case]:
    """Yields a case for the checks, and closes its devices at the end.

    :param board_name: a board that comes with the project, or a file.
    :param simulated: whether the board is simulated; `None` means it is unless this machine is a Raspberry Pi.
    :param board_option: the option that commands shown to people need to mean the same board.
    """
    machine = machine or Machine()
    simulated = not machine.is_pi if simulated is None else simulated
    try:
        board = find_board(board_name, EL_GRANDE)
    except BoardError:
        # The configuration check reports what is wrong with the file.
        board = None
    with simulated_equipment() if simulated else real_equipment() as equipment:
        yield Case(machine, equipment, board_name, board, simulated, web_port, board_option)


def run(check: Check, case: Case) -> Iterator[Finding]:
    """Yields what a check finds."""
    skipped = check.skips(case)
    if skipped:
        yield skipped
        return
    try:
        yield from check.look(case)
    except Exception as error:
        yield check.problem(
            "This could not be checked: {kind}: {why}",
            "This is a bug in the doctor, or something very unusual. Please report it, and include this text.",
            kind=type(error).__name__,
            why=str(error) or Message("no details", {}),
        )
