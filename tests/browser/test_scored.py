"""Scorings are shown place by place on every page, and no page tells more than the others."""

from __future__ import annotations

from dataclasses import replace

from tests.browser.phones import Phones
from tests.browser.positions import ALONE, THREE
from tests.browser.served import Serve
from tests.support.arrange import turn_of

BOARD = {"galicia": {"red": 2, "blue": 1}, "cataluna": {"blue": 2}}


def test_every_page_shows_a_scoring_place_by_place_before_totals_change(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3}), replace(ALONE, pace="step"))
    red, blue, screen = phones.new(table), phones.new(table), phones.new(table)
    red.sit("red")
    blue.sit("blue")
    screen.open("/table")
    screen.see("#players li")
    red.tap('[data-key="special"]')
    for device, where in ((red, "#phone .scored"), (blue, "#phone .scored"), (screen, "#scoring")):
        device.see(where)
        assert "+" not in device.page.locator(where).inner_text()
    assert (red.question, blue.question) == ("Scoring", "Scoring")
    assert table.game.scores["red"] > 0
    assert red.page.locator("#phone header .points").inner_text().startswith("0")
    red.tap('[data-key="next"]')
    for device, where in ((red, "#phone .scored"), (blue, "#phone .scored"), (screen, "#scoring")):
        device.read("+6", where)
        device.see('.map [data-place="galicia"].scored')
        assert device.page.locator(f"{where} tbody tr").count() == 1
        device.picture(f"scoring-{where[1:6]}")
    red.tap('[data-key="next"]')
    for device, where in ((red, "#phone .scored"), (blue, "#phone .scored"), (screen, "#scoring")):
        device.see(f"{where} tbody tr:nth-child(2)")
        assert device.page.locator(f"{where} tfoot .last").count() == 0
    while not table.now.public.shows_totals:
        table.say("red", "next")
    scores = [f"{score}" for score in table.game.scores.values()]
    for device, where in ((red, "#phone .scored"), (blue, "#phone .scored"), (screen, "#scoring")):
        device.see(f"{where} tfoot .last")
        assert device.page.locator(f"{where} tfoot b").all_inner_texts() == scores
        device.picture(f"totals-{where[1:6]}")
    table.say("red", "next")
    # When it is over, the totals have changed everywhere.
    red.see("#phone .scored", "hidden")
    red.read("6", "#phone header .points")
    screen.see("#scoring", "hidden")
