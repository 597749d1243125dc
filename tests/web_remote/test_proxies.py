"""Behind a reverse proxy nobody becomes the table: a small real one on loopback, named with `--proxy` or not."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from tests.support.table_rig import placing
from tests.support.web_rig import HOST, WebRig, with_pages
from web_remote.access import FREE_TRIES
from web_remote.connections import FROM_ONE_ADDRESS
from web_remote.context import COOKIE
from web_remote.senders import FORWARDING, client_address, is_forwarded
from web_remote.server import WebServer

pytestmark = pytest.mark.slow

QUIET, SAYING = {}, {"X-Forwarded-For": "{client}", "X-Real-IP": "{client}", "Via": "1.1 proxy"}  # type: ignore[var-annotated]
"""What a proxy adds: nothing at all, as some do by themselves, or who the client is."""


@contextmanager
def proxy(port: int, adds: dict[str, str]) -> Iterator[int]:
    """A reverse proxy on this machine that leads to a port, by the machine's own name. Yields its own port."""

    class Handler(BaseHTTPRequestHandler):
        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            line = HTTPConnection("127.0.0.1", port, timeout=10)
            headers = {name: value for name, value in self.headers.items() if name not in ("Host", "Connection")}
            given = headers.get("X-Forwarded-For")
            for name, value in adds.items():
                headers[name] = value.format(client=self.client_address[0])
            if given and "X-Forwarded-For" in adds:
                headers["X-Forwarded-For"] = f"{given}, {headers['X-Forwarded-For']}"
            line.request(self.command, self.path, body or None, headers)
            answer = line.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name not in ("Connection", "Transfer-Encoding", "Content-Length"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            line.close()

        do_GET = do_POST = _forward  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRig]:
    with with_pages(tmp_path, placing()) as web:
        yield web


@contextmanager
def behind(web: WebRig, adds: dict[str, str], named: bool) -> Iterator[int]:
    """The table's pages behind a proxy. Yields the proxy's port."""
    web.context.proxies = {"127.0.0.1"} if named else ()
    with (
        WebServer(
            web.app, web.display.close, "127.0.0.1", 0, known=web.context.is_known, proxies=web.context.proxies
        ) as server,
        proxy(server.port, adds) as port,
    ):
        yield port


def ask(
    port: int, method: str, path: str, address: str = "127.0.0.9", headers: dict[str, str] | None = None, **data: object
) -> tuple[int, Any]:
    line = HTTPConnection("127.0.0.1", port, timeout=10, source_address=(address, 0))
    body = json.dumps(data) if method == "POST" else None
    line.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
    answer = line.getresponse()
    text = answer.read()
    line.close()
    return answer.status, json.loads(text) if text.startswith(b"{") else text


@pytest.mark.parametrize("adds", [QUIET, SAYING])
@pytest.mark.parametrize("named", [False, True])
def test_behind_a_proxy_nobody_is_the_table(web: WebRig, adds: dict[str, str], named: bool) -> None:
    with behind(web, adds, named) as port:
        for headers in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}, {"X-Real-IP": "::1"}):
            assert ask(port, "GET", "/me", headers=headers) == (200, {"seats": [], "table": False})
            status, page = ask(port, "GET", "/table", headers=headers)
            assert status == 200
            assert web.context.codes.join_code[:3].encode() + b"-" not in page
        for path, data in (
            ("/table/player", {"seat": "red", "player": "easy"}),
            ("/table/say", {"line": "confirm", "version": 0}),
            ("/table/begin", {"aside": True}),
            ("/leave", {"seat": "red"}),
            ("/join", {"seat": "red", "over": True}),
            ("/join", {"seat": "red"}),
            ("/workshop/look", {}),
        ):
            assert ask(port, "POST", path, **data)[0] == 403, path
        assert ask(port, "GET", "/qr/red.svg")[0] == 404
        # With the code everything works.
        assert ask(port, "POST", "/table/open", code=web.context.codes.table_code)[0] == 200


def test_each_client_of_a_named_proxy_has_limits_of_its_own(web: WebRig) -> None:
    with behind(web, SAYING, named=True) as port:
        for _ in range(FREE_TRIES):
            assert ask(port, "POST", "/join", "127.0.0.66", seat="red", code="wrong")[0] == 403
        # Whatever the client says about itself: only what the proxy adds counts.
        lies = {"X-Forwarded-For": "192.0.2.99"}
        assert ask(port, "POST", "/join", "127.0.0.66", lies, seat="red", code="wrong")[0] == 429
        assert ask(port, "POST", "/join", "127.0.0.67", seat="red", code="wrong")[0] == 403
        assert ask(port, "POST", "/table/open", "127.0.0.67", code=web.context.codes.table_code)[0] == 200


def test_the_headers_of_a_proxy_that_was_not_named_are_not_believed(
    web: WebRig, caplog: pytest.LogCaptureFixture
) -> None:
    with behind(web, SAYING, named=False) as port:
        for number in range(FREE_TRIES):
            assert ask(port, "POST", "/join", f"127.0.0.{number + 70}", seat="red", code="wrong")[0] == 403
        assert ask(port, "POST", "/join", "127.0.0.99", seat="red", code="wrong")[0] == 429
    (warning,) = (record for record in caplog.records if "proxy" in record.message)
    assert "--proxy 127.0.0.1" in warning.message


def test_a_client_that_names_proxies_itself_gains_nothing(web: WebRig) -> None:
    web.context.proxies = {"192.0.2.1"}
    browser = web.browser()
    for _ in range(FREE_TRIES):
        assert browser.post("/join", seat="red", code="wrong").status_code == 403
    headers = {"X-Forwarded-For": "198.51.100.7"}
    more = {"json": {"seat": "red", "code": "wrong"}, "headers": headers}
    assert browser.ask("POST", "/join", **more).status_code == 429


def test_the_last_hop_that_is_no_named_proxy_is_the_client() -> None:
    proxies = {"127.0.0.1", "10.0.0.1"}
    for peer, forwarded, client in (
        ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "203.0.113.5, 192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "192.0.2.7, 10.0.0.1", "192.0.2.7"),
        ("::ffff:127.0.0.1", "2001:db8::7", "2001:db8::7"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.7, nonsense", "127.0.0.1"),
        ("192.0.2.8", "127.0.0.1", "192.0.2.8"),
    ):
        assert client_address(peer, {"X-Forwarded-For": forwarded}.get, proxies) == client
    for name in FORWARDING:
        assert is_forwarded({name: "x"}.get)
    assert not is_forwarded({"Cookie": "x"}.get)


def test_a_named_proxy_may_have_as_many_connections_as_its_clients_need(web: WebRig) -> None:
    web.context.proxies = {"127.0.0.1"}
    token = web.browser("red").token
    with (
        WebServer(
            web.app, web.display.close, "127.0.0.1", 0, known=web.context.is_known, proxies=web.context.proxies
        ) as server,
        ExitStack() as stack,
    ):
        lines = []
        for _ in range(FROM_ONE_ADDRESS + 10):
            line = HTTPConnection("127.0.0.1", server.port, timeout=10)
            stack.callback(line.close)
            line.request("GET", "/me", headers={"Host": HOST, "Cookie": f"{COOKIE}={token}"})
            assert line.getresponse().read()
            lines.append(line)
        for line in lines:
            line.request("GET", "/me", headers={"Host": HOST})
            assert line.getresponse().status == 200


def test_a_proxy_is_named_by_its_address() -> None:
    refused = CliRunner().invoke(main, ["play", "--proxy", "my-proxy", "--terminal"])
    assert refused.exit_code == 2
    assert "'my-proxy' is not an IP address" in refused.output


def test_an_address_that_the_machine_does_not_have_is_refused_before_a_game_begins(tmp_path: Path) -> None:
    command = ["play", "--simulated", "--host", "192.0.2.1", "--database", str(tmp_path / "table.db")]
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 1
    assert "This machine has no address '192.0.2.1'" in refused.output
