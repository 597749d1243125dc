"""The person in front of a board, at a terminal: is told what to do, sees how much time is left, and answers."""

from __future__ import annotations

import shutil
import sys
import textwrap
import time

import click

from companion.acceptance import Task
from companion.acceptance.bench import in_words
from companion.cli.keys import Keys


class TerminalPerson:
    """Prints tasks and reads answers. Where the terminal allows it, the seconds that are left count down."""

    def __init__(self) -> None:
        self._keys = Keys()
        self._draws = sys.stdout is not None and sys.stdout.isatty()
        self._task: Task | None = None
        self._left: int | None = None
        """The seconds on the screen; `None` while there is no prompt."""
        self._half = b""
        """What was typed of a line that is not finished."""

    def say(self, text: str = "") -> None:
        """Prints a text, below the prompt if there is one, in lines that fit the screen."""
        self.end()
        width = shutil.get_terminal_size().columns if self._draws else 0
        for line in text.split("\n"):
            click.echo(_fitted(line, width))

    def begin(self, task: Task) -> None:
        """Prints a task. What was typed before it does not count."""
        self._read(0.0)
        self._half = b""
        self.say(f"> {task.text}")
        self._task = task

    def wait(self, seconds: float, left_s: float | None = None) -> str | None:
        """Waits, and returns the line that is typed meanwhile. The prompt comes with the first wait of a task."""
        if left_s is not None and self._task is not None:
            self._draw(self._task, round(left_s))
        typed = self._read(seconds)
        if left_s is None:
            return None
        line, end, rest = (self._half + typed).partition(b"\n")
        if not end:
            self._half = line
            return None
        # Their own Enter has ended the line on the screen.
        self._left = None
        self._half = rest
        return line.decode("utf-8", "replace")

    def end(self) -> None:
        """Ends the prompt, if there is one."""
        if self._left is not None:
            self._left = None
            click.echo()

    def stop(self) -> None:
        """Makes the next wait stop everything; called from any thread."""
        self._keys.end()

    def _read(self, seconds: float) -> bytes:
        began_s = time.monotonic()
        try:
            typed = self._keys.typed(seconds)
        except EOFError:
            raise KeyboardInterrupt from None
        if typed and (left_s := began_s + seconds - time.monotonic()) > 0 and b"\n" not in typed:
            time.sleep(left_s)
        return typed

    def _draw(self, task: Task, left: int) -> None:
        if self._left is None:
            answers = in_words(task.answers)
            click.echo(f"{left:5} s left{f'; {answers}' if answers else ''} ", nl=False)
        elif self._draws and left != self._left:
            # Only the number: what somebody is typing stays as it is.
            click.echo(f"\x1b7\r{left:5}\x1b8", nl=False)
        self._left = left


def _fitted(line: str, width: int) -> str:
    """Returns a line broken between words where it is too long, with its indent; as it is where there is no width.

    >>> print(_fitted("  Press Granada once", 12))
      Press
      Granada
      once
    """
    if not width or len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(line.strip(), width, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
