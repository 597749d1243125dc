"""Runs bots in a worker process, so that a search never blocks the table's interpreter."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from companion.bots import Decision, make_bot
from companion.bots.worker import FORGET, in_short
from companion.engine import Message, Move
from companion.engine.views import View

_LOG: Final = logging.getLogger(__name__)

# Bots need only the standard library: without site packages, the worker starts faster.
WORKER: Final = (sys.executable, "-S", "-P", "-m", "companion.bots.worker")
DEATHS: Final = 3
"""How often a worker may die over a question before a simpler bot answers it."""
SIMPLER: Final = {"hard": "easy", "normal": "easy"}
"""Which level answers in the worker when another cannot; after that, `random` answers in this process."""
PATIENCE_S: Final = 30.0
"""How long a worker may take beyond its budget before it counts as dead."""
_CLOSING_S: Final = 1.0


@dataclass(frozen=True)
class Thought:
    """A bot's decision, posted to the table like any gesture, with the version of the game it is for."""

    seat: str
    move: Move
    because: Message | None
    version: int


@dataclass(frozen=True, eq=False)
class _Question:
    seat: str
    level: str
    view: View
    legal: tuple[Move, ...]
    version: int


class _Died(Exception):
    """The worker ended, stopped answering, or sent nonsense."""


class _Failed(Exception):
    """The bot failed; the worker goes on."""


class BotProcess:
    """All bots of a table.

    >>> from queue import SimpleQueue
    >>> from random import Random
    >>> from companion.engine import Game, deal
    >>> game, rng, thoughts = Game(("red", "blue")), Random(7), SimpleQueue()
    >>> while game.to_act == ("table",):
    ...     _ = deal(game, rng)
    >>> with BotProcess(thoughts.put, seed=7) as bots:
    ...     bots.think("red", "easy", game.view("red"), game.legal_moves("red"), version=1)
    ...     thoughts.get(timeout=60).seat
    'red'

    Questions are answered one at a time, each with a `Thought` that is passed to `answer` in a thread of this object.
    Every question that is not forgotten gets an answer: a worker that dies is replaced and asked again, and if it dies
    three times over one question, or a bot fails, a simpler bot answers. With a budget in tries, a decision depends
    only on the seed, the seat and the game, so it is the same after a restart.

    :param answer: takes each thought. It must return soon; it may call `think` and `cancel`.
    :param seed: the seed of the bots, the same for a whole game.
    :param seconds: the budget of `hard` per decision; `None` means the bot's default.
    :param iterations: the budget of `hard` as a number of tries instead, which makes it repeatable.
    :param patience_s: how long a worker may take beyond its budget before it counts as dead.
    :param program: the worker's command line, for tests.
    """

    def __init__(
        self,
        answer: Callable[[Thought], None],
        seed: int,
        seconds: float | None = None,
        iterations: int | None = None,
        patience_s: float = PATIENCE_S,
        program: Sequence[str] = WORKER,
    ) -> None:
        self._answer = answer
        self._seed = seed
        self._seconds = seconds
        self._iterations = iterations
        self._patience_s = patience_s + (seconds or 0.0)
        self._program = program
        # Everything below is used only under this lock.
        self._changed = threading.Condition()
        self._waiting: list[_Question] = []
        self._asked: _Question | None = None
        """The question the worker has, as long as its answer is wanted."""
        self._begun = False
        self._early = False
        self._closed = False
        self._worker: _Worker | None = None
        self._thread: threading.Thread | None = None

    def prepare(self) -> None:
        """Starts the worker in the background, so that the first question need not wait for it."""
        with self._changed:
            self._early = True
            self._wake()

    def think(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None:
        """Asks a bot for a move and returns at once.

        Seats that act at the same time may be asked one after the other. A question for another version means that the
        game has gone on, and older questions are forgotten. A question that is already being answered is not asked
        twice. After `close`, nothing happens.
        """
        make_bot(level)  # an unknown level raises now
        if not legal:
            raise ValueError(f"{seat} has no legal move, so there is nothing to think about")
        question = _Question(seat, level, view, tuple(legal), version)
        with self._changed:
            self._forget(lambda old: old.version != version or (old.seat == seat and old.level != level))
            known = [*self._waiting, *([self._asked] if self._asked else [])]
            if not any(old.seat == seat for old in known):
                self._waiting.append(question)
                self._wake()

    def cancel(self) -> None:
        """Forgets all questions. An answer already on its way may still come; its version shows that it is old."""
        with self._changed:
            self._forget(lambda _: True)

    def close(self) -> None:
        """Ends the worker, even in the middle of a question. Closing it again does nothing."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._asked = None
            if self._worker is not None:
                self._worker.kill()
            self._changed.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_CLOSING_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        with self._changed:
            if self._closed:
                return "<BotProcess: closed>"
            doing = f"{self._asked.seat} ({self._asked.level}) thinks" if self._asked else "nobody thinks"
            worker = f"worker {self._worker.process.pid}" if self._worker else "no worker"
            return f"<BotProcess: {doing}, {len(self._waiting)} waiting, {worker}>"

    # Under the lock.

    def _wake(self) -> None:
        if self._closed:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="bots", daemon=True)
            self._thread.start()
        self._changed.notify()

    def _forget(self, stale: Callable[[_Question], bool]) -> None:
        self._waiting = [question for question in self._waiting if not stale(question)]
        if self._asked is not None and stale(self._asked):
            self._asked = None
            # Before `begun`, the worker would miss the signal: `_ask` sends it then.
            if self._begun and self._worker is not None:
                self._worker.forget()

    # In the thread.

    def _run(self) -> None:
        while (question := self._next()) is not None:
            try:
                decision = self._decide(question)
                if decision is not None and self._done(question):
                    self._answer(Thought(question.seat, *decision, question.version))
            except Exception:
                _LOG.exception("a thought of %s was not taken", question.seat)
        self._end_worker()

    def _next(self) -> _Question | None:
        """Waits for a question. Returns `None` when it is time to end."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting or self._early)
                if self._closed:
                    return None
                self._early = False
                if self._waiting:
                    self._asked = self._waiting.pop(0)
                    return self._asked
            try:
                self._living_worker()
            except (_Died, OSError) as error:
                _LOG.warning("the bots' worker does not start: %s", error)
                self._end_worker()

    def _wanted(self, question: _Question) -> bool:
        with self._changed:
            return self._asked is question

    def _done(self, question: _Question) -> bool:
        """Ends a question. Returns whether its answer was still wanted."""
        with self._changed:
            wanted = self._asked is question
            self._asked = None
            return wanted

    def _decide(self, question: _Question) -> Decision | None:
        """Returns the decision, whatever happens to workers; `None` when it is no longer wanted."""
        level, deaths = question.level, 0
        while self._wanted(question):
            try:
                return self._ask(question, level)
            except (_Died, OSError) as error:
                self._end_worker()
                deaths += 1
                if self._wanted(question):
                    _LOG.warning("the bots' worker died over a thought of %s: %s", question.seat, error)
            except Exception as error:
                # Another try would end the same way.
                why = str(error) if isinstance(error, _Failed) else in_short(error)
                _LOG.error("the %s bot of %s failed: %s", level, question.seat, why)
                deaths = DEATHS
            if deaths >= DEATHS and self._wanted(question):
                if level not in SIMPLER:
                    _LOG.error("%s chooses at random, for lack of a worker that can think", question.seat)
                    return self._at_random(question)
                level, deaths = SIMPLER[level], DEATHS - 1
                _LOG.error("the %s bot answers for %s", level, question.seat)
        return None

    def _ask(self, question: _Question, level: str) -> Decision | None:
        """Asks the worker. Returns `None` when the question was forgotten meanwhile."""
        worker = self._living_worker()
        worker.say(
            {
                "level": level,
                "seed": self._seed,
                "seconds": self._seconds,
                "iterations": self._iterations,
                "view": question.view,
                "legal": [move.text for move in question.legal],
            }
        )
        worker.hear("begun", within_s=self._patience_s)
        with self._changed:
            self._begun = True
            if self._asked is not question:
                worker.forget()
        try:
            answer = worker.hear("move", "failed", "forgotten", within_s=self._patience_s)
        finally:
            with self._changed:
                self._begun = False
        if "failed" in answer:
            raise _Failed(answer["failed"])
        if "forgotten" in answer:
            if self._wanted(question):
                raise _Died("it gave up a thought that is wanted")
            return None
        by_text = {move.text: move for move in question.legal}
        if answer["move"] not in by_text:
            raise _Failed("a move that is not legal")
        because = answer["because"]
        return Decision(by_text[answer["move"]], because and Message(*because))

    def _at_random(self, question: _Question) -> Decision:
        try:
            return make_bot("random", self._seed).decide(question.view, list(question.legal))
        except Exception:
            _LOG.exception("not even that: %s makes its first legal move", question.seat)
            return Decision(question.legal[0])

    def _living_worker(self) -> _Worker:
        """Returns the worker, ready for a question; a new one if the old one has died."""
        worker = self._worker
        if worker is not None and worker.process.poll() is not None:
            _LOG.warning("the bots' worker died while nobody thought: %s", worker.end())
            self._end_worker()
            worker = None
        if worker is None:
            worker = _Worker(self._program)
            with self._changed:
                self._worker = worker
                if self._closed:
                    raise _Died("it is not needed any more")
            worker.hear("ready", within_s=self._patience_s)
        return worker

    def _end_worker(self) -> None:
        with self._changed:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


class _Worker:
    """A worker process and the socket to it."""

    def __init__(self, program: Sequence[str]) -> None:
        self._line, theirs = socket.socketpair()
        self._heard = b""
        with theirs:
            try:
                self.process = subprocess.Popen(
                    program,
                    stdin=theirs.fileno(),
                    stdout=2,  # nothing but answers goes to the table; what a bot prints goes with the errors
                    env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
                    start_new_session=True,  # so that Ctrl-C does not reach it before it can ignore it
                )
            except BaseException:
                self._line.close()
                raise

    def say(self, words: Mapping[str, object]) -> None:
        """Sends a question."""
        self._line.settimeout(PATIENCE_S)
        try:
            self._line.sendall(json.dumps(words).encode() + b"\n")
        except OSError as error:
            raise _Died(self._how(error)) from None

    def hear(self, *kinds: str, within_s: float) -> dict[str, Any]:
        """Waits for an answer of one of these kinds."""
        end_s = time.monotonic() + within_s
        while b"\n" not in self._heard:
            self._line.settimeout(max(0.001, end_s - time.monotonic()))
            try:
                data = self._line.recv(65536)
            except TimeoutError:
                raise _Died(f"it said nothing for {within_s:.0f} s") from None
            except OSError as error:
                raise _Died(self._how(error)) from None
            if not data:
                raise _Died(self._how())
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        try:
            words = json.loads(line)
        except ValueError:
            words = None
        if not isinstance(words, dict) or not words.keys() & set(kinds):
            raise _Died("what it said makes no sense")
        return words

    def forget(self) -> None:
        """Makes the worker give up its question."""
        self.process.send_signal(FORGET)

    def kill(self) -> None:
        """Kills the process; the thread that waits for it will notice."""
        self.process.kill()

    def end(self) -> str:
        """Kills the process and closes the socket. Returns how the process ended."""
        self._line.close()
        self.process.kill()
        return self._how()

    def _how(self, error: OSError | None = None) -> str:
        """Returns how the process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(_CLOSING_S)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return str(error or "it hung up")
