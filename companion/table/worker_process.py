"""The other end of the bots' worker: starts the process, asks it, and notices when it dies."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Final

PATIENCE_S: Final = 30.0
"""How long a worker may take beyond its budget before it counts as dead."""
CLOSING_S: Final = 1.0
_ON_WINDOWS: Final[int] = sum(
    getattr(subprocess, flag, 0) for flag in ("CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
)
"""What `start_new_session` and being nice are on Windows; 0, and no effect, elsewhere."""


class WorkerDied(Exception):
    """The worker ended, stopped answering, or sent nonsense."""


class WorkerProcess:
    """A worker process, with pipes to it and a thread that waits for its answers.

    Windows can neither wait for a pipe with a deadline nor make a socket a process's input, so a thread reads.
    """

    def __init__(self, program: Sequence[str]) -> None:
        self._asked = 0
        self._lock = threading.Lock()
        """Held while something is written, for a word to forget comes from another thread than the questions."""
        self._answers: SimpleQueue[bytes | None] = SimpleQueue()
        self.process = subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            # So that Ctrl-C does not reach it before it can ignore it.
            start_new_session=True,
            creationflags=_ON_WINDOWS,
        )
        self._reader = threading.Thread(target=self._read, name="bots' answers", daemon=True)
        self._reader.start()

    def say(self, question: Mapping[str, object]) -> None:
        """Asks a question."""
        data = json.dumps({**question, "number": self._asked + 1}).encode()
        # A worker that takes nothing in would keep us waiting for ever.
        impatience = threading.Timer(PATIENCE_S, self.process.kill)
        impatience.start()
        try:
            with self._lock:
                self._asked += 1
                self._write(data)
        except OSError as error:
            raise WorkerDied(self._how(error)) from None
        finally:
            impatience.cancel()

    def hear(self, *kinds: str, within_s: float) -> dict[str, Any]:
        """Waits for an answer of one of these kinds."""
        try:
            line = self._answers.get(timeout=within_s)
        except Empty:
            raise WorkerDied(f"it said nothing for {within_s:.0f} s") from None
        if line is None:
            raise WorkerDied(self._how())
        try:
            words = json.loads(line)
        except ValueError:
            words = None
        if not isinstance(words, dict) or not words.keys() & set(kinds):
            raise WorkerDied("what it said makes no sense")
        return words

    def forget(self) -> None:
        """Makes the worker give up every question it was asked so far."""
        # While a question is being written, its asker looks afterwards whether it is still wanted.
        if self._lock.acquire(blocking=False):
            try:
                with contextlib.suppress(OSError):
                    self._write(json.dumps({"forget": self._asked}).encode())
            finally:
                self._lock.release()

    def kill(self) -> None:
        """Kills the process; the thread that waits for it will notice."""
        self.process.kill()

    def end(self) -> str:
        """Kills the process and closes the pipes. Returns how the process ended."""
        self.process.kill()
        how = self._how()
        # What was not taken in cannot be written any more.
        with contextlib.suppress(OSError):
            _pipe(self.process.stdin).close()
        self._reader.join(CLOSING_S)
        return how

    def _write(self, data: bytes) -> None:
        pipe = _pipe(self.process.stdin)
        pipe.write(data + b"\n")
        pipe.flush()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), _pipe(self.process.stdout) as answers:
            for line in answers:
                self._answers.put(line)
        self._answers.put(None)

    def _how(self, error: OSError | None = None) -> str:
        """Returns how the process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(CLOSING_S)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return str(error or "it hung up")


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
