"""The server itself: what comes over real sockets, how many at once, how large, and how soon it ends."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support.random_games import finished
from tests.support.table_rig import placing
from tests.support.web_rig import WebRig, first_load, with_pages
from web_remote.context import COOKIE
from web_remote.server import OTHERS, NoSuchAddress, PortInUse, WebServer, addresses, listen
from web_remote.stream_slots import STREAMS, WATCHERS

FIRST_LOAD_BYTES = 120 * 1024


class Served:
    """A table whose pages are served on a real port."""

    def __init__(self, web: WebRig, server: WebServer) -> None:
        self.web = web
        self.server = server
        self.token = web.browser("red").token

    def send(self, data: bytes, seconds: float = 5.0) -> bytes:
        """What is answered to bytes, until the other side has no more to say."""
        with closing(self.connect(data, seconds)) as line:
            heard = b""
            while part := line.recv(65536):
                heard += part
            return heard

    def connect(self, data: bytes, seconds: float = 5.0, address: str = "127.0.0.1") -> socket.socket:
        line = socket.create_connection(("127.0.0.1", self.server.port), seconds, source_address=(address, 0))
        line.sendall(data)
        return line

    def get(self, path: str, *headers: str, host: str = "127.0.0.1") -> bytes:
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
        return self.send("\r\n".join(lines).encode("latin-1"))

    def listen(self, path: str = "/events", address: str = "127.0.0.1") -> socket.socket:
        """A stream that has begun; only with a seat for a player."""
        token = self.token if "seat=" in path else ""
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {COOKIE}={token}\r\n\r\n"
        line = self.connect(head.encode(), address=address)
        heard = b""
        while b"retry:" not in heard and b" 503 " not in heard:
            heard += line.recv(65536)
        if b" 503 " in heard:
            line.close()
            raise ConnectionRefusedError(heard.decode())
        return line


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with (
        with_pages(tmp_path, placing()) as web,
        WebServer(web.app, web.display.close, "127.0.0.1", 0, known=web.context.is_known) as server,
    ):
        yield Served(web, server)


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


# --- Sizes ------------------------------------------------------------------------------------------------------------


def test_the_first_load_of_the_phones_page_is_small(served: Served) -> None:
    loaded = first_load(served.server.port, served.token)
    assert any(path.endswith("/phone.bundle.js") for path in loaded)
    assert any(path.endswith("map.json") for path in loaded)
    assert sum(loaded.values()) <= FIRST_LOAD_BYTES, loaded


@pytest.mark.parametrize("page", ["/phone", "/join", "/table", "/board"])
def test_a_page_names_all_that_it_will_load_so_that_nothing_waits_for_the_file_that_imports_it(
    served: Served, page: str
) -> None:
    served.web.context.simulated = object()  # type: ignore[assignment]
    named = served.get(page, f"Cookie: {COOKIE}={served.token}").decode()
    for path in first_load(served.server.port, served.token, page):
        if path.endswith(".js"):
            # A plain script that nothing imports, and for which nothing waits, stands in the page itself.
            alone = f'<script async src="{path}"></script>' in named
            assert alone or f'<link rel="modulepreload" href="{path}">' in named
        elif path.endswith(".json"):
            assert f'<link rel="preload" as="fetch" crossorigin href="{path}">' in named
        elif path != page:
            assert f'href="{path}"' in named
    assert named.count('rel="modulepreload"') == 1


def test_what_is_too_large_is_refused_before_it_is_read(served: Served) -> None:
    big = "x" * 20_000
    assert status(served.get("/state", f"X-Big: {big}")) in (400, 431)
    assert status(served.get(f"/state?x={big}")) in (400, 414, 431)
    head = "POST /say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    assert status(served.send(f"{head}Content-Length: 99999999\r\n\r\n".encode())) == 413
    assert status(served.send(f"{head}Content-Length: 5000\r\n\r\n{'x' * 5000}".encode())) == 413
    chunks = "".join(f"1000\r\n{'x' * 4096}\r\n" for _ in range(30)) + "0\r\n\r\n"
    try:
        answer = served.send(f"{head}Transfer-Encoding: chunked\r\n\r\n{chunks}".encode())
    except ConnectionError:
        return  # it hung up while there was more to come
    assert status(answer) == 413


# --- The wire ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /state HTTP/1.0\r\n\r\n", b"GET /state HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"POST /say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\nConnection: close\r\n\r\n",
        b"POST /say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /say HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: x\r\nConnection: close\r\n\r\n",
        b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\n bad: fold\r\nConnection: close\r\n\r\n",
        b"GET /state HTTP/1.1\r\nHost : 127.0.0.1\r\nConnection: close\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_no_request_of_a_browser_is_refused_and_told_nothing(served: Served, data: bytes) -> None:
    line = served.connect(data, 1.0)
    try:
        answer = line.recv(65536)
    except TimeoutError:
        answer = b""
    finally:
        line.close()
    if answer:
        assert 400 <= status(answer) < 600
        assert status(answer) in (400, 405, 413, 421, 501, 505)
    for secret in (b"/work", b"Traceback", b".py", served.token.encode()):
        assert secret not in answer
    assert status(served.get("/state")) == 200


def test_no_answer_says_what_serves_it(served: Served) -> None:
    for answer in (served.get("/state"), served.get("/nothing"), served.get("/state", host="evil.example")):
        assert b"waitress" not in answer.lower()
        assert b"python" not in answer.lower()
        assert b"werkzeug" not in answer.lower()


# --- Streams ----------------------------------------------------------------------------------------------------------


def address(number: int) -> str:
    """Another address for every few streams."""
    return f"127.0.0.{number // 5 + 10}"


def test_all_streams_at_once_leave_room_for_requests_and_one_more_is_told_so(served: Served) -> None:
    with ExitStack() as stack:
        for number in range(WATCHERS):
            stack.enter_context(closing(served.listen(address=f"127.0.0.{number + 10}")))
        taken = [served.web.context.streams.take(f"phone {n}", known=True) for n in range(STREAMS - WATCHERS)]
        assert None not in taken
        with closing(served.connect(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", address="127.0.1.1")) as line:
            refused = line.recv(65536)
        assert status(refused) == 503
        assert b"Retry-After: 10" in refused
        began_s = time.monotonic()
        answers: list[int] = []
        threads = [
            threading.Thread(target=lambda: answers.append(status(served.get("/state")))) for _ in range(OTHERS * 2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert answers == [200] * OTHERS * 2
        assert time.monotonic() - began_s < 8


def test_who_hangs_up_makes_room(served: Served) -> None:
    streams = [served.listen(address=address(number)) for number in range(WATCHERS)]
    for stream in streams:
        stream.close()
    slots = served.web.context.streams
    with slots._changed:
        assert slots._changed.wait_for(lambda: len(slots) == 0, 10)
    served.listen().close()


def test_strangers_leave_room_for_players(served: Served) -> None:
    assert WATCHERS < STREAMS
    with ExitStack() as stack:
        for number in range(STREAMS):
            line = served.connect(b"GET /events HTTP/1.1\r\nHost: el-grande.local\r\n\r\n", address=address(number))
            stack.enter_context(closing(line))
            line.recv(20)
        stack.enter_context(closing(served.listen("/events?seat=red")))


def test_what_happens_reaches_every_stream(served: Served) -> None:
    with ExitStack() as stack:
        streams = [stack.enter_context(closing(served.listen(address=address(number)))) for number in range(20)]
        served.web.rig.say("red", "place castillo")
        wanted = f"id: {served.web.display.latest.number}\n".encode()
        for stream in streams:
            heard = b""
            while wanted not in heard:
                heard += stream.recv(65536)


def test_the_server_ends_at_once_and_its_streams_with_it(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        server = WebServer(web.app, web.display.close, "127.0.0.1", 0)
        served = Served(web, server)
        streams = [served.listen(address=address(number)) for number in range(30)]
        began_s = time.monotonic()
        server.close()
        assert time.monotonic() - began_s < 1
        for stream in streams:
            with closing(stream):
                while stream.recv(65536):
                    pass


def test_who_has_it_ended_still_gets_the_answer(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}").mkdir()
        with with_pages(tmp_path / f"{number}", finished(5)) as web:
            server = WebServer(web.app, web.display.close, "127.0.0.1", 0)
            wanted = threading.Event()
            web.context.play_again = wanted.set
            served = Served(web, server)
            head = f"POST /table/new HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {COOKIE}={served.token}\r\n"
            head += "Content-Length: 0\r\n\r\n"
            with closing(served.connect(head.encode())) as line:
                assert wanted.wait(5)
                server.close()
                assert status(line.recv(65536)) == 200


def test_a_port_in_use_is_told_with_what_to_do() -> None:
    with closing(listen("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=f"in use.*--port {port + 1}"):
            listen("127.0.0.1", port)


def test_an_address_that_the_machine_does_not_have_is_told_as_that() -> None:
    for host in ("192.0.2.1", "no-such-machine.invalid"):
        with pytest.raises(NoSuchAddress, match=r"has no address.*--host"):
            listen(host, 0)


def test_the_pages_are_served_on_the_address_that_was_chosen_and_on_no_other() -> None:
    with closing(listen("127.0.0.5", 0)) as listening:
        port = listening.getsockname()[1]
        socket.create_connection(("127.0.0.5", port), 5).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 5)
    assert addresses(8000, "127.0.0.5") == ["http://127.0.0.5:8000"]
    assert addresses(8000, "::1") == ["http://[::1]:8000"]


def test_addresses_are_no_loopback_unless_there_is_no_other() -> None:
    found = addresses(8000)
    assert found[-1].endswith(".local:8000")
    assert "localhost" not in found[0]


def test_a_port_that_only_root_may_use_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refused(socket.socket):
        def bind(self, _address: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "socket", Refused)
    with pytest.raises(PortInUse, match="more rights to use port 80"):
        listen(port=80)
    with pytest.raises(PortInUse, match="Port 8000 is in use"):
        listen(port=8000)
