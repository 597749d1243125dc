"""A bench with a robot in front of it: a simulated board on a clock that only moves while the program waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from companion.acceptance import PARTS, AcceptanceReport, Bench, PartRecord, Task, walk
from companion.acceptance.bench import ENTER
from companion.acceptance.devices import SimulatedDevices
from companion.acceptance.hands import SimulatedHands, looks
from companion.acceptance.lights import COLOURS
from companion.doctor import Machine
from hardware.board import Board, example_board
from hardware.simulated.board import SimulatedBoard

CTRL_C = "Ctrl-C"
COLOUR_KEYS = {colour: key for key, colour in COLOURS.items()}

Plan = Mapping[tuple[str, str], list[str]]
"""What the robot types at a task, by what it is and what it is about: an answer for each time it is asked."""


class RobotPerson:
    """Answers yes, says the colours it sees, and does as planned where something else is planned."""

    def __init__(self, simulated: SimulatedBoard, plan: Plan | None = None) -> None:
        self.simulated = simulated
        self.plan = {what: list(answers) for what, answers in (plan or {}).items()}
        self.said: list[str] = []
        self.asked: list[Task] = []
        self._answer: str | None = None

    def say(self, text: str = "") -> None:
        self.said.append(text)

    def begin(self, task: Task) -> None:
        self.asked.append(task)
        self._answer = self._decide(task)
        if self._answer == CTRL_C:
            raise KeyboardInterrupt

    def wait(self, seconds: float, left_s: float | None = None) -> str | None:
        answer = None
        if left_s is not None:
            answer, self._answer = self._answer, None
        if answer is None:
            self.simulated.advance(seconds)
        return answer

    def end(self) -> None:
        self._answer = None

    def _decide(self, task: Task) -> str | None:
        if planned := self.plan.get((task.do, task.about)):
            return planned.pop(0)
        if task.do == "colour":
            lit = [light for light in self.simulated.strip.colours() if any(light)]
            return COLOUR_KEYS[looks(lit[0])] if lit else "4"
        return ENTER if ENTER in task.answers else None


class BenchRig:
    """A bench, its robot, and what they found."""

    def __init__(self, simulated: SimulatedBoard, machine: Machine, plan: Plan | None) -> None:
        self.simulated = simulated
        self.robot = RobotPerson(simulated, plan)
        self.hands = SimulatedHands(simulated)
        self.bench = Bench(
            machine,
            simulated.board,
            SimulatedDevices(simulated),
            self.robot,
            lambda task: self.hands(task),
            simulated.clock,
            simulated=True,
        )
        self.report = AcceptanceReport.about(self.bench)

    def walk(self, *names: str) -> PartRecord:
        """Tries these parts, or all, and returns the record of the last."""
        walk([part for part in PARTS if not names or part.name in names], self.bench, self.report)
        return list(self.report.records.values())[-1]


def problems(record: PartRecord) -> list[str]:
    """What was found to be wrong."""
    return [remark.found for remark in record.remarks if remark.verdict.value == "problem"]


def found(record: PartRecord) -> list[str]:
    """Everything that was found, each with its verdict."""
    return [f"{remark.verdict.value}: {remark.found}" for remark in record.remarks]


@contextmanager
def bench_rig(
    folder: Path, plan: Plan | None = None, board: Board | None = None, throttled: str | None = None
) -> Iterator[BenchRig]:
    """Yields a bench with a simulated board, on a machine with its files in a folder."""
    machine = Machine(root=folder, database=folder / "home" / "table.db", user="annemarie", throttled=lambda: throttled)
    with SimulatedBoard(board or example_board(), by_hand=True, quick_readers=True) as simulated:
        simulated.advance(1.0)
        yield BenchRig(simulated, machine, plan)
