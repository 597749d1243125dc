"""Seats that change hands, over HTTP: no way to take a seat shows what its player has decided in secret."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from companion.engine import Game
from companion.table.options import Options
from companion.table.seat_guard import GONE_S, PhonePresence
from tests.support.arrange import play, turn_of
from tests.support.web_rig import Browser, WebRig, with_pages
from web_remote.access import known_by

THREE = ("red", "blue", "green")
BOARD = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}


def dialling() -> Game:
    return play(turn_of("secret-all-home", THREE, board=BOARD), "red special")


def all_seen(browser: Browser, seat: str) -> str:
    """Returns everything that a browser is sent about a seat, also by the stream's first state."""
    paths = ("/", "/phone", "/board", "/table", "/history", "/state", f"/state?seat={seat}", "/me", "/result")
    texts = [browser.get(path).text for path in paths]
    stream = browser.get(f"/events?seat={seat}", buffered=False)
    if stream.status_code == 200:
        chunks = iter(stream.response)
        texts += [str(next(chunks)), str(next(chunks))]
    stream.close()
    return "".join(texts)


def dial_of(browser: Browser) -> object:
    return browser.state("blue")["you"]["dial"]


def test_at_the_laptop_from_bot_to_person_and_back_shows_no_dial(tmp_path: Path) -> None:
    with with_pages(tmp_path, dialling(), Options(players={"blue": "easy"}, pace="fast")) as web:
        web.rig.pass_s(2)
        web.rig.think("blue dial aragon")
        laptop = web.at_the_machine()
        answer = laptop.post("/table/player", seat="blue", player="person").json
        assert answer is not None
        assert answer["ok"] is False
        assert "decides in secret" in answer["why"]
        assert laptop.post("/join", seat="blue", name="", code="").status_code == 404
        assert "dial aragon" not in all_seen(laptop, "blue")


def test_a_seat_that_is_freed_and_taken_shows_no_dial_in_any_way(tmp_path: Path) -> None:
    with with_pages(tmp_path, dialling(), Options(guided=False)) as web:
        blue, laptop = web.browser("blue"), web.at_the_machine()
        assert blue.say("blue", "dial aragon").status_code == 200
        assert dial_of(blue) == "aragon"
        assert laptop.post("/leave", seat="blue").status_code == 409, "its phone is asked first"
        assert blue.post("/leave", seat="blue").status_code == 200
        assert laptop.post("/join", seat="blue", name="", code="").status_code == 200
        assert dial_of(laptop) is None
        seen = all_seen(laptop, "blue")
        assert "blue dial aragon" not in seen
        assert '"dial":"aragon"' not in seen
        for line in ("undo", "undo turn", "hint", "dial aragon", "dial sevilla", "touch aragon"):
            said = laptop.say("blue", line).text
            assert "aragon" not in said.lower(), line
            assert dial_of(laptop) is None


def test_while_its_page_is_open_a_phone_is_asked_and_a_minute_later_it_is_not(tmp_path: Path) -> None:
    with with_pages(tmp_path, dialling(), Options(guided=False)) as web:
        blue, laptop = web.browser("blue"), web.at_the_machine()
        blue.say("blue", "dial aragon")
        first, second = blue.listen("/events?seat=blue"), blue.listen("/events?seat=blue")
        for stream in (first, second):
            assert "retry" in stream.next()
            assert "data" in stream.next()
        web.rig.pass_s(10 * GONE_S)
        first.close()
        web.rig.pass_s(GONE_S)
        assert laptop.post("/leave", seat="blue").status_code == 409, "it has another page open"
        assert blue.state("blue")["you"]["prompt"]["asked"] == "Give your seat away?"
        second.close()
        web.rig.pass_s(GONE_S - 1)
        assert laptop.post("/leave", seat="blue").status_code == 409
        web.rig.pass_s(1)
        assert laptop.post("/leave", seat="blue").status_code == 200
    posted = [gesture for gesture in web.posted if isinstance(gesture, PhonePresence)]
    known = known_by(blue.token)
    assert posted == [PhonePresence(known, here) for here in (True, True, False)]


def test_the_table_of_the_next_game_learns_which_phones_are_there(tmp_path: Path) -> None:
    with with_pages(tmp_path, dialling(), Options(guided=False)) as web:
        blue = web.browser("blue")
        with blue.listen("/events?seat=blue") as stream:
            stream.next(), stream.next()
            web.posted.clear()
            web.display.show(replace(web.rig.moment, game_id=9))
            assert '"game":9' in stream.next()
            assert web.posted == [PhonePresence(known_by(blue.token), here=True)]


def turn_words(web: WebRig) -> list[str]:
    history = web.browser().get("/history").json
    assert isinstance(history, dict)
    return [step["words"] for turn in history["turns"] for step in turn["steps"]]


def test_everybody_is_told_who_changed_what_and_it_stays_in_the_log(tmp_path: Path) -> None:
    with with_pages(tmp_path, turn_of("score-4s", THREE), Options(guided=False)) as web:
        web.browser("blue")
        laptop = web.at_the_machine()
        laptop.post("/table/player", seat="blue", player="easy")
        assert web.browser().state()["notices"] == ["A bot plays Blue now.", "Changed at the table."]
        assert "A bot plays Blue now. Changed at the table." in turn_words(web)
        web.rig.press("castillo")
        assert web.browser().state()["notices"] == []
        assert "A bot plays Blue now. Changed at the table." in turn_words(web)
        assert json.dumps(web.browser().state()["history"]).count("blue handover") == 1
