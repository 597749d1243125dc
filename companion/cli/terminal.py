"""The table at a terminal: a display that prints what happens, asks people, and posts what they answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from companion.bots.worker import in_short
from companion.cli.keyboard import Keyboard
from companion.cli.questions import Questions
from companion.cli.table_setup import Devices
from companion.cli.teller import Teller
from companion.table.gestures import Gesture
from companion.table.moment import Moment
from companion.table.replies import Reply, SendReply
from companion.table.runner import Runner
from companion.table.session import Session
from hardware.ports import Fault, Trouble

_LOG: Final = logging.getLogger(__name__)


class TypedAnswer(str):
    """What somebody typed."""

    __slots__ = ()


class Terminal:
    """A display for people who share one keyboard. It prints and asks in a separate thread.

    :param post: takes what people do.
    :param stop: ends the program when the game is over or somebody quits.
    :param keyboard: whether people can answer here; otherwise they only see what happens.
    """

    def __init__(
        self, post: Callable[[Gesture, SendReply], None], stop: Callable[[], None], keyboard: bool = True
    ) -> None:
        self._post_to_table, self._stop = post, stop
        self._has_keyboard = keyboard
        self._keyboard: Keyboard | None = None
        self._events: SimpleQueue[Moment | TypedAnswer | Reply | None] = SimpleQueue()
        self.teller = Teller()
        self.questions = Questions(self.teller, self._ask, self._post)
        self._posted = 0
        """How many gestures the table has not replied to. While there are any, nobody is asked anything."""
        self._thread: threading.Thread | None = None

    def begin(self, press: Callable[[str], None] | None, resumed: bool) -> None:
        """Begins or resumes a game.

        :param press: presses a button of a simulated board; `None` when the board is real.
        :param resumed: whether the game was begun before.
        """
        self.questions.press_with(press)
        self.teller.begin(resumed)

    def show(self, moment: Moment) -> None:
        """Prints what happened and asks what has to be answered, in the terminal's own thread."""
        self._events.put(moment)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="terminal", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Prints what is still to be printed, and ends."""
        if self._thread is not None:
            self._events.put(None)
            self._thread.join()

    def _run(self) -> None:
        ended = False
        while (event := self._events.get()) is not None:
            if ended:
                continue
            try:
                ended = not self._take(event)
                if not ended and self._has_keyboard and self._events.empty() and not self._posted:
                    self.questions.ask()
            except Exception as error:
                _LOG.error("the terminal failed: %s", in_short(error))
                self._post(Trouble(Fault.FAILED_DISPLAY, "Terminal", type(error).__name__))
            if ended:
                self._stop()

    def _take(self, event: Moment | TypedAnswer | Reply) -> bool:
        """Takes one event. Returns whether the game goes on."""
        if isinstance(event, TypedAnswer):
            return self.questions.hear(event)
        if isinstance(event, Moment):
            return self.teller.tell(event)
        self._posted -= 1
        return True

    def _post(self, gesture: Gesture) -> None:
        self._posted += 1
        self._post_to_table(gesture, self._events.put)

    def _ask(self, prompt: str, hidden: bool) -> None:
        self._keyboard = self._keyboard or Keyboard(self._answered)
        self._keyboard.ask(prompt, hidden)

    def _answered(self, answer: str | None) -> None:
        """Takes an answer, or `None` when there are no more; called in the keyboard's thread."""
        self._events.put(TypedAnswer("quit" if answer is None else answer))


class TerminalFront:
    """The terminal as the only front end: the program ends with the game."""

    def __init__(self, runner: Runner, devices: Devices, keyboard: bool) -> None:
        self._terminal = Terminal(runner.post, runner.stop, keyboard)
        self._devices = devices

    @property
    def displays(self) -> tuple[Terminal]:
        """The displays that the table shows its moments to."""
        return (self._terminal,)

    def begin(self, session: Session, resumed: bool) -> None:
        """Begins or resumes a game."""
        simulated = self._devices.simulated
        self._terminal.begin(simulated.press if simulated else None, resumed and bool(session.game.moves))

    def close(self) -> None:
        """Prints what is still to be printed, and ends."""
        self._terminal.close()
