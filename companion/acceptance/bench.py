"""The bench: a board, somebody in front of it, and a clock. Parts ask and wait here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from companion.doctor import Machine
from hardware.board import Board
from hardware.device import CLOCK, BaseDevice, Clock
from hardware.ports import Fault, Gesture, Press, Tap, Trouble

if TYPE_CHECKING:
    from companion.acceptance.devices import BenchDevices

STEP_S: Final = 0.05
"""How often to look whether something has happened."""
INSTANT_S: Final = 0.001
"""Less than this is not worth waiting for."""
EYES_S: Final = 120.0
"""How long somebody may take to look and answer."""
HANDS_S: Final = 30.0
"""How long somebody may take to press or tap."""

ENTER: Final = ""
NO: Final = "n"
SKIP: Final = "s"
REPEAT: Final = "r"
HAPPENED: Final = "happened"
"""What was waited for is there."""
LATE: Final = "late"
"""Nobody answered before the deadline."""

UNANSWERED: Final = (SKIP, LATE)

YES_OR_NO: Final = {ENTER: "yes", NO: "no", SKIP: "skip", REPEAT: "repeat"}
PASS_OR_REPEAT: Final = {SKIP: "skip", REPEAT: "repeat"}


@dataclass(frozen=True)
class Task:
    """One thing that somebody is asked to do or to answer."""

    do: str
    """What it is, in a word: `look`, `press`, `tap` and so on."""
    about: str
    """What it is about: a place, a button, a light."""
    text: str
    answers: Mapping[str, str] = field(default_factory=lambda: PASS_OR_REPEAT)
    """What may be typed, and what each means."""
    within_s: float = HANDS_S
    amount: int = 0
    """How much of it, if that matters: the millimetres of a height."""


class Person(Protocol):
    """Somebody in front of the board. Time passes while the program waits for them."""

    def say(self, text: str = "") -> None:
        """Tells them something."""

    def begin(self, task: Task) -> None:
        """Asks them to do something."""

    def wait(self, seconds: float, left_s: float | None = None) -> str | None:
        """Waits. Returns the line they type meanwhile, or `None` when they type none.

        Raises `KeyboardInterrupt` when they want to stop, or are gone.

        :param left_s: how much time they have left for the task; `None` between tasks.
        """

    def end(self) -> None:
        """Ends a task."""


Hands = Callable[[Task], str]


def nobody(_task: Task) -> str:
    """Does nothing: on a real board, the person does it all."""
    return ""


@dataclass(frozen=True)
class Bench:
    """What the parts are given."""

    machine: Machine
    board: Board
    devices: BenchDevices
    person: Person
    hands: Hands = nobody
    """Does what is asked on a simulated board, and returns what can be seen there."""
    clock: Clock = CLOCK
    """Seconds that only go forward; every measurement uses it."""
    board_name: str = "standard"
    """A board that comes with the project, or the path of a file."""
    board_option: str = ""
    """The option a command needs to mean the same board, with a space before it; empty when it needs none."""
    simulated: bool = False

    def ask(self, task: Task, until: Callable[[], bool] = lambda: False) -> str:
        """Asks for something. Returns what was typed, `HAPPENED` once `until` is true, or `LATE` after the deadline."""
        self.person.begin(task)
        if seen := self.hands(task):
            self.person.say(seen)
        try:
            end_s = self.clock() + task.within_s
            while not until():
                left_s = end_s - self.clock()
                if left_s < INSTANT_S:
                    self.person.say("Nobody answered in time.")
                    return LATE
                line = self.person.wait(min(STEP_S, left_s), left_s)
                if line is None:
                    continue
                answer = line.strip().lower()
                if answer in task.answers:
                    return answer
                self.person.say(f"That is not one of the answers: {in_words(task.answers)}.")
                self.person.begin(task)
            return HAPPENED
        finally:
            self.person.end()

    def pause(self, seconds: float) -> None:
        """Waits while the devices go on; what is typed meanwhile does not count."""
        end_s = self.clock() + seconds
        self.person.wait(0.0)
        while (left_s := end_s - self.clock()) >= INSTANT_S:
            self.person.wait(min(STEP_S, left_s))

    def await_(self, until: Callable[[], bool], within_s: float) -> bool:
        """Waits until something has happened or the time is up. Returns whether it has happened."""
        end_s = self.clock() + within_s
        while not until():
            if end_s - self.clock() < INSTANT_S:
                return False
            self.pause(STEP_S)
        return True

    @contextmanager
    def listening(self, device: BaseDevice) -> Iterator[Heard]:
        """Listens to a device for a while."""
        heard = Heard(self.clock)
        device.listen(heard)
        try:
            yield heard
        finally:
            device.ignore(heard)


class Heard:
    """What a device has reported, in order, each gesture with its time. The device calls it, in its own thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._gestures: list[tuple[float, Gesture]] = []
        self._troubles: dict[tuple[Fault, str], Trouble] = {}

    def __call__(self, gesture: Gesture) -> None:
        self._gestures.append((self._clock(), gesture))
        if isinstance(gesture, Trouble):
            self._troubles[gesture.fault, gesture.where] = gesture

    def forget(self) -> None:
        """Forgets presses and taps, but not a trouble that is not over."""
        self._gestures.clear()

    def presses(self) -> list[str]:
        """Returns the buttons that were pressed; a long press is not another press."""
        return [each.button for _, each in self._gestures.copy() if isinstance(each, Press) and not each.long]

    def taps(self) -> list[tuple[float, Tap]]:
        """Returns the tags that came to a reader, with the time."""
        return [(at_s, tap) for at_s, tap in self._gestures.copy() if isinstance(tap, Tap) and not tap.gone]

    def trouble(self, fault: Fault, where: str) -> Trouble | None:
        """Returns a trouble that is not over, or `None` when everything works."""
        trouble = self._troubles.get((fault, where))
        return None if trouble is None or trouble.over else trouble


def in_words(answers: Mapping[str, str]) -> str:
    """Returns what may be typed.

    >>> in_words({"": "yes", "n": "no", "s": "skip"})
    'Enter: yes, n: no, s: skip'
    """
    return ", ".join(f"{key or 'Enter'}: {meaning}" for key, meaning in answers.items())
