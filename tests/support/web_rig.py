"""The web pages on a bench: a table whose clock stands still, and browsers that see every byte they are sent."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Self, cast
from urllib.parse import urljoin

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.engine import Game
from companion.table.options import Options
from companion.table.prompts import Board
from companion.table.seat_holders import Seated
from companion.table.table import Heard, Table
from tests.support.table_rig import Bench, at_a_bench
from web_remote.access import AccessCodes, known_by
from web_remote.app import make_app
from web_remote.context import COOKIE, WebContext
from web_remote.display import WebPhones

HOST = "el-grande.local:8000"
PHONE = "192.0.2.7"
"""The address of a phone in the same network."""


class AtOnce:
    """The table, to the pages: does at once what they say, in their own thread; or keeps it until it is asked to."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.slow = False
        self.heard: list[Heard] = []

    def post(self, gesture: Heard) -> None:
        self.heard.append(gesture)
        self._table.post(gesture)
        if not self.slow:
            self._table.poll()

    @property
    def game(self) -> Game:
        return self._table.game

    @property
    def options(self) -> Options:
        return self._table.options


class Web:
    """A table with its pages."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.clock_s = 1000.0
        self.table = AtOnce(bench.table)
        self.phones = WebPhones()
        self.phones.attach(cast(Table, self.table))
        record = bench.phones.show

        def show(board: Board) -> None:
            record(board)
            self.phones.show(board)

        bench.phones.show = show  # type: ignore[method-assign]
        self.phones.show(bench.board)
        self.context = WebContext(self.phones, AccessCodes(lambda: self.clock_s))
        self.app = make_app(self.context)

    def browser(self, *seats: str, address: str = PHONE, host: str = HOST) -> Browser:
        """A browser; one that holds seats was let in before."""
        browser = Browser(self.app.test_client(use_cookies=False), address, host)
        for seat in seats:
            browser.token = f"the-token-of-the-phone-of-{seats[0]}"
            self.bench.table.post(Seated(seat, known_by(browser.token)))
            self.bench.table.poll()
        return browser

    def at_the_machine(self) -> Browser:
        """A browser on the machine itself."""
        return self.browser(address="127.0.0.1", host="localhost:8000")

    @property
    def holders(self) -> Mapping[str, str]:
        return self.bench.board.holders


class Browser:
    """A browser: its cookies, where it is, and what it was answered."""

    def __init__(self, client: FlaskClient, address: str, host: str) -> None:
        self._client = client
        self.address = address
        self.host = host
        self.token = ""

    def ask(self, method: str, path: str, **more: Any) -> TestResponse:
        headers = {"Host": self.host, **more.pop("headers", {})}
        if self.token:
            headers.setdefault("Cookie", f"{COOKIE}={self.token}")
        response = self._client.open(
            path, method=method, headers=headers, environ_overrides={"REMOTE_ADDR": self.address}, **more
        )
        for line in response.headers.getlist("Set-Cookie"):
            cookie = SimpleCookie(line)
            if COOKIE in cookie:
                self.token = cookie[COOKIE].value
        return response

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.ask("GET", path, **more)

    def post(self, path: str, **data: object) -> TestResponse:
        return self.ask("POST", path, data=json.dumps(data), content_type="application/json")

    def state(self, seat: str = "", language: str = "en") -> dict[str, Any]:
        answer = self.get(f"/state?seat={seat}&language={language}").json
        assert isinstance(answer, dict)
        return answer

    def say(self, seat: str, line: str, **more: object) -> TestResponse:
        """As a page does: about what it was shown last."""
        shown = self.state()
        return self.post(
            "/say", **{"seat": seat, "line": line, "version": shown["version"], "number": shown["number"]} | more
        )

    def listen(self, path: str = "/events") -> Stream:
        return Stream(self.get(path, buffered=False))


class Stream:
    """What a page is told as it happens."""

    def __init__(self, response: TestResponse) -> None:
        self.response = response
        self._chunks = iter(response.response)

    def next(self) -> str:
        """The next bytes; waits for them."""
        chunk = next(self._chunks, b"")
        return chunk.decode() if isinstance(chunk, bytes) else str(chunk)

    def close(self) -> None:
        self.response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


@contextmanager
def with_pages(folder: Path, game: Game, options: Options | None = None, **more: Any) -> Iterator[Web]:
    """A table on a bench, with its pages."""
    with at_a_bench(folder, game, options, **more) as bench:
        yield Web(bench)


def first_load(port: int, token: str, path: str = "/phone") -> dict[str, int]:
    """What a browser loads that comes to a page for the first time: the bytes on the wire of each file, with its head.

    It follows links to styles and scripts, and from scripts to scripts and data, as a browser does.
    """
    loaded: dict[str, int] = {}
    waiting = [path]
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    while waiting:
        path = waiting.pop()
        if path in loaded:
            continue
        headers = {"Accept-Encoding": "gzip, deflate", "Cookie": f"{COOKIE}={token}"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, path
        head = sum(len(f"{name}: {value}\r\n".encode()) for name, value in answer.getheaders())
        loaded[path] = len(body) + head + len(b"HTTP/1.1 200 OK\r\n\r\n")
        text = (gzip.decompress(body) if answer.getheader("Content-Encoding") == "gzip" else body).decode()
        if path.endswith(".js"):
            text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)  # types are spoken of as imports, and never loaded
            found = re.findall(r"""(?:from\s*|import\s*\(?\s*|fetch\(\s*)["'`](\.[^"'`]*|/static[^"'`]*)["'`]""", text)
            found += re.findall(r"""new URL\(\s*["'`]([^"'`]*)["'`],\s*import\.meta""", text)
        else:
            found = re.findall(r'(?:src|href)="([^"]*\.(?:js|css|svg|json))"', text)
            found += re.findall(r"""url\(["']?([^"')]*)["']?\)""", text) if path.endswith(".css") else []
        waiting += [urljoin(path, each) for each in found if not each.startswith("data:")]
    connection.close()
    return loaded
