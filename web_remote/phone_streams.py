"""Which phones have their page open: each table learns of it when it shows them something, and when they are gone."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.table.seat_guard import PhonePresence

if TYPE_CHECKING:
    from web_remote.context import Post


class PhoneStreams:
    """Counts the streams of each phone.

    :param post: posts a gesture to the table.
    """

    def __init__(self, post: Post) -> None:
        self._post = post
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def opened(self, phone: str, leave: Callable[[], None]) -> Callable[[], None]:
        """Notes that a phone has opened a stream. Returns the function to call once at its end, instead of `leave`."""
        with self._lock:
            self._open[phone] += 1

        def closed() -> None:
            leave()
            self._close(phone)

        return closed

    def shown(self, phone: str) -> None:
        """Tells the table that a phone is there, because one of its streams has been sent its first state of a game."""
        with self._lock:  # so that the table learns of everything in order
            self._post(PhonePresence(phone, here=True))

    def _close(self, phone: str) -> None:
        with self._lock:
            self._open[phone] -= 1
            if not self._open[phone]:
                del self._open[phone]
                self._post(PhonePresence(phone, here=False))
