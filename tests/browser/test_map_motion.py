"""What breathes on the map does so in a layer above it, exactly over its places, and only if people like motion."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import ViewportSize

from tests.browser.phones import SCREEN, SMALL, Device, Phones
from tests.browser.positions import BOARD, THREE
from tests.browser.served import Serve
from tests.support.arrange import turn_of

# How far the outline of each place in a layer is from the place itself, in pixels.
_APART = """() => [...document.querySelectorAll(".motion.legal path")].map((path) => {
  const place = [...document.querySelectorAll(".map .ground")]
    .find((ground) => ground.getAttribute("d") === path.getAttribute("d"));
  const [a, b] = [path, place].map((each) => each.getScreenCTM());
  return Math.max(...["a", "d"].map((name) => 1000 * Math.abs(a[name] - b[name])),
                  ...["e", "f"].map((name) => Math.abs(a[name] - b[name])));
})"""
# What moves without end: where, and which properties.
_ENDLESS = """() => document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().iterations === Infinity)
  .map(({effect}) => [Boolean(effect.target.closest(".map")),
                      ...new Set(effect.getKeyframes().flatMap((frame) => Object.keys(frame)))])"""


def shown(serve: Serve, phones: Phones, path: str, size: ViewportSize) -> Device:
    table = serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3, "blue": 4, "green": 4}))
    device = phones.new(table, size)
    device.sit("red", path=path)
    device.see(".map .legal .badge")
    return device


@pytest.mark.parametrize(("path", "size"), [("/phone", SMALL), ("/table", SCREEN), ("/board", SCREEN)])
def test_places_that_can_be_chosen_breathe_in_a_layer_exactly_above_them(
    path: str, size: ViewportSize, serve: Serve, phones: Phones
) -> None:
    device = shown(serve, phones, path, size)
    # Somebody who likes things to be still sees no layer, and nothing moves.
    device.see(".motion.legal", "hidden")
    assert device.page.evaluate(_ENDLESS) == []

    device.page.emulate_media(reduced_motion="no-preference")
    device.see(".motion.legal")
    endless: list[list[Any]] = device.page.evaluate(_ENDLESS)
    # Nothing that would have to be drawn again sixty times a second: never in the map itself, and by its opacity alone.
    described = {"offset", "computedOffset", "easing", "composite"}
    moving = [(in_map, {*names} - described) for in_map, *names in endless]
    assert (False, {"opacity"}) in moving
    assert all(not in_map and names <= {"opacity", "transform"} for in_map, names in moving)

    for width, height in ((size["width"], size["height"]), (1100, 700)):
        device.page.set_viewport_size({"width": width, "height": height})
        device.page.wait_for_function(f"() => ({_APART})().every((pixels) => pixels < 1)")
        assert len(device.page.evaluate(_APART)) == 3


def test_the_ring_of_the_keyboard_is_not_covered(serve: Serve, phones: Phones) -> None:
    device = shown(serve, phones, "/phone", SMALL)
    device.page.emulate_media(reduced_motion="no-preference")
    device.see(".motion.legal")
    device.page.keyboard.press("Tab")
    device.page.locator('.map [data-place="castillo"]').focus()
    device.see(".motion.legal", "hidden")
    device.page.locator('.map [data-place="castillo"]').blur()
    device.see(".motion.legal")
