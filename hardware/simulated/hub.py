"""A simulated hub: the real firmware in an interpreter of its own, behind a real pty that pyserial opens."""

from __future__ import annotations

import contextlib
import os
import select
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.lines import is_tag
from hardware.board import BoardHub
from hardware.device import BaseDevice, Clock, Waker
from hardware.simulated.interpreters import Interpreter
from hardware.simulated.wire import Wire

STEP_S: Final = 0.005
"""How often the firmware gets its turn in real time."""
_PATIENCE_S: Final = 5.0
"""How long to wait for bytes in transit inside the kernel."""


class SimulatedHub(BaseDevice):
    """A hub that tests can hold tags to, unplug and reset, and whose line they can disturb.

    :param hub: the hub of the board file.
    :param link: the path of its port: a link, so that it can be unplugged and plugged in again.
    :param interpreter: `python` or `micropython`.
    :param clock: seconds that only go forward.
    :param by_hand: start no thread; the program calls `poll` itself.
    """

    def __init__(self, hub: BoardHub, link: Path, interpreter: str, clock: Clock, by_hand: bool) -> None:
        super().__init__(f"simulated hub {hub.name}", clock, by_hand)
        self.hub = hub
        self.link = link
        self.wire = Wire()
        self.deaf = False
        """Whether it receives nothing from its host."""
        self.sent = 0
        """How many bytes have gone out."""
        self.received = 0
        """How many bytes have come in."""
        self._interpreter = Interpreter(interpreter, hub.name)
        self._began_s = clock()
        self._todo: deque[Callable[[], None]] = deque()
        self._orders: list[list[object]] = []
        self._inbox = b""
        self._waker = Waker()
        self._fds: tuple[int, int] | None = None
        self._plug()
        self._start()

    # Hands.

    def put(self, reader: int, tag: str) -> None:
        """Holds a tag to a reader; its number is 4 or 7 bytes in hexadecimal."""
        if not is_tag(tag):
            raise ValueError(f"'{tag}' is not the number of a tag: 8 or 14 hexadecimal digits, in capitals")
        self._order("put", reader, tag)

    def take(self, reader: int, tag: str) -> None:
        """Takes a tag away from a reader."""
        self._order("take", reader, tag)

    # Faults.

    def plug(self) -> None:
        """Plugs the cable in."""
        self._soon(self._plug)

    def unplug(self) -> None:
        """Pulls the cable out."""
        self._soon(self._unplug)

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
        while self._todo:
            self._todo.popleft()()
        now_s = self._clock()
        self._listen()
        received, self._inbox = b"" if self.deaf else self._inbox, b""
        orders, self._orders = self._orders, []
        out = self._interpreter.step(round((now_s - self._began_s) * 1000), received, orders)
        if out:
            self._send(self.wire.carry(out))
        return STEP_S

    def await_bytes(self, sent: int) -> None:
        """Waits until this many bytes from the host have arrived; they take a moment inside the kernel."""
        while self._fds is not None and self.received < sent:
            if not select.select([self._fds[0]], [], [], _PATIENCE_S)[0]:
                raise TimeoutError(f"{self.name}: received {self.received} of {sent} bytes")
            self._listen()

    def _soon(self, what: Callable[[], None]) -> None:
        """Does something in the thread of the device."""
        self._todo.append(what)
        self.wake()

    def _order(self, *order: object) -> None:
        self._soon(lambda: self._orders.append(list(order)))

    def _plug(self) -> None:
        if self._fds is None:
            ours, theirs = os.openpty()
            tty.setraw(theirs)
            os.set_blocking(ours, False)
            self.link.unlink(missing_ok=True)
            self.link.symlink_to(os.ttyname(theirs))
            self._fds = ours, theirs

    def _unplug(self) -> None:
        if self._fds is not None:
            self.link.unlink(missing_ok=True)
            fds, self._fds = self._fds, None
            for fd in fds:
                os.close(fd)

    def _listen(self) -> None:
        if self._fds is not None:
            with contextlib.suppress(BlockingIOError):
                data = os.read(self._fds[0], 65536)
                self.received += len(data)
                self._inbox += data

    def _send(self, data: bytes) -> None:
        if self._fds is not None:
            # With nobody at the other end the buffer fills up and the rest is lost, as with a real hub.
            with contextlib.suppress(BlockingIOError):
                self.sent += os.write(self._fds[0], data)

    # As a device.

    def wake(self) -> None:
        """Makes `poll` run soon."""
        self._waker.wake()

    def _wait(self, seconds: float | None) -> None:
        self._waker.wait(None if self._fds is None else self._fds[0], seconds)

    def _state(self) -> str:
        plugged = "plugged in" if self._fds else "unplugged"
        return f"{plugged}, in {self._interpreter.name}, {self.hub.readers} readers"

    def _release(self) -> None:
        self._unplug()
        self._interpreter.close()
        self._waker.close()
