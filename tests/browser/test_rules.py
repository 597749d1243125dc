"""The rules page in a browser: searching, links, pictures, keys, and what axe says."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.engine import CARDS
from companion.translations import LANGUAGES
from tests.browser.phones import SCREEN, SMALL, Device, Phones
from tests.browser.positions import THREE
from tests.browser.served import Serve
from tests.browser.test_accessible import faults
from tests.support.arrange import opening


@pytest.fixture
def phone(serve: Serve, phones: Phones) -> Device:
    """A phone that reads the rules."""
    device = phones.new(serve(opening(THREE)), injects=True)
    device.open("/rules")
    device.see(".example svg")
    return device


def search(page: Page, words: str) -> None:
    page.get_by_role("searchbox", name="Search the rules").fill(words)


def test_typing_leaves_only_what_has_all_words_and_says_how_much(phone: Device) -> None:
    page = phone.page
    search(page, "angry")
    expect(page.get_by_role("status").filter(has_text="Found")).to_have_text("Found: 1")
    expect(page.get_by_role("heading", name="The King is angry")).to_be_visible()
    expect(page.get_by_role("heading", name="Royal advisor")).to_be_hidden()
    expect(page.get_by_role("heading", name="Set-up")).to_be_hidden()
    search(page, "xyzzy")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).to_have_value("")
    expect(page.get_by_role("heading", name="Set-up")).to_be_visible()


@pytest.mark.parametrize("words", ["CATALUNA", "cataluña", "Pais Vasco"])
def test_accents_and_capitals_make_no_difference(words: str, phone: Device) -> None:
    search(phone.page, words)
    expect(phone.page.get_by_role("table").first).to_be_visible()
    expect(phone.page.get_by_text("Nothing found.")).to_be_hidden()


def test_a_section_whose_heading_is_found_is_shown_whole(phone: Device) -> None:
    search(phone.page, "action cards")
    for card in ("move-3", "king"):
        expect(phone.page.locator(f"#card-{card}")).to_be_visible()


def test_the_search_is_used_by_keys_alone(phone: Device) -> None:
    page = phone.page
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("royal advisor")
    page.keyboard.press("Enter")
    focused = page.locator(":focus")
    expect(focused).to_be_visible()
    assert focused.evaluate("(link) => link.classList.contains('anchor')")


@pytest.mark.parametrize(
    "spot", ["card-expel", "place-granada", "term-castillo", "veto", "card-king", "stack-3", "editions"]
)
def test_an_address_leads_to_its_spot(spot: str, serve: Serve, phones: Phones) -> None:
    device = phones.new(serve(opening(THREE)))
    device.open(f"/rules#{spot}")
    device.see(".example svg")
    expect(device.page.locator(f"#{spot}")).to_be_in_viewport()


def test_a_link_leads_to_its_spot_even_when_the_search_hides_it(phone: Device) -> None:
    search(phone.page, "wheel")
    expect(phone.page.get_by_role("heading", name="The castillo and the secret dial")).to_be_hidden()
    phone.page.get_by_role("link", name="More: The castillo and the secret dial").click()
    expect(phone.page.get_by_role("searchbox")).to_have_value("")
    expect(phone.page.get_by_role("heading", name="The castillo and the secret dial")).to_be_in_viewport()


def test_every_card_has_a_picture_and_no_two_look_the_same(phone: Device) -> None:
    drawn = phone.page.evaluate(
        "() => [...document.querySelectorAll('.card > svg')].map((picture) => picture.outerHTML)"
    )
    assert len(drawn) == len(CARDS)
    assert len({*drawn}) == len(CARDS)
    assert all("<path" in picture or "<text" in picture for picture in drawn)


def test_the_map_shows_the_kings_region_and_what_is_open(phone: Device) -> None:
    figure = phone.page.locator("[data-picture=map]")
    expect(figure.locator(".place.taboo")).to_have_count(1)
    expect(figure.locator(".place.legal")).to_have_count(6)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 820, 1920])
def test_nothing_is_cut_off_in_any_language(width: int, language: str, serve: Serve, phones: Phones) -> None:
    device = phones.new(serve(opening(THREE)), {"width": width, "height": 800}, language)
    device.open("/rules")
    device.see(".example svg")
    assert device.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert device.page.evaluate("() => innerWidth") == width


def test_the_language_is_switched_and_the_spot_is_kept(phone: Device) -> None:
    phone.open("/rules#veto")
    phone.page.get_by_role("link", name="Deutsch").click()
    phone.page.wait_for_url("**/rules?language=de#veto")
    expect(phone.page.get_by_role("heading", name="Die Regeln von El Grande")).to_be_attached()


def test_without_scripts_everything_can_be_read(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    context = phones.new(table).context.browser
    assert context is not None
    with context.new_context(java_script_enabled=False, viewport=SMALL) as plain:
        page = plain.new_page()
        page.goto(f"{table.address}/rules")
        expect(page.get_by_role("heading", name="Out of here")).to_be_visible()
        expect(page.get_by_role("search")).to_be_hidden()
        page.get_by_role("link", name="Français").click()
        expect(page.get_by_role("heading", name="Les règles d'El Grande")).to_be_visible()


def test_the_way_from_a_seat_to_the_rules_and_back_loses_nothing(serve: Serve, phones: Phones) -> None:
    device = phones.new(serve(opening(THREE)))
    page = device.sit("red")
    page.get_by_text("Help", exact=True).click()
    page.get_by_role("link", name="The rules").click()
    page.wait_for_url("**/rules#aim")
    page.go_back()
    page.wait_for_url("**/phone")
    device.see("#question")
    device.open("/rules")
    page.get_by_role("link", name="Back to the game").click()
    page.wait_for_url("**/phone")


def test_an_open_card_on_the_table_screen_leads_to_its_rules(serve: Serve, phones: Phones) -> None:
    screen = phones.new(serve(opening(THREE)), SCREEN)
    screen.open("/table")
    screen.see("#cards a")
    link = screen.page.locator("#cards").get_by_role("link", name="The King", exact=True)
    link.click()
    screen.page.wait_for_url("**/rules#card-king")
    expect(screen.page.locator("#card-king")).to_be_in_viewport()


def test_axe_finds_nothing(phone: Device) -> None:
    assert faults(phone) == []
    search(phone.page, "castillo")
    assert faults(phone) == []
