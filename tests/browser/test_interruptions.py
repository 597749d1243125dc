"""Reloads, lost connections, old states and double taps: the question is there again, and is answered once."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Route

from companion.table.options import Options
from tests.browser.phones import Device, Phones
from tests.browser.positions import KINDS, THREE, Kind, ask, ids
from tests.browser.served import Serve
from tests.browser.thumb import Look, Thumb
from tests.support.arrange import opening
from web_remote import display

OFFLINE = "ERR_INTERNET_DISCONNECTED"
UNREACHABLE = "ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)"


def seen(phone: Device) -> Look:
    return Thumb(phone, Random(0)).look()


@pytest.mark.parametrize("kind", KINDS, ids=ids)
def test_after_reload_and_loss_of_the_connection_the_same_is_asked_and_can_be_answered(
    kind: Kind, serve: Serve, phones: Phones
) -> None:
    table = serve(kind.game(), kind.options)
    phone = phones.new(table)
    phone.allowed.append(OFFLINE)
    ask(kind, phone)
    phone.picture(f"phone-{kind.name}")
    before, version = seen(phone), table.now.version
    assert before.asked

    phone.page.reload()
    phone.up_to_date()
    assert seen(phone)._replace(number=0) == before._replace(number=0)

    phone.context.set_offline(True)
    phone.see("#connection")
    phone.read("Reconnecting …", "#connection")
    kind.answer(phone)
    phone.read("That did not work. Try again.", ".problem")
    assert table.now.version == version
    phone.context.set_offline(False)
    phone.see("#connection", "hidden")
    phone.up_to_date()
    assert seen(phone)._replace(number=0) == before._replace(number=0)

    with phone.answered():
        kind.answer(phone)
    assert seen(phone)._replace(number=0) != before._replace(number=0)


def test_an_answer_to_an_old_state_does_nothing_and_brings_the_fresh_one(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.allowed.append("status of 409")
    old = table.latest

    def only_old(route: Route) -> None:
        event = f"id: {old.number}\ndata: {old.text('red', 'en')}\n\n"
        route.fulfill(body=event, content_type="text/event-stream")

    phone.page.route("**/events*", only_old)
    phone.sit("red")
    phone.read("Play a power card", "#question")
    table.say("red", "power 5")
    table.shown("blue")
    with phone.page.expect_response("**/say") as answer:
        phone.tap('[data-key="power7"]')
    assert answer.value.status == 409
    phone.read("Waiting for Blue", "#question")
    assert [str(move) for move in table.game.moves if move.verb == "power"] == ["red power 5"]
    # The stream brings the old state once more: it stays where it was.
    phone.see("#connection")
    assert phone.question == "Waiting for Blue"


def test_a_double_tap_plays_once(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.sit("red")
    phone.see('[data-key="power7"]')
    phone.page.locator('[data-key="power7"]').dblclick()
    phone.read("Waiting for Blue", "#question")
    assert [str(move) for move in table.game.moves if move.verb == "power"] == ["red power 7"]


def test_a_tap_counts_though_the_answer_to_the_last_one_is_still_on_its_way(serve: Serve, phones: Phones) -> None:
    table = serve(KINDS[3].game())
    phone = phones.new(table)
    slow: list[Route] = []
    phone.page.route("**/say", lambda route: slow.append(route))
    phone.sit("red")
    phone.see('.map [role="button"]')
    with phone.page.expect_request("**/say"):
        phone.place("castillo")
    # It is on its way, and a second tap is a double one.
    phone.place("castillo")
    table.say("red", "touch castillo")
    phone.up_to_date()
    with phone.page.expect_request("**/say"):
        phone.place("castillo")
    slow[0].fulfill(json={"ok": True})
    slow[1].continue_()
    table.played(*["red place castillo"] * 2)
    assert len(slow) == 2
    assert [str(move) for move in table.game.moves if move.verb == "place"] == ["red place castillo"] * 2


def test_the_same_word_sent_twice_plays_once(serve: Serve, phones: Phones) -> None:
    table = serve(KINDS[3].game())
    phone = phones.new(table)
    phone.sit("red")
    phone.see('.map [role="button"]')
    now = table.latest
    said = {"seat": "red", "line": "touch castillo", "version": now.moment.version, "number": now.number}
    assert [phone.post("/say", **said) for _ in range(3)] == [200, 200, 200]
    assert [str(move) for move in table.game.moves if move.verb == "place"] == ["red place castillo"]


def test_the_table_is_started_anew_and_the_phone_goes_on_by_itself(
    serve: Serve, phones: Phones, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.allowed.append(UNREACHABLE)
    phone.sit("red")
    phone.see('[data-key="power7"]')
    for name in ("Ann", "Bo", "Cy"):
        # So that its states have higher numbers than those of the table that comes after it.
        phone.post("/join", seat="red", name=name, code=table.codes.join_code)
    phone.read("Play a power card", "#question")
    table.stop()
    phone.see("#connection")
    monkeypatch.setattr(display, "RUN", "another")
    again = serve(opening(THREE), port=table.port, resumed=True)
    phone.see("#connection", "hidden")
    phone.tap('[data-key="power7"]')
    phone.read("Waiting for Blue", "#question")
    assert str(again.game.moves[-1]) == "red power 7"


def test_a_connection_that_fell_silent_is_made_anew(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.page.clock.install()
    phone.sit("red")
    phone.see('[data-key="power7"]')
    with phone.page.expect_request("**/events*"):
        phone.page.clock.fast_forward(26_000)
        phone.see("#connection")
        phone.page.clock.run_for(1_000)
    phone.see("#connection", "hidden")
    phone.tap('[data-key="power7"]')
    phone.read("Waiting for Blue", "#question")


def test_the_time_that_is_left_for_a_veto_goes_on_over_a_reload(serve: Serve, phones: Phones) -> None:
    veto = next(kind for kind in KINDS if kind.name == "veto")
    table = serve(veto.game(), Options(guided=False, veto_s=60.0))
    phone = phones.new(table)
    ask(veto, phone)
    phone.see(".clock")
    phone.read("57 s", ".clock")
    phone.page.reload()
    phone.see(".clock")
    phone.up_to_date()
    left = int(phone.page.locator(".clock").inner_text().removesuffix(" s"))
    assert 40 < left <= 57
    phone.picture("phone-veto-clock")
