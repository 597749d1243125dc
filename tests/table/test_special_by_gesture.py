"""A piece in the hand says what is meant: moving the King with his card begins the special action."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.engine.pieces import Piece, PieceKind
from hardware.ports import Pattern
from tests.support.arrange import NEIGHBOURS, at, play, turn_of
from tests.support.table_rig import BLUE, INVENTORY, KING, RED, TAP, THREE, TableRig, table_rig

GRANDE = Piece(PieceKind.GRANDE, "red")
TILE = Piece(PieceKind.TILE, "4")
BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1}}
NEAR_GALICIA = NEIGHBOURS["galicia"] | {"castillo"}


def turn(card: str, **pieces: object) -> Game:
    return turn_of(card, THREE, **{"board": BOARD, "court": {"red": 4}} | pieces)  # type: ignore[arg-type]


def played(rig: TableRig, count: int) -> list[str]:
    return [str(move) for move in rig.game.moves[-count:]]


# The card, the piece, the places it is shown at, and the step.
TAPPED = {
    "the King, from and to": ("king", KING, ("galicia", "granada"), "red king granada"),
    "the King, only where he goes": ("king", KING, ("granada",), "red king granada"),
    "the King next door": ("king", KING, ("pais-vasco",), "red king pais-vasco"),
    "the adviser": ("advisor", KING, ("pais-vasco",), "red king pais-vasco"),
    "the Grande": ("grande", GRANDE, ("sevilla",), "red grande sevilla"),
    "a tile": ("tile", TILE, ("sevilla",), "red tile 4 sevilla"),
    "another's caballero": ("move-3", BLUE, ("sevilla", "granada"), "red move blue sevilla granada"),
    "one's own, where none may be placed": ("move-3", RED, ("aragon", "granada"), "red move red aragon granada"),
    "one more, where none may be placed": ("extra-2", RED, ("granada",), "red extra granada"),
    "sending home": ("one-each-home", BLUE, ("sevilla",), "red remove blue sevilla"),
}


@pytest.mark.parametrize("case", TAPPED)
def test_a_tapped_piece_begins_the_special_action(case: str, tmp_path: Path) -> None:
    card, piece, places, step = TAPPED[case]
    with table_rig(tmp_path, turn(card), modes=TAP) as rig:
        before = len(rig.game.moves)
        rig.tap(piece, *places)
        assert [str(move) for move in rig.game.moves[before : before + 2]] == ["red special", step]
        assert rig.session.made_by[before : before + 2] == ("person", "person")
        rig.pass_s(5)
        assert rig.guide == []


def test_lifting_and_setting_down_the_king_begins_the_special_action(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn("king"), modes=INVENTORY) as rig:
        rig.lay_out()
        before = rig.session.version
        rig.lift(KING, "galicia")
        assert rig.lit(Pattern.PULSE) == {"galicia"}
        assert rig.session.version == before
        rig.put(KING, "granada")
        assert played(rig, 2) == ["red special", "red king granada"]
        rig.pass_s(5)
        assert rig.guide == []


def test_a_piece_lifted_and_put_back_has_begun_nothing(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn("king"), modes=INVENTORY) as rig:
        rig.lay_out()
        rig.lift(KING, "galicia")
        rig.put(KING, "galicia")
        assert rig.lit(Pattern.PULSE) == set()
        assert played(rig, 1) == ["red card 5"]
        rig.press("castillo")
        assert played(rig, 1) == ["red place castillo"]


def test_placing_comes_first_where_both_are_possible(tmp_path: Path) -> None:
    game = turn("move-3", board={"pais-vasco": {"red": 2}})
    with table_rig(tmp_path, game, modes=TAP) as rig:
        assert rig.lit(Pattern.BREATHE) == NEAR_GALICIA
        rig.tap(RED, "pais-vasco")
        assert played(rig, 1)[0] == "red place pais-vasco"


def test_a_score_is_never_begun_by_a_press(tmp_path: Path) -> None:
    """Only pieces say what is meant: a wrong press must not score a region."""
    with table_rig(tmp_path, turn("score-one-3")) as rig:
        rig.press("granada", "granada")
        assert played(rig, 1) == ["red card 3"]
        assert "it does not border the King's region" in rig.notices[0]


# --- By buttons alone ------------------------------------------------------------------------------------------------


def test_the_kings_place_and_then_another_move_him(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn("king")) as rig:
        rig.press("galicia")
        assert rig.lit(Pattern.PULSE) == {"galicia"}
        assert rig.lit(Pattern.BREATHE) == set(NEIGHBOURS) - {"galicia"}
        rig.press("granada")
        assert played(rig, 2) == ["red special", "red king granada"]


def test_a_press_where_placing_is_not_allowed_says_why_and_the_second_uses_the_card(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn("king")) as rig:
        rig.press("granada")
        assert "it does not border the King's region" in rig.notices[0]
        assert rig.notices[1:] == ["Press again to use king: Move the King to granada."]
        assert played(rig, 1) == ["red card 5"]
        rig.press("granada")
        assert played(rig, 2) == ["red special", "red king granada"]


def test_with_nothing_left_to_place_the_places_of_the_special_action_are_lit(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn("king", court={"red": 0})) as rig:
        assert rig.lit(Pattern.BREATHE) == set(NEIGHBOURS) - {"galicia"}
        rig.press("granada")
        assert "red king granada" in map(str, rig.game.moves)


def test_of_two_tiles_the_phone_says_which_and_that_begins_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn("tile", court={"red": 0})) as rig:
        rig.press("sevilla")
        assert rig.choices("red") == ["tile 8 sevilla", "tile 4 sevilla"]
        rig.say("red", "tile 4 sevilla")
        assert "red tile 4 sevilla" in map(str, rig.game.moves)


# --- What would be lost ----------------------------------------------------------------------------------------------


def test_a_gesture_that_would_end_placing_warns_first(tmp_path: Path) -> None:
    with table_rig(tmp_path, play(turn("king"), "red place castillo"), modes=TAP) as rig:
        rig.tap(KING, "granada")
        assert rig.notices == ["Caballeros not placed: 3.", "Press again to use king anyway."]
        assert played(rig, 1) == ["red place castillo"]
        rig.tap(KING, "granada")
        assert "red king granada" in map(str, rig.game.moves)


def test_a_piece_that_lies_there_already_is_confirmed_with_the_button(tmp_path: Path) -> None:
    with table_rig(tmp_path, play(turn("king"), "red place castillo"), modes=INVENTORY) as rig:
        rig.lay_out()
        rig.lift(KING, "galicia")
        rig.put(KING, "granada")
        assert rig.notices == ["Caballeros not placed: 3.", "Press confirm to use king anyway."]
        rig.pass_s(5)
        assert rig.guide == []
        rig.press("confirm")
        assert "red king granada" in map(str, rig.game.moves)
        rig.pass_s(5)
        assert rig.guide == []


def test_undo_instead_has_the_piece_put_back(tmp_path: Path) -> None:
    with table_rig(tmp_path, play(turn("king"), "red place castillo"), modes=INVENTORY) as rig:
        rig.lay_out()
        rig.lift(KING, "galicia")
        rig.put(KING, "granada")
        rig.press("undo")
        rig.pass_s(5)
        assert played(rig, 1) == ["red place castillo"]
        assert rig.guide == ["Move the King from granada to galicia."]


def test_a_tap_on_the_phones_map_asks_that_phone(tmp_path: Path) -> None:
    with table_rig(tmp_path, play(turn("king"), "red place castillo")) as rig:
        rig.say("red", "touch galicia", "touch granada")
        assert str(rig.prompt("red").asked) == "Use king? This ends placing."
        assert [str(line) for line in rig.prompt("red").details] == ["Caballeros not placed: 3."]
        assert rig.notices == []
        rig.say("red", "yes")
        assert "red king granada" in map(str, rig.game.moves)


# --- Vetoes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["tap", "inventory"])
def test_the_step_waits_for_the_veto_holder_and_is_then_played(way: str, tmp_path: Path) -> None:
    modes = TAP if way == "tap" else INVENTORY
    with table_rig(tmp_path, turn("king", vetoes=["blue"]), modes=modes) as rig:
        move_the_king(rig, way)
        assert played(rig, 1) == ["red special"]
        assert rig.game.to_act == ("blue",)
        rig.pass_s(5)
        assert rig.guide == []
        rig.say("blue", "allow all")
        assert played(rig, 3) == ["red special", "blue allow all", "red king granada"]
        rig.pass_s(5)
        assert rig.guide == []


@pytest.mark.parametrize("way", ["tap", "inventory"])
def test_a_veto_drops_the_step_and_the_guide_puts_the_piece_back(way: str, tmp_path: Path) -> None:
    modes = TAP if way == "tap" else INVENTORY
    with table_rig(tmp_path, turn("king", vetoes=["blue"]), modes=modes) as rig:
        move_the_king(rig, way)
        rig.say("blue", "veto")
        assert played(rig, 2) == ["red special", "blue veto"]
        rig.pass_s(5)
        assert rig.guide == ["Move the King from granada to galicia."]
        rig.press("confirm", "castillo")
        assert at(rig.game, "castillo", "red") == 1


def move_the_king(rig: TableRig, way: str) -> None:
    if way == "tap":
        rig.tap(KING, "granada")
    else:
        rig.lay_out()
        rig.lift(KING, "galicia")
        rig.put(KING, "granada")
