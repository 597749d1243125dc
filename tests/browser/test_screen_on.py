"""Phones whose screens stay on: by HTTPS the browser keeps them on; by HTTP people are told how to."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize

from companion.engine import Game
from companion.translations import LANGUAGES
from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.served import Serve
from tests.support.arrange import opening

PHONE: ViewportSize = {"width": 390, "height": 844}
WORDS = {
    "iPhone; CPU iPhone OS 17_5 like Mac OS X": "Settings > Display & Brightness > Auto-Lock",
    "Linux; Android 14": "Settings > Display > Screen timeout",
    "X11; Linux x86_64": "change the screen timeout in this phone's settings",
}
"""What phones call themselves, and where their screen timeout is set."""
IPHONE = next(iter(WORDS))
WATCH_REQUESTS = """
if (navigator.wakeLock) {
  window.lockRequests = [];
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = (kind) => {
    window.lockRequests.push(kind);
    return request(kind);
  };
}
"""
"""Counts how often a page asks for its screen to stay on, and asks all the same."""


def game() -> Game:
    return opening(("red", "blue", "green"))


def agent(system: str) -> str:
    return f"Mozilla/5.0 ({system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile Safari/604.1"


def requests(phone: Device) -> list[str]:
    return list(phone.page.evaluate("window.lockRequests"))


def test_a_phone_that_scanned_the_code_goes_on_by_https_and_its_screen_stays_on(serve: Serve, phones: Phones) -> None:
    table = serve(game(), https=True)
    phone = phones.new(table, PHONE, first_visit=True)
    phone.context.add_init_script(WATCH_REQUESTS)
    phone.open(f"/join?seat=red&key={table.codes.join_token}")
    phone.see(".seat-red")
    phone.read("The browser will say that the connection is not private", "#screen-on")
    phone.picture("join-https-offered")
    phone.tap("#screen-on a")
    phone.page.wait_for_url(f"{table.secure_address}/join?seat=red")
    phone.see(".seat-red")
    assert phone.page.locator("#screen-on a").count() == 0
    phone.tap("button[type=submit]")
    phone.page.wait_for_url(f"{table.secure_address}/phone")
    phone.up_to_date()
    assert phone.page.evaluate("isSecureContext") is True
    assert requests(phone) == ["screen"]
    assert phone.page.locator(".screen-hint").count() == 0
    phone.picture("phone-https")


def test_a_page_that_was_hidden_asks_again_for_its_screen_to_stay_on(serve: Serve, phones: Phones) -> None:
    table = serve(game(), https=True)
    phone = phones.new(table, PHONE)
    phone.context.add_init_script(WATCH_REQUESTS)
    phone.sit("red")
    phone.page.goto(f"{table.secure_address}/phone")
    phone.up_to_date()
    phone.page.evaluate(
        """() => {
          let hidden = true;
          Object.defineProperty(document, "hidden", {get: () => hidden});
          document.dispatchEvent(new Event("visibilitychange"));
          window.whileHidden = window.lockRequests.length;
          hidden = false;
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    assert phone.page.evaluate("window.whileHidden") == 1
    assert requests(phone) == ["screen", "screen"]


def test_a_seat_taken_by_http_is_carried_over_to_https_and_back(serve: Serve, phones: Phones) -> None:
    table = serve(game(), https=True)
    phone = phones.new(table, PHONE, first_visit=True)
    phone.join("red", "Ann")
    assert phone.page.url.startswith("http:")
    phone.tap(".screen-hint a")
    phone.page.wait_for_url(f"{table.secure_address}/phone")
    phone.read("Ann")
    phone.up_to_date()
    with phone.answered():
        phone.tap('#phone [data-key="power5"]')
    table.played("red power 5")
    phone.open("/phone")
    assert phone.page.url == f"{table.address}/phone"
    phone.read("Ann")
    assert table.now.holders.keys() == {"red"}


@pytest.mark.parametrize("system", WORDS)
def test_by_http_one_line_says_where_the_screen_timeout_is_set(serve: Serve, phones: Phones, system: str) -> None:
    table = serve(game())
    phone = phones.new(table, PHONE, agent=agent(system), first_visit=True)
    phone.sit("red")
    phone.up_to_date()
    assert phone.page.evaluate("isSecureContext") is False
    phone.read(WORDS[system], ".screen-hint")
    assert phone.page.locator(".screen-hint a").count() == 0, "no HTTPS is offered here"
    phone.picture(f"phone-screen-hint-{system.split()[-1]}", whole=False)
    phone.tap(".screen-hint button")
    phone.see(".screen-hint", "detached")
    phone.page.reload()
    phone.up_to_date()
    assert phone.page.locator(".screen-hint").count() == 0


def test_without_https_the_join_page_offers_nothing(serve: Serve, phones: Phones) -> None:
    phone = phones.new(serve(game()), PHONE, first_visit=True)
    phone.open("/join")
    phone.see(".seat-red")
    assert phone.page.locator("#screen-on").text_content() == ""


def test_a_screen_that_is_not_a_phone_is_offered_nothing(serve: Serve, phones: Phones) -> None:
    table = serve(game(), https=True)
    screen = phones.new(table, SCREEN, first_visit=True)
    screen.open("/join")
    screen.see(".seat-red")
    assert screen.page.locator("#screen-on").text_content() == ""
    screen.sit("red")
    screen.up_to_date()
    assert screen.page.locator(".screen-hint").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_offer_and_the_hint_fit_a_phone_in_every_language(serve: Serve, phones: Phones, language: str) -> None:
    table = serve(game(), https=True)
    phone = phones.new(table, {"width": 320, "height": 640}, language, first_visit=True, agent=agent(IPHONE))
    phone.open("/join")
    phone.see("#screen-on a")
    wide = "() => document.documentElement.scrollWidth <= innerWidth"
    assert phone.page.evaluate(wide)
    phone.picture(f"join-https-offered-{language}")
    phone.sit("red")
    phone.see(".screen-hint a")
    assert phone.page.evaluate(wide)
    phone.picture(f"phone-screen-hint-{language}", whole=False)
