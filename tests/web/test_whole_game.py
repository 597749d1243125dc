"""A whole game in the browser: two people on two phones, a bot, and the screens that watch."""

from __future__ import annotations

from random import Random

from companion.engine import Game
from companion.table.options import Options
from tests.web.phones import LARGE, SCREEN, SMALL, Phones
from tests.web.served import Serve
from tests.web.thumb import Thumb, play_on


def test_three_play_a_short_game_over_phones_and_everybody_sees_the_result(serve: Serve, phones: Phones) -> None:
    game = Game(("red", "blue", "green"), rounds=6)
    table = serve(game, Options({"green": "easy"}, bot_pause_s=0.0, guided=False))
    red, blue = phones.new(table, SMALL), phones.new(table, LARGE, dark=True)
    screen, board = phones.new(table, SCREEN), phones.new(table, SCREEN)
    red.sit("red")
    blue.sit("blue")
    screen.page.clock.install()
    screen.open("/table")
    board.share(red)
    board.open("/board")
    for device in (red, blue, screen, board):
        device.after(0)

    rng = Random(7)
    play_on([Thumb(red, rng, board), Thumb(blue, rng)])

    assert table.now.game.over
    for device in (red, blue, screen, board):
        device.up_to_date()
    # It shows every scoring place by place, and nobody has waited for that.
    screen.page.clock.run_for(120_000)
    screen.see("#result")
    board.see("#phone .result")
    red.picture("phone-result")
    blue.picture("phone-result-dark")
    screen.picture("table-result")
    board.picture("board-result")
