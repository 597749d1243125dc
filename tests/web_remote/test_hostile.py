"""Random and hostile requests to every address: none fails, none changes the game for another seat, none is told more.

Each goes to two tables that differ only in the dial of a seat, and both must answer the same.
"""

from __future__ import annotations

import itertools
import json
import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import run_wsgi_app

import web_remote.context
from companion.engine import PLACES
from companion.storage.tags import simulated_tags
from companion.table.board_check import CONTROLS
from companion.table.options import Options
from hardware.board import find_board
from hardware.simulated.board import SimulatedBoard
from tests.support.arrange import turn_of
from tests.support.random_games import LONGER
from tests.support.table_rig import journalled
from tests.support.web_rig import HOST, Browser, WebRig, with_pages
from web_remote.access import known_by
from web_remote.context import COOKIE

ROOT = Path(__file__).parents[2]
SEATS = ("red", "blue", "green", "yellow")
NOW = 777_777
"""Stands in a request for the version of the game."""
GREEN = known_by("the-token-of-the-phone-of-green")
MANY = settings(
    max_examples=1000 * LONGER,
    deadline=None,
    derandomize=LONGER == 1,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)

# --- Requests ---------------------------------------------------------------------------------------------------------

PATHS = (
    "/", "/new", "/result", "/join", "/phone", "/table", "/board", "/rules", "/qr/red.svg",
    "/static/0/shared/base.css", "/events", "/state", "/history", "/say", "/mix", "/me", "/knock", "/leave",
    "/table/open", "/table/player", "/table/new", "/table/begin", "/table/knock", "/table/say", "/board/layout",
    "/board/lights", "/board/button", "/board/tag", "/workshop", "/workshop/events", "/workshop/look", "/workshop/take",
    "/workshop/light", "/workshop/stay", "/workshop/give-back", "/workshop/enrol", "/workshop/finish",
    "/workshop/forget", "/workshop/serial", "/workshop/bundle", "/workshop/new-piece", "/workshop/wifi",
    "/workshop/wifi/scan", "/workshop/wifi/join", "/workshop/wifi/forget", "/table/wifi", "/qr/wifi.svg",
)  # fmt: skip
LINES = (
    "dial granada", "dial aragon", "dial sevilla", "dial", "undo", "undo turn", "agree", "disagree", "confirm",
    "special", "board is right", "place castillo", "touch aragon", "from aragon", "to aragon", "go on unsaved",
    "player green easy", "green dial granada", "table reveal 1 king", "table king aragon", "end", "done", "retake 5",
    "power 5",
)  # fmt: skip
odd_texts = st.one_of(
    st.text(max_size=30),
    st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF, exclude_categories=()), max_size=12),
    st.sampled_from(
        ["", "red", "green", "RED", "table", "nobody", "../../etc/passwd", "{0.__class__}", "%s%n", "\ud800"]
    ),
)
values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), odd_texts, st.sampled_from([*SEATS, *LINES, *PLACES]),
        st.sampled_from(["person", "easy", "confirm", "king", "caballero red"]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
shaped = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.sampled_from(SEATS) | values,
        "line": st.sampled_from(LINES) | values,
        "version": st.integers(0, 60) | values,
        "number": st.integers(0, 60) | values,
        "code": st.just("000000") | values,
        "name": odd_texts | values,
        "player": st.sampled_from(["person", "easy"]) | values,
        "button": st.sampled_from([*PLACES, *CONTROLS]) | values,
        "down": st.booleans() | values,
        "place": st.sampled_from(PLACES) | values,
        "piece": st.sampled_from(["king", "caballero red", "grande blue"]) | values,
        "put": st.booleans() | values,
    },
)
bodies = st.one_of(
    shaped.map(lambda data: json.dumps(data).encode()),
    values.map(lambda data: json.dumps(data).encode()),
    st.binary(max_size=200),
    st.sampled_from([b"", b"[" * 3000, b'{"seat":' * 400, b"9" * 3000, b"x" * 5000, b"\xff\xfe{}", b'{"seat":1e999}']),
)
paths = st.one_of(
    st.sampled_from(PATHS),
    st.tuples(st.sampled_from(PATHS), odd_texts).map("/".join),
    st.tuples(
        st.sampled_from(PATHS), st.sampled_from(["/", "//", "/..", "%00", "%2e%2e", ";x", "\\", ".svg", "%ff"])
    ).map("".join),
    st.builds("/qr/{}.svg".format, odd_texts),
    st.builds("/static/{}/{}".format, odd_texts, odd_texts),
    odd_texts.map("/{}".format),
)
queries = st.dictionaries(
    st.sampled_from(["seat", "language", "code", "x"]), st.sampled_from(SEATS) | odd_texts, max_size=3
)
latin = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=40)
headers = st.fixed_dictionaries(
    {},
    optional={
        "Host": st.sampled_from([HOST, "localhost", "localhost:8000", "[::1]", "evil.example", ""]) | latin,
        "Origin": st.sampled_from([f"http://{HOST}", "null", "http://evil.example", "http://["]) | latin,
        "Accept-Language": latin,
        "Accept-Encoding": st.sampled_from(["gzip", "br", "gzip;q=nan"]) | latin,
        "Content-Type": st.sampled_from(["application/json", "text/plain", "multipart/form-data", "application/x+json"])
        | latin,
        "X-Forwarded-For": st.just("127.0.0.1"),
        "X-Forwarded-Host": st.just("localhost"),
        "X-HTTP-Method-Override": st.just("DELETE"),
        "Range": st.just("bytes=0-99999999999999999999"),
        "If-None-Match": latin,
        "Last-Event-ID": latin,
        "Sec-Fetch-Site": st.sampled_from(["none", "same-origin", "cross-site"]) | latin,
        "Content-Length": st.sampled_from(["0", "-1", "99999999999", "x", ""]),
        "Transfer-Encoding": st.just("chunked"),
    },
)
methods = st.sampled_from(["GET", "POST"] * 4 + ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "QQ"])
cookies = st.sampled_from([None, None, "", "x", GREEN]) | latin


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Anything that may come over the wire."""
    if draw(st.booleans()):
        # What a phone says that holds a seat, but wrong.
        said: dict[str, object] = {"seat": draw(st.just("blue") | st.sampled_from(SEATS))}
        said |= {
            "line": draw(st.sampled_from(LINES[:3]) | st.sampled_from(LINES) | odd_texts),
            "number": draw(st.integers(0, 99)),
        }
        said |= {"version": draw(st.just(NOW) | st.integers(0, 99))}
        body, path = json.dumps(said).encode(), draw(st.sampled_from(["/say"] * 4 + ["/table/say", "/leave", "/knock"]))
        kind = {"Content-Type": "application/json"}
        return {"method": "POST", "path": path, "query_string": {}, "data": body, "headers": kind, "cookie": None}
    return {
        "method": draw(methods),
        "path": draw(paths),
        "query_string": {key: value.encode("utf-8", "surrogatepass") for key, value in draw(queries).items()},
        "data": draw(bodies),
        # Most come as from a page of ours: else few would get past the guard.
        "headers": {"Content-Type": "application/json", **draw(st.just({}) | st.just({}) | headers)},
        "cookie": draw(st.none() | st.none() | cookies),
    }


# --- Two tables -------------------------------------------------------------------------------------------------------


@contextmanager
def twins(folder: Path) -> Iterator[list[WebRig]]:
    """Two tables at which dials are set: green has set another one at each; blue and yellow have still to."""
    board = {"aragon": dict.fromkeys(SEATS, 1), "sevilla": dict.fromkeys(SEATS, 1)}
    with ExitStack() as stack:
        webs = []
        for place in ("aragon", "sevilla"):
            game = turn_of("secret-all-home", SEATS, board=board)
            game.play("red special")
            (folder / place).mkdir()
            web = stack.enter_context(with_pages(folder / place, game, Options(veto_s=0, guided=False)))
            for seat in ("red", "green", "yellow"):
                web.browser(seat)
            assert web.browser("green").say("green", f"dial {place}").status_code == 200
            web.context.codes.join_code, web.context.codes.table_code = "314159", "27182818"
            webs.append(web)
        yield webs


def send(web: WebRig, browser: Browser, request: dict[str, Any]) -> tuple[int, bytes]:
    """The status of the answer and all of its bytes; of a stream its beginning.

    As the server hands it to the pages: a client would refuse to send most of this.
    """
    given = {"Host": HOST, "Cookie": f"{COOKIE}={browser.token}", **request["headers"]}
    data = request["data"].replace(str(NOW).encode(), str(web.rig.moment.version).encode())
    if request["cookie"] is not None:
        given["Cookie"] = f"{COOKIE}={request['cookie']}; language={request['cookie']}"
    environ = {
        "REQUEST_METHOD": request["method"], "SCRIPT_NAME": "", "REMOTE_ADDR": browser.address, "SERVER_PORT": "8000",
        "PATH_INFO": unquote_to_bytes(request["path"].encode("utf-8", "surrogatepass")).decode("latin-1"),
        "QUERY_STRING": urlencode(request["query_string"]), "SERVER_NAME": "el-grande", "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(len(data)), "wsgi.input": BytesIO(data), "wsgi.errors": StringIO(),
        "wsgi.url_scheme": "http", "wsgi.version": (1, 0), "wsgi.multithread": True, "wsgi.run_once": False,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in given.items()},
    }  # fmt: skip
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    answer, status, headers = run_wsgi_app(web.app, environ, buffered=False)
    try:
        # When a cookie ends is another second now and then.
        head = re.sub(r"Expires=[^;]*", "", f"{status}\n{headers}").encode("latin-1", "replace")
        endless = headers.get("Content-Type", "").startswith("text/event-stream")
        chunks = itertools.islice(answer, 2 if endless else None)
        return int(status.split()[0]), head + b"".join(chunks)
    finally:
        answer.close()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_remote.context, "new_token", lambda: "a-token-for-anybody-who-comes")


def no_leak(answer: bytes, folder: Path) -> None:
    for secret in (
        b"the-token-of-the-phone-of-red", b"the-token-of-the-phone-of-green", GREEN.encode(), b"314159", b"27182818",
        str(folder).encode(), str(ROOT).encode(), b"site-packages", b"Traceback", b"web_remote/", b".py",
    ):  # fmt: skip
        assert secret not in answer


def played(web: WebRig) -> list[str]:
    return [str(move) for move in web.rig.game.moves]


@pytest.mark.games
@pytest.mark.parametrize("who", ["stranger", "blue"])
def test_no_request_fails_changes_another_seat_or_is_told_more(
    who: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with twins(tmp_path) as webs:
        browsers = [web.browser(*(["blue"] if who == "blue" else [])) for web in webs]
        begun = [played(web) for web in webs]
        held = [dict(web.holders) for web in webs]
        journals = [journalled(tmp_path / place) for place in ("aragon", "sevilla")]

        statuses: Counter[int] = Counter()

        @MANY
        @given(requests())
        def try_it(request: dict[str, Any]) -> None:
            answers = []
            for web, browser in zip(webs, browsers, strict=True):
                web.clock_s += 100
                browser.token = ""
                if who == "blue":
                    # Also after it has left.
                    browser.token = web.browser("blue").token
                status, answer = send(web, browser, request)
                assert status < 500, (request, answer)
                no_leak(answer, tmp_path)
                answers.append(answer)
                statuses[status] += 1
            assert answers[0] == answers[1]
            for web, before, holders in zip(webs, begun, held, strict=True):
                moves = played(web)
                assert moves[: len(before)] == before
                assert all(line.startswith("blue ") for line in moves[len(before) :]), moves[len(before) :]
                assert {seat: phone for seat, phone in web.holders.items() if seat != "blue"} == {
                    seat: phone for seat, phone in holders.items() if seat != "blue"
                }
                assert web.rig.session.options.players == {}
                if who == "stranger":
                    assert moves == before
                    assert web.holders == holders

        try_it()
        # Enough of them got as far as the pages, and as the table.
        assert {200, 400, 403, 404, 405, 421} <= set(statuses)
        assert statuses[200] > 50
        if who == "blue":
            first, second = (played(web)[len(before) :] for web, before in zip(webs, begun, strict=True))
            assert first == second != []
            assert statuses[409] > 20
        if who == "stranger":
            assert [journalled(tmp_path / place) for place in ("aragon", "sevilla")] == journals
        assert "failed" not in caplog.text
        for secret in ("the-token-of", "aragon", "sevilla", str(tmp_path)):
            assert secret not in caplog.text


@pytest.mark.games
def test_no_request_to_the_virtual_board_fails(tmp_path: Path) -> None:
    board = find_board("standard")
    game = turn_of("secret-all-home", SEATS)
    with with_pages(tmp_path, game) as web, SimulatedBoard(board, simulated_tags(), by_hand=True) as hands:
        web.context.simulated = hands
        web.context.tags = {piece: tag for tag, piece in simulated_tags().items()}
        browser, stranger = web.browser("blue"), web.browser()
        seen = len(hands.gestures)

        @MANY
        @given(
            st.sampled_from(["/board/button", "/board/tag", "/board/layout", "/board/lights"]), shaped | values, methods
        )
        def try_it(path: str, data: object, method: str) -> None:
            request = {
                "method": method, "path": path, "query_string": {}, "data": json.dumps(data).encode(),
                "headers": {"Content-Type": "application/json"}, "cookie": None,
            }  # fmt: skip
            status, answer = send(web, browser, request)
            assert status < 500, (request, answer)
            no_leak(answer, tmp_path)
            status, _ = send(web, stranger, request)
            assert status in (403, 405) or method == "OPTIONS"

        try_it()
        for button in (*PLACES, *CONTROLS):
            assert browser.post("/board/button", button=button, down=False).status_code == 200
        for piece in web.context.tags:
            for place in PLACES:
                browser.post("/board/tag", place=place, piece=str(piece), put=False)
        assert len(hands.gestures) >= seen


def test_every_address_of_the_pages_is_tried(tmp_path: Path) -> None:
    with with_pages(tmp_path, turn_of("move-3")) as web:
        rules = {str(rule).partition("<")[0].rstrip("/") or "/" for rule in web.app.url_map.iter_rules()}
    assert {rule for rule in rules if not any(path.startswith(rule) for path in PATHS)} == set()
