"""The web pages on a rig: a table whose clock stands still, and browsers that record every byte they are sent."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Self
from urllib.parse import urljoin

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.engine import Game
from companion.table.gestures import Gesture
from companion.table.options import Options
from companion.table.replies import SendReply
from companion.table.seat_requests import TakeSeat
from tests.support.table_rig import TableRig, table_rig
from web_remote.access import AccessCodes, known_by
from web_remote.app import make_app
from web_remote.context import COOKIE, WebContext
from web_remote.display import WebDisplay
from web_remote.limits import Limits

HOST = "el-grande.local:8000"
PHONE = "192.0.2.7"
"""The address of a phone in the same network."""


class WebRig:
    """A table with its pages. It does at once what they send, or later when it is slow."""

    def __init__(self, rig: TableRig, display: WebDisplay) -> None:
        self.rig = rig
        self.clock_s = 1000.0
        self.display = display
        self.slow = False
        """Whether the table takes gestures only when polled."""
        self.pause_s = 0.1
        """How long people wait after everything they do; nobody plays a whole game in no time."""
        self.posted: list[Gesture] = []
        self.again = 0
        """How often another game was requested."""
        self.context = WebContext(
            display,
            self.post,
            AccessCodes(lambda: self.clock_s),
            play_again=self._play_again,
            limits=Limits(lambda: self.clock_s),
        )
        self.app = make_app(self.context)

    def post(self, gesture: Gesture, reply: SendReply | None = None) -> None:
        """Posts a gesture, in the thread of the request."""
        self.posted.append(gesture)
        self.clock_s += self.pause_s
        self.rig.table.post(gesture, reply)
        if not self.slow:
            self.rig.table.poll()

    def _play_again(self) -> None:
        self.again += 1

    def browser(self, *seats: str, address: str = PHONE, host: str = HOST) -> Browser:
        """Returns a browser; one with seats has been let in already."""
        browser = Browser(self.app.test_client(use_cookies=False), address, host)
        for seat in seats:
            browser.token = f"the-token-of-the-phone-of-{seats[0]}"
            self.rig.table.post(TakeSeat(seat, known_by(browser.token)))
            self.rig.table.poll()
        return browser

    def at_the_machine(self) -> Browser:
        """Returns a browser on the machine itself, which has opened the printed address."""
        browser = self.browser(address="127.0.0.1", host="localhost:8000")
        browser.get(f"/?t={self.context.codes.machine_token}")
        return browser

    @property
    def holders(self) -> Mapping[str, str]:
        return self.rig.moment.holders


class Browser:
    """A browser: its cookies, its address, and the answers it received."""

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
        """Sends a line as a page does: about the state it was shown last."""
        shown = self.state()
        return self.post(
            "/say", **{"seat": seat, "line": line, "version": shown["version"], "number": shown["number"]} | more
        )

    def listen(self, path: str = "/events") -> Stream:
        return Stream(self.get(path, buffered=False))


class Stream:
    """What a page is sent as it happens."""

    def __init__(self, response: TestResponse) -> None:
        self.response = response
        self._chunks = iter(response.response)

    def next(self) -> str:
        """Waits for the next bytes and returns them."""
        chunk = next(self._chunks, b"")
        return chunk.decode() if isinstance(chunk, bytes) else str(chunk)

    def close(self) -> None:
        self.response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


@contextmanager
def with_pages(folder: Path, game: Game, options: Options | None = None, **more: Any) -> Iterator[WebRig]:
    """Yields a table with its pages."""
    display = WebDisplay(lambda: 100.0)
    with table_rig(folder, game, options, displays=(display,), **more) as rig:
        yield WebRig(rig, display)


def first_load(port: int, token: str, path: str = "/phone") -> dict[str, int]:
    """Returns what a browser loads on its first visit to a page: the bytes on the wire of each file, with headers.

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
            found = re.findall(r"""(?:from\s*|import\s*|fetch\(\s*)["'`](\.[^"'`]*|/static[^"'`]*)["'`]""", text)
            fetched = re.findall(r"""new URL\(\s*["'`]([^"'`]*)["'`],\s*import\.meta""", text)
            found += [each for each in fetched if not each.endswith(".css")]  # a style comes with what it is for, later
        else:
            found = re.findall(r'(?:src|href)="([^"]*\.(?:js|css|svg|json))"', text)
            found += re.findall(r"""url\(["']?([^"')]*)["']?\)""", text) if path.endswith(".css") else []
        waiting += [urljoin(path, each) for each in found if not each.startswith("data:")]
    connection.close()
    return loaded
