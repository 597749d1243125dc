"""What every request must pass, and what every answer carries: hosts, origins, sizes, and who may see what."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Game
from tests.support.table_rig import placing
from tests.support.web_rig import HOST, WebRig, with_pages
from web_remote.access import shown_code
from web_remote.context import COOKIE
from web_remote.request_checks import MOST_BYTES, host_name, is_loopback, our_name, same_origin


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRig]:
    with with_pages(tmp_path, placing()) as web:
        yield web


# --- Hosts ------------------------------------------------------------------------------------------------------------

OURS = (
    "localhost", "localhost:8000", "LOCALHOST:8000", "localhost.", "127.0.0.1:8000", "[::1]:8000", "192.168.1.20",
    "192.168.1.20:8000", "[fe80::1]:8000", "[2001:db8::7]", "[::ffff:192.0.2.1]:8000", "el-grande.local",
    "El-Grande.LOCAL:8000", "el-grande.local.", "game.localhost", socket.gethostname(),
)  # fmt: skip
NOT_OURS = (
    "", " ", "evil.example", "evil.example:8000", "localhost.evil.example", "evil.example.", "local", "notlocal",
    ".local.evil.example", "evillocalhost", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "user@localhost",
    "user:pw@localhost", "localhost:8000, evil.example", "evil.example, localhost", "localhost evil.example", "[::1",
    "::1", "[::1]evil.example", "[evil.example]", "0x7f.1.evil.example", "localhost:port", "localhost:0",
    "localhost:99999", "localhost/evil.example", "localhost#evil.example", "localhost?x", "évil.local@x",
    "\x00localhost", "local\thost",
)  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_the_machines_own_names_and_addresses_pass(web: WebRig, host: str) -> None:
    browser = web.browser(host=host)
    assert browser.get("/state").status_code == 200


@pytest.mark.parametrize("host", NOT_OURS)
def test_a_name_that_may_lead_elsewhere_is_refused_on_every_road(web: WebRig, host: str) -> None:
    browser = web.browser("red", host=host)
    for path in ("/", "/join", "/state", "/events", "/table", "/me", "/static/x/shared/base.css", "/no-such-page"):
        assert browser.get(path).status_code == 421
    answer = browser.post("/say", seat="red", line="place castillo", version=0, number=0)
    assert answer.status_code == 421
    assert web.posted == []


@pytest.mark.parametrize(
    "host", ["localhost.", "LOCALHOST", "game.localhost", "[::1]:80", "127.0.0.1:8000", "127.8.8.8"]
)
def test_a_name_that_means_who_asks_is_loopback(host: str) -> None:
    assert is_loopback(host_name(host))


@pytest.mark.parametrize(
    "host", ["el-grande.local", "192.168.1.2", "0.0.0.0", "[::]", "[fe80::1]", "localhost.local", ""]
)
def test_no_other_name_is(host: str) -> None:
    assert not is_loopback(host_name(host))


def test_nonsense_is_no_name() -> None:
    for host in ("[", "[::1", "//", "@", ":", "\ud800"):
        assert not our_name(host_name(host))


def test_only_a_token_a_code_or_a_press_lets_anybody_manage_the_table(web: WebRig) -> None:
    trusted = [web.browser(), web.browser(address="127.0.0.1", host="localhost:8000")]
    trusted[0].post("/table/open", code=web.context.codes.table_code)
    trusted[1].get(f"/?t={web.context.codes.machine_token}")
    for browser, may in (
        *((each, True) for each in trusted),
        # Coming from the machine itself proves nothing: a proxy may have forwarded it, without saying so.
        (web.browser(address="127.0.0.1", host="localhost:8000"), False),
        (web.browser(address="::1", host="[::1]:8000"), False),
        (web.browser(address="::ffff:127.0.0.1", host="127.0.0.1:8000"), False),
        (web.browser(address="127.0.0.1"), False),
        (web.browser(address="192.168.1.30", host="localhost:8000"), False),
        (web.browser(address="", host="localhost"), False),
    ):
        me = browser.get("/me").json
        assert me == {"seats": [], "table": may}
        assert (shown_code(web.context.codes.join_code) in browser.get("/table").text) == may
        assert browser.get("/qr/red.svg").status_code == (200 if may else 404)
        for path, data in (
            ("/table/player", {"seat": "red", "player": "easy"}),
            ("/table/say", {"line": "confirm", "version": 0}),
            ("/leave", {"seat": "green"}),
        ):
            assert (browser.post(path, **data).status_code == 403) == (not may)


# --- Pages from elsewhere ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://localhost:9000", f"http://x@{HOST}", f"{HOST}", "http://[", "file://"],
)
def test_a_page_from_elsewhere_is_refused(web: WebRig, origin: str) -> None:
    browser = web.browser("red")
    state = browser.state()
    said = {"seat": "red", "line": "place castillo", "version": state["version"], "number": state["number"]}
    assert browser.ask("POST", "/say", json=said, headers={"Origin": origin}).status_code == 403
    # A stream or a state that a page from elsewhere asks for says where it comes from, too.
    for path in ("/events", "/state", "/state?seat=red", "/board/lights"):
        assert browser.get(path, headers={"Origin": origin}).status_code == 403
    assert web.posted == []
    assert not same_origin(origin, HOST)


@pytest.mark.parametrize("origin", [f"http://{HOST}", f"http://{HOST.upper()}", None])
def test_our_own_pages_pass(web: WebRig, origin: str | None) -> None:
    assert same_origin(origin, HOST)
    browser = web.browser("red")
    headers = {"Origin": origin} if origin else {}
    assert browser.ask("POST", "/leave", json={"seat": "red"}, headers=headers).status_code == 200


@pytest.mark.parametrize(("site", "mode"), [("cross-site", "no-cors"), ("same-site", "cors"), ("cross-site", "cors")])
def test_what_a_browser_says_about_a_page_from_elsewhere_is_believed(web: WebRig, site: str, mode: str) -> None:
    browser = web.at_the_machine()
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    for path in ("/", "/table", "/qr/red.svg", "/events", "/state"):
        assert browser.get(path, headers=headers).status_code == 403
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    assert browser.get("/table", headers=link).status_code == 200


def test_no_form_of_another_page_can_say_anything(web: WebRig) -> None:
    browser = web.browser("red")
    body = '{"seat":"red","line":"place castillo","version":0,"number":0}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert browser.ask("POST", "/say", data=body, content_type=kind).status_code == 400
    assert web.posted == []


# --- Answers ----------------------------------------------------------------------------------------------------------


def test_every_answer_is_guarded_and_none_is_kept_by_the_browser_but_files(web: WebRig) -> None:
    browser = web.browser("red")
    paths = ("/", "/join", "/phone", "/table", "/state", "/me", "/nothing", "/qr/red.svg", "/say", "/board/layout")
    for path in (*paths, "/static/x/shared/base.css"):
        headers = browser.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
        assert not [name for name in headers.keys() if name.startswith("Access-Control")]  # noqa: SIM118


def test_no_page_has_code_or_style_in_it(web: WebRig) -> None:
    browser = web.browser("red")
    for path in ("/join", "/phone", "/table"):
        page = browser.get(path).text
        assert "style=" not in page
        assert "<style" not in page
        assert not re.search(r"\son\w+=", page)
        assert not re.search(r'(src|href)="(https?:)?//', page)
        for script in re.findall(r"<script[^>]*>", page):
            assert 'type="application/json"' in script or "src=" in script


def test_a_cookie_is_out_of_reach_of_scripts_and_of_other_sites(web: WebRig) -> None:
    answer = web.browser().post("/join", seat="red", code=web.context.codes.join_code)
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith(f"{COOKIE}=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Domain" not in cookie


def test_what_is_too_long_is_refused(web: WebRig) -> None:
    browser = web.browser("red")
    long = b'{"seat":"' + b"x" * MOST_BYTES + b'"}'
    for path in ("/say", "/join", "/knock", "/leave", "/table/open"):
        assert browser.ask("POST", path, data=long, content_type="application/json").status_code == 413


# --- Without a token --------------------------------------------------------------------------------------------------


def test_without_a_token_there_is_the_join_page_and_the_shared_view_and_nothing_else(web: WebRig) -> None:
    web.browser("red")
    stranger = web.browser()
    for path in ("/join", "/table", "/state", "/me", "/static/x/shared/base.css"):
        assert stranger.get(path).status_code == 200
    for path in ("/", "/phone", "/board"):
        assert stranger.get(path).headers["Location"] == "/join"
    for seat in ("red", "blue", "nobody", "red ", "RED"):
        assert stranger.get(f"/state?seat={seat}").status_code == 403
        assert stranger.get(f"/events?seat={seat}").status_code == 403
        for path in ("/say", "/leave"):
            answer = stranger.post(path, seat=seat, line="place castillo", version=0, number=0)
            assert answer.status_code == 403
    assert stranger.get("/qr/red.svg").status_code == 404
    for path in ("/board/layout", "/board/lights"):
        assert stranger.get(path).status_code in (403, 404)
    for path in ("/table/player", "/table/say", "/table/new"):
        data = {"seat": "red", "player": "easy", "line": "confirm", "version": 0}
        assert stranger.post(path, **data).status_code == 403
    assert "you" not in stranger.state()
    assert web.posted == []


@pytest.mark.parametrize("token", ["x", "the-token-of-the-phone-of-blue", "é", '"', "a" * 8000, "\ud83d"])
def test_a_wrong_token_is_as_good_as_none(web: WebRig, token: str) -> None:
    web.browser("red")
    stranger = web.browser()
    headers = {"Cookie": f"{COOKIE}={token}".encode("utf-8", "surrogatepass").decode("latin-1")}
    assert stranger.get("/state?seat=red", headers=headers).status_code == 403
    assert stranger.get("/me", headers=headers).json == {"seats": [], "table": False}


def test_the_language_is_one_of_ours_whatever_is_asked_for(tmp_path: Path) -> None:
    with with_pages(tmp_path, Game(("red", "blue"))) as web:
        browser = web.browser()
        for language in ("nl", "de", "fr", "es", "en"):
            assert browser.state(language=language)["language"] == language
            assert f'<html lang="{language}">' in browser.get(f"/join?language={language}").text
        for language in ("", "xx", "../../etc/passwd", "en\x00", "<script>", "N" * 1000):
            answer = browser.get("/join", query_string={"language": language}, headers={"Accept-Language": "x;q=nan,*"})
            assert answer.status_code == 200
            assert '<html lang="en">' in answer.text
            assert language in ("", "en\x00") or language not in answer.text
        assert {key for _, key in web.display.latest._texts} <= {"nl", "de", "fr", "es", "en"}
