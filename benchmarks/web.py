"""How fast the pages are: many streams and requests at once, the last dial to the reveal, vanishing phones, sizes.

It runs against the real program in a process of its own, over loopback; all phones are in this process. Phones that
vanish are in a network of their own, which takes `unshare` and `ip`, and permission to use them.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import select
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from benchmarks.board import QUIET_MS, noise, p99
from tests.support.web_rig import first_load
from web_remote.context import COOKIE
from web_remote.stream_slots import OF_ONE_SENDER, STREAMS, WATCHERS

SEATS = ("red", "blue", "green", "yellow", "brown")
REQUESTS_A_SECOND = 200
MOVES_A_SECOND = 2
LOAD_S = 60
REVEAL_STREAMS = 16
WATCHING_LINES = 16
"""How many connections the requests of those share who only watch; each comes from another address."""
VANISHING_ADDRESSES = 48
FLOODING = "brown"
"""The seat whose phone floods the table."""
REVEALS = 30
REVEAL_MOST_S = 240.0
VANISH_MOST_S = 60.0
CALM_MS = 3.0
"""In a second in which waits end later than this, the machine is busy with other work."""
LANGUAGES = ("en", "nl", "de", "fr", "es")

State = dict[str, Any]
Timed = list[tuple[float, float]]
"""Durations in milliseconds, each with its start time."""


# --- The server -------------------------------------------------------------------------------------------------------


class Program(NamedTuple):
    """The program that serves the pages."""

    port: int
    code: str
    """The code to join."""
    pid: int
    """The number of its process."""


SECURE_PORTS: dict[int, ssl.SSLContext] = {}
"""The ports at which phones speak HTTPS."""


@contextmanager
def served(folder: Path, *more: str) -> Iterator[Program]:
    """Starts the program as people do, with five seats of people.

    :param more: more options.
    """
    folder.mkdir(exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("", 0))  # as the table does: one that a closed connection of any address still has is not free
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "companion.cli", "play", "--seats", "5", "--people", "5", "--simulated", "--new"]
    command += ["--board", "buttons-only", "--veto-time", "0", "--port", str(port), "--language", "en"]
    with open(folder / "said.txt", "w") as said:
        program = subprocess.Popen(
            [*command, "--database", str(folder / "web.db"), *more],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    try:
        for _ in range(200):
            with suppress(OSError):
                ask(port, "GET", "/me")
                break
            time.sleep(0.1)
        else:
            raise TimeoutError((folder / "said.txt").read_text())
        for _ in range(200):
            if found := re.search(r"Code to join: (\S+)", (folder / "said.txt").read_text()):
                break
            time.sleep(0.1)
        else:
            raise TimeoutError("no code")
        yield Program(port, found[1], program.pid)
    finally:
        program.terminate()
        program.wait(10)


def ask(
    port: int, method: str, path: str, token: str = "", address: str = "127.0.0.1", **data: object
) -> tuple[int, Any, str]:
    """Sends one request. Returns its status, its JSON, and the token that came with it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(address, 0))
    body = json.dumps(data) if method == "POST" else None
    line.request(method, path, body, {"Content-Type": "application/json", "Cookie": f"{COOKIE}={token}"})
    answer = line.getresponse()
    text, cookie = answer.read(), answer.getheader("Set-Cookie", "")
    line.close()
    given = cookie.partition(f"{COOKIE}=")[2].partition(";")[0]
    return answer.status, json.loads(text) if text.startswith(b"{") else None, given or token


def phone_address(seat: str) -> str:
    """Returns the address of a seat's phone: each has its own, as in a house."""
    return f"127.0.2.{SEATS.index(seat) + 1}"


def sit_down(program: Program) -> dict[str, str]:
    """Lets a phone take each seat. Returns their tokens."""
    tokens = {}
    for seat in SEATS:
        status, _, token = ask(program.port, "POST", "/join", address=phone_address(seat), seat=seat, code=program.code)
        if status != 200:
            raise RuntimeError(f"{seat}: {status}")
        tokens[seat] = token
    return tokens


# --- Phones -----------------------------------------------------------------------------------------------------------


async def connected(port: int, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Returns a connection from an address, encrypted where phones speak HTTPS."""
    tls = SECURE_PORTS.get(port)
    return await asyncio.open_connection("127.0.0.1", port, limit=2**20, local_addr=(address, 0), ssl=tls)


class Phone:
    """A page that listens, and keeps the last state it received."""

    def __init__(self, port: int, token: str, seat: str, language: str, address: str) -> None:
        self.seat = seat
        self._address = address
        self.state: State = {}
        self.number = -1
        self.heard_s: dict[int, float] = {}
        """When each moment was received."""
        self.lost = False
        self.changed = asyncio.Event()
        self._head = (
            f"GET /events?seat={seat}&language={language} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Cookie: {COOKIE}={token}\r\n\r\n"
        )
        self._port = port

    async def listen(self, parse: bool) -> None:
        """Reads everything that arrives; only some phones parse it, because one process stands in for all of them."""
        reader, writer = await connected(self._port, self._address)
        try:
            writer.write(self._head.encode())
            while line := await reader.readline():
                if line.startswith(b"HTTP/1.1 ") and b" 200 " not in line:
                    raise ConnectionError(line.decode())
                if line.startswith(b"id: "):
                    self.number = int(line[4:])
                    self.heard_s[self.number] = time.perf_counter()
                elif parse and line.startswith(b"data: {") and len(line) > 20:
                    self.state = json.loads(line[6:])
                    self.changed.set()
            self.lost = True
        except asyncio.CancelledError:
            raise
        except OSError:
            self.lost = True
        finally:
            writer.close()


class Line:
    """A connection that is reused, as in browsers."""

    def __init__(self, port: int, token: str, address: str) -> None:
        self._port, self._token, self._address = port, token, address
        self._pair: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.heard = b""

    async def ask(self, method: str, path: str, data: object = None) -> int:
        """Sends a request. Returns the status of the answer; its body stays in `heard`."""
        if self._pair is not None:
            # The table closes a connection that is not used; a browser then opens another.
            with suppress(OSError, asyncio.IncompleteReadError):
                return await self._ask(*self._pair, method, path, data)
        self._pair = await connected(self._port, self._address)
        return await self._ask(*self._pair, method, path, data)

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, data: object
    ) -> int:
        body = b"" if data is None else json.dumps(data).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie: {COOKIE}={self._token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        self.heard = await reader.readexactly(length)
        return int(answer.split(b" ", 2)[1])

    def close(self) -> None:
        if self._pair is not None:
            self._pair[1].close()
            self._pair = None


class Robot:
    """Makes moves for all seats, from what their phones received."""

    def __init__(self, phones: dict[str, Phone], seed: int = 1) -> None:
        self.phones = phones
        self._rng = Random(seed)

    @property
    def state(self) -> State:
        return max((phone.state for phone in self.phones.values()), key=lambda state: int(state["number"]))

    def move(self) -> dict[str, object] | None:
        """Returns what some seat sends next, or `None` when nobody is asked anything yet."""
        newest = self.state
        for seat in newest["waiting_for"]:
            shown = self.phones[seat].state if seat in self.phones else None
            if shown is None or shown["number"] != newest["number"]:
                return None
            prompt = shown["you"]["prompt"]
            choices = [choice["line"] for choice in (*prompt["choices"], *prompt["places"])]
            if choices:
                line = self._rng.choice(choices)
                return {"seat": seat, "line": line, "version": shown["version"], "number": shown["number"]}
        return None

    def last_dial(self) -> bool:
        """Whether the next dial is the last one."""
        state = self.state
        dialled = any(seat["dialled"] for seat in state["seats"])
        return dialled and len(state["waiting_for"]) == 1


async def gathered(port: int, tokens: dict[str, str], count: int) -> tuple[list[Phone], list[asyncio.Task[None]]]:
    """Connects this many pages: six of each seat's phone, and then others that watch, each from its own address."""
    phones = []
    for n in range(count):
        seat, language = SEATS[n % len(SEATS)], LANGUAGES[n // len(SEATS) % len(LANGUAGES)]
        if n < len(SEATS) * OF_ONE_SENDER:
            phones.append(Phone(port, tokens[seat], seat, language, phone_address(seat)))
        else:
            phones.append(Phone(port, "", "", language, f"127.0.3.{n}"))
    tasks = [asyncio.create_task(phone.listen(n < len(SEATS))) for n, phone in enumerate(phones)]
    while any(phone.number < 0 for phone in phones):
        await asyncio.sleep(0.01)
    while not all(phone.state for phone in phones[: len(SEATS)]):
        await asyncio.sleep(0.01)
    return phones, tasks


async def dismissed(tasks: list[asyncio.Task[None]]) -> None:
    """Disconnects phones."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# --- What is measured -------------------------------------------------------------------------------------------------


async def load(
    program: Program, tokens: dict[str, str], flooding: str = "", port: int = 0
) -> tuple[Timed, Timed, Timed, int, int]:
    """Sends requests and moves at a steady pace, from many addresses, while all streams listen.

    Returns the milliseconds of the requests and of the moves, each from when it should have been sent; those from the
    moves to every stream; how many requests failed, and how many streams missed something.

    :param flooding: the seat whose phone floods the table meanwhile. What it sends is not measured: it is slowed.
    :param port: the port to use, if not that of plain HTTP.
    """
    port = port or program.port
    phones, tasks = await gathered(port, tokens, STREAMS)
    robot = Robot({phone.seat: phone for phone in phones[: len(SEATS)]})
    with attacked(program, flooding, tokens[flooding]) if flooding else nullcontext():
        await asyncio.sleep(1.0)
        return await under_load(port, tokens, phones, tasks, robot, flooding)


async def under_load(
    port: int,
    tokens: dict[str, str],
    phones: list[Phone],
    tasks: list[asyncio.Task[None]],
    robot: Robot,
    flooding: str,
) -> tuple[Timed, Timed, Timed, int, int]:
    """Sends the requests and moves; see `load`."""
    others = [seat for seat in SEATS if seat != flooding]
    free: dict[str, asyncio.Queue[Line]] = {who: asyncio.Queue() for who in ("", *SEATS)}
    for n in range(WATCHING_LINES):
        free[""].put_nowait(Line(port, "", f"127.0.5.{n + 1}"))
    for seat in SEATS:
        for _ in range(2):
            free[seat].put_nowait(Line(port, tokens[seat], phone_address(seat)))
    reads: Timed = []
    moves: Timed = []
    told: Timed = []
    failed = 0
    rng = Random(2)

    def note(before: int, due_s: float) -> None:
        for phone in phones:
            first = min((number for number in phone.heard_s if number > before), default=None)
            if first is not None and (not flooding or phone.seat != flooding):
                told.append((due_s, (phone.heard_s[first] - due_s) * 1000))

    async def look_for(seat: str) -> None:
        """Fetches what a seat is shown, because its phone takes its own streams away."""
        line = Line(port, tokens[seat], phone_address(seat))
        with suppress(OSError, asyncio.IncompleteReadError):
            if await line.ask("GET", f"/state?seat={seat}") == 200:
                robot.phones[seat].state = json.loads(line.heard)
        line.close()

    async def one(due_s: float, moving: bool) -> None:
        nonlocal failed
        if moving and flooding and flooding in robot.state["waiting_for"]:
            await look_for(flooding)
        said = robot.move() if moving else None
        who = str(said["seat"]) if said is not None else rng.choice(("", "", "", rng.choice(others)))
        line = await free[who].get()
        measured = not flooding or who != flooding
        try:
            if said is not None:
                before = int(robot.state["number"])
                if not measured:
                    line.close()  # the first request of a connection is read even if its phone floods
                status = await line.ask("POST", "/say", said)
                if measured:
                    moves.append((due_s, (time.perf_counter() - due_s) * 1000))
                    asyncio.get_running_loop().call_later(1.0, note, before, due_s)
            else:
                path = rng.choice(("/me", f"/state?seat={who}&language={rng.choice(LANGUAGES)}"))
                status = await line.ask("GET", path)
                reads.append((due_s, (time.perf_counter() - due_s) * 1000))
            # A move may come too late if the one before took long, or may have to be confirmed.
            answers = (200,) if said is None else (200, 202, 409)
            failed += measured and status not in answers
            if measured and status not in answers:
                print(f"  {path if said is None else said} was answered {status}")
        except (OSError, asyncio.IncompleteReadError) as error:
            failed += measured
            line.close()
            if measured:
                print(f"  a connection of {who or 'somebody who watches'} was lost: {error!r}")
        finally:
            free[who].put_nowait(line)

    began_s = time.perf_counter() + 0.5
    running: set[asyncio.Task[None]] = set()
    for number in range(LOAD_S * REQUESTS_A_SECOND):
        due_s = began_s + number / REQUESTS_A_SECOND
        await asyncio.sleep(max(0.0, due_s - time.perf_counter()))
        moving = number % (REQUESTS_A_SECOND // MOVES_A_SECOND) == 0
        task = asyncio.create_task(one(due_s, moving))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.wait(running, timeout=10) if running else None
    failed += len(running)
    await asyncio.sleep(1.5)
    listening = [phone for phone in phones if not flooding or phone.seat != flooding]
    newest = max(phone.number for phone in listening)
    # An attacker makes the table show something all the time: what is newest now may still be on its way to others.
    await asyncio.sleep(1.5)
    missed = sum(phone.lost or phone.number < newest for phone in listening)
    await dismissed(tasks)
    for lines in free.values():
        while not lines.empty():
            lines.get_nowait().close()
    return reads, moves, told, failed, missed


@contextmanager
def attacked(program: Program, seat: str, token: str) -> Iterator[None]:
    """Has slow sockets and a flooding phone attack the pages meanwhile, from a process of their own."""
    command = [sys.executable, "-m", "benchmarks.attack", str(program.port), seat, token, program.code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attacker:
        assert attacker.stdout is not None
        attacker.stdout.readline()  # blocks until it attacks
        try:
            yield
        finally:
            said, _ = attacker.communicate("\n")
            print(f"  {said.strip()}", flush=True)


async def reveals(port: int, tokens: dict[str, str]) -> list[tuple[float, list[float]]]:
    """Returns the milliseconds from the last dial that a phone sends to the reveal on each stream, over some games.

    Each comes with how late short waits ended just before and after, which shows how busy the machine is.
    """
    took: list[tuple[float, list[float]]] = []
    until_s = time.perf_counter() + REVEAL_MOST_S
    while len(took) < REVEALS and time.perf_counter() < until_s:
        phones, tasks = await gathered(port, tokens, REVEAL_STREAMS)
        robot = Robot({phone.seat: phone for phone in phones[: len(SEATS)]}, len(took))
        lines = {seat: Line(port, tokens[seat], phone_address(seat)) for seat in SEATS}
        while not robot.state["over"] and time.perf_counter() < until_s:
            said = robot.move()
            if said is None:
                await asyncio.sleep(0.002)
                continue
            line = lines[str(said["seat"])]
            if robot.last_dial() and str(said["line"]).startswith("dial"):
                before = await lateness()
                ms = await reveal(phones, robot, line, said)
                took.append((max(before, await lateness()), ms))
            else:
                # Nobody sends ten moves a second for long; the table would slow them down.
                if await line.ask("POST", "/say", said) == 429:
                    await asyncio.sleep(1.0)
        for line in lines.values():
            line.close()
        await dismissed(tasks)
        ask(port, "POST", "/table/new", tokens["red"])
        for _ in range(100):
            with suppress(OSError):
                if not ask(port, "GET", "/state")[1]["over"]:
                    break
            time.sleep(0.1)
    return took


async def lateness() -> float:
    """Returns by how many milliseconds 10 ms waits end late, the worst of several."""
    late = []
    for _ in range(10):
        began_s = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append((time.perf_counter() - began_s - 0.01) * 1000)
    return max(late)


async def reveal(phones: list[Phone], robot: Robot, line: Line, said: dict[str, object]) -> list[float]:
    """Sets the last dial. Returns the milliseconds until each phone has been shown all dials."""
    before, sent_s = int(robot.state["number"]), time.perf_counter()
    await line.ask("POST", "/say", said)
    while any(phone.number <= before for phone in phones):
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)
    if any(seat["dialled"] for seat in robot.state["seats"]):
        raise RuntimeError("the dials were not turned")
    firsts = [min(number for number in phone.heard_s if number > before) for phone in phones]
    return [(phone.heard_s[first] - sent_s) * 1000 for phone, first in zip(phones, firsts, strict=True)]


@contextmanager
def watching() -> Iterator[list[tuple[float, float]]]:
    """Yields the time spans in which the machine was quiet: short waits in another process ended on time."""
    command = [sys.executable, "-m", "benchmarks.web", "watch"]
    quiet: list[tuple[float, float]] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as watcher:
        yield quiet
        for line in watcher.communicate("\n")[0].splitlines():
            began_s, ended_s, late_ms = map(float, line.split())
            if late_ms < CALM_MS:
                quiet.append((began_s, ended_s))


def watch() -> None:
    """Waits again and again until there is input, and prints once per second how late the waits ended."""
    lines = []
    while not select.select([sys.stdin], [], [], 0)[0]:
        began_s, late = time.perf_counter(), noise()
        lines.append(f"{began_s} {time.perf_counter()} {p99(late)}")
    print("\n".join(lines))


def within(timed: Timed, spans: list[tuple[float, float]]) -> list[float]:
    """Returns the durations that began within some time spans."""
    return [ms for began_s, ms in timed if any(first <= began_s < last for first, last in spans)]


# --- Phones that vanish -----------------------------------------------------------------------------------------------


def can_vanish() -> bool:
    """Returns whether phones can be put into a network of their own here."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        return False
    test = "ip link add a0 type veth peer name a1"
    return subprocess.run(["unshare", "-n", "sh", "-c", test], capture_output=True).returncode == 0


def run(command: str) -> None:
    """Runs a command, which must succeed."""
    subprocess.run(command.split(), check=True, capture_output=True)


def vanish(folder: Path) -> None:
    """In a network of its own, fills all slots for phones, and lets them vanish.

    Prints the seconds until the first and the last of their threads are free again, and how many are.
    """
    run("ip link set lo up")
    run("ip link add a0 type veth peer name a1")
    with served(folder) as program:
        port = program.port
        phones = subprocess.Popen(
            ["unshare", "-n", sys.executable, "-m", "benchmarks.web", "phones", str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert phones.stdin is not None
        assert phones.stdout is not None
        phones.stdout.readline()
        run(f"ip link set a1 netns {phones.pid}")
        run("ip addr add 10.77.0.1/24 dev a0")
        run("ip link set a0 up")
        phones.stdin.write("come\n")
        phones.stdin.flush()
        phones.stdout.readline()
        numbers = count(1)
        mine: list[socket.socket] = []
        with suppress(ConnectionError):
            mine.append(stream(port, "127.0.0.1", f"127.0.6.{next(numbers)}"))
            raise RuntimeError("there is still room")
        phones.stdin.write("vanish\n")
        phones.stdin.flush()
        phones.stdout.readline()
        gone_s = time.monotonic()
        freed: list[float] = []
        while len(freed) < WATCHERS and time.monotonic() < gone_s + VANISH_MOST_S:
            try:
                mine.append(stream(port, "127.0.0.1", f"127.0.6.{next(numbers) % 250 + 1}"))
                freed.append(time.monotonic() - gone_s)
            except ConnectionError:
                time.sleep(0.1)
        for each in mine:
            each.close()
        phones.kill()
        phones.wait()
    print(f"{freed[0]:.1f} {freed[-1]:.1f} {len(freed)}" if freed else "0 0 0")


def stream(port: int, host: str, address: str = "") -> socket.socket:
    """Returns a stream that has begun, for somebody who only watches."""
    line = socket.create_connection((host, port), 10, source_address=(address, 0) if address else None)
    line.sendall(f"GET /events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    heard = line.recv(4096)
    if b" 200 " not in heard[:20]:
        line.close()
        raise ConnectionError(heard.decode())
    return line


def be_phones(port: int) -> None:
    """In another network of their own, opens phones that listen, and that vanish without notice."""
    print("here", flush=True)
    sys.stdin.readline()
    for number in range(2, 2 + VANISHING_ADDRESSES):
        run(f"ip addr add 10.77.0.{number}/24 dev a1")
    run("ip link set a1 up")
    for _ in range(50):
        with suppress(OSError):
            stream(port, "10.77.0.1").close()
            break
        time.sleep(0.1)
    time.sleep(2)
    lines = []
    for number in range(WATCHERS):
        lines.append(stream(port, "10.77.0.1", f"10.77.0.{number % VANISHING_ADDRESSES + 2}"))
        time.sleep(0.11)  # so that each is at a different point between two keep-alives
    print("listening", flush=True)
    sys.stdin.readline()
    run("ip addr flush dev a1")
    print("gone", flush=True)
    sys.stdin.read()
    os._exit(0)


# --- All of it --------------------------------------------------------------------------------------------------------


def tell(name: str, took_ms: list[float], target: str) -> None:
    """Prints one line of figures."""
    # Of few figures the percentile is estimated, and would lie beyond the longest.
    worst = min(p99(took_ms), max(took_ms))
    print(f"{name:52} {median(took_ms):7.1f} {worst:8.1f} {max(took_ms):8.1f}   {target}", flush=True)


def tell_load(how: str, measured: tuple[Timed, Timed, Timed, int, int], quiet_spans: list[tuple[float, float]]) -> None:
    """Prints the figures of requests and moves under load.

    :param how: what else was going on.
    """
    reads, moves, told, failed, missed = measured
    shown = (
        (f"{how}{STREAMS} streams, {REQUESTS_A_SECOND} requests/s for {LOAD_S} s: requests", reads, "under 100"),
        (f"  of them {MOVES_A_SECOND}/s are moves: answered, on disk", moves, "under 100"),
        ("  a move to every stream", told, ""),
    )
    for what, timed, target in shown:
        tell(what, [ms for _, ms in timed], target)
    quiet_s = sum(last - first for first, last in quiet_spans)
    print(f"  in {quiet_s:.0f} s of them the machine was quiet:")
    for what, timed, target in shown:
        if len(calm := within(timed, quiet_spans)) > 20:
            tell(f"  {what.split(':')[-1].strip()}", calm, target)
    print(f"  lost: {failed} of {len(reads) + len(moves)} requests (none), {missed} of {STREAMS} streams (none)")


def all_of(took: list[tuple[float, list[float]]]) -> list[float]:
    """Returns the figures without the lateness of the machine."""
    return [ms for _, each in took for ms in each]


def busy() -> str:
    """Returns how busy the machine is with other work, which makes every figure worse."""
    late = p99(noise())
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, a wait of 10 ms ends {late:.1f} ms late (p99)"


def main() -> None:
    """Prints all figures of the pages."""
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as name:
        folder = Path(name)
        print(f"{'The pages, over loopback; ms':52} {'median':>7} {'p99':>8} {'longest':>8}   to reach (p99)")
        print(f"before: {busy()}")
        with served(folder) as program:
            port, tokens = program.port, sit_down(program)
            size = sum(first_load(port, tokens["red"]).values())
            with watching() as quiet_spans:
                measured = asyncio.run(load(program, tokens))
            tell_load("", measured, quiet_spans)
            ask(port, "POST", "/table/new", tokens["red"])
            print("the same, while 300 slow sockets and one flooding phone attack:")
            with watching() as quiet_spans:
                measured = asyncio.run(load(program, tokens, FLOODING))
            tell_load("attacked, ", measured, quiet_spans)
        with served(folder / "calm") as program:
            port, tokens = program.port, sit_down(program)
            took = asyncio.run(reveals(port, tokens))
            tell(f"last dial to the reveal, {REVEAL_STREAMS} streams, {len(took)} times", all_of(took), "at most 50")
            quiet = [each for each in took if each[0] < QUIET_MS]
            if quiet:
                tell(f"  {len(quiet)} of them with the machine quiet", all_of(quiet), "at most 50")
        print(f"first load of the phone's page: {size / 1024:.1f} KB on the wire (at most 120)")
        if can_vanish():
            command = ["unshare", "-n", sys.executable, "-m", "benchmarks.web", "vanish", name]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
            first, last, count = done.stdout.split()
            print(f"{count} of {WATCHERS} phones vanish: their threads are free after {first} to {last} s (at most 15)")
        else:
            print("phones that vanish: not measured, this machine gives no network of its own (unshare, ip)")
        print(f"after: {busy()}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["vanish", given]:
            vanish(Path(given))
        case ["watch"]:
            watch()
        case ["phones", given]:
            be_phones(int(given))
        case _:
            main()
