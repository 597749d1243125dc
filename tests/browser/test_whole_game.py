"""A whole game in the browser: three people on three phones, one of whom hands over to a bot, and the screens."""

from __future__ import annotations

from random import Random

from companion.engine import PLACES, Game
from companion.table.handovers import secret_at_stake
from companion.table.options import Options
from tests.browser.phones import LARGE, SCREEN, SMALL, Device, Phones
from tests.browser.served import Serve
from tests.browser.thumb import Thumb, play_on

NAMES = {"red": "Ann", "blue": "Bo", "green": "Cleo"}
HALF = 5
"""The round in which a person leaves: a short game skips the first of each third."""


def shown_scores(device: Device, rows: str) -> dict[str, int]:
    """Returns the points from a table on a page: one row per seat, the name first."""
    lines = device.page.locator(rows).evaluate_all(
        "(rows) => rows.map((row) => [row.querySelector('.called').textContent, row.querySelector('td').textContent])"
    )
    return {name: int(points) for name, points in lines}


def result_on(screen: Device) -> dict[str, int]:
    """Returns the points from the table screen's result: one column per seat."""
    table = screen.page.locator("#result .sources")
    names = table.locator("thead .called").all_text_contents()
    return dict(zip(names, map(int, table.locator("tbody b").all_text_contents()), strict=True))


def places_on(device: Device) -> dict[str, str]:
    """Returns what a map says about each place: everything there, in words."""
    places = device.page.locator("svg g[data-place][aria-label]")
    found = places.evaluate_all("(all) => all.map((each) => [each.dataset.place, each.getAttribute('aria-label')])")
    return dict(found)


def test_three_play_on_phones_a_bot_takes_one_seat_over_and_everybody_sees_the_same_end(
    serve: Serve, phones: Phones
) -> None:
    table = serve(Game(tuple(NAMES), rounds=6), Options(pace="instant", guided=False))
    red, blue, green = phones.new(table, SMALL), phones.new(table, LARGE, dark=True), phones.new(table, SMALL)
    screen, board = phones.new(table, SCREEN), phones.new(table, SCREEN)
    screen.page.clock.install()
    screen.open("/table")
    assert screen.post("/table/open", code=table.codes.table_code) == 200
    screen.open("/table")
    for phone, (seat, name) in zip((red, blue, green), NAMES.items(), strict=True):
        phone.join(seat, name)
    board.share(red)
    board.open("/board")
    for device in (red, blue, green, screen, board):
        device.after(0)

    rng = Random(7)
    players = [Thumb(red, rng, board), Thumb(blue, rng)]
    # Not while green chooses from cards that nobody else knows: then green's phone would be asked first.
    play_on(
        [*players, Thumb(green, rng)],
        until=lambda: table.game.round >= HALF and not secret_at_stake(table.game, "green"),
    )
    assert not table.game.over
    screen.up_to_date()

    # One has to go home: a bot takes over, and the phone that had the seat only watches.
    screen.page.click("#manage summary")
    screen.page.select_option('[data-key="player-green"]', "easy")
    screen.click('[data-key="change-green"]')
    green.page.wait_for_url("**/join?gone=green")
    green.read("A bot plays Cleo now, so no phone can have that seat. You may take another, or watch.")
    assert table.now.holders.keys() == {"red", "blue"}
    green.page.clock.install()
    green.tap("a[href='/table']")
    green.page.wait_for_url("**/table")
    green.after(0)

    play_on(players)
    made_by = zip(table.game.moves, table.table.session.made_by, strict=True)
    assert {by for move, by in made_by if move.seat == "green"} >= {"person", "bot"}

    # All of them show the same end, and it is the game's.
    game = table.game
    assert game.over
    for device in (red, blue, green, screen, board):
        device.up_to_date()
    scores = {NAMES[seat]: score for seat, score in game.scores.items()}
    for device in (screen, green):
        # It shows every scoring place by place, and nobody has waited for that.
        device.page.clock.run_for(120_000)
        device.see("#result")
        assert result_on(device) == scores
    for device in (red, blue, board):
        device.see("#phone .ranking")
        assert shown_scores(device, "#phone .players tbody tr") == scores
    lies = places_on(board)
    assert lies.keys() == set(PLACES)
    for device in (red, blue, screen):
        assert places_on(device) == lies
    red.picture("phone-result")
    blue.picture("phone-result-dark")
    green.picture("phone-watching-result")
    screen.picture("table-result")
    board.picture("board-result")
