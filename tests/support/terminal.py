"""A program in a terminal of its own, with a test at the keyboard."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

PATIENCE_S = 20

OWN_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests in the background ignores Ctrl-C
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # the terminal has to be our own for Ctrl-C to reach us
"""
"""How a program begins that is run as `python -c` in a terminal."""


class ProgramInTerminal:
    """A running program, and what its screen has shown since the words that were awaited last."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        pass_fds: Sequence[int] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.screen, terminal = pty.openpty()
        self.shown = ""
        self.program = subprocess.Popen(
            command, cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal, pass_fds=pass_fds,
            start_new_session=True, env={**os.environ, "COLUMNS": "80", **(environment or {})},
        )  # fmt: skip
        os.close(terminal)

    def press(self, keys: bytes) -> None:
        """Types some keys."""
        os.write(self.screen, keys)

    def await_words(self, words: str) -> None:
        """Reads on until some words are on the screen."""
        end_s = time.monotonic() + PATIENCE_S
        while words not in self.shown:
            ready, _, _ = select.select([self.screen], [], [], max(0.0, end_s - time.monotonic()))
            assert ready, f"'{words}' was not shown after:\n{self.shown}"
            self.shown += os.read(self.screen, 4096).decode()
        self.shown = self.shown.partition(words)[2]

    def close(self) -> None:
        """Ends the program."""
        self.program.kill()
        self.program.wait()
        os.close(self.screen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
