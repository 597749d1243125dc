"""One phone for two players: it is covered between turns, and neither is shown anything of the other's."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route

from tests.browser.phones import Device, Phones
from tests.browser.positions import THREE, dials, set_dial, turn_to
from tests.browser.served import Serve
from tests.support.arrange import opening, put

PAGES = ["/phone", "/board"]
HANDS = {"red": [1, 4, 9], "blue": [2, 5, 11]}


def shown_cards(phone: Device) -> list[str]:
    return phone.page.locator(".power .card strong:visible").all_inner_texts()


@pytest.mark.parametrize("page", PAGES)
def test_it_is_covered_until_the_next_player_says_who_they_are(serve: Serve, phones: Phones, page: str) -> None:
    table = serve(put(opening(THREE), hands=HANDS))
    phone = phones.new(table)
    phone.sit("red", "blue", path=page)
    phone.read("Play a power card", "#question")
    assert shown_cards(phone) == ["1", "4", "9"]
    phone.tap('[data-key="power4"]')
    phone.read("Hand the phone to blue")
    phone.picture(f"{page[1:]}-cover")
    seen = phone.page.inner_text("#phone")
    assert "Play a power card" not in seen
    assert shown_cards(phone) == []
    phone.page.reload()
    phone.read("Hand the phone to blue")
    assert shown_cards(phone) == []
    phone.page.get_by_role("button", name="I am blue").tap()
    phone.read("Play a power card", "#question")
    assert shown_cards(phone) == ["2", "5", "11"]
    phone.tap('[data-key="power5"]')
    phone.read("Waiting for Green", "#question")
    table.say("green", "power 13")
    table.say("green", "recruit 0")
    assert [str(move) for move in table.game.moves if move.verb == "power"] == [
        "red power 4", "blue power 5", "green power 13",
    ]  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_nothing_of_the_last_player_is_seen_while_the_next_ones_cards_are_on_their_way(
    serve: Serve, phones: Phones, page: str
) -> None:
    table = serve(put(opening(THREE), hands=HANDS))
    phone = phones.new(table)
    waiting: list[Route] = []
    phone.page.route("**/events?seat=blue*", lambda route: waiting.append(route))
    phone.sit("red", "blue", path=page)
    phone.see(".power .card")
    phone.tap('[data-key="power4"]')
    phone.read("Hand the phone to blue")
    with phone.page.expect_request("**/events?seat=blue*"):
        phone.page.get_by_role("button", name="I am blue").tap()
    assert shown_cards(phone) == []
    assert phone.page.locator(".cover").is_visible()
    for route in waiting:
        route.continue_()
    phone.read("Play a power card", "#question")
    assert shown_cards(phone) == ["2", "5", "11"]


def test_two_dials_on_one_phone_stay_secret_from_each_other(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = phones.new(table)
    phone.sit("red", "blue")
    phone.see(".dial")
    turn_to(phone, "Sevilla")
    set_dial(phone)
    phone.read("Hand the phone to blue")
    assert not phone.page.locator(".peeked").is_visible()
    phone.page.get_by_role("button", name="I am blue").tap()
    phone.see(".dial")
    assert phone.page.locator(".reading").inner_text() == "Galicia"
    assert not phone.page.locator(".peeked").count()
    set_dial(phone)
    phone.read("Your dial is set.")
    dialled = [str(move) for move in table.game.moves if move.verb == "dial"]
    assert dialled == ["red dial sevilla", "blue dial galicia"]


def test_a_phone_that_loses_one_of_its_seats_goes_on_with_the_other(serve: Serve, phones: Phones) -> None:
    table = serve(put(opening(THREE), hands=HANDS))
    phone = phones.new(table)
    phone.allowed.append("status of 403")
    phone.sit("red", "blue")
    phone.read("Play a power card", "#question")
    table.free("red")
    phone.read("Waiting for Red", "#question")
    assert phone.page.url == f"{table.address}/phone"
    assert shown_cards(phone) == []
    assert phone.page.locator("header strong").text_content() == "Blue"
    table.free("blue")
    phone.page.wait_for_url("**/join?gone=*")
    phone.read("This seat is free again: another phone may have taken it.")


def test_it_is_not_handed_on_to_a_bot_that_plays_one_of_its_seats_now(serve: Serve, phones: Phones) -> None:
    table = serve(put(opening(THREE), hands=HANDS))
    phone = phones.new(table)
    phone.allowed.append("status of 403")
    phone.sit("red", "blue")
    phone.see(".power .card")
    table.change_player("blue", "easy")
    phone.read("A bot plays blue now.")
    phone.tap('[data-key="power4"]')
    table.shown("green")
    phone.up_to_date()
    phone.read("Waiting for Green", "#question")
    assert not phone.page.locator(".cover").is_visible()
