"""Stack 2: caballeros sent home, the veto card, and the scoring of one region."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import EDITIONS, PLACES, REGIONS, Game, IllegalMove
from tests.support.arrange import FOUR, at, opening, play, put, texts, turn_of

every_edition = pytest.mark.parametrize("edition", EDITIONS)


def begun(card: str, edition: str = "bigbox-de", **pieces: Any) -> Game:
    """Red's special action has just begun."""
    return play(turn_of(card, edition=edition, **pieces), "red special")


def begun_by_green(card: str, **pieces: Any) -> Game:
    """Green's special action has just begun, so that the order of the others begins in the middle of the seats."""
    game = opening(cards=[card])
    play(game, "red power 1", "blue power 2", "green power 13", "yellow power 3", "green recruit 0", "green card 2")
    return play(put(game, **pieces), "green special")


def asked(game: Game) -> tuple[str, ...]:
    """Who is asked for a step of the special action: nobody when it is over."""
    for question in game.questions:
        assert str(question.message).startswith(question.seat)
    assert tuple(question.seat for question in game.questions) == game.to_act
    return game.to_act if game.questions[0].kind == "step" else ()


def where(game: Game, seat: str) -> dict[str, int]:
    """Where the caballeros of a seat are, without the zeros."""
    return {place: at(game, place, seat) for place in (*PLACES, "court", "province") if at(game, place, seat)}


# --- Courts and provinces ---------------------------------------------------------------------------------------------


@every_edition
def test_a_veto_card_is_kept_when_its_special_action_begins(edition: str) -> None:
    game = turn_of("veto", edition=edition)
    assert game.snapshot()["seats"]["red"]["vetoes"] == 0
    game.play("red special")
    assert {seat: data["vetoes"] for seat, data in game.snapshot()["seats"].items()} == {
        "red": 1, "blue": 0, "green": 0, "yellow": 0,
    }  # fmt: skip
    assert asked(game) == ()


def test_a_veto_card_that_is_not_announced_is_not_kept() -> None:
    game = play(turn_of("veto"), "red end")
    assert game.snapshot()["seats"]["red"]["vetoes"] == 0


@pytest.mark.parametrize(
    ("card", "left"),
    [
        ("all-courts-home", {"red": 5, "blue": 0, "green": 0, "yellow": 0}),
        ("three-courts-home", {"red": 5, "blue": 0, "green": 0, "yellow": 4}),
    ],
)
@every_edition
def test_the_courts_of_the_others_go_home(card: str, left: dict[str, int], edition: str) -> None:
    game = turn_of(card, edition=edition, court={"red": 5, "blue": 2, "green": 0, "yellow": 7})
    before = {seat: where(game, seat) for seat in FOUR}
    game.play("red special")
    for seat in FOUR:
        gone = before[seat].get("court", 0) - left[seat]
        assert at(game, "court", seat) == left[seat]
        assert at(game, "province", seat) == before[seat]["province"] + gone
        assert {place: at(game, place, seat) for place in PLACES} == {p: before[seat].get(p, 0) for p in PLACES}
    assert asked(game) == ()


def test_three_leave_a_court_of_exactly_three() -> None:
    game = begun("three-courts-home", court={"blue": 3, "green": 4, "yellow": 1})
    assert [at(game, "court", seat) for seat in FOUR] == [7, 0, 1, 0]


# --- One of each ------------------------------------------------------------------------------------------------------

EACH = {
    "galicia": {"red": 1, "blue": 1, "green": 2, "yellow": 1},
    "aragon": {"red": 2, "blue": 2, "green": 1},
    "sevilla": {"blue": 1},
    "castillo": {"blue": 1, "green": 1, "yellow": 3},
}
"""Yellow stands only with the King and in the castillo."""

MAY_STOP = {"classic-nl": True, "classic-fr": False, "bigbox-de": True, "bigbox-nl": True, "anniversary-es": True}


@pytest.mark.parametrize(("edition", "may_stop"), MAY_STOP.items())
def test_one_caballero_of_each_other_seat_goes_home(edition: str, may_stop: bool) -> None:
    stop = {"red done"} if may_stop else set()
    game = begun("one-each-home", edition, board=EACH)
    of_blue = {"red remove blue aragon", "red remove blue sevilla"}
    assert texts(game) == of_blue | {"red remove green aragon"} | stop
    game.play("red remove green aragon")
    assert (at(game, "aragon", "green"), at(game, "province", "green")) == (0, 30 - 7 - 2 - 1)
    assert texts(game) == of_blue | stop
    game.play("red remove blue sevilla")
    assert asked(game) == ()
    assert where(game, "blue") == {"galicia": 1, "aragon": 2, "castillo": 1, "court": 7, "province": 19}
    assert where(game, "red") == {"galicia": 1, "aragon": 2, "court": 7, "province": 20}


@pytest.mark.parametrize("edition", [edition for edition, may_stop in MAY_STOP.items() if may_stop])
@pytest.mark.parametrize("steps", [[], ["red remove blue aragon"]])
def test_one_of_each_may_stop_early(edition: str, steps: list[str]) -> None:
    game = play(begun("one-each-home", edition, board=EACH), *steps, "red done")
    assert asked(game) == ()
    assert at(game, "aragon", "blue") == 2 - len(steps)


def test_in_the_french_edition_one_of_each_is_taken_in_full() -> None:
    game = play(begun("one-each-home", "classic-fr", board=EACH), "red remove blue aragon")
    with pytest.raises(IllegalMove):
        game.play("red done")
    game.play("red remove green aragon")
    assert asked(game) == ()


@pytest.mark.parametrize(
    "line",
    [
        "red remove red aragon",
        "red remove yellow aragon",
        "red remove blue granada",
        "red remove blue galicia",
        "red remove blue castillo",
        "blue return aragon",
    ],
)
def test_what_one_of_each_refuses(line: str) -> None:
    game = begun("one-each-home", board=EACH)
    with pytest.raises(IllegalMove):
        game.play(line)


# --- The King is angry ------------------------------------------------------------------------------------------------


@every_edition
def test_each_other_seat_from_the_left_returns_three(edition: str) -> None:
    board = {"aragon": {"blue": 3, "green": 3, "yellow": 3}, "galicia": {"blue": 2}, "castillo": {"blue": 2}}
    game = begun("king-is-angry", edition, board=board)
    assert asked(game) == ("blue",)
    assert texts(game) == {"blue return aragon", "blue return court"}
    play(game, "blue return aragon", "blue return court", "blue return aragon")
    assert where(game, "blue") == {"galicia": 2, "aragon": 1, "castillo": 2, "court": 6, "province": 19}
    assert asked(game) == ("green",)
    play(game, *["green return court"] * 3)
    assert where(game, "green") == {"aragon": 3, "court": 4, "province": 23}
    assert asked(game) == ("yellow",)
    play(game, *["yellow return aragon"] * 3)
    assert where(game, "yellow") == {"court": 7, "province": 23}
    assert asked(game) == ()
    assert where(game, "red") == {"court": 7, "province": 23}


def test_the_angry_king_goes_clockwise_from_the_acting_seat() -> None:
    game = begun_by_green("king-is-angry")
    order: list[str] = []
    while asked(game):
        order += game.to_act
        game.play(f"{game.to_act[0]} return court")
    assert order == ["yellow"] * 3 + ["red"] * 3 + ["blue"] * 3


def test_a_seat_with_fewer_than_three_returns_all_it_can_and_one_with_none_nothing() -> None:
    board = {"aragon": {"blue": 1}, "galicia": {"blue": 3, "green": 4}, "castillo": {"blue": 2, "green": 2}}
    game = begun("king-is-angry", board=board, court={"blue": 1, "green": 0, "yellow": 9})
    play(game, "blue return court")
    assert texts(game) == {"blue return aragon"}
    play(game, "blue return aragon")
    assert where(game, "blue") == {"galicia": 3, "castillo": 2, "province": 25}
    assert asked(game) == ("yellow",)
    assert where(game, "green") == {"galicia": 4, "castillo": 2, "province": 24}
    play(game, *["yellow return court"] * 3)
    assert asked(game) == ()


@pytest.mark.parametrize(
    "line",
    [
        "blue return galicia",
        "blue return castillo",
        "blue return granada",
        "blue done",
        "green return court",
        "red return court",
        "red done",
    ],
)
def test_what_the_angry_king_refuses(line: str) -> None:
    game = begun("king-is-angry", board={"galicia": {"blue": 1}, "castillo": {"blue": 1}, "aragon": {"blue": 1}})
    with pytest.raises(IllegalMove):
        game.play(line)


# --- Dials that send home ---------------------------------------------------------------------------------------------

SECRET = {
    "galicia": {"red": 1, "blue": 3, "green": 2},
    "aragon": {"red": 2, "blue": 3, "yellow": 1},
    "sevilla": {"blue": 1, "yellow": 1},
    "valencia": {"blue": 2},
    "castillo": {"blue": 2, "green": 3},
}
"""Green stands only with the King and in the castillo; yellow nowhere with more than one."""


@pytest.mark.parametrize(
    ("card", "of_blue"),
    [("secret-all-home", {"aragon", "sevilla", "valencia"}), ("secret-two-home", {"aragon", "valencia"})],
)
@every_edition
def test_what_each_other_seat_may_dial(card: str, of_blue: set[str], edition: str) -> None:
    game = begun(card, edition, board=SECRET)
    assert asked(game) == ("blue", "yellow")
    assert texts(game, "blue") == {f"blue dial {region}" for region in of_blue}
    assert texts(game, "yellow") == {"yellow dial aragon", "yellow dial sevilla"}
    assert texts(game, "red") == texts(game, "green") == set()


@pytest.mark.parametrize(("card", "stay"), [("secret-all-home", {}), ("secret-two-home", {"aragon": 1})])
def test_what_was_dialled_goes_home_when_all_dials_are_in(card: str, stay: dict[str, int]) -> None:
    game = begun(card, board=SECRET)
    before = game.snapshot()
    game.play("yellow dial aragon")
    assert game.snapshot() == before
    assert asked(game) == ("blue",)
    game.play("blue dial aragon")
    assert asked(game) == ()
    elsewhere = {"galicia": 3, "sevilla": 1, "valencia": 2, "castillo": 2, "court": 7}
    gone = 3 - sum(stay.values())
    assert where(game, "blue") == elsewhere | stay | {"province": 30 - 7 - 11 + gone}
    assert where(game, "yellow") == {"sevilla": 1, "court": 7, "province": 22}
    assert where(game, "red") == {"galicia": 1, "aragon": 2, "court": 7, "province": 20}
    assert where(game, "green") == {"galicia": 2, "castillo": 3, "court": 7, "province": 18}


@pytest.mark.parametrize("card", ["secret-all-home", "secret-two-home"])
@pytest.mark.parametrize("line", ["blue dial galicia", "blue dial granada", "red dial aragon", "green dial galicia"])
def test_what_a_dial_that_sends_home_refuses(card: str, line: str) -> None:
    game = begun(card, board=SECRET)
    with pytest.raises(IllegalMove):
        game.play(line)


# --- One region scored ------------------------------------------------------------------------------------------------

SCORES_CASTILLO = {
    "classic-nl": True, "classic-fr": True, "bigbox-de": False, "bigbox-nl": False, "anniversary-es": False,
}  # fmt: skip


@pytest.mark.parametrize(("edition", "castillo"), SCORES_CASTILLO.items())
@pytest.mark.parametrize("card", ["score-one", "score-one-3"])
def test_one_region_is_scored_the_kings_too_and_the_castillo_in_the_classic_editions(
    card: str, edition: str, castillo: bool
) -> None:
    game = begun(card, edition)
    assert texts(game) == {f"red score {place}" for place in (PLACES if castillo else REGIONS)}
    assert asked(game) == ("red",)


@pytest.mark.parametrize("card", ["score-one", "score-one-3"])
@pytest.mark.parametrize(
    ("place", "scores"),
    [
        ("galicia", {"red": 4 + 2, "blue": 2, "green": 0, "yellow": 0}),
        ("aragon", {"red": 4, "blue": 4, "green": 1, "yellow": 0}),
        ("cataluna", {"red": 0, "blue": 0, "green": 4 + 2, "yellow": 0}),
        ("granada", {"red": 0, "blue": 0, "green": 0, "yellow": 0}),
    ],
    ids=["with the King's bonus", "shared first", "with the Grande's bonus", "empty"],
)
def test_one_region_is_scored_with_its_bonuses_and_nothing_else(card: str, place: str, scores: dict[str, int]) -> None:
    board = {
        "galicia": {"red": 3, "blue": 2, "green": 1},
        "aragon": {"red": 2, "blue": 2, "green": 1},
        "cataluna": {"green": 1},
        "castillo": {"yellow": 3},
    }
    game = play(begun(card, board=board), f"red score {place}")
    assert game.scores == scores
    assert [PLACES[scoring.place] for scoring in game.scorings] == [place]
    assert game.scorings[0].occasion == card
    assert asked(game) == ()


@pytest.mark.parametrize("edition", ["classic-nl", "classic-fr"])
@pytest.mark.parametrize("card", ["score-one", "score-one-3"])
def test_the_castillo_as_the_one_place_scored_pays_no_bonus_and_keeps_what_is_in_it(card: str, edition: str) -> None:
    game = begun(card, edition, board={"castillo": {"blue": 3, "green": 2, "red": 1}})
    game.play("red score castillo")
    assert game.scores == {"red": 1, "blue": 5, "green": 3, "yellow": 0}
    assert [at(game, "castillo", seat) for seat in FOUR] == [1, 3, 2, 0]


@pytest.mark.parametrize("edition", [edition for edition, castillo in SCORES_CASTILLO.items() if not castillo])
@pytest.mark.parametrize("card", ["score-one", "score-one-3"])
def test_the_castillo_is_refused_in_the_later_editions(card: str, edition: str) -> None:
    game = begun(card, edition)
    for line in ("red score castillo", "red done"):
        with pytest.raises(IllegalMove):
            game.play(line)
