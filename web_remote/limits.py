"""How often a sender may do what others notice: open streams, join, send lines, begin games.

The connections themselves have limits too; see `web_remote.connections`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from enum import Enum

from companion.table.rate_limit import RateLimit


class Deed(Enum):
    """What is limited: how many times at once, and how many seconds until once more."""

    STREAM = (24, 1.0)
    """Opening a stream: every page that is loaded or shown again opens one or two."""
    JOIN = (12, 5.0)
    """Taking or leaving a seat, asking for one, or handing it to a bot: a family of five sits down at once."""
    LINE = (40, 0.1)
    """Sending a line: nobody taps ten times a second for long."""
    GAME = (6, 10.0)
    """Beginning a game."""


class Limits:
    """Counts what senders do, each on its own.

    :param clock: seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._limits = {deed: RateLimit(*deed.value) for deed in Deed}

    def wait_s(self, deed: Deed, sender: str) -> int:
        """Counts a deed. Returns 0 if it may be done now, and otherwise after how many seconds to try again."""
        with self._lock:
            limit, now_s = self._limits[deed], self._clock()
            return 0 if limit.take(sender, now_s) else max(1, math.ceil(limit.wait_s(sender, now_s)))
