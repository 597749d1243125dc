"""The table screen can be read at a glance: everything fits, the card in play has its stack, the result its rounds."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize

from companion.engine import CARDS, SEATS
from companion.engine.cards import SHUFFLED_STACKS
from companion.table.options import Options
from companion.translations import Translator
from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.positions import THREE
from tests.browser.served import Serve
from tests.support.arrange import opening, play, turn_of
from tests.support.random_games import finished

SMALLER: ViewportSize = {"width": 1280, "height": 720}
WORDIEST = ("de", "fr")
"""The languages whose texts take up the most room."""


def managed(device: Device) -> Device:
    """Opens the table screen in a browser that has the table code. Returns the device."""
    device.open("/table")
    assert device.post("/table/open", code=device.served.codes.table_code) == 200
    device.open("/table")
    device.after(0)
    return device


def longest(language: str) -> list[str]:
    """Returns the cards that take up the most room, one from each stack."""
    words = Translator(language, "bigbox-de")
    by_stack = [[card for card in CARDS if CARDS[card].stack == stack] for stack in SHUFFLED_STACKS]
    return [max(cards, key=lambda card: len(words.card(card).text)) for cards in by_stack]


def fits(screen: Device, name: str) -> None:
    """Checks that nothing is below the fold, on a television or on a smaller screen."""
    for size in (SCREEN, SMALLER):
        screen.page.set_viewport_size(size)
        low = screen.page.evaluate("() => document.documentElement.scrollHeight")
        screen.picture(f"{name}-{size['width']}")
        assert low <= size["height"], f"{low - size['height']} pixels are below the fold at {size['width']}"


@pytest.mark.parametrize("language", WORDIEST)
def test_all_fits_on_one_screen_while_three_seats_are_free(language: str, serve: Serve, phones: Phones) -> None:
    table = serve(opening(SEATS, cards=longest(language)))
    for seat in SEATS[:2]:
        phones.new(table).sit(seat)
    screen = managed(phones.new(table, SCREEN, language))
    screen.see("#sit figure:nth-child(3)")
    fits(screen, f"table-free-{language}")


@pytest.mark.parametrize("language", WORDIEST)
def test_all_fits_on_one_screen_while_five_play(language: str, serve: Serve, phones: Phones) -> None:
    table = serve(play(turn_of(longest(language)[0], SEATS), "red special"))
    for seat in SEATS:
        phones.new(table).sit(seat)
    screen = managed(phones.new(table, SCREEN, language))
    screen.see("#cards .taken")
    fits(screen, f"table-five-{language}")


def test_the_card_in_play_is_shown_with_its_stack_and_who_plays_it(serve: Serve, phones: Phones) -> None:
    screen = phones.new(serve(turn_of("tile", THREE)), SCREEN)
    screen.open("/table")
    screen.read("4", "#cards .taken .stack")
    screen.read("red plays this card", "#cards .taken")
    screen.see("#cards .taken .by .icon")


def test_the_chart_of_the_result_marks_every_round(serve: Serve, phones: Phones) -> None:
    game = finished(3)
    screen = phones.new(serve(game), SCREEN)
    screen.open("/table")
    screen.see(".lines .round-number")
    numbers = screen.page.locator(".lines .round-number").all_text_contents()
    assert [int(number) for number in numbers] == list(game._state.setup.rounds)
    assert screen.page.locator(".lines .round").count() == len(numbers) - 1


def test_codes_can_be_scanned_from_across_the_room_and_all_is_seen_at_once(serve: Serve, phones: Phones) -> None:
    options = Options(names={"red": "Maximiliana-Josephine", "blue": "Bo"}, guided=False, pace="instant")
    screen = managed(phones.new(serve(opening(SEATS), options), SCREEN))
    screen.see("#sit img")
    widths = screen.page.locator("#sit img").evaluate_all("(all) => all.map((each) => each.clientWidth)")
    assert len(widths) == len(SEATS)
    assert min(widths) >= 180
    fits(screen, "table-codes")


def test_somebody_who_joins_is_mentioned_quietly(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    screen = phones.new(table, SCREEN)
    screen.open("/table")
    screen.after(0)
    phones.new(table).sit("red")
    screen.read("red has joined.", "#mentions")
    assert screen.page.locator("#notices li").count() == 0
