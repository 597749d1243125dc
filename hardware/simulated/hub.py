"""A simulated hub: the real firmware in an interpreter of its own, behind a line that pyserial opens."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from firmware.lines import is_tag
from hardware.board import BoardHub
from hardware.device import BaseDevice, Clock, Waker
from hardware.simulated.interpreters import Interpreter
from hardware.simulated.line import HubLine
from hardware.simulated.wire import Wire

STEP_S: Final = 0.005
"""How often the firmware gets its turn in real time."""
SEEN_STEPS: Final = 40
"""How many turns the firmware gets before a tag that was held to a reader can be taken away again, in real time.

People hold a piece there until the table has noticed it. On a busy machine that can take longer than they mean to."""
_PATIENCE_S: Final = 5.0
"""How long to wait for bytes in transit inside the kernel."""


def always() -> bool:
    """Returns true: the time for most things is now."""
    return True


class _Todo(NamedTuple):
    """Something to do, and whether its time has come."""

    act: Callable[[], None]
    is_due: Callable[[], bool]


class SimulatedHub(BaseDevice):
    """A hub that tests can hold tags to, unplug and reset, and whose line they can disturb.

    :param hub: the hub of the board file.
    :param line: its serial line, which it unplugs at the end.
    :param interpreter: `python` or `micropython`.
    :param clock: seconds that only go forward.
    :param by_hand: start no thread; the program calls `poll` itself.
    :param quick: ask a chip for its tags only where a fault is injected.
    """

    def __init__(
        self, hub: BoardHub, line: HubLine, interpreter: str, clock: Clock, by_hand: bool, quick: bool = False
    ) -> None:
        super().__init__(f"simulated hub {hub.name}", clock, by_hand)
        self.hub = hub
        self.line = line
        self.wire = Wire()
        self.deaf = False
        """Whether it receives nothing from its host."""
        self.sent = 0
        """How many bytes have gone out."""
        self.received = 0
        """How many bytes have come in."""
        self._interpreter = Interpreter(interpreter, hub.name, quick)
        self._began_s = clock()
        self._todo: deque[_Todo] = deque()
        self._orders: list[list[object]] = []
        self._by_hand = by_hand
        self._steps = 0
        self._held: dict[tuple[int, str], int] = {}
        """Since which step each tag is held to a reader."""
        self._inbox = b""
        self._waker = Waker()
        self._start()

    # Hands.

    def put(self, reader: int, tag: str) -> None:
        """Holds a tag to a reader; its number is 4 or 7 bytes in hexadecimal."""
        if not is_tag(tag):
            raise ValueError(f"'{tag}' is not the number of a tag: 8 or 14 hexadecimal digits, in capitals")
        self._soon(partial(self._put, reader, tag))

    def take(self, reader: int, tag: str) -> None:
        """Takes a tag away from a reader."""
        seen = always if self._by_hand else partial(self._held_long_enough, reader, tag)
        self._soon(partial(self._take, reader, tag), seen)

    # Faults.

    def plug(self) -> None:
        """Plugs the cable in."""
        self._soon(self.line.plug)

    def unplug(self) -> None:
        """Pulls the cable out."""
        self._soon(self.line.unplug)

    def babble(self, data: bytes) -> None:
        """Sends these bytes, whatever they are."""
        self._soon(lambda: self._send(data))

    def reset(self) -> None:
        """Resets the microcontroller, whatever it is doing."""
        self._order("reset")

    def break_reader(self, reader: int, broken: bool = True) -> None:
        """Makes a reader's chip stop answering, or answer again."""
        self._order("dead", reader, broken)

    def freeze_reader(self, reader: int, frozen: bool = True) -> None:
        """Makes a reader's chip start commands and never finish them, or finish them again."""
        self._order("freeze", reader, frozen)

    def disturb_reader(self, reader: int, answers: int = 1) -> None:
        """Garbles the next answers of tags at a reader."""
        self._order("noise", reader, answers)

    def starve_reader(self, reader: int) -> None:
        """Cuts the power of a reader's chip for a moment, so that it forgets its set-up."""
        self._order("brown-out", reader)

    # Time.

    def poll(self) -> float | None:
        """Carries out orders, and lets the firmware catch up with the clock."""
        while self._todo and self._todo[0].is_due():
            self._todo.popleft().act()
        now_s = self._clock()
        self._listen()
        received, self._inbox = b"" if self.deaf else self._inbox, b""
        orders, self._orders = self._orders, []
        self._steps += 1
        out = self._interpreter.step(round((now_s - self._began_s) * 1000), received, orders)
        if out:
            self._send(self.wire.carry(out))
        return STEP_S

    def await_bytes(self, sent: int) -> None:
        """Waits until this many bytes from the host have arrived; they take a moment inside the kernel."""
        while (fd := self.line.fileno()) is not None and self.received < sent:
            if not select.select([fd], [], [], _PATIENCE_S)[0]:
                raise TimeoutError(f"{self.name}: received {self.received} of {sent} bytes")
            self._listen()

    def _put(self, reader: int, tag: str) -> None:
        self._held[reader, tag] = self._steps
        self._orders.append(["put", reader, tag])

    def _take(self, reader: int, tag: str) -> None:
        self._held.pop((reader, tag), None)
        self._orders.append(["take", reader, tag])

    def _held_long_enough(self, reader: int, tag: str) -> bool:
        return self._steps - self._held.get((reader, tag), -SEEN_STEPS) >= SEEN_STEPS

    def _soon(self, act: Callable[[], None], is_due: Callable[[], bool] = always) -> None:
        """Does something in the thread of the device, after everything before it, and when it is due."""
        self._todo.append(_Todo(act, is_due))
        self.wake()

    def _order(self, *order: object) -> None:
        self._soon(lambda: self._orders.append(list(order)))

    def _listen(self) -> None:
        data = self.line.read()
        self.received += len(data)
        self._inbox += data

    def _send(self, data: bytes) -> None:
        self.sent += self.line.write(data)

    # As a device.

    def wake(self) -> None:
        """Makes `poll` run soon."""
        self._waker.wake()

    def _wait(self, seconds: float | None) -> None:
        self._waker.wait(self.line.fileno(), seconds)

    def _state(self) -> str:
        plugged = "plugged in" if self.line.plugged else "unplugged"
        return f"{plugged}, in {self._interpreter.name}, {self.hub.readers} readers"

    def _release(self) -> None:
        self.line.unplug()
        self._interpreter.close()
        self._waker.close()
