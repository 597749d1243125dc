"""Stops a program politely: Ctrl-C, SIGTERM and a closed terminal become a call, whatever the main thread waits for.

Python runs signal handlers in the main thread, at its next instruction. A main thread that waits for a queue does not
get there if the signal arrived just before the wait began. So a separate thread reads the socket to which the
interpreter writes each signal at once. It is a socket because on Windows only sockets can be made not to block.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
SIGNALS: Final = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""Those that this system has: a closed terminal is SIGHUP, and on Windows SIGBREAK."""


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """Makes the first signal call `stop` in another thread; a second one raises `KeyboardInterrupt` as usual.

    Outside the main thread, which receives no signals, it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    signals = 0

    def arrived(_number: int, _frame: object) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            raise KeyboardInterrupt

    def listen() -> None:
        if reading.recv(1) not in (b"", b"\0"):
            stop()

    # `nohup` has a program ignore a closed terminal, and it stays that way.
    heard = [each for each in SIGNALS if each.name != "SIGHUP" or signal.getsignal(each) != signal.SIG_IGN]
    before = {number: signal.signal(number, arrived) for number in heard}
    old = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    listener = threading.Thread(target=listen, name="stopping", daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(old)
        for number, handler in before.items():
            signal.signal(number, handler)
        writing.send(b"\0")
        listener.join()
        reading.close()
        writing.close()


@contextmanager
def terminal_as_it_was() -> Iterator[None]:
    """Restores the terminal afterwards, even if somebody was in the middle of typing.

    Windows has other terminals, which restore themselves: there it does nothing.
    """
    try:
        import termios
    except ImportError:
        yield
        return
    attributes = None
    with contextlib.suppress(OSError, ValueError, AttributeError, termios.error):
        attributes = termios.tcgetattr(sys.stdin.fileno())
    try:
        yield
    finally:
        if attributes is not None:
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, attributes)
