"""Readers that list what lies there: lifting and setting down is the move; a bump, a lost hub, a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.engine.pieces import Piece, PieceKind
from companion.table.leftover_tags import LINGER_S
from companion.table.options import Options
from companion.table.piece_tracker import FIRST_LOOK_S, OLD_NEWS_S, SETTLE_S
from hardware.ports import Fault, Pattern, Trouble
from tests.support.arrange import NEIGHBOURS, at, opening, play, turn_of
from tests.support.table_rig import BLUE, BOARD, GREEN, INVENTORY, KING, RED, TAP, THREE, TableRig, placing, table_rig

# --- Readers that list -----------------------------------------------------------------------------------------------


def ready(rig: TableRig) -> TableRig:
    rig.lay_out()
    assert rig.guide == []
    return rig


def test_pieces_are_lifted_and_set_down_and_that_is_the_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game, modes=INVENTORY) as rig:
        ready(rig)
        rig.lift(BLUE, "sevilla")
        assert rig.lit(Pattern.PULSE) == {"sevilla"}
        rig.put(BLUE, "granada")
        assert str(rig.game.moves[-1]) == "red move blue sevilla granada"
        # The reader where it comes may be quicker than the one where it leaves.
        tag = rig.lift(BLUE, "granada", seen=False)
        rig.put(BLUE, "cataluna")
        rig.report(tag, "granada", gone=True)
        assert str(rig.game.moves[-1]) == "red move blue granada cataluna"
        rig.pass_s(5)
        assert rig.guide == []


def test_a_piece_put_back_where_it_was_is_no_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game, modes=INVENTORY) as rig:
        before = ready(rig).session.version
        rig.lift(BLUE, "sevilla")
        rig.put(BLUE, "sevilla")
        assert rig.lit(Pattern.PULSE) == set()
        rig.put(BLUE, "granada")
        rig.lift(BLUE, "granada")
        assert rig.lit(Pattern.BREATHE) == {"aragon", "sevilla"}
        rig.lift(GREEN, "sevilla")
        rig.put(GREEN, "valencia")
        assert str(rig.game.moves[-1]) == "red move green sevilla valencia"
        assert rig.session.version == before + 1


def test_a_bump_is_spoken_of_only_when_it_lasts_and_then_blinks_with_the_reason(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        rig.lift(GREEN, "sevilla")
        rig.put(GREEN, "granada")
        rig.pass_s(SETTLE_S - 0.1)
        assert rig.guide == []
        assert rig.table.poll() == pytest.approx(0.1)
        rig.pass_s(0.1)
        assert rig.guide == ["Move 1 green from granada to sevilla."]
        assert rig.lit(Pattern.BLINK) == {"granada"}
        assert "You can't move green caballeros now." in rig.notices
        rig.pass_s(2)
        assert (rig.lit(Pattern.PULSE), rig.lit(Pattern.CHASE)) == ({"granada"}, {"sevilla"})
        rig.lift(GREEN, "granada")
        rig.put(GREEN, "sevilla")
        assert rig.guide == []
        assert rig.lit(Pattern.BREATHE) == NEIGHBOURS["galicia"] | {"castillo"}


def test_a_step_of_the_guide_is_never_taken_for_a_move(tmp_path: Path) -> None:
    # Blue must send three home, and lifting one is that; but first red's own piece goes back where it was.
    game = play(turn_of("king-is-angry", THREE, board=BOARD, court={"blue": 2}), "red special")
    with table_rig(tmp_path, game, modes=INVENTORY) as rig:
        ready(rig)
        rig.lift(GREEN, "sevilla")
        rig.put(GREEN, "aragon")
        rig.pass_s(2)
        before = rig.session.version
        rig.lift(BLUE, "aragon")  # bumped too
        rig.put(BLUE, "aragon")
        rig.lift(GREEN, "aragon")
        rig.put(GREEN, "sevilla")
        assert rig.session.version == before
        assert rig.guide == []
        rig.lift(BLUE, "sevilla")
        assert "blue return sevilla" in map(str, rig.game.moves)


def test_a_press_gives_the_reader_its_time_and_several_may_follow_each_other(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        rig.press("castillo", "castillo")
        assert at(rig.game, "castillo", "red") == 2
        rig.put(RED, "castillo")
        rig.pass_s(SETTLE_S)
        assert rig.guide == ["Set 1 red down in castillo."]
        rig.put(RED, "castillo")
        assert rig.guide == []
        assert at(rig.game, "castillo", "red") == 2


def test_a_piece_that_follows_its_presses_is_not_another_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board={"sevilla": {"green": 3}}), "red special")
    with table_rig(tmp_path, game, modes=INVENTORY) as rig:
        ready(rig)
        rig.press("sevilla", "granada")
        rig.lift(GREEN, "sevilla")
        assert rig.lit(Pattern.PULSE) == set()
        rig.put(GREEN, "granada")
        rig.pass_s(3)
        assert rig.guide == []
        assert at(rig.game, "granada", "green") == 1


def test_hands_have_their_time_again_after_every_change_of_the_game(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        rig.press("castillo", "undo")
        rig.pass_s(10)
        rig.lift(GREEN, "sevilla")
        assert rig.guide == []
        rig.pass_s(SETTLE_S)
        assert rig.guide == ["Set 1 green down in sevilla."]


def test_confirm_is_believed_even_against_a_reader_and_what_it_sees_late_is_not_counted_twice(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        rig.press("castillo")
        rig.pass_s(SETTLE_S)
        rig.press("confirm")
        assert rig.guide == []
        rig.put(RED, "castillo")
        rig.pass_s(5)
        assert rig.guide == []
        assert at(rig.game, "castillo", "red") == 1


def test_two_pieces_moved_with_both_hands_are_two_moves(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game, modes=INVENTORY) as rig:
        ready(rig)
        rig.lift(RED, "aragon")
        rig.lift(GREEN, "sevilla")
        rig.put(RED, "granada")
        rig.put(GREEN, "valencia")
        assert [str(move) for move in rig.game.moves[-2:]] == [
            "red move red aragon granada", "red move green sevilla valencia"
        ]  # fmt: skip
        rig.pass_s(2)
        assert rig.guide == []


def test_the_board_is_right_turns_a_difference_into_its_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game, modes=INVENTORY) as rig:
        ready(rig)
        rig.lift(KING, "galicia")
        rig.pass_s(2)
        rig.lift(GREEN, "sevilla")  # while the guide speaks this is no move
        rig.put(GREEN, "valencia")
        rig.put(KING, "galicia")
        assert rig.guide == ["Move 1 green from valencia to sevilla."]
        rig.say("red", "board is right")
        assert str(rig.game.moves[-1]) == "red move green sevilla valencia"
        assert rig.guide == []


def test_the_board_is_right_takes_a_move_back_that_was_undone_by_hand(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        rig.put(RED, "castillo")
        rig.lift(RED, "castillo")
        rig.pass_s(2)
        rig.say("red", "board is right")
        assert str(rig.game.moves[-1]) == "red card 3"
        assert rig.guide == []
        rig.say("red", "board is right")
        assert str(rig.prompt("red").notice) == "The board matches the game already."
        assert str(rig.game.moves[-1]) == "red card 3"


def test_the_board_is_right_about_several_pieces_at_once(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        rig.lift(KING, "galicia")
        rig.pass_s(2)
        assert [offer.line for offer in rig.public.offers] == ["board is right"]
        rig.put(RED, "castillo")  # while the guide speaks of the King these are no moves
        rig.put(RED, "castillo")
        rig.put(RED, "pais-vasco")
        rig.put(KING, "galicia")
        assert rig.guide == ["Take 1 red from pais-vasco.", "Take 2 red from castillo."]
        rig.say("red", "board is right")
        placed = sorted(str(move) for move in rig.game.moves[-3:])
        assert placed == ["red place castillo", "red place castillo", "red place pais-vasco"]
        assert rig.guide == []
        assert rig.public.offers == ()


def test_the_board_is_right_about_another_place_than_the_one_pressed(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        rig.press("castillo", "castillo", "castillo")
        for place in ("castillo", "castillo", "pais-vasco"):
            rig.put(RED, place)
        rig.pass_s(2)
        assert rig.guide == ["Move 1 red from pais-vasco to castillo."]
        rig.say("red", "board is right")
        assert str(rig.game.moves[-1]) == "red place pais-vasco"
        assert at(rig.game, "castillo", "red") == 2
        assert rig.guide == []


def test_the_board_is_wrong_where_no_moves_lead_to_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        before = rig.game.moves
        for _ in range(3):
            rig.put(GREEN, "granada")
        rig.pass_s(2)
        rig.say("red", "board is right")
        assert str(rig.prompt("red").notice) == "No legal move matches the board."
        assert rig.game.moves == before


def test_past_a_bot_the_board_is_right_only_if_everybody_agrees(tmp_path: Path) -> None:
    options = Options(players={"red": "easy"}, pace="fast")
    game = play(opening(THREE), "red power 13", "blue power 2", "green power 1", "red recruit 0", "red card 3")
    made_by = ["table"] * (len(game.moves) - 5) + ["bot", "person", "person", "table", "bot"]
    with table_rig(tmp_path, game, options, INVENTORY, made_by=made_by) as rig:
        ready(rig)
        rig.think("red place castillo")
        before = rig.game.moves
        assert rig.guide == ["Set 1 red down in castillo."]
        rig.say("blue", "board is right")
        assert rig.choices("blue") == ["yes", "no"]
        rig.say("blue", "yes")
        assert rig.game.moves == before
        assert rig.choices("green") == ["agree", "disagree"]


def test_after_a_restart_readers_check_what_lies_there_and_the_rest_is_called(tmp_path: Path) -> None:
    modes = {"aragon": "inventory", "sevilla": "inventory"}
    with table_rig(tmp_path, placing(), modes=modes, resumed=True) as rig:
        assert not any(line.startswith(("aragon:", "sevilla:")) for line in rig.guide)
        assert any(line.startswith("galicia: the King") for line in rig.guide)
        rig.press("confirm")
        assert rig.guide == []
        rig.lay_out()
        rig.lift(GREEN, "sevilla")
        rig.pass_s(FIRST_LOOK_S)
        assert rig.guide == ["Set 1 green down in sevilla."]


# --- What could be several moves -------------------------------------------------------------------------------------

SPREAD = {"aragon": {"red": 2}, "valencia": {"red": 2}}


def moving(**pieces: object) -> Game:
    """Red may move three caballeros, and has some in two regions."""
    return play(turn_of("move-3", THREE, **{"board": SPREAD, "grandes": {}} | pieces), "red special")  # type: ignore[arg-type]


def lose(rig: TableRig, place: str) -> None:
    tell(rig, Trouble(Fault.DEAD_READER, place, "silent"))


def while_the_guide_speaks(rig: TableRig) -> None:
    """Until the King is back what is done to other pieces is no move."""
    rig.lift(KING, "galicia")
    rig.pass_s(2)


def entered(rig: TableRig, before: int) -> list[str]:
    return [str(move) for move in rig.game.moves[before:]]


def test_what_is_seen_of_two_pieces_is_never_one_move(tmp_path: Path) -> None:
    # A whole game with faults entered "red move red valencia granada" here.
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        lose(rig, "aragon")
        rig.lift(RED, "aragon", seen=False)
        rig.put(RED, "granada")
        assert entered(rig, before) == []
        rig.lift(RED, "valencia")
        assert entered(rig, before) == []
        rig.put(RED, "cataluna")
        assert entered(rig, before) == ["red move red valencia cataluna"]
        rig.pass_s(2)
        assert rig.guide == ["Take 1 red from granada."]


def test_a_piece_from_where_no_reader_sees_waits_for_its_origin(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        lose(rig, "aragon")
        rig.lift(RED, "aragon", seen=False)
        rig.put(RED, "granada")
        # Had it come from valencia, the reader there would have seen it.
        assert rig.lit(Pattern.BREATHE) == {"aragon"}
        rig.press("valencia")
        assert entered(rig, before) == []
        rig.press("aragon")
        assert entered(rig, before) == ["red move red aragon granada"]
        rig.pass_s(2)
        assert rig.guide == []


def test_pieces_that_are_alike_are_told_apart_in_both_hands(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        first = rig.lift(RED, "aragon")
        second = rig.lift(RED, "valencia")
        rig.put(RED, "granada", second)
        assert entered(rig, before) == ["red move red valencia granada"]
        rig.put(RED, "cataluna", first)
        assert entered(rig, before)[1:] == ["red move red aragon cataluna"]
        rig.pass_s(2)
        assert rig.guide == []


def test_a_reader_is_believed_about_a_piece_that_left_another_place_than_the_one_pressed(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        rig.press("aragon")
        rig.lift(RED, "valencia")
        rig.put(RED, "granada")
        assert entered(rig, before) == ["red move red valencia granada"]
        rig.pass_s(2)
        assert rig.guide == []


def test_what_a_reader_tells_late_completes_the_move_of_its_own_piece(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        lose(rig, "aragon")
        tag = rig.lift(RED, "aragon", seen=False)
        rig.put(RED, "granada")
        tell(rig, Trouble(Fault.DEAD_READER, "aragon", over=True))
        rig.report(tag, "aragon", gone=True)
        assert entered(rig, before) == ["red move red aragon granada"]
        rig.pass_s(2)
        assert rig.guide == []


def test_a_lifted_piece_may_be_put_back_by_another_one(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        tag = rig.lift(RED, "aragon")
        rig.take_away(RED)
        rig.put(RED, "aragon")
        assert rig.lit(Pattern.PULSE) == set()
        rig.put(RED, "granada", tag)
        rig.pass_s(2)
        assert entered(rig, before) == []
        assert rig.guide == ["Take 1 red from granada."]


def test_a_piece_that_replaces_one_on_its_way_is_not_that_one(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        first = rig.lift(RED, "aragon")
        second = rig.lift(RED, "valencia")
        rig.put(RED, "aragon", second)
        assert entered(rig, before) == []
        rig.put(RED, "cataluna", first)
        assert entered(rig, before) == ["red move red aragon cataluna"]
        rig.pass_s(2)
        assert rig.guide == ["Move 1 red from aragon to valencia."]
        rig.say("red", "board is right")  # which would also be so had one piece gone from valencia to cataluna
        assert rig.choices("red") == ["move red valencia aragon"]
        rig.say("red", "move red valencia aragon")
        assert entered(rig, before)[1:] == ["red move red valencia aragon"]
        assert rig.guide == []


def test_a_piece_from_another_region_is_not_placed_from_the_court(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        rig.lift(RED, "aragon")
        rig.put(RED, "castillo")
        rig.pass_s(2)
        assert entered(rig, before) == []
        assert rig.guide == ["Move 1 red from castillo to aragon."]


def test_nor_if_the_reader_there_is_slow(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        tag = rig.lift(RED, "aragon", seen=False)
        rig.put(RED, "castillo")
        rig.report(tag, "aragon", gone=True)
        rig.pass_s(2)
        assert entered(rig, before) == []
        assert rig.guide == ["Move 1 red from castillo to aragon."]


def test_a_piece_that_may_have_been_swapped_is_for_the_guide(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        first, second = rig.lift(RED, "aragon"), rig.lift(RED, "aragon")
        rig.take_away(RED)
        rig.take_away(RED)
        rig.put(RED, "aragon")  # one from beside the board
        rig.put(RED, "castillo", first)  # placed, or carried over from aragon?
        rig.pass_s(2)
        assert entered(rig, before) == []
        assert rig.guide == ["Move 1 red from castillo to aragon."]
        rig.put(RED, "aragon", second)
        assert rig.guide == ["Take 1 red from castillo."]
        rig.say("red", "board is right")
        assert entered(rig, before) == ["red place castillo"]


def test_a_piece_that_went_home_is_placed_again_from_the_court(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        tag = rig.lift(RED, "aragon")
        rig.take_away(RED)
        rig.put(RED, "aragon")  # another one, and all is well again
        rig.put(RED, "castillo", tag)
        assert entered(rig, before) == ["red place castillo"]


@pytest.mark.parametrize("lost", [False, True], ids=["readers see all", "a reader is lost"])
def test_one_more_piece_or_one_moved_is_asked_only_if_no_reader_can_tell(lost: bool, tmp_path: Path) -> None:
    game = turn_of("own-from-one-or-extra-2", THREE, board=SPREAD, grandes={}, court={"red": 5})
    with table_rig(tmp_path, play(game, "red special"), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        if lost:
            lose(rig, "aragon")
        rig.put(RED, "granada")
        if lost:
            assert entered(rig, before) == []
            assert rig.choices("red") == ["extra granada"]
            rig.press("aragon")  # it was moved
            assert entered(rig, before) == ["red move red aragon granada"]
        else:
            assert entered(rig, before) == ["red extra granada"]


def test_the_board_is_right_asks_which_of_two_pieces_that_are_alike_went_where(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        while_the_guide_speaks(rig)
        rig.lift(RED, "aragon")
        rig.lift(RED, "valencia")
        rig.put(RED, "granada")
        rig.put(RED, "cataluna")
        rig.put(KING, "galicia")
        rig.say("blue", "board is right")
        assert entered(rig, before) == []
        assert sorted(rig.choices("red")) == [
            "move red aragon cataluna", "move red aragon granada",
            "move red valencia cataluna", "move red valencia granada",
        ]  # fmt: skip
        assert rig.notices[0].startswith("The board does not show which move was made. Choose one: ")
        assert "red moves one from valencia to granada" in rig.notices[0]
        rig.say("red", "move red valencia granada")
        assert entered(rig, before) == ["red move red valencia granada"]
        rig.pass_s(2)
        rig.say("red", "board is right")
        assert entered(rig, before)[1:] == ["red move red aragon cataluna"]
        assert rig.guide == []


def test_the_board_is_right_asks_from_where_a_piece_came_that_no_reader_saw(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes={"galicia": "inventory", "granada": "inventory"}) as rig:
        before = len(ready(rig).game.moves)
        while_the_guide_speaks(rig)
        rig.put(RED, "granada")
        rig.put(KING, "galicia")
        assert rig.guide == ["Take 1 red from granada."]
        rig.say("red", "board is right")
        assert entered(rig, before) == []
        assert rig.choices("red") == ["move red aragon granada", "move red valencia granada"]
        rig.say("red", "move red aragon granada")
        assert entered(rig, before) == ["red move red aragon granada"]
        rig.pass_s(2)
        assert rig.guide == []


def test_the_board_is_right_asks_whether_a_piece_went_on_or_was_meant_for_there_at_once(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        rig.press("aragon", "granada")
        while_the_guide_speaks(rig)
        rig.lift(RED, "aragon")
        rig.put(RED, "cataluna")
        rig.put(KING, "galicia")
        assert rig.guide == ["Move 1 red from cataluna to granada."]
        rig.say("red", "board is right")
        assert entered(rig, before) == ["red move red aragon granada"]
        assert rig.choices("red") == ["move red granada cataluna"]
        assert rig.notices[-1] == "If the last move was wrong, undo it instead."
        rig.press("undo", "undo")
        assert rig.guide == ["Move 1 red from cataluna to aragon."]
        rig.say("red", "board is right")
        assert entered(rig, before) == ["red move red aragon cataluna"]
        assert rig.guide == []


def test_a_colour_that_does_not_play_is_nothing_to_the_table(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), modes=INVENTORY) as rig:
        before = len(ready(rig).game.moves)
        brown = Piece(PieceKind.CABALLERO, "brown")
        rig.put(brown, "granada")
        rig.lift(brown, "granada")
        rig.pass_s(2)
        assert entered(rig, before) == []
        assert rig.guide == []


# --- Readers that are tapped -----------------------------------------------------------------------------------------


def test_a_tap_of_another_piece_begins_another_move_and_does_not_end_the_first(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game, modes=TAP) as rig:
        before = len(rig.game.moves)
        # The second tap of this piece was not seen.
        rig.tap(BLUE, "sevilla", which=0)
        assert rig.lit(Pattern.PULSE) == {"sevilla"}
        # People go on with another one, which is alike.
        rig.tap(BLUE, "aragon", which=1)
        assert entered(rig, before) == []
        assert rig.lit(Pattern.PULSE) == {"aragon"}
        rig.tap(BLUE, "cataluna", which=1)
        assert entered(rig, before) == ["red move blue aragon cataluna"]
        # And where another piece cannot come from, nothing begins.
        rig.tap(BLUE, "sevilla", which=0)
        rig.tap(BLUE, "granada", which=2)
        assert rig.lit(Pattern.PULSE) == {"sevilla"}
        rig.tap(BLUE, "granada", which=0)
        assert str(rig.game.moves[-1]) == "red move blue sevilla granada"


def test_a_tap_and_a_press_still_make_one_move(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game, modes=TAP) as rig:
        rig.tap(BLUE, "sevilla")
        rig.press("granada")
        assert str(rig.game.moves[-1]) == "red move blue sevilla granada"
        rig.press("granada")
        rig.tap(BLUE, "cataluna")
        assert str(rig.game.moves[-1]) == "red move blue granada cataluna"


# --- Readers that are lost -------------------------------------------------------------------------------------------

LOST = Trouble(Fault.LOST_HUB, "north", "cable")
BACK = Trouble(Fault.LOST_HUB, "north", over=True)


def tell(rig: TableRig, trouble: Trouble) -> None:
    rig.table.post(trouble)
    rig.table.poll()


@pytest.mark.parametrize("told_first", [True, False], ids=["then the news", "after the news"])
def test_a_lost_hub_hands_its_places_to_the_buttons_and_is_right_again_when_it_is_back(
    told_first: bool, tmp_path: Path
) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        tell(rig, LOST)
        assert "The hub north does not answer (cable)" in rig.notices[-1]
        rig.press("castillo")  # and the piece goes there, unseen
        rig.pass_s(5)
        assert rig.guide == []
        if told_first:
            tell(rig, BACK)
        rig.put(RED, "castillo")
        rig.lift(GREEN, "sevilla")  # bumped meanwhile
        if not told_first:
            tell(rig, BACK)
        assert rig.notices == ["The hub north answers again."] or told_first
        assert at(rig.game, "castillo", "red") == 1
        rig.pass_s(SETTLE_S)
        assert rig.guide == ["Set 1 green down in sevilla."]
        rig.put(GREEN, "sevilla")
        rig.put(RED, "castillo")
        assert at(rig.game, "castillo", "red") == 2


def test_a_dead_reader_hands_over_its_own_place_alone(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=INVENTORY) as rig:
        ready(rig)
        tell(rig, Trouble(Fault.DEAD_READER, "castillo", "silent"))
        rig.press("castillo")
        rig.pass_s(5)
        assert rig.guide == []
        rig.lift(GREEN, "sevilla")
        rig.pass_s(5)
        assert rig.guide == ["Set 1 green down in sevilla."]


def test_a_tap_that_is_told_late_was_long_since_shown_by_button(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=TAP) as rig:
        tell(rig, LOST)
        rig.tap(RED, "castillo")
        rig.press("castillo")
        tell(rig, BACK)
        rig.tap(RED, "castillo")
        assert at(rig.game, "castillo", "red") == 1
        rig.pass_s(OLD_NEWS_S)
        rig.tap(RED, "castillo")
        assert at(rig.game, "castillo", "red") == 2


def test_a_piece_left_on_a_reader_is_to_be_taken_off(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=TAP) as rig:
        rig.put(RED, "castillo")
        assert at(rig.game, "castillo", "red") == 1
        assert rig.table.poll() == pytest.approx(LINGER_S)
        rig.pass_s(LINGER_S)
        words = "Take the piece off the reader of castillo: only tap it there, and do not leave it."
        assert words in rig.notices
        rig.press("pais-vasco")
        assert words in rig.notices
        rig.lift(RED, "castillo")
        assert words not in rig.notices
        assert at(rig.game, "castillo", "red") == 1


def test_a_piece_on_a_reader_that_is_lost_is_not_spoken_of(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), modes=TAP) as rig:
        rig.put(RED, "castillo")
        rig.table.post(Trouble(Fault.LOST_HUB, "north", "unplugged"))
        rig.pass_s(LINGER_S)
        assert not any("off the reader" in notice for notice in rig.notices)
