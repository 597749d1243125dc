"""The guide at the table: what is to be done to the pieces, one step lit at a time, until board and game agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.table.options import Options
from hardware.ports import Pattern
from tests.support.arrange import NEIGHBOURS, play, turn_of
from tests.support.table_rig import BLUE, BOARD, GREEN, RED, TAP, THREE, placing, table_rig


def homeward() -> Game:
    """Green and blue have dialled where they go home from, all but one."""
    game = play(turn_of("secret-all-home", THREE, board=BOARD), "red special")
    return play(game, "blue dial sevilla") if "green" in game.to_act else game


# --- What brings it up -----------------------------------------------------------------------------------------------


def test_a_new_game_is_laid_out_by_the_guide(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(("red", "blue"))) as rig:
        assert len(rig.guide) == 5  # the King, two Grandes, two heaps
        assert len(rig.lit(Pattern.CHASE)) == 1
        assert rig.lit(Pattern.PULSE) == rig.lit(Pattern.BREATHE) == set()
        for left in (4, 3, 2, 1, 0):
            rig.press("confirm")
            assert len(rig.guide) == left
        assert rig.scene.places == {}


def test_dials_that_are_turned_send_pieces_home_and_the_guide_says_which(tmp_path: Path) -> None:
    with table_rig(tmp_path, homeward()) as rig:
        for seat in rig.game.to_act:
            rig.say(seat, "dial sevilla")
        assert set(rig.guide) >= {"Take 1 blue from sevilla.", "Take 2 green from sevilla."}
        assert rig.lit(Pattern.PULSE) == {"sevilla"}
        assert rig.lit(Pattern.BREATHE) == set()
        rig.press("castillo")
        assert rig.notices[0].startswith("First the board must match the game")
        assert rig.lit(Pattern.BLINK) == {"castillo"}


def test_steps_are_followed_by_taps_in_any_order(tmp_path: Path) -> None:
    with table_rig(tmp_path, homeward(), modes=TAP) as rig:
        for seat in rig.game.to_act:
            rig.say(seat, "dial sevilla")
        before = rig.session.version
        rig.tap(GREEN, "sevilla")
        assert "Take 1 green from sevilla." in rig.guide
        rig.tap(BLUE, "sevilla")
        rig.tap(GREEN, "sevilla")
        assert rig.guide == []
        assert rig.session.version == before


def test_a_piece_on_its_way_is_tapped_where_it_leaves_and_where_it_comes(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board={"aragon": {"red": 3}}), "red special")
    with table_rig(tmp_path, game, modes=TAP) as rig:
        rig.press("aragon", "granada", "aragon", "granada", "undo", "undo")
        assert rig.guide == ["Move 2 red from granada to aragon."]
        assert (rig.lit(Pattern.PULSE), rig.lit(Pattern.CHASE)) == ({"granada"}, {"aragon"})
        before = rig.session.version
        rig.tap(RED, "granada", "granada")
        assert rig.guide == ["Move 2 red from granada to aragon."]
        rig.tap(RED, "aragon", "aragon")
        assert rig.guide == []
        assert rig.session.version == before


def test_a_bots_move_is_made_by_people_and_the_bot_waits_for_them(tmp_path: Path) -> None:
    options = Options(players={"red": "easy"}, pace="fast")
    with table_rig(tmp_path, placing(), options) as rig:
        rig.think("red place castillo")
        assert rig.guide == ["Set 1 red down in castillo."]
        assert rig.lit(Pattern.CHASE) == {"castillo"}
        asked = len(rig.bots.questions)
        rig.pass_s(60)
        assert len(rig.bots.questions) == asked
        rig.press("confirm")
        assert len(rig.bots.questions) == asked + 1


def test_after_a_scoring_the_markers_are_told_and_the_bots_wait_for_them(tmp_path: Path) -> None:
    game = play(turn_of("score-one", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game) as rig:
        rig.press("sevilla")
        assert rig.scene.wave
        shown = len(rig.lights.scenes)
        rig.pass_s(1.5)
        assert rig.lit(Pattern.STEADY) == {"sevilla"}
        rig.pass_s(0.6)
        assert rig.lit(Pattern.STEADY) == set()
        assert len(rig.lights.scenes) > shown
        scores = {seat: score for seat, score in rig.game.scores.items() if score}
        assert rig.guide == [f"Move {seat}'s score marker to {score}." for seat, score in scores.items()]
        rig.press("confirm")
        assert rig.guide == []


@pytest.mark.parametrize("house", [(), ("open-castillo",)])
def test_the_roll_call_after_a_restart_keeps_the_secret_of_the_castillo(house: tuple[str, ...], tmp_path: Path) -> None:
    game = turn_of("score-4s", THREE, house=house, board={**BOARD, "castillo": {"red": 3}}, scores={"blue": 12})
    with table_rig(tmp_path, game, resumed=True) as rig:
        assert "sevilla: 1 blue, 2 green" in rig.guide
        assert "Move blue's score marker to 12." in rig.guide
        assert ("castillo: 3 red" in rig.guide) == bool(house)
        assert rig.lit(Pattern.BREATHE) == set()
        rig.press("confirm")
        assert rig.guide == []
        assert rig.lit(Pattern.BREATHE) == NEIGHBOURS["galicia"] | {"castillo"}
