"""Stack 1: caballeros moved about the board, or more of them placed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import EDITIONS, PLACES, Game, IllegalMove
from tests.support.arrange import at, play, texts, turn_of, verbs

KING = "galicia"

BOARD = {
    "galicia": {"red": 2, "blue": 2},
    "aragon": {"red": 2, "blue": 1},
    "granada": {"green": 1},
    "castillo": {"red": 2, "yellow": 1},
}
"""Some of it may not be moved: what is with the King, and what is in the castillo."""

CROWD = {"aragon": {"red": 6, "blue": 6}, "sevilla": {"red": 6, "blue": 6}}

BOTH, OWN, OTHERS = ("red", "blue", "green"), ("red",), ("blue", "green")

WHOSE = {
    "move-3": BOTH,
    "move-4": BOTH,
    "move-4-own": OWN,
    "move-3-others": OTHERS,
    "move-2-own-2-others": BOTH,
    "move-5-from-one": BOTH,
    "move-own-from-one": OWN,
}


def moves(origin: str, *colours: str) -> set[str]:
    """Every step that moves one of these colours out of a region."""
    return {f"red move {colour} {origin} {to}" for colour in colours for to in PLACES if to not in (origin, KING)}


def extras() -> set[str]:
    """Every step that places one more."""
    return {f"red extra {place}" for place in PLACES if place != KING}


def begun(card: str, edition: str = "bigbox-de", **pieces: Any) -> Game:
    """The card's special action has just begun."""
    return play(turn_of(card, edition=edition, **pieces), "red special")


def kind(game: Game) -> str:
    assert [question.seat for question in game.questions] == ["red"]
    assert str(game.questions[0].message).startswith("red")
    return game.questions[0].kind


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("card", "colours"), WHOSE.items(), ids=WHOSE)
def test_a_card_moves_its_colours_from_any_region_to_any_other_place(
    card: str, colours: tuple[str, ...], edition: str
) -> None:
    game = begun(card, edition, board=BOARD)
    in_aragon = [colour for colour in colours if colour != "green"]
    in_granada = [colour for colour in colours if colour == "green"]
    assert texts(game) == moves("aragon", *in_aragon) | moves("granada", *in_granada) | {"red done"}


@pytest.mark.parametrize("to", ["valencia", "castillo"])
@pytest.mark.parametrize(("card", "colours"), WHOSE.items(), ids=WHOSE)
def test_a_step_moves_one_caballero(card: str, colours: tuple[str, ...], to: str) -> None:
    game = begun(card, board=BOARD)
    before = {place: at(game, place, colours[0]) for place in PLACES}
    game.play(f"red move {colours[0]} aragon {to}")
    after = {place: at(game, place, colours[0]) for place in PLACES}
    assert after == {**before, "aragon": before["aragon"] - 1, to: before[to] + 1}


BUDGETS = [
    ("move-3", ["red", "red", "red"]),
    ("move-3", ["blue", "blue", "blue"]),
    ("move-3", ["red", "blue", "red"]),
    ("move-4", ["red", "red", "red", "red"]),
    ("move-4", ["blue", "blue", "blue", "blue"]),
    ("move-4", ["blue", "red", "red", "blue"]),
    ("move-4-own", ["red", "red", "red", "red"]),
    ("move-3-others", ["blue", "blue", "blue"]),
    ("move-2-own-2-others", ["red", "blue", "red", "blue"]),
    ("move-2-own-2-others", ["blue", "blue", "red", "red"]),
    ("move-5-from-one", ["red", "red", "red", "red", "red"]),
    ("move-5-from-one", ["blue", "red", "blue", "red", "blue"]),
    ("move-own-from-one", ["red", "red", "red", "red", "red", "red"]),
]


@pytest.mark.parametrize(("card", "colours"), BUDGETS, ids=[f"{card}: {' '.join(who)}" for card, who in BUDGETS])
def test_a_card_is_over_when_its_number_is_moved_and_not_before(card: str, colours: list[str]) -> None:
    game = begun(card, board=CROWD)
    for taken, colour in enumerate(colours):
        assert kind(game) == "step"
        words = str(game.questions[0].message)
        assert ("one region" if card.endswith("from-one") else f" {len(colours) - taken} ") in words
        game.play(f"red move {colour} aragon granada")
    assert kind(game) == "act"
    for colour in ("red", "blue"):
        assert at(game, "granada", colour) == colours.count(colour)
        assert at(game, "aragon", colour) == 6 - colours.count(colour)


@pytest.mark.parametrize("card", WHOSE)
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_moving_may_stop_at_any_point(card: str, steps: int) -> None:
    game = begun(card, board=CROWD)
    colour = WHOSE[card][0]
    play(game, *[f"red move {colour} aragon granada"] * steps, "red done")
    assert kind(game) == "act"
    assert at(game, "granada", colour) == steps


@pytest.mark.parametrize(("first", "other"), [("red", "blue"), ("blue", "red")])
def test_two_of_ones_own_and_two_of_others_are_counted_apart(first: str, other: str) -> None:
    game = begun("move-2-own-2-others", board=CROWD)
    play(game, f"red move {first} aragon granada", f"red move {first} aragon granada")
    assert texts(game) == moves("aragon", other) | moves("sevilla", other) | {"red done"}


def test_two_of_others_may_be_of_different_seats() -> None:
    game = begun("move-2-own-2-others", board=BOARD)
    play(game, "red move blue aragon valencia", "red move green granada castillo")
    assert texts(game) == moves("aragon", "red") | {"red done"}


def test_a_card_is_over_when_nothing_is_left_that_it_may_move() -> None:
    game = begun("move-2-own-2-others", board={"aragon": {"red": 1}})
    play(game, "red move red aragon valencia", "red move red valencia sevilla")
    assert kind(game) == "act"


@pytest.mark.parametrize(("card", "left"), [("move-5-from-one", ("red", "blue")), ("move-own-from-one", ("red",))])
def test_the_first_step_fixes_the_region_that_all_come_from(card: str, left: tuple[str, ...]) -> None:
    game = begun(card, board=CROWD)
    assert texts(game) == moves("aragon", *left) | moves("sevilla", *left) | {"red done"}
    game.play("red move red aragon sevilla")
    assert texts(game) == moves("aragon", *left) | {"red done"}


@pytest.mark.parametrize("card", ["move-5-from-one", "move-own-from-one", "own-from-one-or-extra-2"])
def test_moving_from_one_region_is_over_when_it_is_empty(card: str) -> None:
    game = begun(card, board={"aragon": {"red": 2}, "sevilla": {"red": 2, "blue": 2}})
    play(game, "red move red aragon sevilla", "red move red aragon castillo")
    assert kind(game) == "act"
    assert (at(game, "sevilla", "red"), at(game, "castillo", "red")) == (3, 1)


def test_any_number_of_ones_own_is_all_that_stand_there() -> None:
    game = begun("move-own-from-one", board={"aragon": {"red": 15, "blue": 1}})
    play(game, *["red move red aragon granada"] * 15)
    assert kind(game) == "act"
    assert (at(game, "aragon", "red"), at(game, "granada", "red")) == (0, 15)


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ("move-3", "red move red galicia granada"),
        ("move-3", "red move red aragon galicia"),
        ("move-3", "red move red granada valencia"),
        ("move-3", "red move yellow aragon valencia"),
        ("move-4-own", "red move blue aragon valencia"),
        ("move-3-others", "red move red aragon valencia"),
        ("move-own-from-one", "red move blue aragon valencia"),
        ("move-3", "red move red castillo valencia"),
        ("move-3", "red extra valencia"),
        ("extra-2", "red move red aragon valencia"),
        ("extra-2", "red extra galicia"),
    ],
)
def test_what_a_card_of_the_first_stack_refuses(card: str, line: str) -> None:
    game = begun(card, board=BOARD)
    before = game.snapshot()
    with pytest.raises(IllegalMove):
        game.play(line)
    assert game.snapshot() == before


# --- Two more from the court ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_more_may_be_placed_in_any_region_but_the_kings_and_in_the_castillo(edition: str) -> None:
    game = begun("extra-2", edition, board=BOARD)
    assert texts(game) == extras() | {"red done"}
    play(game, "red extra granada")
    assert texts(game) == extras() | {"red done"}
    play(game, "red extra castillo")
    assert kind(game) == "act"
    assert (at(game, "granada", "red"), at(game, "castillo", "red"), at(game, "court", "red")) == (1, 3, 5)


def test_two_more_come_on_top_of_what_the_card_places() -> None:
    game = play(begun("extra-2", board={}), "red extra granada", "red extra granada", "red place castillo", "red end")
    assert (at(game, "granada", "red"), at(game, "castillo", "red"), at(game, "court", "red")) == (2, 1, 4)


@pytest.mark.parametrize("steps", [0, 1])
def test_placing_more_may_stop_at_any_point(steps: int) -> None:
    game = play(begun("extra-2", board={}), *["red extra granada"] * steps, "red done")
    assert kind(game) == "act"
    assert (at(game, "granada", "red"), at(game, "court", "red")) == (steps, 7 - steps)


def test_placing_more_is_over_when_the_court_is_empty() -> None:
    game = play(begun("extra-2", board={}, court={"red": 1}), "red extra granada")
    assert kind(game) == "act"
    assert at(game, "granada", "red") == 1


# --- One or the other -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_choice_between_moving_and_placing_is_open_until_the_first_step(edition: str) -> None:
    game = begun("own-from-one-or-extra-2", edition, board=CROWD)
    assert texts(game) == moves("aragon", "red") | moves("sevilla", "red") | extras() | {"red done"}
    game.play("red done")
    assert kind(game) == "act"


def test_who_moves_first_may_not_place_more() -> None:
    game = play(begun("own-from-one-or-extra-2", board=CROWD), "red move red aragon granada")
    assert texts(game) == moves("aragon", "red") | {"red done"}
    play(game, *["red move red aragon granada"] * 5)
    assert kind(game) == "act"
    assert at(game, "granada", "red") == 6


def test_who_places_more_first_may_not_move() -> None:
    game = play(begun("own-from-one-or-extra-2", board=CROWD), "red extra granada")
    assert texts(game) == extras() | {"red done"}
    game.play("red extra granada")
    assert kind(game) == "act"
    assert (at(game, "granada", "red"), at(game, "court", "red")) == (2, 5)


@pytest.mark.parametrize(
    ("pieces", "kinds"),
    [
        ({"board": CROWD, "court": {"red": 0}}, {"move", "done"}),
        ({"board": {"galicia": {"red": 3}}}, {"extra", "done"}),
    ],
    ids=["no court", "nothing to move"],
)
def test_one_of_the_two_is_left_where_the_other_has_no_step(pieces: dict[str, Any], kinds: set[str]) -> None:
    assert verbs(begun("own-from-one-or-extra-2", **pieces)) == kinds
