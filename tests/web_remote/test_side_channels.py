"""What others receive does not depend on a secret: not its bytes, not their order and number, not when they come.

Everything here goes over real sockets. A dial and another dial, a card taken back and another one, are compared.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import median
from types import FrameType

import pytest

import web_remote.context
from companion.engine import Game
from companion.table.moment import Moment
from companion.table.options import Options
from companion.table.seat_requests import TakeSeat
from tests.support.arrange import play, turn_of
from tests.support.web_rig import HOST, WebRig, with_pages
from web_remote.context import COOKIE
from web_remote.server import WebServer, listen

THREE = ("red", "blue", "green")
BOARD = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
PATHS = (
    "/state", "/state?seat=green", "/state?seat={secretive}", "/history", "/", "/phone", "/table", "/join", "/board",
    "/result", "/me", "/workshop", "/events?seat={secretive}", "/nothing",
)  # fmt: skip
WATCHER = ""


def dialling() -> Game:
    return play(turn_of("secret-all-home", THREE, board=BOARD), "red special")


def retaking() -> Game:
    return play(turn_of("power-back", THREE, hands={"red": [1, 2, 3, 4]}), "red special")


SECRETS: dict[str, tuple[Callable[[], Game], str, tuple[str, str]]] = {
    "a dial": (dialling, "blue", ("dial aragon", "dial sevilla")),
    "a card taken back": (retaking, "red", ("retake 10", "retake 11")),
}


class Line:
    """A connection to the table: all that came over it, byte by byte."""

    def __init__(self, port: int, request: str, token: str, body: str = "") -> None:
        cookie = f"Cookie: {COOKIE}={token}\r\n" if token else ""
        head = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        self._socket = socket.create_connection(("127.0.0.1", port), 10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(f"{request} HTTP/1.1\r\nHost: {HOST}\r\n{cookie}{head}\r\n{body}".encode())
        self.heard = b""

    def until(self, wanted: bytes) -> None:
        """Waits until something has come."""
        while not re.search(wanted, self.heard, re.DOTALL):
            part = self._socket.recv(65536)
            assert part, f"closed before {wanted!r}"
            self.heard += part

    def whole_answer(self) -> bytes:
        """Returns the whole answer, with its headers but without the time of day in them."""
        self.until(rb"\r\n\r\n")
        head, _, body = self.heard.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        while length is not None and len(body) < int(length[1]):
            self.until(re.escape(self.heard) + b".")
            body = self.heard.partition(b"\r\n\r\n")[2]
        return without_date(self.heard)

    def close(self) -> None:
        self._socket.close()


def without_date(answer: bytes) -> bytes:
    return re.sub(rb"Date: [^\r]+\r\n", b"", answer)


class Wire:
    """A table on a real port; phones hold all its seats, and somebody watches."""

    def __init__(self, web: WebRig) -> None:
        self.web = web
        self.port = 0
        self.tokens = {seat: web.browser(seat).token for seat in THREE} | {WATCHER: ""}
        self.streams: dict[str, Line] = {}
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def run_table(self) -> None:
        """Runs the table in a thread of its own, until it is stopped."""
        self.web.slow = True
        table = self.web.rig.table
        while True:
            table.wait(None)
            while not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    return
                job()
                table.poll()

    def do(self, job: Callable[[], None] | None) -> None:
        """Does something in the table's thread, and waits for it; `None` stops the table."""
        done = threading.Event()
        self._jobs.put(job)
        if job is not None:
            self._jobs.put(done.set)
        self.web.rig.table.wake()
        assert job is None or done.wait(10)

    def ask(self, path: str, who: str, method: str = "GET", **fields: object) -> bytes:
        body = json.dumps(fields) if fields else ""
        with closing(Line(self.port, f"{method} {path}", self.tokens[who], body)) as line:
            return line.whole_answer()

    def listen(self) -> None:
        """Opens the streams of everybody."""
        for seat, token in self.tokens.items():
            self.streams[seat] = stream = Line(self.port, f"GET /events?seat={seat}", token)
            stream.until(rb"\nid: \d+\ndata: [^\n]+\n\n")

    def say(self, seat: str, line: str) -> bytes:
        now = self.web.display.latest
        return self.ask(
            "/say", seat, "POST", seat=seat, line=line, version=now.moment.version, number=now.number
        )  # fmt: skip

    def caught_up(self) -> None:
        """Waits until every stream has sent what is shown now."""
        number = self.web.display.latest.number
        for stream in self.streams.values():
            stream.until(rb"\nid: %d\ndata: [^\n]+\n\n" % number)


@contextmanager
def wire(folder: Path, game: Game) -> Iterator[Wire]:
    """Yields a table on a real port, which runs in a thread of its own as in `companion play`."""
    folder.mkdir(exist_ok=True)
    made: SimpleQueue[Wire] = SimpleQueue()

    def run() -> None:
        with with_pages(folder, game, Options(veto_s=0, guided=False)) as web:
            at = Wire(web)
            made.put(at)
            at.run_table()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    at = made.get(timeout=10)
    try:
        with WebServer(at.web.app, at.web.display.close, listening=listen("127.0.0.1")) as server:
            at.port = server.port
            try:
                yield at
            finally:
                for stream in at.streams.values():
                    stream.close()
    finally:
        at.do(None)
        thread.join(10)


# --- Bytes ------------------------------------------------------------------------------------------------------------


def received(folder: Path, game: Game, secretive: str, line: str) -> dict[str, list[bytes]]:
    """Returns all that others are sent when a seat decides something in secret, and everything they can ask for."""
    with wire(folder, game) as at:
        at.listen()
        at.caught_up()
        before = {seat: len(stream.heard) for seat, stream in at.streams.items()}
        assert b'"ok":true' in at.say(secretive, line)
        at.caught_up()
        others = [seat for seat in at.tokens if seat != secretive]
        sent: dict[str, list[bytes]] = {}
        for seat in others:
            sent[seat] = [at.ask(path.format(secretive=secretive), seat) for path in PATHS]
            for refused in ("undo", "undo turn", "dial granada x", "retake") if seat else ():
                sent[seat].append(at.say(seat, refused))
                at.caught_up()  # a stream may skip what is shown for less than a moment
        # Something that everybody is told, to see that nothing else came before.
        at.do(lambda: at.web.post(TakeSeat("green", at.web.holders["green"], "Grace")))
        at.caught_up()
        for seat in others:
            sent[seat].append(at.streams[seat].heard[before[seat] :])
        own = at.streams[secretive].heard[before[secretive] :]
        assert line.split()[1].encode() in own, "what is compared would show it"
        return sent


@pytest.mark.slow
@pytest.mark.parametrize("secret", SECRETS)
def test_others_receive_the_same_bytes_in_the_same_order_whatever_was_decided(
    secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_remote.context, "new_token", lambda: "a-token-for-anybody-who-comes")
    position, seat, picks = SECRETS[secret]
    first, second = (received(tmp_path / line, position(), seat, line) for line in picks)
    assert first.keys() == second.keys()
    for other, answers in first.items():
        assert list(map(len, answers)) == list(map(len, second[other])), other
        assert answers == second[other], other
        assert answers[-1].count(b"\n\n") >= 2, "the stream has told of the decision, and of what came after"


# --- Time -------------------------------------------------------------------------------------------------------------

PAIRS = 60
"""How often each decision is timed, always both of them one after the other, in random order."""
FAR = 0.8
"""With no difference, one takes longer than the other in half of all pairs; in more than this share, or less than the
rest, only about twice in a million tests: it is 4.6 standard deviations away."""
PLANTED_S = 0.050
"""A difference that is found even while the machine has other things to do. On one that has not, 10 ms will do."""


def longer(some: list[float], others: list[float]) -> float:
    """Returns in which share of pairs the first takes longer than the second: 0.5 when they do not differ.

    Only times of the same pair are compared, and only which is longer, so that a machine that is busy for a while does
    not count for much.

    >>> longer([1.0, 9.0], [2.0, 8.0]), longer([3.0, 9.0], [1.0, 8.0])
    (0.5, 1.0)
    """
    return sum((each > other) + (each == other) / 2 for each, other in zip(some, others, strict=True)) / len(some)


Times = dict[str, dict[str, list[float]]]
"""For each receiver, and each of the two decisions, how long it took."""


def timed(at: Wire, seat: str, picks: tuple[str, str]) -> Times:
    """Times the answer to a seat that decides in secret, and when the streams of the others tell that it has."""
    others = [other for other in at.tokens if other != seat]
    times: Times = {who: {line: [] for line in picks} for who in ("answer", *others)}
    rng = Random(1)
    for line in [line for _ in range(PAIRS) for line in rng.sample(picks, 2)]:
        at.caught_up()
        for stream in at.streams.values():
            stream.heard = b""
        begun_s = time.perf_counter()
        answer = at.say(seat, line)
        times["answer"][line].append(time.perf_counter() - begun_s)
        assert b'"ok":true' in answer
        for other in others:
            at.streams[other].until(rb"\nid: \d+\ndata: [^\n]+\n\n")
            times[other][line].append(time.perf_counter() - begun_s)
        # The game as it was, for the next time.
        at.do(lambda: take_back(at))
    return times


def take_back(at: Wire) -> None:
    """Takes the secret decision back, with all that followed from it."""
    moves = at.web.rig.game.moves
    first = next(index for index, move in enumerate(moves) if move.verb in ("dial", "retake"))
    at.web.rig.table._live.take_back(len(moves) - first)


@pytest.mark.slow
@pytest.mark.parametrize("secret", SECRETS)
def test_others_cannot_tell_by_time_what_was_decided(secret: str, tmp_path: Path) -> None:
    position, seat, picks = SECRETS[secret]
    with wire(tmp_path, position()) as at:
        at.listen()
        for who, by_line in timed(at, seat, picks).items():
            some, others = by_line.values()
            assert 1 - FAR < longer(some, others) < FAR, (who, median(some), median(others))


@pytest.mark.slow
def test_a_difference_in_time_would_be_found(tmp_path: Path) -> None:
    """Plants a difference: a display that takes a little longer with one dial than with the other."""
    position, seat, picks = SECRETS["a dial"]

    class Slow:
        def show(self, moment: Moment) -> None:
            if moment.seen_by("blue").view["turn"]["own_dial"] == "aragon":
                time.sleep(PLANTED_S)

    with wire(tmp_path, position()) as at:
        at.web.rig.display.others.insert(0, Slow())
        at.listen()
        times = timed(at, seat, picks)
        assert longer(*times["answer"].values()) > FAR


# --- Work -------------------------------------------------------------------------------------------------------------


def work_of(folder: Path, game: Game, seat: str, line: str) -> list[str]:
    """Returns the functions of ours that run for a decision, in order; how long they take depends on nothing else."""
    calls: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        # That the letters of a line are looked at one by one tells no more than how long it is.
        ours = ("/companion/" in file or "/web_remote/" in file) and frame.f_code.co_name != "_fit"
        if event == "call" and ours:
            calls.append(f"{Path(file).name}:{frame.f_code.co_qualname}")

    folder.mkdir()
    with with_pages(folder, game, Options(veto_s=0, guided=False)) as web:
        browser, other = web.browser(seat), web.browser("green")
        for each in (browser, other):
            each.state()
        sys.setprofile(note)
        try:
            browser.say(seat, line)
            other.state("green")
        finally:
            sys.setprofile(None)
    return calls


@pytest.mark.parametrize("secret", SECRETS)
def test_the_same_work_is_done_whatever_was_decided(secret: str, tmp_path: Path) -> None:
    position, seat, picks = SECRETS[secret]
    work_of(tmp_path / "first", position(), seat, picks[0])  # fills what is kept between games
    one, other = (work_of(tmp_path / line, position(), seat, line) for line in picks)
    assert len(one) > 1000
    assert one == other
