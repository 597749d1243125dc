"""Firefox and WebKit do what Chromium does: join, play, turn a dial, see a scoring, go back, and connect again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.browser.engines.driver import EngineBrowser
from tests.browser.positions import ALONE, BOARD, THREE, dials
from tests.browser.served import Serve, Served
from tests.browser.test_streams import only
from tests.support.arrange import opening, turn_of
from web_remote import display

BACK_AND_FORTH = 9
"""A browser has six connections to one host: as many streams that nobody listens to would leave it none."""


def address(engine: EngineBrowser, table: Served) -> str:
    return f"http://{engine.host}:{table.port}"


def sit(engine: EngineBrowser, table: Served, seat: str) -> None:
    """Takes a seat as with the QR code on the table screen."""
    engine.open(f"{address(engine, table)}/join?seat={seat}&code={table.codes.join_code}")
    engine.see(f'input[value="{seat}"]:checked')
    engine.tap("button[type=submit]")
    engine.at("/phone")
    engine.see("#question")


def place(engine: EngineBrowser, name: str) -> None:
    """Taps a place of the map where it has its badge: its middle may lie in another region."""
    engine.see(f'.map .offered[data-place="{name}"]')
    x, y = engine.run(
        """const place = document.querySelector(`.map [data-place="${arguments[0]}"]`);
        place.scrollIntoView({block: "center"});
        const at = (place.querySelector(".badge circle") ?? place).getBoundingClientRect();
        return [at.left + at.width / 2, at.top + at.height / 2];""",
        name,
    )
    engine.drag((x, y))


def test_a_player_joins_with_the_code_and_plays_a_power_card(engine: EngineBrowser, serve: Serve) -> None:
    table = serve(opening(THREE))
    engine.open(f"{address(engine, table)}/join")
    engine.tap(".seat-red")
    engine.fill("#name", "Ann")
    engine.fill("#code", table.codes.join_code)
    engine.tap("button[type=submit]")
    engine.at("/phone")
    assert not engine.run("return window.isSecureContext")
    engine.read("Ann", "#phone")
    engine.tap('[data-key="power7"]')
    table.shown("blue")
    assert str(table.game.moves[-1]) == "red power 7"
    engine.miss('[data-key="power7"]')


def test_a_caballero_is_placed_by_a_tap_on_the_map(engine: EngineBrowser, serve: Serve) -> None:
    table = serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3, "blue": 4, "green": 4}))
    sit(engine, table, "red")
    place(engine, "castillo")
    table.played("red place castillo")
    assert [move.verb for move in table.game.moves].count("place") == 1


def test_the_dial_is_turned_by_a_finger_and_selects_no_letters(engine: EngineBrowser, serve: Serve) -> None:
    table = serve(dials())
    sit(engine, table, "red")
    engine.see("[role=slider]")
    left, top, width = engine.run(
        """const dial = document.querySelector("[role=slider]");
        dial.scrollIntoView({block: "center"});
        const box = dial.getBoundingClientRect();
        return [box.left, box.top, box.width];"""
    )
    before = engine.run("return document.querySelector('[role=slider]').getAttribute('aria-valuenow')")
    middle, reach = width / 2, width * 0.32
    engine.drag(
        (left + middle, top + middle - reach),
        (left + middle + 0.7 * reach, top + middle - 0.7 * reach),
        (left + middle + reach, top + middle),
    )
    assert engine.run("return String(getSelection())") == ""
    turned = "return document.querySelector('[role=slider]').getAttribute('aria-valuenow') !== arguments[0]"
    engine.until(turned, before)
    # Once more to be sure.
    engine.tap("[role=slider] ~ button")
    engine.tap("[role=slider] ~ button")
    engine.miss("[role=slider]")
    assert table.game.moves[-1].verb == "dial"


def test_a_scoring_is_shown(engine: EngineBrowser, serve: Serve) -> None:
    game = turn_of("score-one", THREE, board={"aragon": {"red": 2, "blue": 1}}, court={"red": 3})
    table = serve(game, replace(ALONE, pace="step"))
    sit(engine, table, "red")
    engine.tap('[data-key="special"]')
    place(engine, "aragon")
    engine.see('.map .scored[data-place="aragon"]')
    engine.read("Aragón is scored: Red 5, Blue 4")
    assert table.game.scores["red"] == 5


def test_a_page_that_one_goes_back_to_again_and_again_goes_on(engine: EngineBrowser, serve: Serve) -> None:
    table = serve(opening(THREE))
    sit(engine, table, "red")
    engine.see('[data-key="power7"]')
    engine.open(f"{address(engine, table)}/table")
    for _ in range(BACK_AND_FORTH):
        engine.back()
        engine.at("/phone")
        engine.see('[data-key="power7"]')
        engine.forward()
        engine.at("/table")
    engine.back()
    engine.at("/phone")
    only(table, 1)
    engine.tap('[data-key="power7"]')
    table.shown("blue")
    engine.miss('[data-key="power7"]')


def test_a_page_goes_on_by_itself_after_the_table_was_started_again(
    engine: EngineBrowser, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = serve(opening(THREE))
    sit(engine, table, "red")
    engine.see('[data-key="power7"]')
    table.stop()
    engine.see("#connection")
    monkeypatch.setattr(display, "RUN", "another")
    again = serve(opening(THREE), port=table.port, resumed=True)
    engine.miss("#connection")
    engine.tap('[data-key="power7"]')
    again.shown("blue")
    assert str(again.game.moves[-1]) == "red power 7"
