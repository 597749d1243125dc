"""The buttons of a board, on gpiozero."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from hardware.board import Board
from hardware.contacts import Contact, Happened
from hardware.device import CLOCK, BaseDevice, Clock
from hardware.errors import PinsOutOfReach
from hardware.ports import Fault, Gesture, Press, Trouble

if TYPE_CHECKING:
    from gpiozero import DigitalInputDevice, Factory

_GESTURES: Final[dict[Happened, Callable[[str], Gesture]]] = {
    Happened.PRESS: Press,
    Happened.LONG_PRESS: lambda name: Press(name, long=True),
    Happened.STUCK: lambda name: Trouble(Fault.STUCK_BUTTON, name),
    Happened.FREED: lambda name: Trouble(Fault.STUCK_BUTTON, name, over=True),
    Happened.RESTLESS: lambda name: Trouble(Fault.RESTLESS_BUTTON, name),
    Happened.CALM: lambda name: Trouble(Fault.RESTLESS_BUTTON, name, over=True),
}


RETRY_S: Final = 1.0
"""How often an unreadable pin is tried again."""


class Edge(NamedTuple):
    """A contact that closed or opened, before any debouncing."""

    button: str
    closed: bool
    at_s: float


class GpioButtons(BaseDevice):
    """A button in each place, and the controls, each between its GPIO and ground.

    The Pi's own resistors pull the pins up, so a button needs two wires and nothing else.

    >>> from queue import Queue
    >>> from gpiozero.pins.mock import MockFactory
    >>> from hardware.board import example_board
    >>> pins, pressed = MockFactory(), Queue()                   # on a Raspberry Pi, leave out the pins
    >>> with GpioButtons(example_board(), pins) as buttons:
    ...     buttons.listen(pressed.put)
    ...     pins.pin(5).drive_low()                              # a finger on the button of `north`
    ...     print(pressed.get(timeout=10))
    Press(button='north', long=False)

    A press is reported `BOUNCE_S` after its contact has settled, a long press after `HOLD_S`. A button that stays down
    for `STUCK_S` is reported as a trouble, once.

    :param board: which button is on which GPIO.
    :param factory: gpiozero's pins; by default those of this machine.
    :param clock: seconds that only go forward.
    :param by_hand: start no thread; the program calls `poll` itself.
    """

    def __init__(
        self, board: Board, factory: Factory | None = None, clock: Clock = CLOCK, by_hand: bool = False
    ) -> None:
        super().__init__("buttons", clock, by_hand)
        self._lock = threading.Lock()
        self._buttons: dict[str, DigitalInputDevice] = {}
        self._contacts: dict[str, Contact] = {}
        self._edge_listener: Callable[[Edge], None] | None = None
        self._dead: set[str] = set()
        """The buttons whose pins cannot be read."""
        try:
            with warnings.catch_warnings():
                # gpiozero tries one pin library after another, and warns about each that is missing.
                warnings.simplefilter("ignore")
                self._open(board, factory)
        except BaseException:
            self._release()
            raise
        self._start()

    def _open(self, board: Board, factory: Factory | None) -> None:
        try:
            from gpiozero import DigitalInputDevice, GPIOZeroError
        except ImportError as error:
            raise PinsOutOfReach(str(error)) from None
        for name, gpio in board.buttons.items():
            try:
                # Not gpiozero's Button, which runs a thread per button to see whether it is held; Contact does that.
                button = DigitalInputDevice(gpio, pull_up=True, bounce_time=None, pin_factory=factory)
            except (GPIOZeroError, OSError, RuntimeError) as error:
                raise PinsOutOfReach(f"GPIO {gpio}, button of {name}: {error}") from None
            except Exception as error:
                # lgpio has an error class of its own, derived directly from Exception.
                if type(error).__module__ != "lgpio":
                    raise
                raise PinsOutOfReach(f"GPIO {gpio}, button of {name}: {error}") from None
            self._buttons[name] = button
            self._contacts[name] = Contact(button.is_active, self._clock())
            button.when_activated = lambda name=name: self._edge(name, True)
            button.when_deactivated = lambda name=name: self._edge(name, False)

    @property
    def down(self) -> list[str]:
        """Returns the buttons that are down now, stuck or not."""
        with self._lock:
            return [name for name, contact in self._contacts.items() if contact.state in ("down", "stuck")]

    def watch_edges(self, listener: Callable[[Edge], None] | None) -> None:
        """Passes every edge to the listener, to measure how contacts bounce. `None` ends it.

        The listener is called in a thread of gpiozero, with the time at which Python received the edge.
        """
        self._edge_listener = listener

    def _edge(self, name: str, closed: bool) -> None:
        """Notes that a contact has changed; gpiozero calls it in a thread of its own."""
        with self._lock:
            now_s = self._clock()
            self._contacts[name].level(closed, now_s)
        listener = self._edge_listener
        if listener is not None:
            listener(Edge(name, closed, now_s))
        self.wake()

    def poll(self) -> float | None:
        """Reports the presses that have settled."""
        gestures: list[Gesture] = []
        dues: list[float] = []
        with self._lock:
            now_s = self._clock()
            for name, contact in self._contacts.items():
                due_s = contact.due_s()
                if due_s is not None and due_s <= now_s:
                    gestures += self._look(name, contact, now_s)
                    due_s = contact.due_s()
                if due_s is not None:
                    dues.append(max(due_s, now_s + RETRY_S if name in self._dead else 0.0))
        for gesture in gestures:
            self._report(gesture)
        return max(0.0, min(dues) - self._clock()) if dues else None

    def _look(self, name: str, contact: Contact, now_s: float) -> Iterator[Gesture]:
        """Yields the gestures of a contact that is due. Reads the pin once more, in case a change was missed."""
        try:
            contact.level(self._buttons[name].is_active, now_s)
        except Exception as error:
            if name not in self._dead:
                self._dead.add(name)
                yield Trouble(Fault.DEAD_BUTTON, name, str(error) or type(error).__name__)
            return
        if name in self._dead:
            self._dead.discard(name)
            yield Trouble(Fault.DEAD_BUTTON, name, over=True)
        for happened in contact.poll(now_s):
            yield _GESTURES[happened](name)

    def _state(self) -> str:
        with self._lock:
            unusual = [f"{name} {contact.state}" for name, contact in self._contacts.items() if contact.state != "open"]
        return ", ".join([f"{len(self._contacts)} contacts", *unusual])

    def _release(self) -> None:
        for button in self._buttons.values():
            button.close()
