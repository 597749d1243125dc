"""Everybody can use the pages: axe finds nothing in any state, by day and by night."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from companion.table.options import Options
from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.positions import KINDS, THREE, Kind, ask, dials, ids, set_dial
from tests.browser.served import Serve
from tests.support.arrange import opening, turn_of
from tests.support.random_games import finished

AXE = Path(__file__).parents[2] / ".venv" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def faults(device: Device) -> list[str]:
    """Returns what axe finds by day and by night: the rule, and where."""
    page = device.page
    if not page.evaluate("() => 'axe' in window"):
        page.add_script_tag(path=AXE)
    found = []
    # Between day and night only colours change.
    looks: list[tuple[Literal["light", "dark"], list[str]]] = [("light", RULES), ("dark", ["color-contrast"])]
    for scheme, rules in looks:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        result: dict[str, Any] = page.evaluate("(rules) => axe.run({runOnly: rules})", rules)
        assert result["passes"]
        found += [
            f"{scheme}: {fault['id']}: {node['html'][:200]} {node['failureSummary']}"
            for fault in result["violations"]
            for node in fault["nodes"]
            if not (fault["id"] == "label-content-name-mismatch" and _named_first(device, node["target"][0]))
        ]
    return found


def _named_first(device: Device, selector: str) -> bool:
    """Returns whether this is a place on the map whose name comes first in its label for screen readers.

    The numbers in a place show what is there and are not its label, which says it in words. Axe joins them to one text.
    """
    place = device.page.locator(selector)
    if not place.evaluate("(place) => place.matches('.map .place')"):
        return False
    label, name = place.get_attribute("aria-label") or "", place.locator(".name").text_content() or ""
    return bool(name) and label.startswith(f"{name}: ")


@pytest.mark.parametrize("kind", KINDS, ids=ids)
def test_axe_finds_nothing_on_the_phone(kind: Kind, serve: Serve, phones: Phones) -> None:
    table = serve(kind.game(), kind.options)
    phone = phones.new(table, injects=True)
    ask(kind, phone)
    phone.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert faults(phone) == []


def test_axe_finds_nothing_in_a_lesson_and_a_hint(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-4s", THREE), Options(pace="instant", guided=False, teach=True))
    phone = phones.new(table, injects=True)
    phone.sit("red")
    phone.see("#phone .lesson")
    phone.tap('#phone [data-key="hint"]')
    phone.read("I'd choose")
    assert faults(phone) == []
    phone.picture("phone-lesson-dark")


def test_axe_finds_nothing_on_the_page_to_join(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table, injects=True)
    phone.open("/join?gone")
    phone.see(".seat-red")
    phones.new(table).sit("red")
    phone.see(".seat-red .note")
    phone.tap(".seat-blue")
    assert faults(phone) == []
    phone.picture("join-dark")


def test_axe_finds_nothing_in_how_to_keep_the_screen_on(serve: Serve, phones: Phones) -> None:
    phone = phones.new(serve(opening(THREE), https=True), injects=True, first_visit=True)
    phone.open("/join")
    phone.see("#screen-on a")
    assert faults(phone) == []
    phone.sit("red")
    phone.see(".screen-hint a")
    assert faults(phone) == []


def test_axe_finds_nothing_on_a_set_dial_and_a_cover(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    phone = phones.new(table, injects=True)
    phone.sit("red", "blue")
    phone.see(".dial")
    phone.tap(".dialling button")
    phone.see(".dialling button.sure")
    assert faults(phone) == []
    phone.tap(".dialling button")
    phone.see(".cover")
    assert faults(phone) == []
    phone.tap(".cover button")
    phone.see(".dial")
    set_dial(phone)
    phone.see(".peeked")
    assert faults(phone) == []
    phone.picture("phone-dial-set-dark")


@pytest.mark.parametrize("path", ["/table", "/board"])
def test_axe_finds_nothing_on_the_table_screen_and_the_board(path: str, serve: Serve, phones: Phones) -> None:
    table = serve(KINDS[3].game())
    screen = phones.new(table, SCREEN, injects=True)
    screen.sit("red", path=path)
    screen.after(0)
    screen.picture(f"{path[1:]}-place")
    assert faults(screen) == []
    screen.picture(f"{path[1:]}-place-dark")


def test_axe_finds_nothing_where_a_game_is_set_up(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    stranger, screen = phones.new(table, injects=True), phones.new(table, SCREEN, injects=True)
    stranger.open("/new")
    stranger.read("Only whoever manages the table can choose other settings")
    assert faults(stranger) == []
    screen.open("/table")
    assert screen.post("/table/open", code=table.codes.table_code) == 200
    screen.open("/new")
    screen.see(".row")
    screen.page.click("#more summary")
    screen.page.click("#form .go button")
    screen.see("#aside")
    assert faults(screen) == []


def test_axe_finds_nothing_on_the_last_result(serve: Serve, phones: Phones) -> None:
    phone = phones.new(serve(finished(3)), injects=True)
    phone.open("/result")
    phone.see(".lines")
    assert faults(phone) == []
