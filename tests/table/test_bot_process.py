"""Bots think in a process of their own, and every question gets its answer, whatever becomes of that process."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty, Queue
from typing import cast

import pytest

from companion.bots import LEVELS, Decision, UnknownLevel, make_bot
from companion.bots.worker import NICENESS
from companion.engine import Game
from companion.engine.views import View
from companion.table.bot_process import DEATHS, WORKER, Advice, BotProcess, Thought
from tests.support.arrange import opening, turn_of
from tests.support.random_games import decisions

SEED = 11
PATIENCE_S = 30.0
"""For what is bound to happen: only a failing test waits so long."""


class Heard(Queue[Thought | Advice]):
    """The thoughts that came."""

    def next(self) -> Thought | Advice:
        return self.get(timeout=PATIENCE_S)


class Signs:
    """What workers of a test tell of themselves: lines in a pipe that has a name."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self.fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def next(self) -> str:
        """Waits for the next line; an empty one: all workers are gone."""
        ready = select.poll()
        ready.register(self.fd, select.POLLIN)
        line = b""
        while not line.endswith(b"\n"):
            assert ready.poll(PATIENCE_S * 1000), "no sign of a worker"
            if not (byte := os.read(self.fd, 1)):
                return ""
            line += byte
        return line.decode().strip()


@pytest.fixture
def signs(tmp_path: Path) -> Iterator[Signs]:
    signs = Signs(tmp_path / "signs")
    yield signs
    os.close(signs.fd)


SIGNALLING = """
import os, sys
from companion.bots import worker
signs = open({path!r}, "w", buffering=1)
make_bot = worker.make_bot
def signalling(level, seed, **budget):
    print(os.getpid(), level, file=signs)
    {instead}
    return make_bot(level, seed, **budget)
worker.make_bot = signalling
worker.main()
"""


def program(signs: Signs, instead: str = "pass") -> Sequence[str]:
    """The real worker, which gives a sign of every question, and does something in between."""
    return (*WORKER[:3], "-c", SIGNALLING.format(path=str(signs.path), instead=instead))


def here(game: Game, seat: str, level: str, iterations: int | None = None) -> Decision:
    """What the bot decides in this process."""
    return make_bot(level, SEED, iterations=iterations).decide(game.view(seat), game.legal_moves(seat))


def ask(thinkers: BotProcess, game: Game, seat: str = "red", level: str = "normal", version: int = 1) -> None:
    thinkers.think(seat, level, game.view(seat), game.legal_moves(seat), version)


def thought(decision: Decision, seat: str = "red", version: int = 1) -> Thought:
    return Thought(seat, decision.move, decision.because, version)


def dials() -> Game:
    """A game in which several seats set their dials at the same time."""
    return next(game for game, _ in decisions(3) if len(game.to_act) > 2)


# --- What they think -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_decides_as_it_would_in_the_same_process(level: str) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, iterations=8) as thinkers:
        for version, game in enumerate((opening(), turn_of("move-4"), turn_of("king"))):
            ask(thinkers, game, level=level, version=version)
            assert heard.next() == thought(here(game, "red", level, 8), version=version)


def test_seats_that_act_together_are_all_answered() -> None:
    game = dials()
    heard = Heard()
    with BotProcess(heard.put, SEED) as thinkers:
        for seat in game.to_act:
            ask(thinkers, game, seat)
        assert [heard.next() for _ in game.to_act] == [
            thought(here(game, seat, "normal"), seat) for seat in game.to_act
        ]


def test_a_question_is_not_asked_twice() -> None:
    game = dials()
    first, second, *_ = game.to_act
    heard = Heard()
    with BotProcess(heard.put, SEED) as thinkers:
        for seat in (first, first, second, first, second):
            ask(thinkers, game, seat)
        assert [heard.next().seat, heard.next().seat] == [first, second]
    assert heard.empty()


def test_a_question_of_another_level_takes_the_place_of_the_first(signs: Signs) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, seconds=1000.0, program=program(signs)) as thinkers:
        ask(thinkers, opening(), level="hard")
        signs.next()
        ask(thinkers, opening(), level="easy")
        assert heard.next() == thought(here(opening(), "red", "easy"))


def test_what_cannot_be_thought_about_is_told_at_once() -> None:
    with BotProcess(Heard().put, SEED) as thinkers:
        with pytest.raises(UnknownLevel, match="there is no bot called 'genius'"):
            ask(thinkers, opening(), level="genius")
        with pytest.raises(ValueError, match="red has no legal move"):
            thinkers.think("red", "easy", opening().view("red"), [], 1)
        assert repr(thinkers) == "<BotProcess: nobody thinks, 0 waiting, no worker>"


def test_a_listener_that_fails_does_not_silence_the_bots(caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()

    def listener(thought: Thought | Advice) -> None:
        heard.put(thought)
        raise KeyError("a mistake of the table")

    with BotProcess(listener, SEED) as thinkers:
        for version in (1, 2):
            ask(thinkers, opening(), version=version)
            assert heard.next().version == version
    assert "a thought of red was not taken" in caplog.text


# --- The worker ------------------------------------------------------------------------------------------------------


def test_the_worker_imports_nothing_but_bots_and_rules(signs: Signs) -> None:
    heard = Heard()
    with BotProcess(
        heard.put, SEED, iterations=2, program=program(signs, "print(*sys.modules, file=signs)")
    ) as thinkers:
        # The second time also tells what the first thought imported.
        for version in (1, 2):
            ask(thinkers, turn_of("move-4"), level="hard", version=version)
            heard.next()
            signs.next()
            modules = signs.next().split()
    assert {name.partition(".")[0] for name in modules} - sys.stdlib_module_names == {"__main__", "companion"}
    parts = {".".join(name.split(".")[:2]) for name in modules if name.startswith("companion.")}
    assert parts == {"companion.bots", "companion.engine"}


def test_the_worker_lets_the_table_go_first_and_leaves_ctrl_c_to_it(signs: Signs) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, seconds=0.5, program=program(signs)) as thinkers:
        ask(thinkers, opening(), level="hard")
        pid = int(signs.next().split()[0])
        os.kill(pid, signal.SIGINT)
        assert os.getpgid(pid) != os.getpgrp()
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        assert repr(thinkers) == f"<BotProcess: red (hard) thinks, 0 waiting, worker {pid}>"
        heard.next()
        assert repr(thinkers) == f"<BotProcess: nobody thinks, 0 waiting, worker {pid}>"


def test_a_thought_takes_hardly_longer_than_in_the_same_process() -> None:
    heard = Heard()
    game = turn_of("move-4")
    with BotProcess(heard.put, SEED) as thinkers:
        thinkers.prepare()
        took_s = []
        for version in range(20):
            begun_s = time.perf_counter()
            ask(thinkers, game, level="random", version=version)
            heard.next()
            took_s.append(time.perf_counter() - begun_s)
    assert min(took_s) < 0.02


def test_a_worker_can_be_started_before_it_is_needed(signs: Signs) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, program=program(signs)) as thinkers:
        thinkers.prepare()
        ask(thinkers, opening())
        assert heard.next() == thought(here(opening(), "red", "normal"))
        assert signs.next()


def test_the_worker_ends_with_the_table_in_the_middle_of_a_thought(signs: Signs) -> None:
    table = f"""
import time
from companion.table.bot_process import BotProcess
from tests.support.arrange import opening
thinkers = BotProcess(print, 1, seconds=1000.0, program={program(signs)!r})
thinkers.think("red", "hard", opening().view("red"), opening().legal_moves(), 1)
time.sleep(1000)
"""
    with subprocess.Popen([sys.executable, "-c", table], cwd=Path(__file__).parents[2]) as process:
        assert signs.next().endswith("hard")
        process.kill()
    assert signs.next() == ""


# --- When it dies ----------------------------------------------------------------------------------------------------


def test_a_worker_that_is_killed_is_replaced_and_asked_again(signs: Signs, caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()
    first = signs.path.with_name("first")
    endless = f"if not os.path.exists({str(first)!r}): open({str(first)!r}, 'w'); budget = {{'seconds': 1000.0}}"
    with BotProcess(heard.put, SEED, iterations=8, program=program(signs, endless)) as thinkers:
        ask(thinkers, opening(), level="hard")
        pid = int(signs.next().split()[0])
        os.kill(pid, signal.SIGKILL)
        assert heard.next() == thought(here(opening(), "red", "hard", 8))
        assert int(signs.next().split()[0]) != pid
    assert "the bots' worker died over a thought of red: signal 9" in caplog.text


def test_a_worker_that_was_killed_while_idle_is_replaced(signs: Signs, caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, program=program(signs)) as thinkers:
        for version in (1, 2):
            ask(thinkers, opening(), version=version)
            assert heard.next() == thought(here(opening(), "red", "normal"), version=version)
            os.kill(int(signs.next().split()[0]), signal.SIGKILL)
    assert "the bots' worker died" in caplog.text


def test_after_three_deaths_a_simpler_bot_answers(signs: Signs, caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()
    deadly = "if level == 'hard': os.kill(os.getpid(), 9)"
    with BotProcess(heard.put, SEED, program=program(signs, deadly)) as thinkers:
        ask(thinkers, opening(), level="hard")
        assert heard.next() == thought(here(opening(), "red", "easy"))
        assert [signs.next().split()[1] for _ in range(DEATHS + 1)] == ["hard"] * DEATHS + ["easy"]
        # Another question starts again.
        ask(thinkers, opening(), level="normal", version=2)
        assert heard.next() == thought(here(opening(), "red", "normal"), version=2)
    assert caplog.text.count("the bots' worker died over a thought of red: signal 9") == DEATHS
    assert "the easy bot answers for red" in caplog.text


def test_a_bot_that_fails_is_replaced_and_its_worker_lives(signs: Signs, caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, program=program(signs, "if level == 'hard': {}['a secret dial']")) as thinkers:
        ask(thinkers, opening(), level="hard")
        assert heard.next() == thought(here(opening(), "red", "easy"))
        (failed, hard), (answered, easy) = signs.next().split(), signs.next().split()
    assert (hard, easy) == ("hard", "easy")
    assert failed == answered
    assert "the hard bot of red failed: KeyError in <string>:8 signalling < worker.py" in caplog.text
    assert "secret" not in caplog.text


NO_WORKERS = {
    "there is no such program": ["/there/is/no/such/program"],
    "it ends at once": [*WORKER[:3], "-c", ""],
    "it talks nonsense": [*WORKER[:3], "-c", "import os; os.write(1, b'hello\\n'); os.read(0, 9)"],
    "it is silent": [*WORKER[:3], "-c", "import os; os.read(0, 9)"],
}


@pytest.mark.parametrize("worker", NO_WORKERS.values(), ids=NO_WORKERS)
def test_without_any_worker_a_bot_chooses_at_random(worker: list[str], caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, patience_s=0.1, program=worker) as thinkers:
        thinkers.prepare()
        ask(thinkers, opening(), level="hard")
        assert heard.next() == thought(here(opening(), "red", "random"))
    assert "red chooses at random" in caplog.text


@pytest.mark.parametrize("view", [{}, {"log": {1, 2}}])
def test_a_view_that_no_bot_understands_ends_in_a_legal_move(
    view: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    heard = Heard()
    legal = opening().legal_moves()
    with BotProcess(heard.put, SEED) as thinkers:
        thinkers.think("red", "hard", cast(View, view), legal, 1)
        assert heard.next() == Thought("red", legal[0], None, 1)
    assert "red makes its first legal move" in caplog.text


# --- Forgetting, and the end -----------------------------------------------------------------------------------------


def test_a_cancelled_thought_is_dropped_and_the_worker_is_free_at_once(signs: Signs) -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, seconds=1000.0, program=program(signs)) as thinkers:
        workers = set()
        for version in range(0, 20, 2):
            ask(thinkers, opening(), level="hard", version=version)
            workers.add(signs.next().split()[0])
            thinkers.cancel()
            ask(thinkers, opening(), version=version + 1)
            assert heard.next() == thought(here(opening(), "red", "normal"), version=version + 1)
            workers.add(signs.next().split()[0])
    assert len(workers) == 1
    assert heard.empty()


def test_a_question_can_be_cancelled_before_the_worker_has_begun() -> None:
    heard = Heard()
    with BotProcess(heard.put, SEED, seconds=1000.0) as thinkers:
        for version in range(0, 20, 2):
            ask(thinkers, opening(), level="hard", version=version)
            thinkers.cancel()
            ask(thinkers, opening(), version=version + 1)
            assert heard.next().version == version + 1
    assert heard.empty()


def test_when_the_game_goes_on_older_questions_are_forgotten(signs: Signs) -> None:
    game = dials()
    heard = Heard()
    with BotProcess(heard.put, SEED, seconds=1000.0, program=program(signs)) as thinkers:
        first, second, *_ = game.to_act
        ask(thinkers, game, first, "hard", version=4)
        signs.next()
        ask(thinkers, game, second, "hard", version=4)
        ask(thinkers, game, first, version=5)
        assert heard.next() == thought(here(game, first, "normal"), first, version=5)
    assert heard.empty()


def test_closing_in_the_middle_of_a_thought_is_quick(signs: Signs, caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()
    thinkers = BotProcess(heard.put, SEED, seconds=1000.0, program=program(signs))
    ask(thinkers, opening(), level="hard")
    signs.next()
    begun_s = time.perf_counter()
    thinkers.close()
    assert time.perf_counter() - begun_s < 1.0
    assert signs.next() == ""
    assert repr(thinkers) == "<BotProcess: closed>"
    # Neither another close nor another question does anything.
    thinkers.close()
    ask(thinkers, opening(), version=2)
    with pytest.raises(Empty):
        heard.get_nowait()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_closing_while_the_worker_starts_leaves_nothing_behind(signs: Signs) -> None:
    for _ in range(3):
        with BotProcess(Heard().put, SEED, seconds=1000.0, program=program(signs)) as thinkers:
            ask(thinkers, opening(), level="hard")
        assert "closed" in repr(thinkers)
