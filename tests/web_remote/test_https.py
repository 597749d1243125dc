"""HTTPS on a port of its own: whole requests and streams over real TLS, with the limits of plain HTTP."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from tests.support.arrange import play, turn_of
from tests.support.raw_clients import ANSWER_S, Served, client_context, request, rest, rest_of_answer, serving, status
from tests.support.table_rig import placing
from tests.support.web_rig import HOST, WebRig, with_pages
from web_remote.certificate import keep_certificate
from web_remote.connections import FROM_ONE_ADDRESS, IDLE_S, RECEIVE_S, TAKE_S
from web_remote.context import COOKIE
from web_remote.ports import Ports
from web_remote.server import VANISHED_MS, listen
from web_remote.stream_slots import STREAMS
from web_remote.tls import HANDSHAKES_AT_ONCE, HANDSHAKES_EVERY_S, RECORD_BYTES, SecurePort, tls_context

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate")
    return keep_certificate(folder / "table.db", ("localhost", "127.0.0.1"), 0.0).file


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRig]:
    with with_pages(tmp_path, placing()) as web:
        yield web


@pytest.fixture
def served(web: WebRig, certificate: Path) -> Iterator[Served]:
    secure = SecurePort(listen("127.0.0.1"), tls_context(certificate))
    with serving(web, secure) as served:
        web.context.ports = Ports(served.server.port, secure.number)
        yield served


def half_a_hello() -> bytes:
    """Returns the beginning of a handshake that never ends."""
    to_server = ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        client_context().wrap_bio(ssl.MemoryBIO(), to_server).do_handshake()
    return to_server.read()[:100]


def ask(served: Served, method: str, path: str, token: str = "", **data: object) -> tuple[int, Any, str]:
    """Sends one request by HTTPS, as a page does. Returns its status, its JSON, and the cookie that came with it."""
    line = HTTPSConnection("127.0.0.1", served.port, timeout=ANSWER_S, context=client_context())
    with closing(line):
        headers = {"Content-Type": "application/json", "Origin": f"https://127.0.0.1:{served.port}"}
        cookies = {"Cookie": f"{COOKIE}={token}"} if token else {}
        line.request(method, path, json.dumps(data) if data else None, {**headers, **cookies})
        answer = line.getresponse()
        return answer.status, json.loads(answer.read()), answer.getheader("Set-Cookie", "")


# --- Playing ----------------------------------------------------------------------------------------------------------


def test_a_browser_that_trusts_the_certificate_gets_the_pages(served: Served, certificate: Path) -> None:
    line = HTTPSConnection(
        "127.0.0.1", served.port, timeout=ANSWER_S, context=ssl.create_default_context(cafile=certificate)
    )
    with closing(line):
        for _ in range(3):  # on one connection
            line.request("GET", "/join")
            answer = line.getresponse()
            assert answer.status == 200
            assert b"El Grande" in answer.read()


def test_nothing_older_than_tls_1_3_is_spoken(served: Served) -> None:
    context = client_context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError), closing(served.connect_raw("127.0.0.1")) as line:
        context.wrap_socket(line)


def test_a_phone_joins_and_sets_its_dial_by_https(tmp_path: Path, certificate: Path) -> None:
    secure = SecurePort(listen("127.0.0.1"), tls_context(certificate))
    board = {place: {"blue": 1, "green": 1, "yellow": 1} for place in ("aragon", "sevilla")}
    game = play(turn_of("secret-all-home", board=board), "red special")
    with with_pages(tmp_path, game) as web, serving(web, secure) as served, ThreadPoolExecutor(1) as phone:
        web.slow = True  # the table plays in this thread, which is not that of the request

        def send(path: str, token: str = "", **data: object) -> tuple[int, Any, str]:
            sent = phone.submit(ask, served, "POST", path, token, **data)
            while not sent.done():
                web.rig.table.poll()
            return sent.result()

        wish = {"seat": "yellow", "name": "Ann", "code": web.context.codes.join_code}
        code, joined, cookie = send("/join", **wish)
        assert (code, joined) == (200, {"ok": True, "seat": "yellow"})
        assert "HttpOnly" in cookie
        assert "Secure" not in cookie, "by plain HTTP the phone goes on with the same cookie"
        token = cookie.partition(f"{COOKIE}=")[2].partition(";")[0]
        _, state, _ = ask(served, "GET", "/state?seat=yellow", token)
        said = {"seat": "yellow", "line": "dial sevilla", "version": state["version"], "number": state["number"]}
        assert send("/say", token, **said)[:2] == (200, {"ok": True})
        assert ask(served, "GET", "/state?seat=yellow", token)[1]["you"]["dial"] == "sevilla"


def test_a_seat_is_held_on_both_ports_at_once(served: Served) -> None:
    token = served.tokens["red"]
    assert ask(served, "GET", "/me", token)[1] == {"seats": ["red"], "table": False}
    plain = socket.create_connection(("127.0.0.1", served.server.port), ANSWER_S)
    with closing(plain):
        plain.sendall(request("/me", token, "Connection: close"))
        assert b'"seats":["red"]' in rest(plain)


def test_a_page_of_the_other_port_is_another_site(served: Served) -> None:
    for origin, expected in (("https", 200), ("http", 403)):
        port = served.port if origin == "https" else served.server.port
        lines = [f"Host: 127.0.0.1:{served.port}", f"Origin: {origin}://127.0.0.1:{port}", "Connection: close", "", ""]
        assert status(served.ask("127.0.0.1", "\r\n".join(["GET /state HTTP/1.1", *lines]).encode())) == expected


def test_a_name_that_may_lead_elsewhere_is_refused_by_https_too(served: Served) -> None:
    head = b"GET /state HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert status(served.ask("127.0.0.1", head)) == 421


def test_a_long_answer_arrives_whole_to_a_slow_reader(served: Served) -> None:
    served.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    wanted = served.web.app.test_client().get("/rules", headers={"Host": HOST}).data
    line = served.connect_raw("127.0.0.1")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    with closing(client_context().wrap_socket(line)) as slow:
        slow.sendall(request("/rules", "", "Connection: close"))
        heard = b""
        while part := slow.recv(1000):
            heard += part
    assert len(wanted) > 2 * RECORD_BYTES
    assert heard.partition(b"\r\n\r\n")[2] == wanted


def test_a_request_of_many_small_records_and_one_in_a_large_record_are_both_read(served: Served) -> None:
    line = served.connect("127.0.0.1")
    whole = request("/me", served.tokens["red"], "X-Long: " + "x" * 12_000)
    for at in range(0, len(whole), 500):
        line.sendall(whole[at : at + 500])
    assert status(rest_of_answer(line)) == 200
    line.sendall(whole)
    assert status(rest_of_answer(line)) == 200


# --- Streams ----------------------------------------------------------------------------------------------------------


def test_what_happens_is_sent_at_once(served: Served) -> None:
    stream = served.listen("127.0.0.1", "red")
    number = served.web.display.latest.number
    heard = b""
    while b"id: %d\n" % number not in heard:
        heard += stream.recv(65536)
    shown = served.web.browser("red").say("red", "pace slow")
    assert shown.json == {"ok": True}
    while b"id: %d\n" % (number + 1) not in heard:
        heard += stream.recv(65536)


def test_64_streams_leave_room_for_requests(served: Served) -> None:
    slots = served.web.context.streams
    with ExitStack() as stack:
        for number in range(STREAMS // 2):
            stack.enter_context(closing(served.listen(f"127.0.2.{number + 1}")))
        taken = [slots.take(f"phone {number}", known=True) for number in range(STREAMS - STREAMS // 2)]
        assert None not in taken
        assert served.get("127.0.0.2") == 200


@pytest.mark.parametrize("abruptly", [False, True])
def test_a_stream_whose_phone_hangs_up_frees_its_thread(served: Served, abruptly: bool) -> None:
    slots = served.web.context.streams
    stream = served.listen("127.0.0.1")
    if abruptly:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()
    with slots._changed:
        assert slots._changed.wait_for(lambda: len(slots) == 0, ANSWER_S)
    served.until(lambda: served.open_connections == [])


def test_a_phone_that_vanishes_is_noticed_as_soon_as_by_http(served: Served) -> None:
    served.listen("127.0.0.1")
    (connection,) = served.open_connections
    assert connection.socket is not None
    assert connection.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == VANISHED_MS


# --- Limits -----------------------------------------------------------------------------------------------------------


def test_300_half_open_handshakes_lock_nobody_out(served: Served) -> None:
    hello = half_a_hello()
    for number in range(300):
        served.connect_raw(f"127.0.1.{number % 10 + 1}", hello if number % 2 else b"")
    assert served.get("127.0.0.2") == 200
    assert served.get("127.0.0.3", "/state?seat=red", "red") == 200
    served.listen("127.0.0.4", "blue")


def test_half_open_handshakes_of_one_address_keep_even_its_own_family_in(served: Served) -> None:
    player = served.connect("127.0.1.1", request("/me", served.tokens["red"]))
    assert status(rest_of_answer(player)) == 200
    for _ in range(FROM_ONE_ADDRESS + 20):
        served.connect_raw("127.0.1.1", half_a_hello())
    served.until(lambda: len(served.open_connections) <= FROM_ONE_ADDRESS)
    assert served.get("127.0.1.1", "/state?seat=blue", "blue") == 200
    player.sendall(request("/me", served.tokens["red"]))
    assert status(rest_of_answer(player)) == 200, "a player's connection is never closed to make room"


def test_connections_of_both_ports_count_together(served: Served) -> None:
    for port in (served.port, served.server.port) * FROM_ONE_ADDRESS:
        line = socket.create_connection(("127.0.0.1", port), ANSWER_S, source_address=("127.0.1.1", 0))
        served._lines.enter_context(closing(line))
    served.until(lambda: 0 < len(served.open_connections) <= FROM_ONE_ADDRESS)


def test_an_address_that_shakes_hands_too_often_waits_and_no_other_does(served: Served) -> None:
    for _ in range(HANDSHAKES_AT_ONCE):
        served.connect("127.0.1.1").close()
    with pytest.raises((ssl.SSLError, ConnectionError)):
        served.connect("127.0.1.1")
    assert served.get("127.0.0.2") == 200
    served.wait_s(max(HANDSHAKES_EVERY_S, 1.0))
    served.connect("127.0.1.1")


@pytest.mark.parametrize("begun", [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01", b"GET "])
def test_a_handshake_has_an_absolute_deadline_however_slowly_it_comes(served: Served, begun: bytes) -> None:
    line = served.connect_raw("127.0.1.1", begun)
    served.until(lambda: len(served.open_connections) == 1)
    for _ in range(3):
        served.wait_s(RECEIVE_S / 4)
        assert served.open_connections
        if len(begun) > 1:
            line.sendall(b"\x00")
    served.wait_s(RECEIVE_S / 2)
    assert served.open_connections == []


def test_a_handshake_and_the_first_request_share_one_deadline(served: Served) -> None:
    line = served.connect("127.0.1.1")
    served.until(lambda: len(served.open_connections) == 1)
    served.wait_s(RECEIVE_S * 0.8)
    line.sendall(b"GET /me")
    served.wait_s(RECEIVE_S * 0.4)
    assert served.open_connections == []


def test_a_client_that_does_not_take_its_answers_is_given_up(served: Served) -> None:
    served.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    line = served.connect_raw("127.0.1.1")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    with closing(client_context().wrap_socket(line)) as greedy:
        greedy.sendall(request("/rules") * 4)
        served.until(lambda: any(each.total_outbufs_len > 50_000 for each in served.open_connections))
        served.wait_s(2)
        served.wait_s(TAKE_S + 1)
        assert served.open_connections == []


def test_an_idle_connection_is_closed_with_a_goodbye(served: Served) -> None:
    raw, heard = served.connect_raw("127.0.1.1"), b""
    line = client_context().wrap_socket(raw, suppress_ragged_eofs=False)
    line.sendall(request("/me"))
    while not heard.endswith(b"false}\n"):
        heard += line.recv(65536)
    served.until(lambda: served.open_connections[0].idle)
    served.wait_s(IDLE_S + 2)
    assert rest(line) == b"", "an end without a goodbye would raise an error"
    line.close()


@pytest.mark.parametrize(
    "data", [b"\x16" * 5000, b"\x16\x03\x01\x00\x05hello", b"\x00\x01\x02", b"\r\n", b"SSH-2.0-x\r\n"]
)
def test_nonsense_harms_nobody(served: Served, data: bytes) -> None:
    with closing(served.connect_raw("127.0.1.1", data)) as line:
        line.settimeout(0.3)
        try:
            heard = line.recv(65536)
        except OSError:
            heard = b""
        assert b"Traceback" not in heard
    assert served.get("127.0.0.2") == 200


def test_reading_and_writing_at_the_same_time_mixes_nothing_up(served: Served) -> None:
    """One thread of the server reads what a phone sends while others write to the same connection."""
    asked, wanted = 150, 100

    def send_all(line: socket.socket, seat: str) -> None:
        for _ in range(asked):
            line.sendall(request("/me", served.tokens[seat]))

    def ask_much(seat: str) -> None:
        line, heard = served.connect("127.0.3.1"), b""
        sending = threading.Thread(target=send_all, args=(line, seat))
        sending.start()
        while heard.count(b'"table":false}') < wanted:
            heard += line.recv(65536)
        sending.join(ANSWER_S)
        answers.append(heard.count(b'"seats":["%s"]' % seat.encode()))

    answers: list[int] = []
    threads = [threading.Thread(target=ask_much, args=(seat,)) for seat in ("red", "blue", "green")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(ANSWER_S)
    assert len(answers) == 3
    assert min(answers) >= wanted


# --- Plain HTTP -------------------------------------------------------------------------------------------------------


def test_plain_http_at_the_port_for_https_is_sent_on(served: Served) -> None:
    line = served.connect_raw("127.0.0.1")
    line.sendall(
        f"GET /join?seat=red HTTP/1.1\r\nHost: table.local:{served.port}\r\nConnection: close\r\n\r\n".encode()
    )
    answer = rest(line)
    assert status(answer) == 302
    assert f"Location: https://table.local:{served.port}/join?seat=red\r\n".encode() in answer


def test_plain_http_at_the_port_for_https_is_sent_to_no_name_but_ours(served: Served) -> None:
    line = served.connect_raw("127.0.0.1")
    line.sendall(f"GET / HTTP/1.1\r\nHost: evil.example:{served.port}\r\nConnection: close\r\n\r\n".encode())
    assert status(rest(line)) == 421


# --- Pages ------------------------------------------------------------------------------------------------------------


def test_a_page_offers_https_only_where_it_is_of_use(web: WebRig) -> None:
    def offered(path: str, base: str = f"http://{HOST}", **headers: str) -> bool:
        return '"https_port": 8443' in browser.get(path, base_url=base, headers=headers).text

    browser = web.browser("red")
    assert not offered("/join")
    web.context.ports = Ports(8000, 8443)
    assert offered("/join")
    assert offered("/phone")
    assert not offered("/table")
    assert not offered("/join", "https://el-grande.local:8443", Host="el-grande.local:8443")
    assert not offered("/join", **{"X-Forwarded-For": "192.0.2.9"})


@pytest.mark.parametrize("host", ["el-grande.local:8443", "192.0.2.1:8443", "[2001:db8::7]:8443"])
def test_the_table_screen_shows_phones_the_way_by_http(web: WebRig, host: str) -> None:
    web.context.ports = Ports(8000, 8443)
    screen = web.browser(host=host)
    screen.ask("POST", "/table/open", base_url=f"https://{host}", json={"code": web.context.codes.table_code})
    shown = screen.get("/table", base_url=f"https://{host}").text
    assert f'"address": "http://{host.replace("8443", "8000")}"' in shown
