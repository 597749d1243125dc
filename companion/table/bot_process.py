"""Runs bots in a worker process, so that a search never blocks the table's interpreter."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from companion.bots import make_bot
from companion.bots.worker import in_short
from companion.engine import Message, Move
from companion.engine.views import View
from companion.table.worker_process import CLOSING_S, PATIENCE_S, WorkerDied, WorkerProcess

_LOG: Final = logging.getLogger(__name__)

# Bots need only the standard library: without site packages, the worker starts faster.
WORKER: Final = (sys.executable, "-S", "-P", "-m", "companion.bots.worker")
DEATHS: Final = 3
"""How often a worker may die over a question before a simpler bot answers it."""
SIMPLER: Final = {"hard": "easy", "normal": "easy"}
"""Which level answers in the worker when another cannot; after that, `random` answers in this process."""


@dataclass(frozen=True)
class Thought:
    """A bot's decision, posted to the table like any gesture, with the version of the game it is for."""

    seat: str
    move: Move
    because: Message | None
    version: int


@dataclass(frozen=True)
class Advice:
    """What a bot would do in a player's place, posted like a thought. It is shown to that player and never played."""

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
    advice: bool = False
    """Whether a player asks for a hint; otherwise the bot is to move."""


class _Answer(NamedTuple):
    move: Move
    because: Message | None = None


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

    Questions are answered one at a time, each with a `Thought` that is passed to `answer` in a thread of this object;
    a player who asks for advice gets `Advice` instead, which is not a move.
    Every question that is not forgotten gets an answer: a worker that dies is replaced and asked again, and if it dies
    three times over one question, or a bot fails, a simpler bot answers. With a budget in tries, a decision depends
    only on the seed, the seat and the game, so it is the same after a restart.

    :param answer: takes each thought and each advice. It must return soon; it may call `think` and `cancel`.
    :param seed: the seed of the bots, the same for a whole game.
    :param seconds: the budget of `hard` per decision; `None` means the bot's default.
    :param iterations: the budget of `hard` as a number of tries instead, which makes it repeatable.
    :param patience_s: how long a worker may take beyond its budget before it counts as dead.
    :param program: the worker's command line, for tests.
    """

    def __init__(
        self,
        answer: Callable[[Thought | Advice], None],
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
        self._early = False
        self._closed = False
        self._worker: WorkerProcess | None = None
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
        self._ask_later(
            _Question(seat, level, view, tuple(legal), version),
            lambda old: not old.advice and (old.version != version or (old.seat == seat and old.level != level)),
        )

    def advise(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None:
        """Asks a bot what it would do in a player's place, and returns at once. The answer is `Advice`.

        Bots go on thinking about their own moves meanwhile. An older question of the same seat is forgotten.
        """
        self._ask_later(
            _Question(seat, level, view, tuple(legal), version, advice=True),
            lambda old: old.advice and old.seat == seat and old.version != version,
        )

    def _ask_later(self, question: _Question, stale: Callable[[_Question], bool]) -> None:
        """Puts a question into the queue, unless it is there already, and forgets those that are stale."""
        make_bot(question.level)  # an unknown level raises now
        if not question.legal:
            raise ValueError(f"{question.seat} has no legal move, so there is nothing to think about")
        with self._changed:
            self._forget(stale)
            known = [*self._waiting, *([self._asked] if self._asked else [])]
            if not any((old.seat, old.advice) == (question.seat, question.advice) for old in known):
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
            self._thread.join(CLOSING_S)

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
            if self._worker is not None:
                self._worker.forget()

    # In the thread.

    def _run(self) -> None:
        while (question := self._next()) is not None:
            try:
                decision = self._decide(question)
                if decision is not None and self._done(question):
                    kind = Advice if question.advice else Thought
                    self._answer(kind(question.seat, *decision, question.version))
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
            except (WorkerDied, OSError) as error:
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

    def _decide(self, question: _Question) -> _Answer | None:
        """Returns the decision, whatever happens to workers; `None` when it is no longer wanted."""
        level, deaths = question.level, 0
        while self._wanted(question):
            try:
                return self._ask(question, level)
            except (WorkerDied, OSError) as error:
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

    def _ask(self, question: _Question, level: str) -> _Answer | None:
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
        # One that was forgotten before the worker had it.
        if not self._wanted(question):
            worker.forget()
        answer = worker.hear("move", "failed", "forgotten", within_s=self._patience_s)
        if "failed" in answer:
            raise _Failed(answer["failed"])
        if "forgotten" in answer:
            if self._wanted(question):
                raise WorkerDied("it gave up a thought that is wanted")
            return None
        by_text = {move.text: move for move in question.legal}
        if answer["move"] not in by_text:
            raise _Failed("a move that is not legal")
        because = answer["because"]
        return _Answer(by_text[answer["move"]], because and Message(*because))

    def _at_random(self, question: _Question) -> _Answer:
        try:
            return _Answer(make_bot("random", self._seed).decide(question.view, list(question.legal)).move)
        except Exception:
            _LOG.exception("not even that: %s makes its first legal move", question.seat)
            return _Answer(question.legal[0])

    def _living_worker(self) -> WorkerProcess:
        """Returns the worker, ready for a question; a new one if the old one has died."""
        worker = self._worker
        if worker is not None and worker.process.poll() is not None:
            _LOG.warning("the bots' worker died while nobody thought: %s", worker.end())
            self._end_worker()
            worker = None
        if worker is None:
            worker = WorkerProcess(self._program)
            with self._changed:
                self._worker = worker
                if self._closed:
                    raise WorkerDied("it is not needed any more")
            worker.hear("ready", within_s=self._patience_s)
        return worker

    def _end_worker(self) -> None:
        with self._changed:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
