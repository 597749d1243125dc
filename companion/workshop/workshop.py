"""The workshop: what the doctor found, what is being tried, and what was pressed and tapped meanwhile."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypedDict

from companion.doctor import CHECKS, Case, Finding, run
from companion.engine.pieces import WHOLE_SET, Piece
from companion.storage.tags import TagRegistry
from companion.table.lobby import LobbyMoment
from companion.table.moment import Moment
from companion.table.refusals import trouble_words
from companion.table.replies import Reply, SendReply
from companion.table.workshop_hold import TryBoard
from companion.translations import Translator
from companion.workshop.enrolment import Enrolment
from companion.workshop.light_steps import light_steps
from hardware.board import Board
from hardware.buttons import GpioButtons
from hardware.lights import StripLights
from hardware.pieces import SerialPieces
from hardware.ports import OVER, Fault, Gesture, Press, Tap, Trouble

DARK_STEP: Final = -1
"""The index of the last step, in which nothing is lit."""


class Parts(NamedTuple):
    """The devices of an open board."""

    buttons: GpioButtons
    lights: StripLights
    pieces: SerialPieces


class SerialLogEntry(TypedDict):
    """A line of the serial log."""

    hub: str
    number: int
    at: str
    speaker: str
    text: str
    good: bool
    routine: bool


class Seen(NamedTuple):
    """The tag last seen at a reader, and how often tags came there."""

    tag: str = ""
    times: int = 0
    here: bool = False


class Workshop:
    """Checks a board and lets people try it while its table is running.

    :param parts: the devices of the board, which the table uses too.
    :param case: what the doctor checks.
    :param post: posts requests to the table, which makes the game wait.
    :param enrolment: the enrolled tags.
    :param known: what each tag stands for.
    """

    def __init__(
        self,
        parts: Parts,
        case: Case,
        post: Callable[[TryBoard, SendReply], None],
        enrolment: Enrolment,
        known: TagRegistry,
    ) -> None:
        self.case = case
        self.enrolment = enrolment
        self._parts = parts
        self._post = post
        self._held = False
        """Whether the workshop has the board now, so that it can be tried."""
        self._known = known
        self._steps = list(light_steps(self.board))
        self._changed = threading.Condition()
        self._number = 0
        self._watchers = 0
        self._looking = self._look_again = False
        self._found: dict[str, list[Finding]] = {}
        """What each check found last. It is replaced, never changed."""
        self._step = DARK_STEP
        self._short: Counter[str] = Counter()
        self._long: Counter[str] = Counter()
        self._seen: dict[str, Seen] = {}
        self._troubles: dict[tuple[Fault, str], Trouble] = {}
        enrolment.changed = self._change
        for device in parts:
            device.listen(self._heard)

    @property
    def board(self) -> Board:
        """The board being checked."""
        return self.case.board

    @property
    def steps(self) -> int:
        """How many steps there are to try the lights."""
        return len(self._steps)

    def show(self, moment: Moment) -> None:
        """Learns from a moment whether the board may be tried now. To the table, the workshop is a display."""
        self._may_try(moment.public.tried)

    def show_lobby(self, lobby: LobbyMoment) -> None:
        """Learns the same while there is no game."""
        self._may_try(lobby.tried)

    def _may_try(self, held: bool) -> None:
        if held != self._held:
            self._held = held
            self._change()

    # Watching.

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Counts a watcher for a while. When nobody watches, troubles do not start the doctor."""
        with self._changed:
            self._watchers += 1
        self.enrolment.open()
        try:
            yield
        finally:
            with self._changed:
                self._watchers -= 1

    def after(self, number: int, seconds: float) -> int:
        """Waits for a change after the one with this number, or this many seconds. Returns the latest number."""
        with self._changed:
            self._changed.wait_for(lambda: self._number != number, seconds)
            return self._number

    def plan(self, words: Translator) -> dict[str, Any]:
        """Returns what there is to try, which never changes."""
        board = self.board
        return {
            "steps": [
                {
                    "words": words.say(step.what),
                    "ma": round(step.current_ma(board)),
                    "place": _only_place(step.scene.places),
                }
                for step in self._steps
            ],
            "places": [
                {
                    "place": name,
                    "name": (called := words.place(name))[:1].upper() + called[1:],
                    "button": place.button,
                    "reader": f"{place.reader.hub}/{place.reader.number}" if place.reader else None,
                }
                for name, place in board.places.items()
            ],
            "controls": [
                {"place": name, "name": words.control(name), "button": gpio, "reader": None}
                for name, gpio in board.controls.items()
            ],
            "hubs": list(board.hubs),
            "pieces": [
                {"piece": str(piece), "words": words.say(piece.all), "wanted": wanted}
                for piece, wanted in WHOLE_SET.items()
            ],
            "simulated": self.case.simulated,
        }

    def state(self, words: Translator) -> dict[str, Any]:
        """Returns the current state."""
        held = self._held
        return {
            "looking": self._looking,
            "findings": [
                {
                    "check": finding.check,
                    "verdict": finding.verdict.value,
                    "found": words.say(finding.found),
                    "do": words.say(finding.do) if finding.do.text else "",
                }
                for finding in self.findings()
            ],
            "troubles": [words.say(trouble_words(trouble)) for trouble in self._troubles.copy().values()],
            "held": held,
            "step": self._step % len(self._steps) if held else None,
            "buttons": self._buttons(),
            "readers": self._readers(words),
            "enrolment": self.enrolment.state(words),
        }

    def _buttons(self) -> dict[str, dict[str, Any]]:
        down = self._parts.buttons.down
        return {
            name: {"short": self._short[name], "long": self._long[name], "down": name in down}
            for name in (*self.board.places, *self.board.controls)
        }

    def _readers(self, words: Translator) -> dict[str, dict[str, Any]]:
        readers = {}
        for name, place in self.board.places.items():
            if place.reader is None:
                continue
            seen = self._seen.get(name, Seen())
            piece = self._known.get(seen.tag) or self.enrolment.learned.get(seen.tag)
            readers[name] = {
                "condition": self._parts.pieces.hubs[place.reader.hub].condition,
                "dead": (Fault.DEAD_READER, name) in self._troubles,
                "tag": seen.tag,
                "piece": words.say(piece.one) if piece else "",
                "times": seen.times,
                "here": seen.here,
            }
        return readers

    # Called from any thread.

    def look(self) -> None:
        """Runs all checks of the doctor, again if it is already running; findings appear one by one."""
        with self._changed:
            if self._looking:
                self._look_again = True
                return
            self._looking = True
        threading.Thread(target=self._look, name="doctor", daemon=True).start()

    def take(self) -> None:
        """Takes the board from the game, and forgets earlier counts."""
        self._short.clear()
        self._long.clear()
        self._seen.clear()
        self.light(DARK_STEP)

    def light(self, step: int) -> None:
        """Shows a step of the lights."""
        self._step = step % len(self._steps)
        self._hold()

    def stay(self) -> None:
        """Keeps the board a while longer, if the workshop still has it."""
        if self._held:
            self._hold()

    def give_back(self) -> None:
        """Gives the board back, so that the game goes on."""
        self._leave()
        self._post(TryBoard(None), self._replied)

    def enrol(self, piece: Piece, afresh: bool) -> None:
        """Enrols the pieces tapped from now on; the game waits meanwhile."""
        if not self._held:
            self.take()
        self.enrolment.begin(piece, afresh)

    def serial(self, after: dict[str, int]) -> list[SerialLogEntry]:
        """Returns what hubs and host said after these line numbers, in order."""
        now_s, at_s = time.monotonic(), time.time()
        lines = [
            (line.at_s, hub, line)
            for hub, port in self._parts.pieces.hubs.items()
            for line in port.link.log.lines(after.get(hub, 0))
        ]
        return [
            SerialLogEntry(
                hub=hub,
                number=line.number,
                at=time.strftime("%H:%M:%S", time.localtime(at_s - now_s + line_s)),
                speaker=line.speaker,
                text=line.text,
                good=line.good,
                routine=line.routine,
            )
            for line_s, hub, line in sorted(lines)
        ]

    def findings(self) -> list[Finding]:
        """Returns the latest findings of all checks."""
        return [finding for found in self._found.values() for finding in found]

    def close(self) -> None:
        """Ends an enrolment under way."""
        self.enrolment.close()

    # What happens.

    def _leave(self) -> None:
        """Stops trying and enrolling: the workshop no longer has the board."""
        self._parts.pieces.strangers_too = False
        if self.enrolment.under_way:
            self.enrolment.stop()

    def _hold(self) -> None:
        self._parts.pieces.strangers_too = True
        self._post(TryBoard(self._steps[self._step].scene), self._replied)

    def _heard(self, gesture: Gesture) -> None:
        """Takes in what happened at the board; called in the thread of a device."""
        match gesture:
            case Trouble(fault, where, _, over) if fault in OVER:
                if over:
                    self._troubles.pop((fault, where), None)
                else:
                    self._troubles[fault, where] = gesture
                if self._watchers:
                    self.look()
            case _ if not self._held:
                # Somebody is playing. The workshop page may have gone away without giving the board back.
                self._leave()
                return
            case Press(button, long):
                (self._long if long else self._short)[button] += 1
            case Tap(tag, place, gone):
                before = self._seen.get(place, Seen())
                self._seen[place] = Seen(tag, before.times + (not gone), here=not gone)
                if not gone:
                    self.enrolment.tap(tag)
        self._change()

    def _look(self) -> None:
        while True:
            for check in CHECKS:
                self._found = {**self._found, check.name: list(run(check, self.case))}
                self._change()
            with self._changed:
                self._looking, self._look_again = self._look_again, False
                again = self._looking
            self._change()
            if not again:
                return

    def _replied(self, _reply: Reply) -> None:
        self._change()

    def _change(self) -> None:
        with self._changed:
            self._number += 1
            self._changed.notify_all()


def _only_place(places: Any) -> str | None:
    """Returns the place that is lit, or `None` when it is not exactly one."""
    return next(iter(places)) if len(places) == 1 else None
