"""What all parts share: where they make sense, and the record they fill."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final, NamedTuple

from companion.acceptance.bench import Bench
from companion.acceptance.figures import Figures
from companion.doctor import Verdict
from hardware.board import Board

SEE_DOCTOR: Final = "companion doctor says more about it."


class PartState(Enum):
    """How far a part has come."""

    DONE = "done"
    SKIPPED = "skipped"
    LEFT_OUT = "left out"
    """The board has nothing of the kind."""
    STOPPED = "stopped"
    """Somebody stopped in the middle of it."""
    FAILED = "failed"
    """The program failed in the middle of it."""


class Remark(NamedTuple):
    """What was found, and what to do about it, if anything."""

    verdict: Verdict
    found: str
    do: str = ""


@dataclass
class PartRecord:
    """What a part has found so far. Each remark is shown as it comes.

    :param show: shows a remark to the person.
    """

    show: Callable[[Remark], None] = lambda remark: None
    state: PartState = PartState.STOPPED
    remarks: list[Remark] = field(default_factory=list)
    figures: Figures = field(default_factory=dict)

    def ok(self, found: str) -> None:
        """Notes that something is as it should be."""
        self.note(Remark(Verdict.OK, found))

    def warning(self, found: str, do: str) -> None:
        """Notes something that does not keep anybody from playing."""
        self.note(Remark(Verdict.WARNING, found, do))

    def problem(self, found: str, do: str) -> None:
        """Notes something that has to be fixed."""
        self.note(Remark(Verdict.PROBLEM, found, do))

    def skipped(self, found: str) -> None:
        """Notes that something was not tried."""
        self.note(Remark(Verdict.SKIPPED, found))

    def sum_up(self, good: int, total: int, words: str) -> None:
        """Notes that all of something are good. When some are not, what is wrong with them has been noted already."""
        if good == total:
            self.ok(f"All {total} {words}.")
        else:
            self.show(Remark(Verdict.WARNING, f"{good} of {total} {words}."))

    def note(self, remark: Remark, shown: Remark | None = None) -> None:
        """Notes a remark and shows it.

        :param shown: what the person is shown instead, if the remark leaves out what is nobody else's business.
        """
        self.remarks.append(remark)
        self.show(shown or remark)

    def group(self, *names: str) -> Figures:
        """Returns the figures under these names, one inside the other; makes them if they are missing."""
        figures = self.figures
        for name in names:
            inner = figures.setdefault(name, {})
            assert isinstance(inner, dict)
            figures = inner
        return figures


class AcceptancePart(ABC):
    """One part of a board, or of its machine, to be tried."""

    name: ClassVar[str]
    title: ClassVar[str]
    ahead: ClassVar[str]
    """What will happen, and what is needed for it."""
    by_itself: ClassVar[bool] = False
    """Whether it needs nobody, so that it begins without asking."""

    def missing(self, board: Board) -> str:
        """Returns why there is nothing to try on a board; empty when there is something."""
        return ""

    @abstractmethod
    def walk(self, bench: Bench, record: PartRecord) -> None:
        """Tries everything, and records what was found. What is recorded stays, even if it is stopped."""
