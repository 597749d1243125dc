"""One bad client harms nobody: what one address or one phone can take up, and that players always get through.

Clients use many addresses of 127.0.0.0/8, each as if it were another machine.
"""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from werkzeug.test import TestResponse

import web_remote.display
from tests.support.random_games import finished
from tests.support.raw_clients import ANSWER_S, Served, request, rest, rest_of_answer, serving, status
from tests.support.table_rig import journalled, placing
from tests.support.web_rig import Browser, with_pages
from web_remote.connections import (
    ADDRESS_AT_ONCE,
    ADDRESS_EVERY_S,
    CONNECTIONS,
    FROM_ONE_ADDRESS,
    IDLE_S,
    NEW_AT_ONCE,
    PHONE_AT_ONCE,
    RECEIVE_S,
    TAKE_S,
    FairTasks,
)
from web_remote.limits import Deed
from web_remote.page_history import whole_history
from web_remote.stream_slots import OF_ONE_SENDER

pytestmark = pytest.mark.slow

HALF = b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
"""The beginning of a request that never ends."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with with_pages(tmp_path, placing()) as web, serving(web) as served:
        yield served


# --- Connections ------------------------------------------------------------------------------------------------------


def test_300_half_open_requests_lock_nobody_out(served: Served) -> None:
    for number in range(300):
        served.connect(f"127.0.1.{number % 10 + 1}", HALF)
    assert served.get("127.0.0.2") == 200
    assert served.get("127.0.0.3", "/state?seat=red", "red") == 200
    served.listen("127.0.0.4", "blue")


def test_half_open_requests_from_one_address_keep_even_its_own_family_in(served: Served) -> None:
    served.get("127.0.1.1", "/state?seat=red", "red")
    for _ in range(FROM_ONE_ADDRESS * 3):
        served.connect("127.0.1.1", HALF)
    served.until(lambda: len(served.open_connections) <= FROM_ONE_ADDRESS)
    assert served.get("127.0.1.1", "/state?seat=red", "red") == 200
    assert served.get("127.0.1.1") == 200


def test_when_all_connections_are_taken_the_address_with_the_most_loses_its_oldest(served: Served) -> None:
    player = served.connect("127.0.9.1", request("/state?seat=red", served.tokens["red"]))
    assert status(player.recv(65536)) == 200
    for number in range(CONNECTIONS + 20):
        served.connect(f"127.0.1.{number // 40 + 1}", HALF)
    assert served.get("127.0.0.2") == 200
    served.until(lambda: len(served.open_connections) <= CONNECTIONS)
    # The connection of a player is kept, though it is the oldest and idle.
    player.sendall(request("/state?seat=red", served.tokens["red"]))
    assert status(rest_of_answer(player)) == 200


def test_an_address_that_connects_too_often_is_told_so_and_no_other_is(served: Served) -> None:
    heard = []
    for _ in range(NEW_AT_ONCE + 5):
        line = served.connect("127.0.1.1")
        heard.append(line)
    told = heard[-1].recv(65536)
    assert status(told) == 503
    assert b"Retry-After: 5" in told
    assert served.get("127.0.0.2") == 200


@pytest.mark.parametrize(
    "slow",
    [
        HALF,
        b"",
        b"POST /say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{",
    ],
)
def test_a_request_has_an_absolute_deadline_however_slowly_it_comes(served: Served, slow: bytes) -> None:
    line = served.connect("127.0.1.1", slow)
    served.until(lambda: len(served.open_connections) == 1)
    for _ in range(3):
        served.wait_s(RECEIVE_S / 4)
        assert served.open_connections
        if slow:
            line.sendall(b"x")  # every byte would restart the timeout of waitress
    served.wait_s(RECEIVE_S / 2)
    assert served.open_connections == []
    # A request that comes as a whole is answered, and its connection may stay for a while.
    kept = served.connect("127.0.1.1", request("/me"))
    assert status(kept.recv(65536)) == 200
    served.wait_s(RECEIVE_S * 1.5)
    kept.sendall(request("/me"))
    assert status(rest_of_answer(kept)) == 200
    served.until(lambda: served.open_connections[0].idle)
    served.wait_s(IDLE_S + 2)
    rest(kept)


def test_a_client_that_does_not_take_its_answers_is_given_up(served: Served) -> None:
    # Nothing of what is sent fits into the buffers of the system.
    served.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.bind(("127.0.1.1", 0))
    line.settimeout(ANSWER_S)
    line.connect(("127.0.0.1", served.server.port))
    with closing(line):
        line.sendall(request("/state") * 20)
        served.until(lambda: any(each.total_outbufs_len > 50_000 for each in served.open_connections))
        served.wait_s(2)
        served.wait_s(TAKE_S + 1)
        assert served.open_connections == []


# --- Requests ---------------------------------------------------------------------------------------------------------


def test_only_the_sender_that_floods_is_slowed(served: Served) -> None:
    # The clock stands still: what is read later is never read here.
    flood = [served.connect("127.0.1.1") for _ in range(4)]
    sent = ADDRESS_AT_ONCE * 2
    for number in range(sent):
        flood[number % 4].sendall(request("/me"))
    served.until(lambda: served.answered(flood) >= ADDRESS_AT_ONCE)
    assert served.get("127.0.0.2") == 200
    assert served.get("127.0.1.1", "/state?seat=red", "red") == 200, "a player at the same address"
    assert served.answered(flood) < sent
    served.wait_s(sent * ADDRESS_EVERY_S)
    served.until(lambda: served.answered(flood) == sent)


def test_a_phone_that_floods_slows_down_no_other_phone(served: Served) -> None:
    flood = served.connect("127.0.1.1")
    sent = PHONE_AT_ONCE * 2
    for _ in range(sent):
        flood.sendall(request("/me", served.tokens["red"]))
    served.until(lambda: served.answered([flood]) >= PHONE_AT_ONCE)
    for seat in ("blue", "green"):
        assert served.get("127.0.1.1", f"/state?seat={seat}", seat) == 200
    assert served.answered([flood]) < sent


def test_players_are_served_before_others_and_each_sender_in_turn() -> None:
    tasks, order = FairTasks(), []
    for sender, known in (("a", False), ("a", False), ("a", False), ("b", False), ("red", True), ("red", True)):
        tasks.append(SimpleNamespace(sender=sender, known=known))  # type: ignore[arg-type]
    while tasks:
        order.append(tasks.popleft().sender)
    assert order == ["red", "red", "a", "b", "a", "a"]


# --- What pages do ----------------------------------------------------------------------------------------------------


def test_joins_lines_streams_and_games_are_limited_for_each_sender_and_told_when_to_try_again(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        web.pause_s = 0.0
        stranger, other, red, blue = (
            web.browser(),
            web.browser(address="192.0.2.9"),
            web.browser("red"),
            web.browser("blue"),
        )
        machine = web.at_the_machine()
        deeds: tuple[tuple[Browser, Deed, Callable[[Browser], TestResponse]], ...] = (
            (stranger, Deed.JOIN, lambda each: each.post("/join", seat="green", code="")),
            (red, Deed.LINE, lambda each: each.post("/say", seat="red", line="pace slow", version=0, number=0)),
            (stranger, Deed.STREAM, lambda each: each.ask("HEAD", "/events")),
            (red, Deed.STREAM, lambda each: each.ask("HEAD", "/events")),
        )
        for browser, deed, ask in deeds:
            at_once, every_s = deed.value
            statuses = [ask(browser).status_code for _ in range(at_once)]
            assert 429 not in statuses
            refused = ask(browser)
            assert refused.status_code == 429
            assert int(refused.headers["Retry-After"]) == max(1, every_s)
            web.clock_s += every_s
            assert ask(browser).status_code == statuses[-1]
        assert other.post("/join", seat="green", code=web.context.codes.join_code).status_code == 200
        shown = web.display.latest
        answer = blue.post("/say", seat="blue", line="pace fast", version=shown.moment.version, number=shown.number)
        assert answer.json == {"ok": True}
        begun = [machine.post("/table/player", seat="green", player="easy").status_code for _ in range(20)]
        assert begun.count(200) == Deed.JOIN.value[0]
        assert begun[-1] == 429


def test_thousands_of_joins_write_a_few_entries_and_keep_nobody_waiting(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        web.pause_s = 0.0
        red, blue, code = web.browser("red"), web.browser("blue"), web.context.codes.join_code
        before, shown = len(journalled(tmp_path)), len(web.rig.display.moments)
        statuses: Counter[int] = Counter()
        for number in range(1000):
            web.clock_s += 0.01  # ten seconds in all
            statuses[red.post("/join", seat="red", name=f"Name {number}", code=code).status_code] += 1
        at_once, every_s = Deed.JOIN.value
        assert at_once <= statuses[200] <= at_once + 10 / every_s
        assert statuses[200] + statuses[429] == 1000
        assert len(journalled(tmp_path)) - before == statuses[200]
        assert len(web.rig.display.moments) - shown <= statuses[200] + 1
        assert blue.say("blue", "pace fast").json == {"ok": True}


def test_a_name_that_passes_for_anothers_is_refused_in_words(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        code = web.context.codes.join_code
        assert web.browser().post("/join", seat="red", name="Ann", code=code).status_code == 200
        for path in ("/join", "/knock"):
            refused = web.browser().post(path, seat="blue", name="Аnn", code=code)  # noqa: RUF001
            assert refused.status_code == 409
            assert refused.json == {"error": "name", "why": "That name looks like Ann's. Choose another one."}
        assert web.browser().post("/join", seat="blue", name="Anna", code=code).status_code == 200


def test_games_are_not_begun_all_the_time(tmp_path: Path) -> None:
    with with_pages(tmp_path, finished(5)) as web:
        red = web.browser("red")
        at_once, _ = Deed.GAME.value
        assert [red.post("/table/new").status_code for _ in range(at_once + 1)] == [200] * at_once + [429]
        assert web.again == at_once


def test_the_whole_history_is_made_once_for_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*given: Any) -> Any:
        made.append(given)
        return whole_history(*given)

    monkeypatch.setattr(web_remote.display, "whole_history", counted)
    with with_pages(tmp_path, finished(5)) as web:
        first = web.browser().get("/history").json
        for number in range(10):
            assert web.browser(address=f"192.0.2.{number}").get("/history").json == first
    assert len(made) == 1


# --- Streams ----------------------------------------------------------------------------------------------------------


def test_one_seat_that_opens_64_streams_keeps_six_and_takes_nobodys_place(served: Served) -> None:
    others = [served.listen("127.0.0.2", "blue"), served.listen("127.0.0.3")]
    flood = [served.listen("127.0.1.1", "red") for _ in range(24)]
    for line in flood[:-OF_ONE_SENDER]:
        assert b"event: replaced" in rest(line)
    assert len(served.web.context.streams) == OF_ONE_SENDER + 2
    served.web.rig.say("red", "place castillo")
    wanted = f"id: {served.web.display.latest.number}\n".encode()
    for line in (*others, *flood[-OF_ONE_SENDER:]):
        heard = b""
        while wanted not in heard:
            heard += line.recv(65536)
    served.listen("127.0.0.4", "green")
