"""The keyboard: reads answers in a separate thread, so that the table goes on while somebody thinks."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue

import click


class Keyboard:
    """Asks one question after another.

    :param answered: is called with each answer, in the keyboard's thread; `None` means there will be no more.
    """

    def __init__(self, answered: Callable[[str | None], None]) -> None:
        self._questions: SimpleQueue[tuple[str, bool]] = SimpleQueue()
        self._answered = answered
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # arrow keys and history at the prompt, where the system has them
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def ask(self, prompt: str, hidden: bool = False) -> None:
        """Asks a question. Returns at once; the answer comes later."""
        self._questions.put((prompt, hidden))

    def _read(self) -> None:
        while True:
            prompt, hidden = self._questions.get()
            try:
                answer = click.prompt(prompt, default="", show_default=False, hide_input=hidden)
            except (click.Abort, EOFError, OSError, ValueError):
                self._answered(None)
                return
            self._answered(answer)
