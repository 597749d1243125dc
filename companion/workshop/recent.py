"""The last lines of the program's own log, kept in memory for the support bundle."""

from __future__ import annotations

import logging
import time
from collections import deque
from typing import Final

from companion.bots.worker import in_short

KEPT: Final = 200


class RecentLog(logging.Handler):
    """Keeps the last warnings and errors; for an exception, only its kind and where it was raised, never its text.

    >>> log = RecentLog()
    >>> log.emit(logging.makeLogRecord({"name": "table", "levelname": "ERROR", "msg": "it failed"}))
    >>> log.lines[0].partition(" ")[2]
    'ERROR table: it failed'
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: deque[str] = deque(maxlen=KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(record.created))
        error = record.exc_info[1] if record.exc_info else None
        more = f" ({in_short(error)})" if error is not None else ""
        self.lines.append(f"{at} {record.levelname} {record.name}: {record.getMessage()}{more}")
