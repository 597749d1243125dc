"""What every check has in common: what it is given, and the findings it gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final, NamedTuple

from companion.doctor.equipment import Equipment
from companion.doctor.machine import Machine
from companion.engine import Message
from companion.engine.messages import Field
from hardware.board import Board
from hardware.errors import BoardError
from hardware.models import Pi

SPI_GPIO: Final = 10
"""On this pin the strip is driven by SPI, on a Pi that has no PIO."""


class Verdict(Enum):
    """How a finding is meant."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"
    SKIPPED = "skipped"


class Finding(NamedTuple):
    """What a check found, and what to do about it, if anything."""

    check: str
    verdict: Verdict
    found: Message
    do: Message


@dataclass(frozen=True)
class Case:
    """What is looked over: a machine, the board of a file, and what the board is reached by."""

    machine: Machine
    equipment: Equipment
    board_name: str
    good_board: Board | None
    """None if the file has mistakes."""
    simulated: bool = False
    web_port: int = 8000
    board_option: str = ""
    """What a command needs to mean the same board, with a space before it; nothing if it does anyway."""

    @property
    def board(self) -> Board:
        """The board, for checks that need one: others may not ask."""
        if self.good_board is None:
            raise LookupError(f"{self.board_name} has mistakes, so there is no board")
        return self.good_board

    @property
    def pi(self) -> Pi | None:
        """The Pi, if there is one that a board can be built on, and it is to be looked at."""
        return None if self.simulated else self.machine.pi


class Check(ABC):
    """One thing to look at. A check says by its fields where it makes sense; elsewhere it is skipped."""

    name: ClassVar[str]
    needs_board: ClassVar[bool] = False
    only_on: ClassVar[tuple[str, ...]] = ()
    """The kinds of Pi on which it matters; none: it matters on every machine."""
    only_with_spi: ClassVar[bool] = False
    """Whether it matters only for a strip that is driven by SPI."""

    @abstractmethod
    def look(self, case: Case) -> Iterable[Finding]:
        """Looks, and returns what it finds."""

    def skips(self, case: Case) -> Finding | None:
        """Why there is nothing to look at, if there is not."""
        if self.only_on and case.pi is None and case.machine.is_pi and not case.simulated:
            return self.skipped("This is about the kinds of Raspberry Pi that are supported.")
        if self.only_on and case.pi is None:
            return self.skipped("This is about a Raspberry Pi under a real board.")
        if self.only_on and case.pi is not None and case.pi.kind not in self.only_on:
            return self.skipped("This does not matter on a Raspberry Pi {kind}.", kind=case.pi.kind)
        if (self.needs_board or self.only_with_spi) and case.good_board is None:
            return self.skipped("The board file has to be fixed first.")
        if self.only_with_spi and case.board.strip.gpio != SPI_GPIO:
            return self.skipped("The strip is on GPIO {gpio}, and not on SPI.", gpio=case.board.strip.gpio)
        return None

    # For the checks.

    def ok(self, found: str, do: str = "", /, **fields: Field) -> Finding:
        """A finding that is as it should be."""
        return self._finding(Verdict.OK, found, do, fields)

    def warning(self, found: str, do: str, /, **fields: Field) -> Finding:
        """A finding with which a game can be played."""
        return self._finding(Verdict.WARNING, found, do, fields)

    def problem(self, found: str, do: str, /, **fields: Field) -> Finding:
        """A finding that has to be fixed."""
        return self._finding(Verdict.PROBLEM, found, do, fields)

    def skipped(self, found: str, do: str = "", /, **fields: Field) -> Finding:
        """Nothing was looked at, for this reason."""
        return self._finding(Verdict.SKIPPED, found, do, fields)

    def _finding(self, verdict: Verdict, found: str, do: str, fields: dict[str, Field]) -> Finding:
        return Finding(self.name, verdict, Message.using(found, fields), Message.using(do, fields))


def why(error: Exception) -> str:
    """The reason that an error gives, without what it says around it.

    >>> from hardware.errors import StripOutOfReach
    >>> why(StripOutOfReach("no module named neopixel"))
    'no module named neopixel'
    """
    words = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
    return words.partition(": ")[2] or words if isinstance(error, BoardError) else words
