"""Gestures become motions: pressing from and to, tapping a piece, and asking only when there is something to ask."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import PLACES, SEATS, Game, Move
from companion.engine.pieces import Piece, PieceKind
from companion.table.motions import (
    EMPTY,
    KING,
    Interpretation,
    Motion,
    PartialMove,
    Slot,
    Touch,
    interpret,
    motion_of,
    motions_of,
    next_places,
)  # fmt: skip
from tests.support.random_games import decisions

RED, BLUE = Piece(PieceKind.CABALLERO, "red"), Piece(PieceKind.CABALLERO, "blue")


def show(
    motions: list[Motion], partial: PartialMove, place: str, piece: Piece | None = None, slot: Slot | None = None
) -> Interpretation:
    return interpret(motions, partial, Touch(place, piece, slot))


def motion(text: str, origin: str | None, target: str | None, piece: Piece | None = RED, shown: bool = False) -> Motion:
    return Motion(Move.parse(text), piece, origin, target, shown)


PLACING = [motion("red place granada", None, "granada"), motion("red place castillo", None, "castillo")]
MOVING = [
    motion("red move red aragon castillo", "aragon", "castillo", RED, True),
    motion("red move red aragon granada", "aragon", "granada", RED, True),
    motion("red move blue aragon granada", "aragon", "granada", BLUE, True),
    motion("red move blue sevilla granada", "sevilla", "granada", BLUE, True),
]
REMOVING = [
    motion("red remove blue aragon", "aragon", None, BLUE, True),
    motion("red remove green aragon", "aragon", None, Piece(PieceKind.CABALLERO, "green"), True),
]
KINGS = [motion("red king granada", "aragon", "granada", KING), motion("red king sevilla", "aragon", "sevilla", KING)]
EITHER = [*MOVING[:1], motion("red extra aragon", None, "aragon"), motion("red extra sevilla", None, "sevilla")]
TILES = [
    motion("red tile 8 granada", None, "granada", Piece(PieceKind.TILE, "8")),
    motion("red tile 4 granada", "sevilla", "granada", Piece(PieceKind.TILE, "4")),
]


def test_a_press_on_a_lit_place_is_the_move() -> None:
    assert next_places(PLACING, EMPTY) == {"granada": {Slot.TARGET}, "castillo": {Slot.TARGET}}
    assert show(PLACING, EMPTY, "granada").move == Move.parse("red place granada")


def test_a_press_elsewhere_is_refused() -> None:
    assert show(PLACING, EMPTY, "aragon").refused


def test_moving_is_from_and_then_to() -> None:
    assert next_places(MOVING, EMPTY) == {"aragon": {Slot.ORIGIN}, "sevilla": {Slot.ORIGIN}}
    first = show(MOVING, EMPTY, "aragon")
    assert first == Interpretation(PartialMove(origin="aragon"))
    assert set(next_places(MOVING, first.partial)) == {"castillo", "granada"}
    assert show(MOVING, first.partial, "castillo").move == Move.parse("red move red aragon castillo")


def test_the_colour_is_asked_only_when_there_is_more_than_one() -> None:
    hand = show(MOVING, EMPTY, "aragon").partial
    assert [move.text for move in show(MOVING, hand, "granada").choices] == [
        "red move red aragon granada",
        "red move blue aragon granada",
    ]
    hand = show(MOVING, EMPTY, "sevilla").partial
    assert show(MOVING, hand, "granada").move == Move.parse("red move blue sevilla granada")


def test_a_tapped_piece_says_its_colour() -> None:
    hand = show(MOVING, EMPTY, "aragon", BLUE).partial
    assert hand == PartialMove(origin="aragon", piece=BLUE)
    assert show(MOVING, hand, "granada").move == Move.parse("red move blue aragon granada")
    hand = show(MOVING, EMPTY, "aragon").partial
    assert show(MOVING, hand, "granada", BLUE).move == Move.parse("red move blue aragon granada")


def test_a_wrong_piece_is_refused() -> None:
    assert show(PLACING, EMPTY, "granada", BLUE).refused
    assert show(MOVING, EMPTY, "sevilla", RED).refused


def test_sending_home_is_one_press_and_asks_for_the_colour() -> None:
    assert len(show(REMOVING, EMPTY, "aragon").choices) == 2
    assert show(REMOVING, EMPTY, "aragon", BLUE).move == Move.parse("red remove blue aragon")


def test_the_king_goes_with_one_press_or_with_from_and_to() -> None:
    assert set(next_places(KINGS, EMPTY)) == {"granada", "sevilla"}
    assert show(KINGS, EMPTY, "granada").move == Move.parse("red king granada")
    first = show(KINGS, EMPTY, "aragon")
    assert first == Interpretation(PartialMove(origin="aragon"))
    assert show(KINGS, first.partial, "sevilla").move == Move.parse("red king sevilla")


def test_a_place_that_can_be_from_or_to_is_asked_about() -> None:
    assert show(EITHER, EMPTY, "aragon").slots == (Slot.ORIGIN, Slot.TARGET)
    assert show(EITHER, EMPTY, "aragon", slot=Slot.TARGET).move == Move.parse("red extra aragon")
    assert show(EITHER, EMPTY, "aragon", slot=Slot.ORIGIN).partial == PartialMove(origin="aragon")
    assert show(EITHER, EMPTY, "sevilla").move == Move.parse("red extra sevilla")


def test_of_two_tiles_the_one_is_asked_for() -> None:
    assert len(show(TILES, EMPTY, "granada").choices) == 2
    assert show(TILES, EMPTY, "granada", Piece(PieceKind.TILE, "4")).move == Move.parse("red tile 4 granada")


def test_a_reader_that_sees_it_set_down_before_it_is_missed_elsewhere_is_understood() -> None:
    first = show(MOVING, EMPTY, "castillo", RED, Slot.TARGET)
    assert first.partial == PartialMove(target="castillo", piece=RED)
    assert show(MOVING, first.partial, "aragon", RED, Slot.ORIGIN).move == Move.parse("red move red aragon castillo")


@pytest.mark.parametrize("seed", range(8))
def test_every_move_on_the_board_can_be_shown_and_nothing_else_comes_of_it(seed: int) -> None:
    """Over whole games: pressing what is next_places, and choosing what is asked, reaches every legal motion."""
    rng = Random(seed)
    for game, _ in decisions(seed):
        motions = motions_of(game.legal_moves(), game.snapshot())
        if not motions or len(game.to_act) != 1:
            continue
        meant = rng.choice(motions)
        reached = _press_until_asked(motions, meant)
        assert meant.move in reached


def _press_until_asked(motions: list[Motion], meant: Motion) -> tuple[Move, ...]:
    hand = EMPTY
    for _ in range(3):
        wanted = meant.origin if meant.origin_shown and hand.origin is None else meant.target
        assert wanted is not None
        assert wanted in next_places(motions, hand)
        shown = show(motions, hand, wanted)
        if shown.slots:
            slot = Slot.ORIGIN if meant.origin_shown and hand.origin is None else Slot.TARGET
            shown = show(motions, hand, wanted, slot=slot)
        if shown.move is not None:
            return (shown.move,)
        if shown.choices:
            return shown.choices
        hand = shown.partial
    raise AssertionError("no end")


def test_only_moves_that_touch_the_board_are_motions() -> None:
    game = Game(SEATS[:3])
    for text in ("red power 7", "red recruit 3", "red card 2", "red end", "red dial granada", "red return court"):
        assert motion_of(Move.parse(text), game.snapshot()) is None
    assert set(PLACES) >= {found.target for found in PLACING}
