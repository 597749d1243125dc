"""What all checks share: what they are given, and the findings they return."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NamedTuple

from companion.doctor.equipment import Equipment
from companion.doctor.machine import Machine
from companion.engine import Message
from companion.engine.messages import Field
from companion.storage.errors import DatabaseError
from hardware.board import Board
from hardware.drivers.lights import Output, driver_of, output_of
from hardware.errors import BoardError
from hardware.models import Pi


class Verdict(Enum):
    """How serious a finding is."""

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
    """What the checks look at: a machine, the board of a file, and the equipment to reach it."""

    machine: Machine
    equipment: Equipment
    board_name: str
    good_board: Board | None
    """The board, or `None` when its file has mistakes."""
    simulated: bool = False
    web_port: int = 8000
    board_option: str = ""
    """The option a command needs to mean the same board, with a space before it; empty when it needs none."""

    @property
    def board(self) -> Board:
        """The board. Raises `LookupError` when its file has mistakes; only for checks with `needs_board`."""
        if self.good_board is None:
            raise LookupError(f"{self.board_name} has mistakes, so there is no board")
        return self.good_board

    @property
    def pi(self) -> Pi | None:
        """The Pi under a real board, or `None` when the board is simulated or cannot be built on this machine."""
        return None if self.simulated else self.machine.pi

    @property
    def light_driver(self) -> str:
        """The light driver of the board on this machine."""
        return driver_of(self.board.strip, self.pi)

    @property
    def light_output(self) -> Output:
        """What makes the signal for the strip on this machine."""
        return output_of(self.board.strip, self.pi)


class Check(ABC):
    """One thing to check. The fields say where the check makes sense; elsewhere it is skipped."""

    name: ClassVar[str]
    needs_board: ClassVar[bool] = False
    only_on: ClassVar[tuple[str, ...]] = ()
    """The kinds of Pi on which it matters; empty when it matters on every machine."""
    only_with: ClassVar[tuple[Output, ...]] = ()
    """What must make the signal for the strip if it is to matter; empty when that makes no difference."""

    @abstractmethod
    def look(self, case: Case) -> Iterable[Finding]:
        """Checks, and returns the findings."""

    def skips(self, case: Case) -> Finding | None:
        """Returns why the check is skipped, or `None` when it is not."""
        if self.only_on and case.pi is None and case.machine.is_pi and not case.simulated:
            return self.skipped("This check is only for the Raspberry Pi models that are supported.")
        if self.only_on and case.pi is None:
            return self.skipped("This check is only for a Raspberry Pi under a real board.")
        if self.only_on and case.pi is not None and case.pi.kind not in self.only_on:
            return self.skipped("This does not matter on a Raspberry Pi {kind}.", kind=case.pi.kind)
        if (self.needs_board or self.only_with) and case.good_board is None:
            return self.skipped("The board file has to be fixed first.")
        if self.only_with and case.light_output not in self.only_with:
            return self.skipped(
                "The driver {driver} does not need this for a strip on GPIO {gpio}.",
                driver=case.light_driver,
                gpio=case.board.strip.gpio,
            )
        return None

    # For the checks.

    def ok(self, found: str, do: str = "", /, **fields: Field) -> Finding:
        """Makes a finding that all is as it should be."""
        return self._finding(Verdict.OK, found, do, fields)

    def warning(self, found: str, do: str, /, **fields: Field) -> Finding:
        """Makes a finding that does not keep anybody from playing."""
        return self._finding(Verdict.WARNING, found, do, fields)

    def problem(self, found: str, do: str, /, **fields: Field) -> Finding:
        """Makes a finding that has to be fixed."""
        return self._finding(Verdict.PROBLEM, found, do, fields)

    def skipped(self, found: str, do: str = "", /, **fields: Field) -> Finding:
        """Makes a finding that nothing was checked, with the reason."""
        return self._finding(Verdict.SKIPPED, found, do, fields)

    def unusable(self, error: DatabaseError) -> Finding:
        """Makes a finding that the file games are saved in cannot be used."""
        cause, advice = error.cause, error.advice(Message("set EL_GRANDE_HOME to another folder", {}))
        return self.problem(cause.text, advice.text, **{**cause.fields, **advice.fields})

    def _finding(self, verdict: Verdict, found: str, do: str, fields: dict[str, Field]) -> Finding:
        return Finding(self.name, verdict, Message.using(found, fields), Message.using(do, fields))


def why(error: Exception) -> str:
    """Returns the reason an error gives, without the words around it.

    >>> from hardware.errors import StripOutOfReach
    >>> why(StripOutOfReach("no module named neopixel"))
    'no module named neopixel'
    """
    words = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
    return words.partition(": ")[2] or words if isinstance(error, BoardError) else words
