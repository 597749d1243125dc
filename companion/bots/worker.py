"""The process that bots think in: questions come in on standard input, answers go out on standard output.

`companion.table.bot_process` starts it and asks one question at a time. Each is a line of JSON with a number, and is
answered with `move`, `failed` or, when a later line says that the answer is no longer wanted, `forgotten`. The worker
ends when its input does.

Only what every system has is used: ordinary pipes, and a thread that reads while the bot thinks.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import signal
import sys
import threading
import traceback
from queue import SimpleQueue
from types import FrameType
from typing import Any, BinaryIO, Final

from companion.bots import make_bot
from companion.engine import Move

NICENESS: Final = 10

Words = dict[str, Any]
"""A question or an answer."""


class _Forgotten(BaseException):
    """The answer is no longer wanted."""


class Worker:
    """Answers questions until there are no more.

    :param incoming: where questions come from.
    :param outgoing: where answers go.
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._questions: SimpleQueue[Words] = SimpleQueue()
        self._forgotten = 0
        """The number of the latest question whose answer is no longer wanted."""
        self._thinking = 0
        """The number of the question being answered; 0 between questions."""

    def run(self) -> None:
        """Answers one question after another. Call it in the main thread, which can be interrupted."""
        signal.signal(signal.SIGINT, self._interrupted)
        _be_modest()
        threading.Thread(target=self._listen, daemon=True).start()
        self._say({"ready": True})
        while True:
            self._say(self._answer(self._questions.get()))

    def _listen(self) -> None:
        """Takes questions while the bot thinks, and ends the process with the table, even in mid-thought."""
        with contextlib.suppress(OSError, ValueError):
            for line in self._incoming:
                words = json.loads(line)
                if "forget" in words:
                    self._forgotten = words["forget"]
                    _thread.interrupt_main(signal.SIGINT)
                else:
                    self._questions.put(words)
        os._exit(0)

    def _answer(self, question: Words) -> Words:
        try:
            try:
                self._thinking = question["number"]
                if self._thinking <= self._forgotten:
                    return {"forgotten": True}
                return decide(question)
            except Exception as error:
                return {"failed": in_short(error)}
            finally:
                self._thinking = 0
        except _Forgotten:
            self._thinking = 0
            return {"forgotten": True}

    def _interrupted(self, _signal: int, _frame: FrameType | None) -> None:
        # Ctrl-C is for the table, and a word that comes too late finds the question answered: both do nothing.
        if 0 < self._thinking <= self._forgotten:
            self._thinking = 0  # once is enough
            raise _Forgotten

    def _say(self, words: Words) -> None:
        try:
            self._outgoing.write(json.dumps(words).encode() + b"\n")
            self._outgoing.flush()
        except OSError:
            os._exit(0)  # the table is gone


def decide(question: Words) -> Words:
    """Returns a bot's answer to a question."""
    budget = {name: question[name] for name in ("seconds", "iterations") if question[name] is not None}
    bot = make_bot(question["level"], question["seed"], **budget)
    decision = bot.decide(question["view"], [Move.parse(text) for text in question["legal"]])
    because = decision.because
    return {"move": decision.move.text, "because": because and [because.text, dict(because.fields)]}


def in_short(error: BaseException) -> str:
    """Returns the kind of an error and where it was raised. Its text is left out: it could give away a secret."""
    places = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{os.path.basename(place.filename)}:{place.lineno} {place.name}" for place in places[:-7:-1])
    return f"{type(error).__name__} in {where}"


def _be_modest() -> None:
    """Lets the table go first, for the processor and when memory runs out. On Windows, it is started that way."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("500")


def main() -> None:
    """Answers the questions of the process that started this one."""
    outgoing = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but answers goes to the table; what a bot prints goes with the errors
    Worker(sys.stdin.buffer, outgoing).run()


if __name__ == "__main__":
    main()
