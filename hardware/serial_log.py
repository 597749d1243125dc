"""The last lines between a hub and its host, kept for troubleshooting."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

KEPT: Final = 300
"""How many lines with news are kept."""
ROUTINE_KEPT: Final = 60
"""How many routine lines are kept; without a limit of their own they would soon push out all others."""
ROUTINE: Final = frozenset({"beat", "start", "hello", "snapshot"})


class SerialLine(NamedTuple):
    """A line that was sent, or a note about the port."""

    number: int
    """Counts the lines of one log."""
    at_s: float
    speaker: str
    """`hub`, `host`, or `port` for what happened to the port."""
    text: str
    good: bool = True
    """Whether it arrived as it was sent."""
    routine: bool = False


class SerialLog:
    """The last lines of one hub. One thread writes, any thread reads.

    >>> log = SerialLog()
    >>> log.keep(12.0, "hub", b"3F2A91C0 17 seen 2 04A1B2C3*563C55B4")
    >>> log.lines()[0].text
    '3F2A91C0 17 seen 2 04A1B2C3*563C55B4'
    """

    def __init__(self) -> None:
        self._count = 0
        self._news: deque[SerialLine] = deque(maxlen=KEPT)
        self._routine: deque[SerialLine] = deque(maxlen=ROUTINE_KEPT)

    def keep(self, at_s: float, speaker: str, line: bytes, good: bool = True) -> None:
        """Keeps a line; bytes that are not ASCII are escaped."""
        text = line.decode("ascii", "backslashreplace").rstrip("\n")
        words = text.partition("*")[0].split(" ", 3)
        routine = good and len(words) > 2 and words[2] in ROUTINE
        self._count += 1
        kept = SerialLine(self._count, at_s, speaker, text, good, routine)
        (self._routine if routine else self._news).append(kept)

    def note(self, at_s: float, text: str) -> None:
        """Keeps a note about the port."""
        self.keep(at_s, "port", text.encode())

    def lines(self, after: int = 0) -> list[SerialLine]:
        """Returns the lines kept, in order; only those after a number."""
        return sorted(line for line in (*self._news.copy(), *self._routine.copy()) if line.number > after)
