"""The guide at the table: what is to be done to the pieces, one step lit at a time, until board and game agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.table.options import Options
from hardware.ports import Pattern
from tests.support.arrange import NEIGHBOURS, play, turn_of
from tests.support.table_rig import BLUE, BOARD, GREEN, RED, TAP, THREE, at_a_bench, placing


def homeward() -> Game:
    """Green and blue have dialled where they go home from, all but one."""
    game = play(turn_of("secret-all-home", THREE, board=BOARD), "red special")
    return play(game, "blue dial sevilla") if "green" in game.to_act else game


# --- What brings it up -----------------------------------------------------------------------------------------------


def test_a_new_game_is_laid_out_by_the_guide(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, Game(("red", "blue"))) as bench:
        assert len(bench.guide) == 5  # the King, two Grandes, two heaps
        assert len(bench.lit(Pattern.CHASE)) == 1
        assert bench.lit(Pattern.PULSE) == bench.lit(Pattern.BREATHE) == set()
        for left in (4, 3, 2, 1, 0):
            bench.press("confirm")
            assert len(bench.guide) == left
        assert bench.scene.places == {}


def test_dials_that_are_turned_send_pieces_home_and_the_guide_says_which(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, homeward()) as bench:
        for seat in bench.game.to_act:
            bench.say(seat, "dial sevilla")
        assert set(bench.guide) >= {"Take 1 blue from sevilla.", "Take 2 green from sevilla."}
        assert bench.lit(Pattern.PULSE) == {"sevilla"}
        assert bench.lit(Pattern.BREATHE) == set()
        bench.press("castillo")
        assert bench.notices[0].startswith("First the board must match the game")
        assert bench.lit(Pattern.BLINK) == {"castillo"}


def test_steps_are_followed_by_taps_in_any_order(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, homeward(), modes=TAP) as bench:
        for seat in bench.game.to_act:
            bench.say(seat, "dial sevilla")
        before = bench.table.version
        bench.tap(GREEN, "sevilla")
        assert "Take 1 green from sevilla." in bench.guide
        bench.tap(BLUE, "sevilla")
        bench.tap(GREEN, "sevilla")
        assert bench.guide == []
        assert bench.table.version == before


def test_a_piece_on_its_way_is_tapped_where_it_leaves_and_where_it_comes(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board={"aragon": {"red": 3}}), "red special")
    with at_a_bench(tmp_path, game, modes=TAP) as bench:
        bench.press("aragon", "granada", "aragon", "granada", "undo", "undo")
        assert bench.guide == ["Move 2 red from granada to aragon."]
        assert (bench.lit(Pattern.PULSE), bench.lit(Pattern.CHASE)) == ({"granada"}, {"aragon"})
        before = bench.table.version
        bench.tap(RED, "granada", "granada")
        assert bench.guide == ["Move 2 red from granada to aragon."]
        bench.tap(RED, "aragon", "aragon")
        assert bench.guide == []
        assert bench.table.version == before


def test_a_bots_move_is_made_by_people_and_the_bot_waits_for_them(tmp_path: Path) -> None:
    options = Options(players={"red": "easy"}, bot_pause_s=0.5)
    with at_a_bench(tmp_path, placing(), options) as bench:
        bench.think("red place castillo")
        assert bench.guide == ["Set 1 red down in castillo."]
        assert bench.lit(Pattern.CHASE) == {"castillo"}
        asked = len(bench.bots.questions)
        bench.pass_s(60)
        assert len(bench.bots.questions) == asked
        bench.press("confirm")
        assert len(bench.bots.questions) == asked + 1


def test_after_a_scoring_the_markers_are_told_and_the_bots_wait_for_them(tmp_path: Path) -> None:
    game = play(turn_of("score-one", THREE, board=BOARD), "red special")
    with at_a_bench(tmp_path, game) as bench:
        bench.press("sevilla")
        assert bench.scene.wave
        shown = len(bench.lights.scenes)
        bench.pass_s(1.5)
        assert bench.lit(Pattern.STEADY) == {"sevilla"}
        bench.pass_s(0.6)
        assert bench.lit(Pattern.STEADY) == set()
        assert len(bench.lights.scenes) > shown
        scores = {seat: score for seat, score in bench.game.scores.items() if score}
        assert bench.guide == [f"The marker of {seat} to {score}." for seat, score in scores.items()]
        bench.press("confirm")
        assert bench.guide == []


@pytest.mark.parametrize("house", [(), ("open-castillo",)])
def test_the_roll_call_after_a_restart_keeps_the_secret_of_the_castillo(house: tuple[str, ...], tmp_path: Path) -> None:
    game = turn_of("score-4s", THREE, house=house, board={**BOARD, "castillo": {"red": 3}}, scores={"blue": 12})
    with at_a_bench(tmp_path, game, resumed=True) as bench:
        assert "sevilla: 1 blue, 2 green" in bench.guide
        assert "The marker of blue to 12." in bench.guide
        assert ("castillo: 3 red" in bench.guide) == bool(house)
        assert bench.lit(Pattern.BREATHE) == set()
        bench.press("confirm")
        assert bench.guide == []
        assert bench.lit(Pattern.BREATHE) == NEIGHBOURS["galicia"] | {"castillo"}
