"""Histories: what phones sent to a table and were answered while it was disturbed and killed, held against its journal.

A history is checked like that of a distributed database. Everything that was answered as saved must be in the journal
exactly once, after what its player had seen and before what the same player saw next; whatever else people did is there
at most as often as it may have arrived; and nothing is there that nobody sent.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final, NamedTuple

from companion.engine import Game
from companion.storage.database import look_into
from companion.storage.journal import Journal
from web_remote.context import COOKIE

ROOT: Final = Path(__file__).parents[2]
PATIENCE_S: Final = 30.0
ANSWER_S: Final = 5.0
PAUSE_S: Final = 0.01
PHONES: Final = (("red", 1), ("red", 2), ("blue", 3), ("blue", 4))
"""The seat of each phone and the last number of its address: each seat has two, which get in each other's way."""
ONE_OF_A_PAIR: Final = 2
SAVED, MAYBE, REFUSED = "saved", "maybe", "refused"
ANSWERS: Final = (REFUSED, MAYBE, SAVED)
"""What a line may have been answered, by how much that says about the journal."""
YES: Final = "yes"
"""The answer to whether something may be lost; the move it lets through was sent before."""


@dataclass(frozen=True)
class Sent:
    """One line that a phone sent, and what became of it."""

    who: str
    seat: str
    line: str
    seen: int
    """The number of journal entries that its player had seen."""
    answer: str
    """`saved`, `refused`, or `maybe` when the answer was that it waits, or never came."""
    known: int
    """The number of journal entries that the phone was shown next."""
    tap: tuple[str, int] = ("", 0)
    """The run of the table and the number of the state it answers: the same line for the same state is one tap."""
    at_s: tuple[float, float] = (0.0, 0.0)
    """When it was sent, and when it was answered."""


class Line(NamedTuple):
    """A move that a person made, in the journal."""

    number: int
    seat: str
    line: str


def of_all(answers: Iterable[str]) -> str:
    """Returns what became of a line that was sent several times for the same state: it counts once at most."""
    return max(answers, key=ANSWERS.index)


def faults(history: Iterable[Sent], journal: Sequence[Line]) -> list[str]:
    """Returns how a history and a journal contradict each other, in words; nothing when they do not."""
    found = []
    free = list(journal)
    saved = [sent for sent in history if sent.answer == SAVED and sent.line != YES]
    # Of a double tap, on one phone or two of a seat, the last that was answered says the most cautious thing.
    taps = {(sent.seat, sent.line, sent.tap): sent for sent in sorted(saved, key=lambda each: each.known)}
    # Each takes the first entry that fits, those with the least choice first.
    for sent in taps.values():
        fits = [
            entry for entry in free
            if (entry.seat, entry.line) == (sent.seat, sent.line) and sent.seen < entry.number <= sent.known
        ]  # fmt: skip
        if fits:
            free.remove(fits[0])
        else:
            found.append(f"answered as saved, but not in the journal: {sent}")
    may_be_there = Counter((sent.seat, sent.line) for sent in history if sent.answer == MAYBE)
    for entry in free:
        if not may_be_there[entry.seat, entry.line]:
            found.append(f"in the journal more often than it was sent: {entry}")
        may_be_there[entry.seat, entry.line] -= 1
    return found


def lines_of(database: Path) -> tuple[Game, list[Line]]:
    """Returns the game in a file, and every move that people made in it, with those they took back."""
    with look_into(database) as file:
        assert file is not None
        game = Journal(file).load(1).game
        rows = file.execute("SELECT number, line FROM entries WHERE game = 1 AND kind = 'move' AND made_by = 'person'")
    return game, [Line(number, *line.split(" ", 1)) for number, line in rows]


class Phone(threading.Thread):
    """A phone that plays at random legal moves, sends some of them twice, and hangs up on others."""

    def __init__(self, table: TableProcess, seat: str, address: int, rng: Random, over: threading.Event) -> None:
        super().__init__(name=f"phone {address} of {seat}")
        self.history: list[Sent] = []
        self.token = ""
        self.problem = ""
        self._table, self._seat, self._address, self._rng, self._over = table, seat, address, rng, over

    def run(self) -> None:
        """Plays until somebody says that it is over."""
        try:
            while not self._over.is_set():
                with contextlib.suppress(OSError, http.client.HTTPException):
                    self._play()
                time.sleep(PAUSE_S * self._rng.random())
        except Exception as error:
            self.problem = f"{self.name}: {error!r}"
            raise

    def join(self, timeout: float | None = None) -> None:
        """Waits until it has stopped."""
        super().join(timeout)
        assert not self.is_alive()

    def take_seat(self) -> None:
        """Sits down with the code."""
        _, _, cookie = self._ask("POST", "/join", {"seat": self._seat, "name": "", "code": self._table.join_code})
        self.token = cookie.partition(f"{COOKIE}=")[2].partition(";")[0]

    def state(self) -> dict[str, Any]:
        """Returns what the phone is shown."""
        status, data, _ = self._ask("GET", f"/state?seat={self._seat}")
        if status != http.client.OK:
            raise http.client.HTTPException(status)
        return data

    def _play(self) -> None:
        state = self.state()
        line = self._choose(state)
        if line is None:
            return
        fields = {"seat": self._seat, "line": line, "version": state["version"], "number": state["number"]}
        sent_s, answers = time.monotonic(), [MAYBE]
        with contextlib.suppress(OSError, http.client.HTTPException):
            if self._rng.random() < 0.15:
                self._send("POST", "/say", fields).close()  # and never hears what became of it
            else:
                answers[-1] = self._say(fields)
                if self._rng.random() < 0.2:
                    answers.append(MAYBE)
                    answers[-1] = self._say(fields)  # a double tap
        answered_s = time.monotonic()
        known = self._state_when_back()["version"]
        tap, times = (state["run"], state["number"]), (sent_s - self._table.began_s, answered_s - self._table.began_s)
        self.history.append(Sent(self.name, self._seat, line, state["version"], of_all(answers), known, tap, times))

    def _choose(self, state: dict[str, Any]) -> str | None:
        if self._seat not in state["waiting_for"]:
            return None
        if self._rng.random() < 0.3:
            # To what the table asked last: whether something is to be lost.
            return YES
        game, _ = lines_of(self._table.database)
        legal = game.legal_moves(self._seat) if self._seat in game.to_act else []
        return self._rng.choice(legal).text.split(" ", 1)[1] if legal else None

    def _say(self, fields: dict[str, Any]) -> str:
        status, data, _ = self._ask("POST", "/say", fields)
        if status == http.client.OK:
            return SAVED if data["ok"] else REFUSED
        return MAYBE if status == http.client.ACCEPTED else REFUSED

    def _state_when_back(self) -> dict[str, Any]:
        """Returns what is shown next, by this table or by the one that takes its place."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self.state()
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end_s:
                    raise TimeoutError("the table did not come back") from None
                time.sleep(PAUSE_S)

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any], str]:
        connection = self._send(method, path, body)
        try:
            answer = connection.getresponse()
            text = answer.read()
            if answer.status == http.client.SERVICE_UNAVAILABLE:
                # Every request has a connection of its own: on a quick machine, more than an address may open.
                raise http.client.HTTPException(text)
            return answer.status, json.loads(text), answer.headers.get("Set-Cookie", "")
        finally:
            connection.close()

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> http.client.HTTPConnection:
        source = (f"127.0.7.{self._address}", 0)
        connection = http.client.HTTPConnection("127.0.0.1", self._table.port, ANSWER_S, source_address=source)
        headers = {"Content-Type": "application/json", "Cookie": f"{COOKIE}={self.token}"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        return connection


@dataclass
class TableProcess:
    """The table of a history, which can be killed and started again."""

    folder: Path
    rng: Random
    port: int = 0
    join_code: str = ""
    starts: int = 0
    began_s: float = field(default_factory=time.monotonic)
    _process: subprocess.Popen[str] | None = None

    @property
    def database(self) -> Path:
        return self.folder / "table.db"

    def start(self) -> None:
        """Starts it, and waits until it can be reached."""
        self.port = self.port or _free_port()
        self.starts += 1
        command = [sys.executable, "-m", "tests.sim.history_table", self.folder, self.port, self.rng.randrange(10**6)]
        with open(self.folder / f"said-{self.starts}.txt", "w") as said:
            self._process = subprocess.Popen(
                list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True
            )
        assert self._process.stdout is not None
        self.join_code = self._process.stdout.readline().strip()
        assert self.join_code, Path(said.name).read_text()

    def kill(self) -> None:
        """Kills it, as a power cut would."""
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.kill()
        self._process.stdout.close()
        self._process.wait()


class Outcome(NamedTuple):
    """What came of one history."""

    saved: int
    maybe: int
    refused: int
    kills: int
    entries: int
    problems: list[str]


def run_history(folder: Path, seed: int, kills: int = 3, moves: int = 40) -> Outcome:
    """Lets phones play at a table that is killed a few times, and holds what they were answered against its journal.

    :param moves: how many moves of people a game needs, with all kills done, before it ends.
    """
    rng, over = Random(seed), threading.Event()
    table = TableProcess(folder, rng)
    table.start()
    phones = [Phone(table, seat, address, Random(rng.random()), over) for seat, address in PHONES]
    for phone, second in zip(phones[::ONE_OF_A_PAIR], phones[1::ONE_OF_A_PAIR], strict=True):
        phone.take_seat()
        second.token = phone.token
    for phone in phones:
        phone.start()
    try:
        for _ in range(kills):
            time.sleep(rng.uniform(0.2, 1.2))
            table.kill()
            table.start()
        _play_until(table, moves, lambda: any(phone.problem for phone in phones))
    finally:
        over.set()
        for phone in phones:
            phone.join(PATIENCE_S)
        table.kill()
    history = [sent for phone in phones for sent in phone.history]
    (folder / "history.txt").write_text("".join(f"{sent}\n" for sent in sorted(history, key=lambda each: each.at_s)))
    _, journal = lines_of(table.database)
    answers = Counter(sent.answer for sent in history)
    problems = [phone.problem for phone in phones if phone.problem] + faults(history, journal)
    return Outcome(answers[SAVED], answers[MAYBE], answers[REFUSED], table.starts, len(journal), problems)


def _play_until(table: TableProcess, moves: int, broken: Callable[[], bool]) -> None:
    """Waits until the game is over or long enough. It may take any time, as long as it goes on."""
    made, moved_s = 0, time.monotonic()
    while not broken():
        game, journal = lines_of(table.database)
        if game.over or len(journal) >= moves:
            return
        if len(journal) > made:
            made, moved_s = len(journal), time.monotonic()
        if time.monotonic() - moved_s > PATIENCE_S:
            raise TimeoutError(f"the game does not go on after {made} moves of people")
        time.sleep(0.1)


def _free_port() -> int:
    """Returns a port that no connection takes meanwhile, as those that the system gives away may be."""
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
