"""The runner: runs the loop of a table, and lets any front end stop it or play again."""

from __future__ import annotations

import threading

from companion.table.replies import TOO_LATE, Reply, SendReply
from companion.table.table import Gesture, Table


class Runner:
    """Runs one table after another until somebody stops.

    `run` returns when somebody stops or wants to play again, and says which. `post`, `stop` and `play_again` may be
    called from any thread, even before a table runs.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._stopped = False
        self._again = False

    def post(self, gesture: Gesture, reply: SendReply | None = None) -> None:
        """Posts a gesture to the running table. Between two games, it is refused as too late."""
        with self._lock:
            table = self._table
        if table is not None:
            table.post(gesture, reply)
        elif reply is not None:
            reply(Reply.refused(TOO_LATE))

    def stop(self) -> None:
        """Makes `run` end soon."""
        self._stopped = True
        self._wake()

    def play_again(self) -> None:
        """Makes `run` end soon, so that another game can begin."""
        self._again = True
        self._wake()

    def run(self, table: Table) -> bool:
        """Runs a table until somebody stops or wants to play again. Returns whether another game is wanted."""
        self._again = False
        with self._lock:
            self._table = table
        try:
            while not self._ending:
                due_s = table.poll()
                # Checked again, because `poll` may have consumed the wake-up of a stop.
                if not self._ending:
                    table.wait(due_s)
        finally:
            with self._lock:
                self._table = None
        return self._again and not self._stopped

    @property
    def _ending(self) -> bool:
        return self._stopped or self._again

    def _wake(self) -> None:
        with self._lock:
            if self._table is not None:
                self._table.wake()
