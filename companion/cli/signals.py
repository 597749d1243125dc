"""Stops a program politely: Ctrl-C and SIGTERM become a call, whatever the main thread is waiting for.

Python runs signal handlers in the main thread, at its next instruction. A main thread that waits for a queue does not
get there if the signal arrived just before the wait began. So a separate thread reads the pipe to which the
interpreter writes each signal at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """Makes the first signal call `stop` in another thread; a second one raises `KeyboardInterrupt` as usual.

    Outside the main thread, which receives no signals, it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signals = 0

    def arrived(_number: int, _frame: object) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            raise KeyboardInterrupt

    def listen() -> None:
        if os.read(reading, 1) not in (b"", b"\0"):
            stop()

    before = {number: signal.signal(number, arrived) for number in SIGNALS}
    old = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    listener = threading.Thread(target=listen, name="stopping", daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(old)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.write(writing, b"\0")
        listener.join()
        os.close(reading)
        os.close(writing)


@contextmanager
def terminal_as_it_was() -> Iterator[None]:
    """Restores the terminal afterwards, even if somebody was in the middle of typing."""
    attributes = None
    with contextlib.suppress(OSError, ValueError, AttributeError, termios.error):
        attributes = termios.tcgetattr(sys.stdin.fileno())
    try:
        yield
    finally:
        if attributes is not None:
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, attributes)
