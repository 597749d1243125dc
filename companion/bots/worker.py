"""The program of the process in which bots think: questions and answers are lines of JSON, on the socket it is given.

`companion.table.bot_process` starts it and asks one question at a time. The worker answers each with `begun`, and then
with `move`, `failed`, or `forgotten` after a signal that the answer is not wanted any more. It ends when the other side
has closed the socket.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import threading
import traceback
from types import FrameType
from typing import Any, Final

from companion.bots import make_bot
from companion.engine import Move

FORGET: Final = signal.SIGUSR1
"""The signal to give up the thought under way."""
NICENESS: Final = 10
SOCKET: Final = 0
"""The line to the table is where other programs have their standard input."""

Words = dict[str, Any]
"""A question or an answer."""


class _Forgotten(BaseException):
    """Nobody wants this thought any more."""


class Worker:
    """Answers questions until there are no more."""

    def __init__(self) -> None:
        self._thinking = False

    def run(self) -> None:
        """Answers question after question; to be called in the main thread, which gets the signals."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table
        signal.signal(FORGET, self._forget)
        _be_modest()
        threading.Thread(target=_end_with_the_table, daemon=True).start()
        _say({"ready": True})
        with open(SOCKET, "rb", closefd=False) as lines:
            for line in lines:
                _say(self._answer(json.loads(line)))

    def _answer(self, question: Words) -> Words:
        try:
            try:
                self._thinking = True
                _say({"begun": True})
                return decide(question)
            except Exception as error:
                return {"failed": in_short(error)}
            finally:
                self._thinking = False
        except _Forgotten:
            self._thinking = False
            return {"forgotten": True}

    def _forget(self, _signal: int, _frame: FrameType | None) -> None:
        # A signal that comes late finds the thought done.
        if self._thinking:
            raise _Forgotten


def decide(question: Words) -> Words:
    """A bot's decision on a question."""
    budget = {name: question[name] for name in ("seconds", "iterations") if question[name] is not None}
    bot = make_bot(question["level"], question["seed"], **budget)
    move, because = bot.decide(question["view"], [Move.parse(text) for text in question["legal"]])
    return {"move": move.text, "because": because and [because.text, dict(because.fields)]}


def in_short(error: BaseException) -> str:
    """The kind of an error and where it was made, without its words: those may tell what only one seat may know."""
    places = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{os.path.basename(place.filename)}:{place.lineno} {place.name}" for place in places[:-7:-1])
    return f"{type(error).__name__} in {where}"


def _be_modest() -> None:
    """The table goes first: with the processor, and when memory runs out."""
    os.nice(NICENESS)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def _end_with_the_table() -> None:
    """Waits until the other side is gone, also in the middle of a thought."""
    # The signal is for the main thread: so it is there before the next question is.
    signal.pthread_sigmask(signal.SIG_BLOCK, {FORGET})
    gone = select.poll()
    gone.register(SOCKET, 0)
    gone.poll()
    os._exit(0)


def _say(words: Words) -> None:
    data = json.dumps(words).encode() + b"\n"
    while data:
        data = data[os.write(SOCKET, data) :]


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        Worker().run()
    sys.exit()
