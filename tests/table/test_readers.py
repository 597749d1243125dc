"""Readers that list what lies there: lifting and setting down is the move; a bump, a lost hub, a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.leftover_tags import LINGER_S
from companion.table.options import Options
from companion.table.piece_tracker import FIRST_LOOK_S, OLD_NEWS_S, SETTLE_S
from hardware.ports import Fault, Pattern, Trouble
from tests.support.arrange import NEIGHBOURS, at, opening, play, turn_of
from tests.support.table_rig import BLUE, BOARD, GREEN, INVENTORY, KING, RED, TAP, THREE, Bench, at_a_bench, placing

# --- Readers that list -----------------------------------------------------------------------------------------------


def ready(bench: Bench) -> Bench:
    bench.lay_out()
    assert bench.guide == []
    return bench


def test_pieces_are_lifted_and_set_down_and_that_is_the_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with at_a_bench(tmp_path, game, modes=INVENTORY) as bench:
        ready(bench)
        bench.lift(BLUE, "sevilla")
        assert bench.lit(Pattern.PULSE) == {"sevilla"}
        bench.put(BLUE, "granada")
        assert str(bench.game.moves[-1]) == "red move blue sevilla granada"
        # The reader where it comes may be quicker than the one where it leaves.
        bench.put(BLUE, "cataluna")
        bench.lift(BLUE, "granada")
        assert str(bench.game.moves[-1]) == "red move blue granada cataluna"
        bench.pass_s(5)
        assert bench.guide == []


def test_a_piece_put_back_where_it_was_is_no_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with at_a_bench(tmp_path, game, modes=INVENTORY) as bench:
        before = ready(bench).table.version
        bench.lift(BLUE, "sevilla")
        bench.put(BLUE, "sevilla")
        assert bench.lit(Pattern.PULSE) == set()
        bench.put(BLUE, "granada")
        bench.lift(BLUE, "granada")
        assert bench.lit(Pattern.BREATHE) == {"aragon", "sevilla"}
        bench.lift(GREEN, "sevilla")
        bench.put(GREEN, "valencia")
        assert str(bench.game.moves[-1]) == "red move green sevilla valencia"
        assert bench.table.version == before + 1


def test_a_bump_is_spoken_of_only_when_it_lasts_and_then_blinks_with_the_reason(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        bench.lift(GREEN, "sevilla")
        bench.put(GREEN, "granada")
        bench.pass_s(SETTLE_S - 0.1)
        assert bench.guide == []
        assert bench.table.poll() == pytest.approx(0.1)
        bench.pass_s(0.1)
        assert bench.guide == ["Move 1 green from granada to sevilla."]
        assert bench.lit(Pattern.BLINK) == {"granada"}
        assert "A green caballero is not asked for in granada now." in bench.notices
        bench.pass_s(2)
        assert (bench.lit(Pattern.PULSE), bench.lit(Pattern.CHASE)) == ({"granada"}, {"sevilla"})
        bench.lift(GREEN, "granada")
        bench.put(GREEN, "sevilla")
        assert bench.guide == []
        assert bench.lit(Pattern.BREATHE) == NEIGHBOURS["galicia"] | {"castillo"}


def test_a_step_of_the_guide_is_never_taken_for_a_move(tmp_path: Path) -> None:
    # Blue must send three home, and lifting one is that; but first red's own piece goes back where it was.
    game = play(turn_of("king-is-angry", THREE, board=BOARD, court={"blue": 2}), "red special")
    with at_a_bench(tmp_path, game, modes=INVENTORY) as bench:
        ready(bench)
        bench.lift(GREEN, "sevilla")
        bench.put(GREEN, "aragon")
        bench.pass_s(2)
        before = bench.table.version
        bench.lift(BLUE, "aragon")  # bumped too
        bench.put(BLUE, "aragon")
        bench.lift(GREEN, "aragon")
        bench.put(GREEN, "sevilla")
        assert bench.table.version == before
        assert bench.guide == []
        bench.lift(BLUE, "sevilla")
        assert "blue return sevilla" in map(str, bench.game.moves)


def test_a_press_gives_the_reader_its_time_and_several_may_follow_each_other(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        bench.press("castillo", "castillo")
        assert at(bench.game, "castillo", "red") == 2
        bench.put(RED, "castillo")
        bench.pass_s(SETTLE_S)
        assert bench.guide == ["Set 1 red down in castillo."]
        bench.put(RED, "castillo")
        assert bench.guide == []
        assert at(bench.game, "castillo", "red") == 2


def test_a_piece_that_follows_its_presses_is_not_another_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board={"sevilla": {"green": 3}}), "red special")
    with at_a_bench(tmp_path, game, modes=INVENTORY) as bench:
        ready(bench)
        bench.press("sevilla", "granada")
        bench.lift(GREEN, "sevilla")
        assert bench.lit(Pattern.PULSE) == set()
        bench.put(GREEN, "granada")
        bench.pass_s(3)
        assert bench.guide == []
        assert at(bench.game, "granada", "green") == 1


def test_hands_have_their_time_again_after_every_change_of_the_game(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        bench.press("castillo", "undo")
        bench.pass_s(10)
        bench.lift(GREEN, "sevilla")
        assert bench.guide == []
        bench.pass_s(SETTLE_S)
        assert bench.guide == ["Set 1 green down in sevilla."]


def test_confirm_is_believed_even_against_a_reader_and_what_it_sees_late_is_not_counted_twice(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        bench.press("castillo")
        bench.pass_s(SETTLE_S)
        bench.press("confirm")
        assert bench.guide == []
        bench.put(RED, "castillo")
        bench.pass_s(5)
        assert bench.guide == []
        assert at(bench.game, "castillo", "red") == 1


def test_two_pieces_moved_with_both_hands_are_two_moves(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with at_a_bench(tmp_path, game, modes=INVENTORY) as bench:
        ready(bench)
        bench.lift(RED, "aragon")
        bench.lift(GREEN, "sevilla")
        bench.put(RED, "granada")
        bench.put(GREEN, "valencia")
        assert [str(move) for move in bench.game.moves[-2:]] == [
            "red move red aragon granada", "red move green sevilla valencia"
        ]  # fmt: skip
        bench.pass_s(2)
        assert bench.guide == []


def test_the_board_is_right_turns_a_difference_into_its_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with at_a_bench(tmp_path, game, modes=INVENTORY) as bench:
        ready(bench)
        bench.lift(KING, "galicia")
        bench.pass_s(2)
        bench.lift(GREEN, "sevilla")  # while the guide speaks this is no move
        bench.put(GREEN, "valencia")
        bench.put(KING, "galicia")
        assert bench.guide == ["Move 1 green from valencia to sevilla."]
        bench.say("red", "board is right")
        assert str(bench.game.moves[-1]) == "red move green sevilla valencia"
        assert bench.guide == []


def test_the_board_is_right_takes_a_move_back_that_was_undone_by_hand(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        bench.put(RED, "castillo")
        bench.lift(RED, "castillo")
        bench.pass_s(2)
        bench.say("red", "board is right")
        assert str(bench.game.moves[-1]) == "red card 3"
        assert bench.guide == []
        bench.say("red", "board is right")
        assert bench.notices == ["The board is as the game has it."]
        assert str(bench.game.moves[-1]) == "red card 3"


def test_the_board_is_right_about_several_pieces_at_once(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        bench.lift(KING, "galicia")
        bench.pass_s(2)
        assert [offer.line for offer in bench.board.offers] == ["board is right"]
        bench.put(RED, "castillo")  # while the guide speaks of the King these are no moves
        bench.put(RED, "castillo")
        bench.put(RED, "pais-vasco")
        bench.put(KING, "galicia")
        assert bench.guide == ["Take 1 red from pais-vasco.", "Take 2 red from castillo."]
        bench.say("red", "board is right")
        placed = sorted(str(move) for move in bench.game.moves[-3:])
        assert placed == ["red place castillo", "red place castillo", "red place pais-vasco"]
        assert bench.guide == []
        assert bench.board.offers == ()


def test_the_board_is_right_about_another_place_than_the_one_pressed(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        bench.press("castillo", "castillo", "castillo")
        for place in ("castillo", "castillo", "pais-vasco"):
            bench.put(RED, place)
        bench.pass_s(2)
        assert bench.guide == ["Move 1 red from pais-vasco to castillo."]
        bench.say("red", "board is right")
        assert str(bench.game.moves[-1]) == "red place pais-vasco"
        assert at(bench.game, "castillo", "red") == 2
        assert bench.guide == []


def test_the_board_is_wrong_where_no_moves_lead_to_it(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        before = bench.game.moves
        for _ in range(3):
            bench.put(GREEN, "granada")
        bench.pass_s(2)
        bench.say("red", "board is right")
        assert bench.notices == ["No move makes the game as the board is."]
        assert bench.game.moves == before


def test_past_a_bot_the_board_is_right_only_if_everybody_agrees(tmp_path: Path) -> None:
    options = Options(players={"red": "easy"}, bot_pause_s=0.5)
    game = play(opening(THREE), "red power 13", "blue power 2", "green power 1", "red recruit 0", "red card 3")
    made_by = ["table"] * (len(game.moves) - 5) + ["bot", "person", "person", "table", "bot"]
    with at_a_bench(tmp_path, game, options, INVENTORY, made_by=made_by) as bench:
        ready(bench)
        bench.think("red place castillo")
        before = bench.game.moves
        assert bench.guide == ["Set 1 red down in castillo."]
        bench.say("blue", "board is right")
        assert bench.game.moves == before
        assert bench.choices("green") == ["agree", "disagree"]


def test_after_a_restart_readers_check_what_lies_there_and_the_rest_is_called(tmp_path: Path) -> None:
    modes = {"aragon": "inventory", "sevilla": "inventory"}
    with at_a_bench(tmp_path, placing(), modes=modes, resumed=True) as bench:
        assert not any(line.startswith(("aragon:", "sevilla:")) for line in bench.guide)
        assert any(line.startswith("galicia: the King") for line in bench.guide)
        bench.press("confirm")
        assert bench.guide == []
        bench.lay_out()
        bench.lift(GREEN, "sevilla")
        bench.pass_s(FIRST_LOOK_S)
        assert bench.guide == ["Set 1 green down in sevilla."]


# --- Readers that are lost -------------------------------------------------------------------------------------------

LOST = Trouble(Fault.LOST_HUB, "north", "cable")
BACK = Trouble(Fault.LOST_HUB, "north", over=True)


def tell(bench: Bench, trouble: Trouble) -> None:
    bench.table.post(trouble)
    bench.table.poll()


@pytest.mark.parametrize("told_first", [True, False], ids=["then the news", "after the news"])
def test_a_lost_hub_hands_its_places_to_the_buttons_and_is_right_again_when_it_is_back(
    told_first: bool, tmp_path: Path
) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        tell(bench, LOST)
        assert "The hub north does not answer (cable)" in bench.notices[-1]
        bench.press("castillo")  # and the piece goes there, unseen
        bench.pass_s(5)
        assert bench.guide == []
        if told_first:
            tell(bench, BACK)
        bench.put(RED, "castillo")
        bench.lift(GREEN, "sevilla")  # bumped meanwhile
        if not told_first:
            tell(bench, BACK)
        assert bench.notices == ["The hub north answers again."] or told_first
        assert at(bench.game, "castillo", "red") == 1
        bench.pass_s(SETTLE_S)
        assert bench.guide == ["Set 1 green down in sevilla."]
        bench.put(GREEN, "sevilla")
        bench.put(RED, "castillo")
        assert at(bench.game, "castillo", "red") == 2


def test_a_dead_reader_hands_over_its_own_place_alone(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=INVENTORY) as bench:
        ready(bench)
        tell(bench, Trouble(Fault.DEAD_READER, "castillo", "silent"))
        bench.press("castillo")
        bench.pass_s(5)
        assert bench.guide == []
        bench.lift(GREEN, "sevilla")
        bench.pass_s(5)
        assert bench.guide == ["Set 1 green down in sevilla."]


def test_a_tap_that_is_told_late_was_long_since_shown_by_button(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=TAP) as bench:
        tell(bench, LOST)
        bench.tap(RED, "castillo")
        bench.press("castillo")
        tell(bench, BACK)
        bench.tap(RED, "castillo")
        assert at(bench.game, "castillo", "red") == 1
        bench.pass_s(OLD_NEWS_S)
        bench.tap(RED, "castillo")
        assert at(bench.game, "castillo", "red") == 2


def test_a_piece_left_on_a_reader_is_to_be_taken_off(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=TAP) as bench:
        bench.put(RED, "castillo")
        assert at(bench.game, "castillo", "red") == 1
        assert bench.table.poll() == pytest.approx(LINGER_S)
        bench.pass_s(LINGER_S)
        words = "Take the piece off the reader of castillo: it is only tapped there."
        assert words in bench.notices
        bench.press("pais-vasco")
        assert words in bench.notices
        bench.lift(RED, "castillo")
        assert words not in bench.notices
        assert at(bench.game, "castillo", "red") == 1


def test_a_piece_on_a_reader_that_is_lost_is_not_spoken_of(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(), modes=TAP) as bench:
        bench.put(RED, "castillo")
        bench.table.post(Trouble(Fault.LOST_HUB, "north", "unplugged"))
        bench.pass_s(LINGER_S)
        assert not any("off the reader" in notice for notice in bench.notices)
