"""Which phones have their page open: the table learns when the first stream of a phone begins and the last ends."""

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
        self._count(phone, 1)

        def closed() -> None:
            leave()
            self._count(phone, -1)

        return closed

    def _count(self, phone: str, change: int) -> None:
        with self._lock:
            before = self._open[phone]
            self._open[phone] += change
            after = self._open[phone]
            if not after:
                del self._open[phone]
            if bool(before) != bool(after):
                # Under the lock, so that the table learns of them in order.
                self._post(PhonePresence(phone, here=bool(after)))
