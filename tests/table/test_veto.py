"""A veto at the table: the holder is asked for a while, the actor's gestures wait, and a veto drops them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.engine.pieces import Piece, PieceKind
from companion.table.options import Options
from companion.table.phone_input import SeatLine
from hardware.ports import Pattern, Press
from tests.support.arrange import NEIGHBOURS, at, play, put, turn_of
from tests.support.table_rig import journalled, table_rig

RED, BLUE, KING = Piece(PieceKind.CABALLERO, "red"), Piece(PieceKind.CABALLERO, "blue"), Piece(PieceKind.KING)
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
    with table_rig(tmp_path, moving(), Options(veto_s=10)) as rig:
        rig.press("sevilla", "granada")
        prompt = rig.prompt("blue")
        assert rig.choices("blue") == ["veto", "allow", "allow all"]
        assert prompt.deadline_s == rig.now_s + 10
        assert rig.public.waiting_for == ("blue",)
        assert rig.prompt("red").asked is None
        assert rig.lit(Pattern.BREATHE) == set()


def test_nothing_is_to_be_put_back_while_the_holder_thinks(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("sevilla", "granada")
        rig.pass_s(3)
        assert rig.guide == []
        rig.say("blue", "allow")
        assert rig.guide == []
        assert at(rig.game, "granada", "blue") == 1


def test_time_out_means_allow_and_is_told(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), Options(veto_s=10)) as rig:
        rig.press("sevilla", "granada")
        rig.pass_s(9.9)
        assert at(rig.game, "granada", "blue") == 0
        rig.pass_s(0.1)
        assert str(rig.game.moves[-1]) == "blue allow"
        assert rig.session.made_by[-1] == "table"
        assert "blue allows it" in rig.notices
        assert at(rig.game, "granada", "blue") == 1


def test_the_table_says_when_it_wants_to_be_called_again(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(("blue", "green")), Options(veto_s=10)) as rig:
        rig.press("sevilla", "granada")
        assert rig.table.poll() == 10
        rig.now_s += 10
        while (due_s := rig.table.poll()) == 0:
            pass
        assert rig.game.to_act == ("green",)
        assert due_s == 10


def test_without_a_time_the_table_waits_until_it_is_answered(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), Options(veto_s=0)) as rig:
        rig.press("sevilla", "granada")
        assert rig.prompt("blue").deadline_s is None
        rig.pass_s(10_000)
        assert rig.game.to_act == ("blue",)


def test_each_holder_has_the_whole_time(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(("blue", "green")), Options(veto_s=10)) as rig:
        rig.press("sevilla", "granada")
        rig.pass_s(9)
        rig.say("blue", "allow")
        rig.pass_s(9)
        assert rig.game.to_act == ("green",)
        rig.pass_s(1)
        assert rig.game.to_act == ("red",)


def test_what_the_actor_shows_meanwhile_counts_afterwards_in_its_order(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("sevilla", "granada", "aragon", "valencia")
        before = len(journalled(tmp_path))
        assert str(rig.game.moves[-1]) == "red move blue sevilla granada"
        rig.say("blue", "allow all")
        assert [str(move) for move in rig.game.moves[-3:]] == [
            "red move blue sevilla granada", "blue allow all", "red move red aragon valencia"
        ]  # fmt: skip
        assert len(journalled(tmp_path)) == before + 2


def test_what_comes_after_the_answer_comes_after_what_was_held(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("sevilla", "granada", "aragon")
        rig.table.post(SeatLine("blue", "allow all", rig.moment.version))
        rig.table.post(Press("valencia"))
        rig.table.poll()
        assert str(rig.game.moves[-1]) == "red move red aragon valencia"


def test_a_step_that_was_held_is_asked_about_in_its_turn(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("sevilla", "granada", "aragon", "valencia", "aragon", "cataluna")
        rig.say("blue", "allow")
        assert str(rig.game.moves[-1]) == "red move red aragon valencia"
        assert rig.game.to_act == ("blue",)
        rig.say("blue", "allow")
        assert str(rig.game.moves[-1]) == "red move red aragon cataluna"


def test_confirm_is_held_too(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("sevilla", "granada", "confirm", "confirm")
        assert rig.game.to_act == ("blue",)
        rig.say("blue", "allow")
        assert str(rig.game.moves[-1]) == "red done"


@pytest.mark.parametrize("way", ["buttons", "tap", "inventory"])
def test_a_veto_drops_what_was_held_and_the_guide_puts_the_pieces_back(way: str, tmp_path: Path) -> None:
    modes = {"buttons": {}, "tap": TAP, "inventory": INVENTORY}[way]
    with table_rig(tmp_path, moving(), modes=modes) as rig:
        if way == "inventory":
            rig.lay_out()
            for piece, origin, target in ((BLUE, "sevilla", "granada"), (RED, "aragon", "valencia")):
                rig.lift(piece, origin)
                rig.put(piece, target)
        elif way == "tap":
            rig.tap(BLUE, "sevilla", "granada")
            rig.tap(RED, "aragon", "valencia")
        else:
            rig.press("sevilla", "granada", "aragon", "valencia")
        rig.say("blue", "veto")
        assert [move.verb for move in rig.game.moves[-2:]] == ["move", "veto"]
        assert at(rig.game, "sevilla", "blue") == 1
        rig.pass_s(2)
        assert set(rig.guide) == {"Move 1 blue from granada to sevilla.", "Move 1 red from valencia to aragon."}
        rig.press("confirm", "confirm")
        assert rig.guide == []
        assert rig.lit(Pattern.BREATHE) == NEIGHBOURS["galicia"] | {"castillo"}  # red may still place
        rig.press("castillo")
        assert "red place castillo" in map(str, rig.game.moves)


def test_with_readers_that_list_pieces_moved_meanwhile_count_afterwards(tmp_path: Path) -> None:
    game = moving()
    put(game, board={"aragon": {"red": 2}, "sevilla": {"blue": 2}})  # so that another could follow the first
    with table_rig(tmp_path, game, modes=INVENTORY) as rig:
        rig.lay_out()
        rig.press("sevilla", "granada")  # by buttons; then the piece goes its way
        rig.lift(BLUE, "sevilla")
        rig.put(BLUE, "granada")
        rig.lift(RED, "aragon")
        rig.put(RED, "valencia")
        rig.pass_s(3)
        assert rig.guide == []
        rig.say("blue", "allow all")
        assert [str(move) for move in rig.game.moves[-3:]] == [
            "red move blue sevilla granada", "blue allow all", "red move red aragon valencia"
        ]  # fmt: skip
        rig.pass_s(3)
        assert rig.guide == []


def test_undo_takes_what_is_held_back_first_and_then_the_step_that_was_asked_about(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("sevilla", "granada", "aragon", "undo")
        assert rig.game.to_act == ("blue",)
        rig.press("valencia", "undo", "undo")
        assert rig.game.to_act == ("red",)
        assert rig.guide == ["Move 1 blue from granada to sevilla."]
        rig.press("confirm", "sevilla", "cataluna")
        rig.say("blue", "allow")
        # Nothing that was shown before the undo comes back.
        assert [move.verb for move in rig.game.moves[-2:]] == ["move", "allow"]
        assert rig.lit(Pattern.PULSE) == set()


def test_what_was_held_is_forgotten_when_the_step_is_taken_back(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), Options(guided=False)) as rig:
        rig.press("sevilla", "granada", "aragon")
        rig.say("blue", "undo")  # everybody agrees
        rig.say("red", "agree")
        rig.say("green", "agree")
        assert rig.game.to_act == ("red",)
        assert rig.lit(Pattern.PULSE) == set()
        rig.press("sevilla")
        assert rig.lit(Pattern.PULSE) == {"sevilla"}


def test_a_bot_that_holds_a_veto_answers_without_a_countdown(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy"}, veto_s=10, pace="fast")
    with table_rig(tmp_path, moving(), options) as rig:
        rig.press("sevilla", "granada")
        rig.pass_s(30)
        assert rig.game.to_act == ("blue",)
        assert rig.bots.questions[-1][0] == "blue"
        rig.think("blue veto")
        assert rig.guide == ["Move 1 blue from granada to sevilla."]


def test_no_time_runs_out_while_people_are_asked_about_an_undo(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(), Options(veto_s=10)) as rig:
        rig.press("sevilla", "granada")
        rig.say("green", "undo")
        rig.pass_s(30)
        assert rig.game.to_act == ("blue",)
        rig.say("red", "disagree")
        rig.pass_s(9)
        assert rig.game.to_act == ("blue",)
        rig.pass_s(1)
        assert rig.game.to_act == ("red",)


def test_the_king_moves_only_when_nobody_objects(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving(card="king")) as rig:
        rig.press("sevilla")
        assert rig.scene.marker == "galicia"
        rig.say("blue", "veto")
        assert rig.scene.marker == "galicia"
        assert rig.guide == ["Move the King from sevilla to galicia."]
