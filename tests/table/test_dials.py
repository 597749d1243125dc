"""Dials at the table: a player is told who asks, why, and what is at stake; a dial with one choice is set for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import CASTILLO, Game
from companion.table.options import Options
from tests.support.arrange import play, put, turn_of
from tests.support.table_rig import TableRig, table_rig

THREE = ("red", "blue", "green")
BOARD = {"aragon": {"blue": 3, "green": 1}, "sevilla": {"blue": 1, "green": 1}, CASTILLO: {"red": 2, "blue": 1}}


def details(rig: TableRig, seat: str) -> list[str]:
    return [str(line) for line in rig.prompt(seat).details]


def general() -> Game:
    """A game in which the dials of the first general scoring are being set."""
    game = Game(THREE)
    while not game.dialling or game.view(None)["turn"]["card"]:
        move = next((move for move in game.legal_moves() if move.verb in ("end", "done", "recruit")), None)
        game.play(move or game.legal_moves()[0])
    return put(game, board=BOARD)


def test_at_a_general_scoring_each_is_told_how_many_of_their_own_are_inside(tmp_path: Path) -> None:
    with table_rig(tmp_path, general(), Options(guided=False)) as rig:
        assert details(rig, "red")[1:] == ["You have 2 in the castillo."]
        assert details(rig, "blue")[1:] == ["You have 1 in the castillo."]
        assert details(rig, "green")[1:] == ["You have none in the castillo, so any region will do."]
        assert details(rig, "red")[0].startswith("General scoring: ")


@pytest.mark.parametrize(
    ("card", "lines", "told"),
    [
        ("secret-all-home", ["special"], ["red plays secret-all-home:"]),
        ("expel", ["special", "expel aragon"], ["red plays expel:", "You have 3 in aragon."]),
    ],
)
def test_a_card_says_who_plays_it_what_it_does_and_what_is_at_stake(
    tmp_path: Path, card: str, lines: list[str], told: list[str]
) -> None:
    game = play(turn_of(card, THREE, board=BOARD), *(f"red {line}" for line in lines))
    with table_rig(tmp_path, game, Options(guided=False)) as rig:
        found = details(rig, "blue")
        assert found[0] == told[0]
        assert found[2:] == told[1:]
        assert details(rig, "red") == []


def test_a_dial_with_one_choice_is_set_by_the_table_which_tells_its_seat_alone(tmp_path: Path) -> None:
    board = {"aragon": {"blue": 1}, "sevilla": {"green": 1}, "granada": {"green": 1}}
    with table_rig(tmp_path, turn_of("secret-all-home", THREE, board=board), Options(guided=False)) as rig:
        rig.say("red", "special")
        assert rig.game.to_act == ("green",)
        assert str(rig.prompt("blue").notice) == "Your dial is set to aragon: it was the only choice."
        assert rig.prompt("red").notice is None
        assert rig.prompt("green").notice is None
        assert "aragon" not in " ".join(map(str, rig.public.notices))


def test_it_stays_on_that_page_until_all_dials_are_set(tmp_path: Path) -> None:
    board = {"aragon": {"blue": 1}, **{place: {"green": 1, "yellow": 1} for place in ("sevilla", "granada")}}
    game = turn_of("secret-all-home", (*THREE, "yellow"), board=board)
    with table_rig(tmp_path, game, Options(guided=False)) as rig:
        rig.say("red", "special")
        rig.say("green", "dial sevilla")
        assert rig.prompt("blue").notice is not None
