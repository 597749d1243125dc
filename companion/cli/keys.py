"""What is typed, read by a thread, so that a command can watch a board at the same time."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from queue import Empty, SimpleQueue


class Keys:
    """The keyboard, for commands that wait for something else as well.

    On Windows only a thread can wait for keys, and elsewhere it does as well. It starts with the first question.
    """

    def __init__(self) -> None:
        self._typed: SimpleQueue[bytes] = SimpleQueue()
        self._reader: threading.Thread | None = None

    def typed(self, within_s: float = 0.0) -> bytes:
        """Returns what was typed since the last call; nothing when that takes longer than this many seconds.

        Raises `EOFError` when a terminal has ended. Where there is no terminal, the end is not noticed.
        """
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, name="keys", daemon=True)
            self._reader.start()
        keys = b""
        with contextlib.suppress(Empty):
            while True:
                typed = self._typed.get(timeout=0 if keys else within_s) if within_s else self._typed.get_nowait()
                if not typed:
                    raise EOFError
                keys += typed
        return keys

    def end(self) -> None:
        """Ends the typing, as if the terminal had ended; called from any thread."""
        self._typed.put(b"")

    def _read(self) -> None:
        """Passes on what is typed and, in a terminal, that it ends (Ctrl-D)."""
        with contextlib.suppress(AttributeError, OSError, ValueError):
            fd = sys.stdin.fileno()
            ends = os.isatty(fd)
            with contextlib.suppress(OSError):
                while typed := os.read(fd, 4096):
                    self._typed.put(typed)
            if ends:
                self.end()
