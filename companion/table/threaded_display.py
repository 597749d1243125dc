"""A display in its own thread, for slow outputs: speech, a broker, a printer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from companion.bots.worker import in_short
from companion.table.moment import Display, Moment
from hardware.ports import Fault, Trouble

_LOG: Final = logging.getLogger(__name__)


class ThreadedDisplay:
    """Shows moments to another display in a thread, so that a slow display delays nobody.

    A display that is still busy skips moments: when it is done, it is shown the latest one. A display that fails is
    reported as a trouble, and still shown the next moment.

    :param display: the display to show moments to.
    :param post: takes the trouble; usually `Table.post`.
    """

    def __init__(self, display: Display, post: Callable[[Trouble], None]) -> None:
        self._display = display
        self._post = post
        self._changed = threading.Condition()
        self._next: Moment | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=type(display).__name__, daemon=True)
        self._thread.start()

    def show(self, moment: Moment) -> None:
        """Shows this moment as soon as the display is done with the one before."""
        with self._changed:
            self._next = moment
            self._changed.notify()

    @property
    def newer(self) -> bool:
        """Whether a newer moment waits for the display to be done."""
        with self._changed:
            return self._next is not None

    def close(self) -> None:
        """Shows what is still to be shown, and ends the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        failing = False
        while (moment := self._take()) is not None:
            name = type(self._display).__name__
            try:
                self._display.show(moment)
            except Exception as error:
                if not failing:
                    # Its kind and where it happened; its words might tell what only one seat may know.
                    _LOG.error("a display failed: %s", in_short(error))
                    self._post(Trouble(Fault.FAILED_DISPLAY, name, type(error).__name__))
                failing = True
            else:
                if failing:
                    self._post(Trouble(Fault.FAILED_DISPLAY, name, over=True))
                failing = False

    def _take(self) -> Moment | None:
        """Waits for the next moment. Returns `None` when the display is closed and has seen everything."""
        with self._changed:
            self._changed.wait_for(lambda: self._next is not None or self._closed)
            moment, self._next = self._next, None
            return moment

    def __repr__(self) -> str:
        return f"<ThreadedDisplay of {self._display!r}>"
