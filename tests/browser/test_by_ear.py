"""A blind player plays a whole game on the phone: by roles, names and what is announced, and by nothing else."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from playwright.sync_api import TimeoutError as TooLate

from companion.engine import Game
from companion.table.options import Options
from companion.translations import Translator
from tests.browser.listener import Listener
from tests.browser.phones import Phones
from tests.browser.served import Serve, Served
from web_remote.page_history import whole_history

BOTS = Options(players={"blue": "easy", "green": "easy"}, pace="instant", guided=False, veto_s=0.0)


def happened(table: Served, own: str) -> Counter[str]:
    """Returns the turns that others or all of them played, and the places that were scored, in words."""
    public = table.now.public
    words = Translator(public.options.language, public.view["setup"]["edition"], public.options.names)
    turns = whole_history(public, words)["turns"]
    told = [turn["summary"] for turn in turns if turn["summary"] and turn["seat"] != own]
    rows = [step["words"] for turn in turns for step in turn["steps"] if step["line"].startswith("scored ")]
    return Counter([*told, *rows])


@pytest.mark.parametrize("seed", [3, 12, 21])
def test_a_whole_game_is_played_by_roles_names_and_what_is_announced(seed: int, serve: Serve, phones: Phones) -> None:
    table = serve(Game(("red", "blue", "green"), rounds=6), BOTS)
    player = Listener(phones.new(table), Random(seed))
    player.join(f"{table.address}/join", "red", "Ann", table.codes.join_code)

    # The map answers in words: what a place would pay, and why it cannot be chosen now.
    told = player.press(player.places.first)
    assert any(line.startswith("Galicia") for line in told), told
    assert sum("play a power card first" in line for line in told) == 1, told

    for _ in range(1500):
        if player.over:
            break
        player.act()
    assert player.over, player.question
    player.listen()

    names = {"red": "Ann", "blue": "Blue", "green": "Green"}
    ranking = player.page.get_by_role("list", name="The result").get_by_role("listitem")
    ranking.first.wait_for()
    read = {line.split()[-2]: int(line.split()[-1]) for line in ranking.all_inner_texts()}
    assert read == {names[seat]: score for seat, score in table.game.scores.items()}
    winner = names[table.game.winners[0]].casefold()
    assert any(line.casefold().startswith(winner) for line in player.heard[-5:]), player.heard[-5:]

    # Nothing that happened was lost, and nothing was read twice.
    wanted = happened(table, "red")
    with suppress(TooLate):
        while wanted - Counter(player.heard):
            player.wait()
    assert {words: times for words, times in Counter(player.heard).items() if words in wanted} == wanted
