"""Clients that send raw bytes to a served table, each from an address of its own, over HTTP or HTTPS."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress

from tests.support.web_rig import WebRig
from web_remote.connections import Connection
from web_remote.context import COOKIE
from web_remote.server import WebServer
from web_remote.tls import SecurePort

ANSWER_S = 15.0


class Clock:
    def __init__(self) -> None:
        self.now_s = 5000.0

    def __call__(self) -> float:
        return self.now_s


class Served:
    """A table whose pages are served on a real port, for clients with addresses of their own.

    :param secure: the port for HTTPS, if there is one; then clients use it.
    """

    def __init__(self, web: WebRig, server: WebServer, clock: Clock, secure: SecurePort | None = None) -> None:
        self.web = web
        self.server = server
        self.clock = clock
        self.listening = server._listening if secure is None else secure.listening
        self.port = int(self.listening.getsockname()[1])
        self._tls = None if secure is None else client_context()
        self.tokens = {seat: web.browser(seat).token for seat in ("red", "blue", "green")}
        self._lines = ExitStack()
        self._heard: dict[socket.socket, bytes] = {}

    def connect(self, address: str, data: bytes = b"") -> socket.socket:
        """A connection from an address, encrypted for HTTPS; it is closed at the end of the test."""
        line = self.connect_raw(address)
        if self._tls is not None:
            line = self._tls.wrap_socket(line)
            self._lines.enter_context(closing(line))
        line.sendall(data)
        return line

    def connect_raw(self, address: str, data: bytes = b"") -> socket.socket:
        """The same without encryption."""
        line = socket.create_connection(("127.0.0.1", self.port), ANSWER_S, source_address=(address, 0))
        self._lines.enter_context(closing(line))
        line.sendall(data)
        return line

    def get(self, address: str, path: str = "/state", seat: str = "", *headers: str) -> int:
        """The status that is answered to a request."""
        return status(self.ask(address, request(path, self.tokens.get(seat, ""), "Connection: close", *headers)))

    def ask(self, address: str, data: bytes) -> bytes:
        """Everything that is answered."""
        line = self.connect(address, data)
        heard = b""
        while part := line.recv(65536):
            heard += part
        line.close()
        return heard

    def listen(self, address: str, seat: str = "") -> socket.socket:
        """A stream that has begun."""
        line = self.connect(address, request("/events", self.tokens.get(seat, "")))
        heard = line.recv(65536)
        if status(heard) != 200:
            raise ConnectionRefusedError(heard.decode())
        return line

    @property
    def open_connections(self) -> list[Connection]:
        return list(self.server._server.active_channels.values())

    def answered(self, lines: Sequence[socket.socket]) -> int:
        """How many answers have arrived so far; they stay where they are."""
        for line in lines:
            line.settimeout(0.01)
            with suppress(TimeoutError):
                self._heard[line] = self._heard.get(line, b"") + line.recv(2**20)
        return sum(self._heard.get(line, b"").count(b"HTTP/1.1 200 OK") for line in lines)

    def until(self, happened: Callable[[], bool]) -> None:
        """Waits until something has happened in the server's thread."""
        until_s = time.monotonic() + 2 * ANSWER_S
        while not happened():
            assert time.monotonic() < until_s
            time.sleep(0.01)

    def wait_s(self, seconds: float) -> None:
        """Lets time pass, and waits until deadlines have been checked."""
        self.clock.now_s += seconds
        self.server._server.pull_trigger()
        self.until(lambda: bool(self.server._server.looked_s == self.clock.now_s))

    def close(self) -> None:
        self._lines.close()


def request(path: str, token: str = "", *headers: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: el-grande.local", f"Cookie: {COOKIE}={token}", *headers, "", ""]
    return "\r\n".join(lines).encode()


def status(answer: bytes) -> int:
    assert answer, "the connection was closed without an answer"
    return int(answer.split(b" ", 2)[1])


def rest(line: socket.socket) -> bytes:
    """Everything that is still sent, until the other side closes."""
    heard = b""
    while part := line.recv(65536):
        heard += part
    return heard


def rest_of_answer(line: socket.socket) -> bytes:
    """What arrives from the next answer on; the end of the one before may still be there."""
    heard = b""
    while b"HTTP/1.1" not in heard:
        heard += line.recv(65536)
    return heard[heard.index(b"HTTP/1.1") :]


@contextmanager
def serving(web: WebRig, secure: SecurePort | None = None) -> Iterator[Served]:
    """Yields a table with its pages on real ports; its clock stands still."""
    clock = Clock()
    with WebServer(
        web.app, web.display.close, "127.0.0.1", 0, known=web.context.is_known, clock=clock, secure=secure
    ) as server:
        served = Served(web, server, clock, secure)
        yield served
        served.close()


def client_context() -> ssl.SSLContext:
    """Returns what encrypts on the side of a browser whose user went on although it warned."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
