"""A veto at the table: the holder is asked for a while, the actor's gestures wait, and a veto drops them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.storage.tags import Piece
from companion.table.options import Options
from companion.table.table import Said
from hardware.ports import Pattern, Press
from tests.support.arrange import NEIGHBOURS, at, play, put, turn_of
from tests.support.table_rig import at_a_bench, journalled

RED, BLUE, KING = Piece("caballero", "red"), Piece("caballero", "blue"), Piece("king")
THREE = ("red", "blue", "green")
BOARD = {"aragon": {"red": 2}, "sevilla": {"blue": 1}}
INVENTORY = dict.fromkeys(NEIGHBOURS, "inventory") | {"castillo": "inventory"}
TAP = dict.fromkeys(NEIGHBOURS, "tap") | {"castillo": "tap"}


def moving(vetoes: tuple[str, ...] = ("blue",), card: str = "move-3") -> Game:
    """Red moves, and others may object to every step; that they may begin was allowed."""
    game = play(turn_of(card, THREE, board=BOARD, court={"red": 3}, vetoes=vetoes), "red special")
    for holder in vetoes:
        game.play(f"{holder} allow")
    return game


def test_the_holder_is_asked_with_a_countdown_and_everybody_sees_who_is_waited_for(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(), Options(veto_s=10)) as bench:
        bench.press("sevilla", "granada")
        prompt = bench.prompt("blue")
        assert bench.choices("blue") == ["veto", "allow", "allow all"]
        assert prompt.waiting_s == 10
        assert bench.board.waiting_for == ("blue",)
        assert bench.prompt("red").asked is None
        assert bench.lit(Pattern.BREATHE) == set()


def test_nothing_is_to_be_put_back_while_the_holder_thinks(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving()) as bench:
        bench.press("sevilla", "granada")
        bench.pass_s(3)
        assert bench.guide == []
        bench.say("blue", "allow")
        assert bench.guide == []
        assert at(bench.game, "granada", "blue") == 1


def test_time_out_means_allow_and_is_told(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(), Options(veto_s=10)) as bench:
        bench.press("sevilla", "granada")
        bench.pass_s(9.9)
        assert at(bench.game, "granada", "blue") == 0
        bench.pass_s(0.1)
        assert str(bench.game.moves[-1]) == "blue allow"
        assert bench.table.made_by[-1] == "table"
        assert "blue allows it" in bench.notices
        assert at(bench.game, "granada", "blue") == 1


def test_the_table_says_when_it_wants_to_be_called_again(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(("blue", "green")), Options(veto_s=10)) as bench:
        bench.press("sevilla", "granada")
        assert bench.table.poll() == 10
        bench.now_s += 10
        while (due_s := bench.table.poll()) == 0:
            pass
        assert bench.game.to_act == ("green",)
        assert due_s == 10


def test_without_a_time_the_table_waits_until_it_is_answered(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(), Options(veto_s=0)) as bench:
        bench.press("sevilla", "granada")
        assert bench.prompt("blue").waiting_s is None
        bench.pass_s(10_000)
        assert bench.game.to_act == ("blue",)


def test_each_holder_has_the_whole_time(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(("blue", "green")), Options(veto_s=10)) as bench:
        bench.press("sevilla", "granada")
        bench.pass_s(9)
        bench.say("blue", "allow")
        bench.pass_s(9)
        assert bench.game.to_act == ("green",)
        bench.pass_s(1)
        assert bench.game.to_act == ("red",)


def test_what_the_actor_shows_meanwhile_counts_afterwards_in_its_order(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving()) as bench:
        bench.press("sevilla", "granada", "aragon", "valencia")
        before = len(journalled(tmp_path))
        assert str(bench.game.moves[-1]) == "red move blue sevilla granada"
        bench.say("blue", "allow all")
        assert [str(move) for move in bench.game.moves[-3:]] == [
            "red move blue sevilla granada", "blue allow all", "red move red aragon valencia"
        ]  # fmt: skip
        assert len(journalled(tmp_path)) == before + 2


def test_what_comes_after_the_answer_comes_after_what_was_held(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving()) as bench:
        bench.press("sevilla", "granada", "aragon")
        bench.table.post(Said("blue", "allow all", bench.board.version))
        bench.table.post(Press("valencia"))
        bench.table.poll()
        assert str(bench.game.moves[-1]) == "red move red aragon valencia"


def test_a_step_that_was_held_is_asked_about_in_its_turn(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving()) as bench:
        bench.press("sevilla", "granada", "aragon", "valencia", "aragon", "cataluna")
        bench.say("blue", "allow")
        assert str(bench.game.moves[-1]) == "red move red aragon valencia"
        assert bench.game.to_act == ("blue",)
        bench.say("blue", "allow")
        assert str(bench.game.moves[-1]) == "red move red aragon cataluna"


def test_confirm_is_held_too(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving()) as bench:
        bench.press("sevilla", "granada", "confirm", "confirm")
        assert bench.game.to_act == ("blue",)
        bench.say("blue", "allow")
        assert str(bench.game.moves[-1]) == "red done"


@pytest.mark.parametrize("way", ["buttons", "tap", "inventory"])
def test_a_veto_drops_what_was_held_and_the_guide_puts_the_pieces_back(way: str, tmp_path: Path) -> None:
    modes = {"buttons": {}, "tap": TAP, "inventory": INVENTORY}[way]
    with at_a_bench(tmp_path, moving(), modes=modes) as bench:
        if way == "inventory":
            bench.lay_out()
            for piece, origin, target in ((BLUE, "sevilla", "granada"), (RED, "aragon", "valencia")):
                bench.lift(piece, origin)
                bench.put(piece, target)
        elif way == "tap":
            bench.tap(BLUE, "sevilla", "granada")
            bench.tap(RED, "aragon", "valencia")
        else:
            bench.press("sevilla", "granada", "aragon", "valencia")
        bench.say("blue", "veto")
        assert [move.verb for move in bench.game.moves[-2:]] == ["move", "veto"]
        assert at(bench.game, "sevilla", "blue") == 1
        bench.pass_s(2)
        assert set(bench.guide) == {"Move 1 blue from granada to sevilla.", "Move 1 red from valencia to aragon."}
        bench.press("confirm", "confirm")
        assert bench.guide == []
        assert bench.lit(Pattern.BREATHE) == NEIGHBOURS["galicia"] | {"castillo"}  # red may still place
        bench.press("castillo")
        assert "red place castillo" in map(str, bench.game.moves)


def test_with_readers_that_list_pieces_moved_meanwhile_count_afterwards(tmp_path: Path) -> None:
    game = moving()
    put(game, board={"aragon": {"red": 2}, "sevilla": {"blue": 2}})  # so that another could follow the first
    with at_a_bench(tmp_path, game, modes=INVENTORY) as bench:
        bench.lay_out()
        bench.press("sevilla", "granada")  # by buttons; then the piece goes its way
        bench.lift(BLUE, "sevilla")
        bench.put(BLUE, "granada")
        bench.lift(RED, "aragon")
        bench.put(RED, "valencia")
        bench.pass_s(3)
        assert bench.guide == []
        bench.say("blue", "allow all")
        assert [str(move) for move in bench.game.moves[-3:]] == [
            "red move blue sevilla granada", "blue allow all", "red move red aragon valencia"
        ]  # fmt: skip
        bench.pass_s(3)
        assert bench.guide == []


def test_undo_takes_what_is_held_back_first_and_then_the_step_that_was_asked_about(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving()) as bench:
        bench.press("sevilla", "granada", "aragon", "undo")
        assert bench.game.to_act == ("blue",)
        bench.press("valencia", "undo", "undo")
        assert bench.game.to_act == ("red",)
        assert bench.guide == ["Move 1 blue from granada to sevilla."]
        bench.press("confirm", "sevilla", "cataluna")
        bench.say("blue", "allow")
        # Nothing that was shown before the undo comes back.
        assert [move.verb for move in bench.game.moves[-2:]] == ["move", "allow"]
        assert bench.lit(Pattern.PULSE) == set()


def test_what_was_held_is_forgotten_when_the_step_is_taken_back(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(), Options(guided=False)) as bench:
        bench.press("sevilla", "granada", "aragon")
        bench.say("blue", "undo")  # everybody agrees
        bench.say("red", "agree")
        bench.say("green", "agree")
        assert bench.game.to_act == ("red",)
        assert bench.lit(Pattern.PULSE) == set()
        bench.press("sevilla")
        assert bench.lit(Pattern.PULSE) == {"sevilla"}


def test_a_bot_that_holds_a_veto_answers_without_a_countdown(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy"}, veto_s=10, bot_pause_s=0.5)
    with at_a_bench(tmp_path, moving(), options) as bench:
        bench.press("sevilla", "granada")
        bench.pass_s(30)
        assert bench.game.to_act == ("blue",)
        assert bench.bots.questions[-1][0] == "blue"
        bench.think("blue veto")
        assert bench.guide == ["Move 1 blue from granada to sevilla."]


def test_no_time_runs_out_while_people_are_asked_about_an_undo(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(), Options(veto_s=10)) as bench:
        bench.press("sevilla", "granada")
        bench.say("green", "undo")
        bench.pass_s(30)
        assert bench.game.to_act == ("blue",)
        bench.say("red", "disagree")
        bench.pass_s(9)
        assert bench.game.to_act == ("blue",)
        bench.pass_s(1)
        assert bench.game.to_act == ("red",)


def test_the_king_moves_only_when_nobody_objects(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, moving(card="king")) as bench:
        bench.press("sevilla")
        assert bench.scene.marker == "galicia"
        bench.say("blue", "veto")
        assert bench.scene.marker == "galicia"
        assert bench.guide == ["Move the King from sevilla to galicia."]
