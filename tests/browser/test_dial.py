"""The secret dial on the phone: set by the second tap, hidden at once, visible only while held, then revealed."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from companion.translations import LANGUAGES
from tests.browser.phones import SMALL, Device, Phones
from tests.browser.positions import dials, set_dial, turn_to
from tests.browser.served import Serve

# All that the page holds, seen or not, but for the map, also in words, and the dial's own face while it is turned.
_WHOLE = """() => {
  const page = document.documentElement.cloneNode(true);
  for (const part of page.querySelectorAll(".map, .places, #page")) part.remove();
  return page.outerHTML;
}"""
_HIDDEN = "•••"


def whole(phone: Device) -> str:
    return str(phone.page.evaluate(_WHOLE)).lower()


def dialled(phone: Device, name: str) -> None:
    """Sets the dial, and waits until the phone knows."""
    turn_to(phone, name)
    with phone.answered():
        set_dial(phone)


def test_the_second_tap_sets_it_and_another_turn_between_them_does_not(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = phones.new(table)
    phone.sit("red")
    phone.see(".dial")
    phone.picture("phone-dial")
    turn_to(phone, "Sevilla")
    phone.tap(".dialling button")
    phone.read("Tap again to set Sevilla", ".dialling")
    phone.read("Not set yet", ".dialling")
    phone.picture("phone-dial-sure")
    turn_to(phone, "Granada")
    phone.read("Set the dial")
    assert "red" in table.now.public.waiting_for
    set_dial(phone)
    phone.read("Your dial is set.")
    assert "red" not in table.now.public.waiting_for
    assert str(table.game.moves[-1]) == "red dial granada"


def test_a_tap_on_the_map_turns_it_and_does_not_set_it(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = phones.new(table)
    phone.sit("red")
    phone.see('.map [data-place="granada"]')
    phone.place("granada")
    phone.read("Granada", ".reading")
    expect(phone.page.locator(".dialling button")).to_be_in_viewport(ratio=1)
    phone.read("Granada", ".place-panel")
    expect(phone.page.locator(".place-panel .why")).to_have_count(0)
    phone.place("castillo")
    phone.read("Set your dial first.", ".place-panel")
    phone.read("Granada", ".reading")
    assert "red" in table.now.public.waiting_for


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_small_phone_before_and_after_the_first_tap(language: str, serve: Serve, phones: Phones) -> None:
    phone = phones.new(serve(dials()), SMALL, language=language)
    phone.sit("red")
    phone.see(".dial")
    phone.tap(".dial .sector >> nth=4")  # a long name
    for taps in (0, 1):
        expect(phone.page.locator(".dialling button.sure")).to_have_count(taps)
        for part in ("#question", ".dial", ".reading", ".dialling button"):
            expect(phone.page.locator(part)).to_be_in_viewport(ratio=1)
        phone.picture(f"phone-dial-{taps}-{language}", whole=False)
        phone.tap(".dialling button")


def test_once_set_the_region_stands_nowhere_in_the_page(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    red, blue = phones.new(table), phones.new(table)
    red.sit("red")
    blue.sit("blue")
    red.see(".dial")
    dialled(red, "Sevilla")
    red.read("Your dial is set.")
    red.picture("phone-dial-set")
    assert "sevilla" not in whole(red)
    red.page.reload()
    red.read("Your dial is set.")
    assert "sevilla" not in whole(red)
    blue.up_to_date()
    blue.see(".dial")
    assert "red has" not in blue.page.inner_text("body")


def test_it_is_seen_only_while_it_is_held(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = phones.new(table)
    phone.sit("red")
    phone.see(".dial")
    dialled(phone, "Sevilla")
    peeked = phone.page.locator(".peeked")
    assert peeked.inner_text() == _HIDDEN
    button = phone.page.get_by_role("button", name="Hold to look")
    button.hover()
    phone.page.mouse.down()
    assert peeked.inner_text() == "Sevilla"
    phone.picture("phone-dial-peek")
    phone.page.mouse.up()
    assert peeked.inner_text() == _HIDDEN
    assert "sevilla" not in whole(phone)
    phone.page.mouse.down()
    phone.page.mouse.move(1, 1)
    assert peeked.inner_text() == _HIDDEN
    phone.page.mouse.up()
    button.focus()
    phone.page.keyboard.down("Space")
    assert peeked.inner_text() == "Sevilla"
    phone.page.keyboard.up("Space")
    assert peeked.inner_text() == _HIDDEN
    # A page that goes out of sight while it is held shows nothing when it comes back.
    button.dispatch_event("pointerdown")
    assert peeked.inner_text() == "Sevilla"
    phone.page.evaluate("window.dispatchEvent(new Event('blur'))")
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert peeked.inner_text() == _HIDDEN


def test_when_all_are_set_everybody_sees_them(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    red, blue = phones.new(table), phones.new(table)
    red.sit("red")
    blue.sit("blue", "green")
    red.see(".dial")
    dialled(red, "Sevilla")
    table.say("green", "dial granada")
    blue.see(".dial")
    assert "granada" not in whole(red)
    dialled(blue, "Valencia")
    blue.up_to_date()
    red.up_to_date()
    red.tap("#phone .logged summary")
    for line in ("red dials Sevilla", "blue dials Valencia", "green dials Granada"):
        red.read(line, ".logged")
    red.picture("phone-dials-revealed")


def around(phone: Device) -> Callable[[float], tuple[float, float]]:
    """Returns where the thumb is on the dial at a number of degrees from its top."""
    box = phone.page.locator(".dial").bounding_box()
    assert box is not None
    x, y, r = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] * 0.35

    def at(degrees: float) -> tuple[float, float]:
        turn = math.radians(degrees - 90)
        return x + r * math.cos(turn), y + r * math.sin(turn)

    return at


def test_the_dial_follows_the_thumb_around_its_middle(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = phones.new(table)
    phone.sit("red")
    phone.see(".dial")
    at = around(phone)
    before = phone.page.locator(".dial").get_attribute("aria-valuenow")
    phone.page.mouse.move(*at(0))
    phone.page.mouse.down()
    # Counter-clockwise by two regions, past where angles jump from one end to the other.
    for degrees in range(0, -81, -10):
        phone.page.mouse.move(*at(degrees))
    after = phone.page.locator(".dial").get_attribute("aria-valuenow")
    phone.page.mouse.up()
    assert (int(after or 0) - int(before or 0)) % 9 == 2
    assert phone.page.locator(".dial").get_attribute("aria-valuenow") == after


def test_a_drag_round_the_whole_dial_comes_back_to_where_it_began(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = phones.new(table)
    phone.sit("red")
    phone.see(".dial")
    at = around(phone)
    seen = []
    phone.page.mouse.move(*at(0))
    phone.page.mouse.down()
    for degrees in range(0, 361, 20):
        phone.page.mouse.move(*at(degrees))
        seen.append(int(phone.page.locator(".dial").get_attribute("aria-valuenow") or 0))
    phone.page.mouse.up()
    assert len(set(seen)) == 9
    assert seen[0] == seen[-1]


def test_a_dial_that_came_with_the_page_stays_when_the_stream_tells_the_same(serve: Serve, phones: Phones) -> None:
    phone = phones.new(serve(dials()))
    waiting: list[Route] = []
    phone.page.route("**/events?seat=red*", lambda route: waiting.append(route))
    phone.sit("red")
    phone.see(".dial")
    phone.page.evaluate("document.querySelector('.dial').dataset.first = 'yes'")
    for route in waiting:
        route.continue_()
    phone.up_to_date()
    assert phone.page.locator(".dial").get_attribute("data-first") == "yes"
