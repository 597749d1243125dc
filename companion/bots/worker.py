"""The process that bots think in: questions and answers are lines of JSON on a socket.

`companion.table.bot_process` starts it and asks one question at a time. The worker answers each with `begun`, and then
with `move`, `failed`, or, after a signal that the answer is no longer wanted, `forgotten`. It ends when the other side
closes the socket.
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
"""The signal to stop thinking about the current question."""
NICENESS: Final = 10
SOCKET: Final = 0
"""The socket to the table, in place of standard input."""

Words = dict[str, Any]
"""A question or an answer."""


class _Forgotten(BaseException):
    """The answer is no longer wanted."""


class Worker:
    """Answers questions until there are no more."""

    def __init__(self) -> None:
        self._thinking = False

    def run(self) -> None:
        """Answers one question after another. Call it in the main thread, which receives the signals."""
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
        # A signal that comes too late finds the question answered.
        if self._thinking:
            raise _Forgotten


def decide(question: Words) -> Words:
    """Returns a bot's answer to a question."""
    budget = {name: question[name] for name in ("seconds", "iterations") if question[name] is not None}
    bot = make_bot(question["level"], question["seed"], **budget)
    move, because = bot.decide(question["view"], [Move.parse(text) for text in question["legal"]])
    return {"move": move.text, "because": because and [because.text, dict(because.fields)]}


def in_short(error: BaseException) -> str:
    """Returns the kind of an error and where it was raised. Its text is left out: it could give away a secret."""
    places = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{os.path.basename(place.filename)}:{place.lineno} {place.name}" for place in places[:-7:-1])
    return f"{type(error).__name__} in {where}"


def _be_modest() -> None:
    """Lets the table go first, for the processor and when memory runs out."""
    os.nice(NICENESS)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def _end_with_the_table() -> None:
    """Ends the process when the other side is gone, even in the middle of a question."""
    # The signal must go to the main thread, so that it arrives before the next question.
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
