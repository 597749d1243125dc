"""The talk between pages and table: who sits down, who says something, who is told, and what comes too late."""

from __future__ import annotations

import gzip
import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import web_remote.context
import web_remote.streams
from companion.table.journal_writer import RETRY_S
from companion.table.options import Options
from companion.table.phone_input import WISHES, SeatLine
from companion.table.seat_requests import Knock, TakeSeat
from hardware.ports import Pattern
from tests.support.arrange import at
from tests.support.table_rig import journalled, placing
from tests.support.web_rig import Stream, WebRig, with_pages
from web_remote.access import FREE_TRIES, KNOCKS, known_by, shown_code
from web_remote.context import REMEMBERED
from web_remote.stream_slots import OF_ONE_SENDER, STREAMS, WATCHERS


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRig]:
    with with_pages(tmp_path, placing()) as web:
        yield web


def told(chunk: str) -> dict[str, Any]:
    """The state in a bit of a stream."""
    (line,) = [line for line in chunk.splitlines() if line.startswith("data: ")]
    state = json.loads(line.removeprefix("data: "))
    assert isinstance(state, dict)
    return state


# --- Sitting down -----------------------------------------------------------------------------------------------------


def test_the_code_on_the_table_screen_seats_a_phone(web: WebRig) -> None:
    phone = web.browser()
    assert phone.post("/join", seat="blue", name="Ann", code=web.context.codes.join_code).json == {
        "ok": True,
        "seat": "blue",
    }
    assert web.holders == {"blue": known_by(phone.token)}
    assert phone.state("blue")["you"]["seat"] == "blue"
    assert phone.get("/me").json == {"seats": ["blue"], "table": False}
    assert {seat["name"] for seat in phone.state()["seats"]} == {"Red", "Ann", "Green"}


def test_one_phone_can_hold_several_seats(web: WebRig) -> None:
    phone = web.browser()
    for seat in ("blue", "green"):
        # However it is spaced.
        code = f" {web.context.codes.join_code[:3]} {web.context.codes.join_code[3:]}"
        assert phone.post("/join", seat=seat, code=code).status_code == 200
    assert phone.get("/me").json == {"seats": ["blue", "green"], "table": False}


def test_without_the_code_nobody_sits_down_but_at_the_machine_itself(web: WebRig) -> None:
    phone = web.browser()
    for code in ("", "12", "١٢٣٤٥٦"):
        assert phone.post("/join", seat="blue", code=code).status_code == 403
    assert phone.post("/join", seat="blue").status_code == 403
    assert web.holders == {}
    assert web.at_the_machine().post("/join", seat="blue").status_code == 200
    assert list(web.holders) == ["blue"]


def test_guessing_ends_soon(web: WebRig) -> None:
    phone = web.browser()
    statuses = [phone.post("/join", seat="blue", code="no").status_code for _ in range(FREE_TRIES + 1)]
    assert statuses == [403] * FREE_TRIES + [429]
    assert phone.post("/table/open", code=web.context.codes.table_code).status_code == 429
    assert phone.post("/join", seat="blue", code=web.context.codes.join_code).status_code == 429
    assert (
        web.browser(address="192.0.2.8").post("/join", seat="blue", code=web.context.codes.join_code).status_code == 200
    )


def test_knocking_lights_a_button_and_who_presses_it_lets_the_phone_in(web: WebRig) -> None:
    phone = web.browser()
    assert phone.post("/knock", seat="blue", name="Bo").status_code == 200
    assert phone.get("/me").json == {"seats": [], "table": False}
    assert phone.state()["knocking"] == "blue"
    (place,) = web.rig.lit(Pattern.CHASE)
    web.rig.press(place)
    assert phone.get("/me").json == {"seats": ["blue"], "table": False}


def test_a_phone_that_knocks_again_comes_in_by_either_button(web: WebRig) -> None:
    phone = web.browser()
    phone.post("/knock", seat="blue")
    first = phone.token
    phone.post("/knock", seat="blue")
    assert phone.token == first


def test_knocking_ends_soon(web: WebRig) -> None:
    phone, (at_once, _) = web.browser(), KNOCKS
    assert [phone.post("/knock", seat="blue").status_code for _ in range(at_once + 1)] == [200] * at_once + [429]
    assert sum(isinstance(gesture, Knock) for gesture in web.posted) == at_once


def test_a_seat_that_is_held_is_taken_over_only_when_somebody_at_the_board_lets_it(web: WebRig) -> None:
    owner, other = web.browser("blue"), web.browser()
    code = web.context.codes.join_code
    assert other.post("/join", seat="blue", code=code).status_code == 409
    assert other.post("/knock", seat="blue").status_code == 409
    assert web.at_the_machine().post("/join", seat="blue").status_code == 409
    assert web.holders == {"blue": known_by(owner.token)}
    web.rig.hold("galicia")  # the King stands there: it means nothing else
    assert other.state()["seats_open"]
    # A code, or a button that somebody presses, it takes still.
    assert other.post("/join", seat="blue", code="no").status_code == 403
    assert other.post("/join", seat="blue").status_code == 403
    assert other.post("/knock", seat="blue").status_code == 200
    assert web.holders == {"blue": known_by(owner.token)}
    assert other.post("/join", seat="blue", code=code).status_code == 200
    assert web.holders == {"blue": known_by(other.token)}
    assert owner.get("/state?seat=blue").status_code == 403


def test_a_bots_seat_and_one_that_is_not_there_cannot_be_had(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing(), Options(players={"blue": "easy"})) as web:
        phone = web.browser()
        for seat in ("blue", "brown", "table", "nobody"):
            for path in ("/join", "/knock"):
                assert phone.post(path, seat=seat, code=web.context.codes.join_code).status_code == 404
    assert web.holders == {}


def test_the_phone_of_a_seat_that_is_given_to_a_bot_sees_nothing_of_it_and_the_seat_can_be_had_again(
    web: WebRig,
) -> None:
    phone, other, table = web.browser("blue"), web.browser(), web.at_the_machine()
    assert table.post("/table/player", seat="blue", player="easy").status_code == 200
    assert phone.get("/me").json == {"seats": [], "table": False}
    for path in ("/state?seat=blue", "/events?seat=blue"):
        assert phone.get(path).status_code == 403
    assert phone.say("blue", "place castillo").status_code == 403
    assert phone.get("/phone").headers["Location"] == "/join"
    assert table.post("/table/player", seat="blue", player="person").status_code == 200
    assert other.post("/join", seat="blue", code=web.context.codes.join_code).status_code == 200
    assert phone.get("/state?seat=blue").status_code == 403


def test_a_phone_is_told_which_seats_it_has_so_that_it_is_handed_on_for_no_other(web: WebRig) -> None:
    phone = web.browser("red", "blue")
    web.browser("green")
    assert phone.state("red")["you"]["seats"] == ["red", "blue"]
    web.at_the_machine().post("/table/player", seat="blue", player="easy")
    assert phone.state("red")["you"]["seats"] == ["red"]
    assert "seats" not in phone.state().get("you", {})


def test_a_token_that_holds_nothing_is_not_taken_over_from_a_browser(web: WebRig) -> None:
    phone = web.browser()
    phone.token = "somebody-else-knows-this-one-too"
    phone.post("/join", seat="blue", code=web.context.codes.join_code)
    assert phone.token != "somebody-else-knows-this-one-too"
    assert web.holders == {"blue": known_by(phone.token)}
    before = phone.token
    phone.post("/join", seat="green", code=web.context.codes.join_code)
    assert phone.token == before
    phone.post("/table/open", code=web.context.codes.table_code)
    assert phone.token == before


def test_of_two_who_join_at_the_same_time_one_has_the_seat_and_the_other_is_told(
    web: WebRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_remote.context, "ANSWER_S", 0.3)
    code, statuses = web.context.codes.join_code, []
    web.slow = True

    def join(address: str) -> None:
        statuses.append(web.browser(address=address).post("/join", seat="blue", code=code).status_code)

    threads = [threading.Thread(target=join, args=(f"192.0.2.{number}",)) for number in range(3)]
    for thread in threads:
        thread.start()
    until_s = time.monotonic() + 5
    while any(thread.is_alive() for thread in threads) and time.monotonic() < until_s:
        web.rig.table.poll()
        time.sleep(0.01)
    assert sorted(statuses) == [200, 409, 409]


def test_a_phone_that_the_table_does_not_seat_in_time_is_told_so_and_does_not_wait_for_ever(
    web: WebRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_remote.context, "ANSWER_S", 0.2)
    web.slow = True
    done, numbers = threading.Event(), count(1000)

    def go_on() -> None:
        while not done.is_set():
            web.display.show(replace(web.rig.moment, version=next(numbers)))
            time.sleep(0.02)

    busy = threading.Thread(target=go_on)
    busy.start()
    try:
        began_s = time.monotonic()
        phone = web.browser()
        assert phone.post("/join", seat="blue", code=web.context.codes.join_code).status_code == 202
        assert time.monotonic() - began_s < 2
    finally:
        done.set()
        busy.join()
    # When the table comes to it, it is that phone's.
    web.rig.table.poll()
    assert phone.get("/me").json == {"seats": ["blue"], "table": False}


def test_alone_at_a_laptop_there_is_nothing_to_ask(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing(), Options(players={"blue": "easy", "green": "easy"})) as web:
        web.context.simulated = object()  # type: ignore[assignment]
        assert web.browser().get("/").headers["Location"] == "/join"
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        assert web.at_the_machine().get("/", headers=link).headers["Location"] == "/join"
        assert web.holders == {}
        browser = web.at_the_machine()
        assert browser.get("/").headers["Location"] == "/board"
        assert web.holders == {"red": known_by(browser.token)}
        assert browser.get("/").headers["Location"] == "/board"


def test_who_leaves_frees_the_seat_and_the_table_may_free_any(web: WebRig) -> None:
    phone, other = web.browser("blue"), web.browser("green")
    assert other.post("/leave", seat="blue").status_code == 403
    assert phone.post("/leave", seat="blue").status_code == 200
    assert list(web.holders) == ["green"]
    assert web.at_the_machine().post("/leave", seat="green").status_code == 200
    assert web.holders == {}
    assert web.at_the_machine().post("/leave", seat="nobody").status_code == 404


# --- The phone's page -------------------------------------------------------------------------------------------------


def carried_by(page: str) -> dict[str, Any]:
    """What a page is given with it."""
    (text,) = re.findall(r'<script type="application/json" id="page">(.*?)</script>', page, re.DOTALL)
    data = json.loads(text)
    assert isinstance(data, dict)
    return data


def test_the_phones_page_brings_what_is_the_case_with_it_so_that_nobody_waits_for_the_stream(web: WebRig) -> None:
    phone = web.browser("red")
    assert carried_by(phone.get("/phone?language=nl").text)["state"] == phone.state("red", "nl")


def test_a_page_of_several_players_brings_nothing_of_any_one_of_them(web: WebRig) -> None:
    phone = web.browser("red", "blue")
    assert "state" not in carried_by(phone.get("/phone").text)
    for path in ("/join", "/table"):
        assert "state" not in carried_by(web.browser("green").get(path).text)


def test_pages_are_packed_for_browsers_that_can_unpack_them(web: WebRig) -> None:
    phone = web.browser("red")
    packed = phone.get("/phone", headers={"Accept-Encoding": "gzip, deflate"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.data).decode() == phone.get("/phone").text
    assert "Content-Encoding" not in phone.get("/phone").headers


# --- Saying something -------------------------------------------------------------------------------------------------


def test_what_a_phone_says_is_played_when_it_is_answered(web: WebRig) -> None:
    phone = web.browser("red")
    assert phone.say("red", "place castillo").json == {"ok": True}
    assert at(web.rig.game, "castillo", "red") == 1


def test_a_phone_speaks_for_its_own_seat_alone(web: WebRig, tmp_path: Path) -> None:
    before = web.rig.session.version
    phone = web.browser("blue")
    before = web.rig.session.version
    assert phone.say("red", "place castillo").status_code == 403
    for line in ("red place castillo", "place castillo", "table reveal 1 x", "end", "board is right"):
        assert phone.say("blue", line).status_code == 200
    assert web.rig.session.version == before
    # Who plays a seat is the table's business, however it is written.
    for line in ("player red easy", " player red easy", "player  red  easy", "player"):
        assert '"ok":false' in phone.say("blue", line).text
    for line in ("player\tred easy", "player\u00a0red easy", "player\u2003red easy", "pl\u200dayer red easy"):
        assert phone.say("blue", line).status_code == 400
    assert web.rig.session.options.players == {}
    assert web.rig.session.version == before


def test_a_double_tap_plays_once(web: WebRig) -> None:
    phone = web.browser("red")
    state = phone.state()
    said = {"seat": "red", "line": "place castillo", "version": state["version"], "number": state["number"]}
    assert [phone.post("/say", **said).status_code for _ in range(3)] == [200, 200, 200]
    assert at(web.rig.game, "castillo", "red") == 1
    # Also where the game has not gone on in between: an end is asked for twice, by two taps on what was shown.
    web.rig.say("red", "place castillo", "place castillo")
    state = phone.state()
    said |= {"line": "confirm", "version": state["version"], "number": state["number"]}
    for _ in range(3):
        phone.post("/say", **said)
    assert sum(isinstance(gesture, SeatLine) and gesture.line == "confirm" for gesture in web.posted) == 1


def test_what_was_said_is_remembered_without_the_token_and_not_for_ever(web: WebRig) -> None:
    phone = web.browser("red")
    for number in range(REMEMBERED + 20):
        web.context.first_time(phone.token, number, "red end")
    assert len(web.context._said) == REMEMBERED
    assert phone.token not in str(web.context._said)


def test_who_comes_too_late_gets_the_fresh_state(web: WebRig) -> None:
    phone = web.browser("red")
    old = phone.state()
    phone.say("red", "place castillo")
    answer = phone.say("red", "place castillo", version=old["version"], number=old["number"] + 1)
    assert answer.status_code == 409
    assert answer.json == phone.state("red")
    assert answer.json["you"]["prompt"]["notice"] == "The game has moved on."
    assert at(web.rig.game, "castillo", "red") == 1
    # A version that has not been yet is no better.
    assert phone.say("red", "place castillo", version=old["version"] + 999).status_code == 409


def test_a_slow_table_is_not_waited_for(web: WebRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_remote.context, "ANSWER_S", 0.05)
    phone = web.browser("red")
    web.slow = True
    state = phone.state()
    said = {"seat": "red", "line": "place castillo", "version": state["version"], "number": state["number"]}
    assert phone.post("/say", **said).status_code == 202
    assert phone.post("/say", **said).status_code == 202  # a second tap, meanwhile
    assert at(web.rig.game, "castillo", "red") == 0
    web.rig.table.poll()
    assert at(web.rig.game, "castillo", "red") == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"line": ""}, {"line": "   "}, {"line": 7}, {"line": None}, {"line": "x" * 101}, {"line": "a\nb"},
        {"line": "é"}, {"line": "\ud800"}, {"seat": ["red"]}, {"version": "7"}, {"version": -1}, {"version": True},
        {"version": 1.5}, {"version": 2**60}, {"number": None}, {"number": {}},
    ],
    ids=str,
)  # fmt: skip
def test_what_no_page_of_ours_says_is_refused(web: WebRig, changed: dict[str, object]) -> None:
    phone = web.browser("red")
    heard = len(web.posted)
    state = phone.state()
    said = {"seat": "red", "line": "place castillo", "version": state["version"], "number": state["number"]}
    assert phone.post("/say", **said | changed).status_code == 400
    assert len(web.posted) == heard


@pytest.mark.parametrize(
    "body", ["", "7", "[]", '"x"', "null", "{", "[" * 4000, '{"seat":' * 500, "9" * 4000, "\ud800"]
)
def test_what_is_no_json_of_ours_is_refused(web: WebRig, body: str) -> None:
    phone = web.browser("red")
    data = body.encode("utf-8", "surrogatepass")
    for path in ("/say", "/join", "/knock", "/leave", "/table/open", "/table/player", "/table/say"):
        assert phone.ask("POST", path, data=data, content_type="application/json").status_code == 400


@pytest.mark.parametrize("name", ["\ud800", "a\u202eb", "a\u2028b", "\x07", "\u2066x", 7, ["x"], "x" * 21])
def test_a_name_that_would_break_a_page_is_refused(web: WebRig, name: object) -> None:
    for path in ("/join", "/knock"):
        assert web.browser().post(path, seat="blue", name=name, code=web.context.codes.join_code).status_code == 400
    assert web.holders == {}


@pytest.mark.parametrize("name", ["Ann", "Zoë", "山田", "👩‍🚀", "<script>", "{seat}", "%s", '"', "'; --", "</script>"])
def test_any_other_name_is_shown_as_it_is(web: WebRig, name: str) -> None:
    phone = web.browser()
    assert phone.post("/join", seat="blue", name=name, code=web.context.codes.join_code).status_code == 200
    assert name in [seat["name"] for seat in phone.state()["seats"]]
    for path in ("/join", "/phone", "/table"):
        page = phone.get(path)
        assert page.status_code == 200
        assert page.text.count("<script") == page.text.count("</script>")


# --- Being told -------------------------------------------------------------------------------------------------------


def test_a_stream_tells_the_whole_state_first_and_then_every_new_one(web: WebRig) -> None:
    phone = web.browser("red")
    with phone.listen("/events?seat=red") as stream:
        assert stream.response.mimetype == "text/event-stream"
        assert stream.next() == "retry: 1000\n\n"
        assert told(stream.next()) == phone.state("red")
        phone.say("red", "place castillo")
        assert told(stream.next()) == phone.state("red")


def test_a_stream_that_has_nothing_to_tell_says_that_it_is_still_there(
    web: WebRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_remote.streams, "LOOK_S", 0.01)
    with web.browser().listen() as stream:
        for _ in range(2):
            stream.next()
        assert stream.next() == "event: here\ndata: {}\n\n"


def test_a_stream_ends_when_its_phone_is_gone(web: WebRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_remote.streams, "LOOK_S", 0.01)
    gone = [False]
    response = web.browser().get(
        "/events", buffered=False, environ_base={"waitress.client_disconnected": lambda: gone[0]}
    )
    with Stream(response) as stream:
        for _ in range(2):
            stream.next()
        gone[0] = True
        assert stream.next() == ""


@pytest.mark.parametrize("how", ["leave", "free", "take over", "bot"])
def test_a_seat_that_is_freed_or_taken_over_ends_its_stream(web: WebRig, how: str) -> None:
    phone = web.browser("blue")
    web.rig.hold("galicia")  # the King stands there: any seat may be taken
    with phone.listen("/events?seat=blue") as stream, web.browser().listen() as shared:
        for each in (stream, shared):
            each.next()
            each.next()
        if how == "leave":
            phone.post("/leave", seat="blue")
        elif how == "free":
            web.at_the_machine().post("/leave", seat="blue")
        elif how == "bot":
            web.at_the_machine().post("/table/player", seat="blue", player="easy")
        else:
            web.rig.table.post(TakeSeat("blue", known_by("another")))
            web.rig.table.poll()
        assert stream.next() == "event: gone\ndata: {}\n\n"
        assert stream.next() == ""
        assert "you" not in told(shared.next())


def test_streams_end_with_the_server(web: WebRig) -> None:
    with web.browser().listen() as stream:
        stream.next()
        stream.next()
        web.display.close()
        assert stream.next() == ""


def test_there_are_so_many_streams_and_no_more_and_players_come_first(web: WebRig) -> None:
    player = web.browser("red")
    watchers = [web.browser(address=f"192.0.2.{number}").listen() for number in range(WATCHERS)]
    refused = web.browser(address="198.51.100.1").get("/events")
    assert refused.status_code == 503
    assert refused.json == {"error": "full"}
    assert refused.headers["Retry-After"] == "10"
    taken = [web.context.streams.take(f"phone {number}", known=True) for number in range(STREAMS - WATCHERS)]
    assert None not in taken
    # A player always gets a stream; the oldest of those who only watch makes room.
    for _ in range(2):
        watchers[0].next()
    with player.listen("/events?seat=red") as stream:
        assert stream.response.status_code == 200
        assert watchers[0].next() == "event: replaced\ndata: {}\n\n"
        assert watchers[0].next() == ""
        assert len(web.context.streams) == STREAMS
    for stream in watchers:
        stream.close()
    # Asking only for the headers takes nobody's place.
    for number in range(STREAMS):
        with Stream(web.browser(address=f"192.0.2.{number}").ask("HEAD", "/events", buffered=False)) as nothing:
            assert nothing.response.status_code == 200


def test_the_seventh_stream_of_a_phone_or_of_an_address_ends_its_first_and_no_other(web: WebRig) -> None:
    red, blue, stranger = web.browser("red"), web.browser("blue"), web.browser()
    others = [blue.listen("/events?seat=blue"), stranger.listen()]
    streams = [red.listen("/events?seat=red") for _ in range(OF_ONE_SENDER + 1)]
    for stream in (*streams, *others):
        stream.next()
        assert ("event: replaced" in stream.next()) == (stream is streams[0])
    assert len(web.context.streams) == OF_ONE_SENDER + 2
    more = [web.browser().listen() for _ in range(OF_ONE_SENDER)]
    assert len(web.context.streams) == 2 * OF_ONE_SENDER + 1
    assert "event: replaced" in others[1].next()
    for stream in (*streams, *others, *more):
        stream.close()
    assert len(web.context.streams) == 0


def test_the_words_of_an_error_in_a_stream_reach_no_log_and_no_page(
    web: WebRig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> str:
        raise LookupError("red dial granada")

    with web.browser().listen() as stream:
        stream.next()
        monkeypatch.setattr(type(web.display.latest), "text", fail)
        with caplog.at_level(logging.DEBUG):
            assert stream.next() == ""
            assert web.browser().get("/state").json == {"error": "our mistake"}
    assert "LookupError" in caplog.text
    assert "granada" not in caplog.text


# --- The table's own --------------------------------------------------------------------------------------------------


def test_the_tables_code_makes_a_browser_its_screen(web: WebRig) -> None:
    screen = web.browser()
    assert screen.post("/table/player", seat="red", player="easy").status_code == 403
    assert screen.post("/table/open", code=web.context.codes.join_code).status_code == 403
    assert screen.post("/table/open", code=web.context.codes.table_code).status_code == 200
    assert shown_code(web.context.codes.join_code) in screen.get("/table").text
    assert screen.post("/table/player", seat="red", player="easy").status_code == 200
    assert web.rig.session.options.player("red") == "easy"
    for seat, player in (("red", "clever"), ("nobody", "easy"), ("red", "easy x"), ("blue green", "easy")):
        assert screen.post("/table/player", seat=seat, player=player).status_code == 400


def test_who_plays_a_seat_is_changed_also_while_the_game_goes_on(web: WebRig, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, shown = web.at_the_machine(), web.display.latest
    web.rig.say("red", "place castillo")
    # What the screen was shown is old by now.
    monkeypatch.setattr(type(web.display), "latest", property(lambda _: shown))
    monkeypatch.setattr(web_remote.context, "ANSWER_S", 0.5)
    threading.Timer(0.1, monkeypatch.undo).start()
    assert screen.post("/table/player", seat="red", player="easy").status_code in (200, 202)
    assert web.rig.session.options.player("red") == "easy"


def test_the_table_screen_says_what_is_the_tables_to_say_and_nothing_else(web: WebRig) -> None:
    screen = web.at_the_machine()
    version = web.rig.moment.version
    for line in ("place castillo", "undo", "red place castillo", "player red easy", "go on unsaved", "dial granada"):
        assert screen.post("/table/say", line=line, version=version).status_code == 400
    assert screen.post("/table/say", line="confirm", version=version).status_code == 202
    assert screen.post("/table/say", line="confirm", version=version + 99).status_code == 409


def test_no_token_is_kept_or_logged(web: WebRig, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        phone = web.browser()
        phone.post("/join", seat="red", code=web.context.codes.join_code)
        phone.say("red", "place castillo")
        phone.get("/state?seat=nobody")
        phone.ask("POST", "/say", data=b"{", content_type="application/json")
    assert phone.token
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert known_by(phone.token).encode() in kept
    assert phone.token.encode() not in kept
    assert phone.token not in caplog.text
    assert phone.token not in phone.get("/phone").text
    assert ("note", json.dumps({"phone": ["red", known_by(phone.token)]})) in journalled(tmp_path)


# --- a full disk -----------------------------------------------------------------------------------------------------


def test_nothing_is_answered_with_ok_alone_before_it_is_on_disk(web: WebRig) -> None:
    phone, newcomer = web.browser("red"), web.at_the_machine()
    database = web.rig.database
    [[pages]] = database.execute("PRAGMA page_count")
    database.execute(f"PRAGMA max_page_count = {pages}")
    waiting = None
    for number in range(300):
        web.rig.pass_s(WISHES[1])  # so that it does not change its mind too often
        answer = phone.say("red", f"pace {('fast', 'slow')[number % 2]}")
        if answer.status_code == 202:
            waiting = answer
            break
    assert waiting is not None
    assert waiting.json == {"ok": True, "waiting": True}
    answer = newcomer.post("/join", seat="blue", name="Bo")
    assert (answer.status_code, answer.json) == (202, {"ok": True, "seat": "blue", "waiting": True})
    assert "blue" not in web.holders
    database.execute("PRAGMA max_page_count = 100000")
    web.rig.pass_s(RETRY_S)
    assert "blue" in web.holders
    assert phone.say("red", "pace normal").status_code == 200


def test_a_line_sent_again_gets_the_reply_to_the_first(web: WebRig) -> None:
    phone = web.browser("red")
    state = phone.state()
    said = {"seat": "red", "line": "place madrid", "version": state["version"], "number": state["number"]}
    first, second = phone.post("/say", **said), phone.post("/say", **said)
    assert '"ok":false' in first.text
    assert second.text == first.text
