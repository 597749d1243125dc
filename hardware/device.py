"""What all devices share: listeners, a thread, and a way to close them."""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Self

from hardware.ports import OVER, Fault, Gesture, GestureListener, Trouble

Clock = Callable[[], float]
"""Seconds that only go forward."""

_LOG: Final = logging.getLogger(__name__)
_AFTER_FAILURE_S: Final = 1.0
_SELECTOR: Final[type[selectors.BaseSelector]] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""Needs no file descriptor of its own, and where there is `poll`, takes any number of them."""


class BaseDevice:
    """A device that does all its work in `poll`.

    A thread of the device calls `poll`. With `by_hand` there is no thread, and the program that made the device calls
    it, so that tests can move the clock and see the effect at once.
    """

    def __init__(self, name: str, clock: Clock, by_hand: bool) -> None:
        self.name = name
        self._clock = clock
        self._listeners: list[GestureListener] = []
        self._standing: dict[tuple[Fault, str], Trouble] = {}
        """The troubles that are not over."""
        self._listeners_lock = threading.Lock()
        self._closed = False
        self._wake = threading.Event()
        self._rest = threading.Event()
        self._thread = None if by_hand else threading.Thread(target=self._run, name=name, daemon=True)

    def poll(self) -> float | None:
        """Does what is due. Returns the seconds until it is due again, or `None` when it need not run until woken."""
        raise NotImplementedError

    def listen(self, listener: GestureListener) -> None:
        """Passes standing troubles to the listener at once, and every gesture from now on in the device's thread."""
        with self._listeners_lock:
            self._listeners.append(listener)
            standing = list(self._standing.values())
        for trouble in standing:
            listener(trouble)
        # A trouble that ended meanwhile may have been reported as over before it was passed on above.
        for trouble in standing:
            if (trouble.fault, trouble.where) not in self._standing:
                listener(replace(trouble, over=True))

    def ignore(self, listener: GestureListener) -> None:
        """Stops passing gestures to the listener."""
        with self._listeners_lock:
            self._listeners = [each for each in self._listeners if each != listener]

    def close(self) -> None:
        """Releases everything the device holds. Closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        self._rest.set()
        self.wake()
        if self._thread is not None and self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {'closed' if self._closed else self._state()}>"

    def wake(self) -> None:
        """Makes `poll` run soon."""
        self._wake.set()

    # For the devices.

    def _start(self) -> None:
        """Starts the thread, once the device is ready."""
        if self._thread is not None:
            self._thread.start()

    def _state(self) -> str:
        """Returns the state of the device in a few words."""
        return "open"

    def _release(self) -> None:
        """Releases what the device holds."""

    def _report(self, gesture: Gesture) -> None:
        """Passes a gesture to all listeners. A listener that fails is logged; the others and the device go on."""
        with self._listeners_lock:
            if isinstance(gesture, Trouble) and gesture.fault in OVER:
                self._standing[gesture.fault, gesture.where] = gesture
                if gesture.over:
                    del self._standing[gesture.fault, gesture.where]
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener(gesture)
            except Exception:
                _LOG.exception("a listener of %s failed at %s", self.name, gesture)

    def _wait(self, seconds: float | None) -> None:
        """Waits until it is woken, for at most this many seconds."""
        self._wake.wait(seconds)
        self._wake.clear()

    def _run(self) -> None:
        failure = ""
        while not self._closed:
            try:
                due_s = self.poll()
                if not self._closed:
                    self._wait(due_s)
            except Exception as error:
                # A bug of ours. A device that goes on is better than one that died unnoticed. Logged once.
                if failure != (failure := repr(error)):
                    _LOG.exception("%s failed, and goes on", self.name)
                self._rest.wait(_AFTER_FAILURE_S)


class Waker:
    """Wakes a thread that waits for a file descriptor; after `close` it does nothing.

    On Windows, only sockets can be waited for, so it wakes by one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._waker.setblocking(False)
        self._open = True

    def wake(self) -> None:
        """Ends the wait that is under way, or the next one."""
        with self._lock:
            if self._open:
                # A full socket wakes it anyway.
                with contextlib.suppress(BlockingIOError):
                    self._waker.send(b"!")

    def wait(self, fd: int | None, seconds: float | None) -> None:
        """Waits until there is something to read or it is woken, for at most this many seconds."""
        with _SELECTOR() as waiting:
            waiting.register(self._woken, selectors.EVENT_READ)
            if fd is not None:
                waiting.register(fd, selectors.EVENT_READ)
            waiting.select(None if seconds is None else max(0.0, seconds))
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4096)

    def close(self) -> None:
        """Closes its sockets."""
        with self._lock:
            self._open = False
            self._woken.close()
            self._waker.close()


CLOCK: Final[Clock] = time.monotonic
