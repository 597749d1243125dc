"""The tags of a board: hubs with readers at serial ports, on pyserial."""

from __future__ import annotations

import errno
import os
import secrets
import select
from collections.abc import Callable, Container
from pathlib import Path
from typing import Final

import serial
from serial.tools import list_ports

from hardware.board import Board, BoardHub, Reader
from hardware.device import CLOCK, BaseDevice, Clock, Waker
from hardware.errors import BoardError, NoSuchPort, NotAPort, PortBusy, PortFailed, PortNotAllowed
from hardware.link import Foreign, Happening, HubLink, ReaderTrouble, Synced, TagMoved, Tested
from hardware.ports import Fault, GestureListener, Tap, Trouble

RETRY_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
"""The pauses before a failed port is opened again: after the first failure, the second, and so on."""

BAUDRATE: Final = 115_200
"""Has no effect over USB, but every port needs one."""


class SerialPieces(BaseDevice):
    """The hubs of a board, each at its serial port, and the tags their readers see.

    >>> from queue import Queue
    >>> from hardware.board import example_board
    >>> from hardware.simulated.board import SimulatedBoard
    >>> with SimulatedBoard(example_board()) as simulated:
    ...     pieces, seen = simulated.pieces, Queue()             # with real hubs: SerialPieces(board)
    ...     pieces.listen(seen.put)
    ...     simulated.put("04A1B2C3", "north")
    ...     print(seen.get(timeout=10))
    Tap(tag='04A1B2C3', place='north', gone=False)

    A hub that is silent for two seconds, or sends lines for that long without answering, or whose port is gone, is
    reported as a trouble and tried again at longer and longer intervals. When it is back, everything that changed at
    its readers meanwhile is reported as if it had just happened.

    :param board: which hub is at which port, and which reader in which place.
    :param known: the enrolled tags; others are reported as a trouble, once each. With `None`, every tag passes.
    :param clock: seconds that only go forward.
    :param by_hand: start no threads; the program calls `poll` itself.
    """

    def __init__(
        self,
        board: Board,
        known: Container[str] | None = None,
        clock: Clock = CLOCK,
        by_hand: bool = False,
    ) -> None:
        super().__init__("pieces", clock, by_hand=True)
        self._known = known
        self._strangers: set[str] = set()
        self.strangers_too = False
        """Whether unknown tags are reported as taps and not as a trouble, which is so while tags are being enrolled."""
        self.hubs = {name: HubPort(board, hub, self._happened, clock, by_hand) for name, hub in board.hubs.items()}
        self._begun = False

    def listen(self, listener: GestureListener) -> None:
        """Passes every gesture to the listener. The first listener starts the hubs, so that it misses nothing."""
        super().listen(listener)
        if not self._begun:
            self._begun = True
            for port in self.hubs.values():
                port.listen(self._report)
                port.begin()

    def poll(self) -> float | None:
        """Does what is due at every hub; only used with `by_hand`."""
        dues = [port.poll() for port in self.hubs.values()]
        return min((due_s for due_s in dues if due_s is not None), default=None)

    def _happened(self, place: str, tag: str, gone: bool) -> None:
        """Reports a tag that came to a place or left it; called in the thread of its hub."""
        if self._known is None or tag in self._known or self.strangers_too:
            self._report(Tap(tag, place, gone))
        elif tag not in self._strangers:
            self._strangers.add(tag)
            self._report(Trouble(Fault.UNKNOWN_TAG, place, tag))

    def _state(self) -> str:
        return ", ".join(f"{name} {port.condition}" for name, port in self.hubs.items()) or "no hubs"

    def _release(self) -> None:
        for port in self.hubs.values():
            port.close()


AT_ONCE: Final = 65536
LOOPBACK: Final = "socket://127.0.0.1:"
"""How the port of a simulated hub begins where there are no ptys. A board file cannot name one."""

_UNDER_WAY_S: Final = 1.0
"""The longest time that bytes can be in transit inside the machine."""

OnTag = Callable[[str, str, bool], None]


class HubPort(BaseDevice):
    """One hub at its serial port: opened, lost and found again."""

    def __init__(self, board: Board, hub: BoardHub, on_tag: OnTag, clock: Clock, by_hand: bool) -> None:
        super().__init__(f"hub {hub.name}", clock, by_hand)
        self.hub = hub
        # Requests are numbered from a random start, so that answers to an earlier host are not mistaken for ours.
        self.link = HubLink(hub, clock(), requests=secrets.randbelow(100_000_000))
        self.opened = 0
        """How often the port was opened."""
        self.received = 0
        """How many bytes have come in since then."""
        self.sent = 0
        """How many bytes have gone out since then."""
        self.error: BoardError | None = None
        """Why the port could not be opened, or `None` when it could."""
        self.misbehaves = ""
        """What is wrong with a hub that sends lines but is treated as lost; empty when nothing is."""
        self.tests: dict[int, Tested] = {}
        """The results of the readers' self-tests."""
        self._on_tag = on_tag
        self._place_of = {reader: board.place_of(Reader(hub.name, reader)) for reader in range(hub.readers)}
        self._port: serial.Serial | None = None
        self._failures = 0
        self._due_s = clock()
        self._lost = False
        """Whether the hub was reported as lost."""
        self._foreign = ""
        self._test_wanted = False
        self._waker = Waker()

    def begin(self) -> None:
        """Starts, once there is a listener."""
        self._start()

    @property
    def open(self) -> bool:
        """Whether the port is open, whatever the hub sends."""
        return self._port is not None

    @property
    def condition(self) -> str:
        """The hub in a word."""
        if self._foreign:
            return "foreign"
        if self._lost or self._port is None or self.link.silent(self._clock()):
            return "lost"
        return "in step" if self.link.in_step else "greeting"

    def test_readers(self) -> None:
        """Asks every reader to test itself; the results appear in `tests` soon after."""
        self.tests.clear()
        # Only our own thread talks to the hub, and anything sent before they are in step is lost.
        self._test_wanted = True
        self.wake()

    def wake(self) -> None:
        """Makes `poll` run soon."""
        self._waker.wake()

    def poll(self) -> float | None:
        """Reads and answers what has arrived; opens the port if it is time to."""
        now_s = self._clock()
        try:
            if self._port is None and now_s >= self._due_s:
                self._open(now_s)
            for happening in self.link.receive(self._read(), now_s):
                self._pass_on(happening)
            self._answer(now_s)
        except BoardError as error:
            self.error = error
            self._fail(str(error), now_s)
        except (serial.SerialException, OSError, TypeError) as error:
            # pyserial raises a TypeError when its port is closed while it reads.
            self._fail(_reason(error), now_s)
        if self._port is not None and (why := self.link.amiss(now_s)):
            self.misbehaves = "" if self.link.silent(now_s) else why
            self._fail(why, now_s)
        due_s = self._due_s if self._port is None else self.link.due_s(now_s)
        return max(0.0, due_s - now_s)

    def _open(self, now_s: float) -> None:
        self._port = open_port(self.hub)
        self.error = None
        self.opened += 1
        self.received = self.sent = 0
        self.link.received_s = now_s
        self.link.log.note(now_s, f"opened: {self.hub.port}")

    def _read(self) -> bytes:
        if self._port is None:
            return b""
        # A socket only says whether anything is waiting, not how much.
        data = self._port.read(AT_ONCE) if self._port.in_waiting else b""
        self.received += len(data)
        return data

    def _answer(self, now_s: float) -> None:
        # A listener may have closed the port meanwhile.
        if self._port is None:
            return
        if self._test_wanted and self.link.in_step:
            self._test_wanted = False
            self.link.request("test")
        out = self.link.outgoing(now_s)
        if out:
            self.sent += self._port.write(out) or 0

    def await_bytes(self, count: int) -> None:
        """Reads until this many bytes have come since the port was opened; only with `by_hand`: time stands still."""
        while self._port is not None and self.received < count:
            if not select.select([self._port.fileno()], [], [], _UNDER_WAY_S)[0]:
                return
            self.poll()

    def _pass_on(self, happening: Happening) -> None:
        match happening:
            case TagMoved(reader, tag, gone):
                place = self._place_of[reader]
                if place is not None:
                    self._on_tag(place, tag, gone)
            case ReaderTrouble(reader, crowded, over, why):
                fault = Fault.CROWDED_READER if crowded else Fault.DEAD_READER
                where = self._place_of[reader] or f"{self.hub.name}/{reader}"
                self._report(Trouble(fault, where, why, over))
            case Foreign(version):
                if version != self._foreign:
                    self._foreign = version
                    self._report(Trouble(Fault.FOREIGN_HUB, self.hub.name, version))
            case Tested(reader):
                self.tests[reader] = happening
            case Synced():
                self._failures = 0
                self.misbehaves = ""
                if self._foreign:
                    self._foreign = ""
                    self._report(Trouble(Fault.FOREIGN_HUB, self.hub.name, over=True))
                if self._lost:
                    self._lost = False
                    self._report(Trouble(Fault.LOST_HUB, self.hub.name, over=True))

    def _fail(self, why: str, now_s: float) -> None:
        self._due_s = now_s + RETRY_S[min(self._failures, len(RETRY_S) - 1)]
        self._failures += 1
        self.link.log.note(now_s, f"lost: {why}")
        self.link.lost()
        self._shut()
        if not self._lost:
            self._lost = True
            self._report(Trouble(Fault.LOST_HUB, self.hub.name, why))

    def _wait(self, seconds: float | None) -> None:
        """Waits for a byte, a wake-up, or this many seconds."""
        self._waker.wait(None if self._port is None else self._port.fileno(), seconds)

    def _state(self) -> str:
        return f"{self.condition} at {self.hub.port}, {self.hub.readers} readers, {self.link.bad_lines} bad lines"

    def _shut(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            try:
                port.close()
            except OSError:
                return

    def _release(self) -> None:
        self._shut()
        self._waker.close()


def open_port(hub: BoardHub) -> serial.Serial:
    """Opens the serial port of a hub for exclusive use."""
    try:
        port = serial.serial_for_url(hub.port, baudrate=BAUDRATE, timeout=0, write_timeout=1.0, exclusive=True)
    except (serial.SerialException, OSError, ValueError) as error:
        raise _explained(hub, error) from None
    if not isinstance(port, serial.Serial) and not hub.port.startswith(LOOPBACK):
        port.close()
        raise NotAPort(hub.name, hub.port)
    return port


def ports_present() -> list[str]:
    """Returns the serial ports of this machine, each with what is known about it."""
    return [f"{port.device} ({port.hwid})" for port in sorted(list_ports.comports()) if port.hwid != "n/a"]


def pico_ports() -> list[str]:
    """Returns the ports of Picos that run MicroPython, by names that stay the same."""
    return [str(port) for port in sorted(Path("/dev/serial/by-id").glob("usb-MicroPython_*"))]


_NOT_THERE: Final = (errno.ENOENT, errno.ENODEV, errno.ENXIO)


def _explained(hub: BoardHub, error: Exception) -> BoardError:
    number = getattr(error, "errno", None)
    if number == errno.EACCES:
        return PortNotAllowed(hub.name, hub.port, _group_of(hub.port))
    if number in (errno.EAGAIN, errno.EBUSY, errno.EWOULDBLOCK):
        return PortBusy(hub.name, hub.port)
    # A search that finds nothing has no error number.
    if number in _NOT_THERE or (number is None and str(error).startswith("no ports found")):
        return NoSuchPort(hub.name, hub.port, ports_present())
    return PortFailed(hub.name, hub.port, os.strerror(number) if number else _reason(error))


def _group_of(port: str) -> str:
    """Returns the group that may use a port, such as Debian's `dialout`."""
    try:
        import grp

        return grp.getgrgid(os.stat(port).st_gid).gr_name
    except (ImportError, OSError, KeyError):
        return "dialout"


def _reason(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or str(error) or type(error).__name__)
