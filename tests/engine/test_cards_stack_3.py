"""Stack 3: special scorings. (`score-one-3` is tested with its like in stack 2.)"""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import EDITIONS, PLACES, REGIONS, Game, IllegalMove
from tests.support.arrange import FOUR, at, play, turn_of

every_edition = pytest.mark.parametrize("edition", EDITIONS)


def after(card: str, edition: str = "bigbox-de", **pieces: Any) -> Game:
    """Red has carried out the card, which takes no further step."""
    game = play(turn_of(card, edition=edition, **pieces), "red special")
    assert [(question.seat, question.kind) for question in game.questions] == [("red", "act")]
    return game


def scored(game: Game) -> list[str]:
    """The places scored so far, in order."""
    return [PLACES[scoring.place] for scoring in game.scorings]


WORTH: list[tuple[str, dict[str, str], list[str]]] = [
    ("score-4s", {}, ["galicia", "cataluna", "sevilla"]),
    ("score-4s", {"8": "sevilla"}, ["galicia", "cataluna"]),
    ("score-4s", {"4": "granada"}, ["galicia", "cataluna", "sevilla", "granada"]),
    ("score-4s", {"4": "cataluna", "8": "galicia"}, ["cataluna", "sevilla"]),
    ("score-4s", {"4": "castillo"}, ["galicia", "cataluna", "sevilla"]),
    ("score-5s", {}, ["pais-vasco", "aragon", "valencia"]),
    ("score-5s", {"4": "valencia"}, ["pais-vasco", "aragon"]),
    ("score-5s", {"8": "aragon", "4": "castillo"}, ["pais-vasco", "valencia"]),
    ("score-6s-7s", {}, ["castilla-la-vieja", "castilla-la-nueva", "granada"]),
    ("score-6s-7s", {"8": "castilla-la-nueva", "4": "granada"}, ["castilla-la-vieja"]),
    ("score-firsts", {}, list(REGIONS)),
    ("score-castillo", {}, ["castillo"]),
]


@every_edition
@pytest.mark.parametrize(("card", "tiles", "places"), WORTH, ids=[f"{card} {tiles}" for card, tiles, _ in WORTH])
def test_which_places_a_card_scores_in_track_order(
    card: str, tiles: dict[str, str], places: list[str], edition: str
) -> None:
    game = after(card, edition, tiles=tiles)
    assert scored(game) == places
    assert {scoring.occasion for scoring in game.scorings} == {card}


@every_edition
def test_the_fours_are_scored_with_ties_and_bonuses(edition: str) -> None:
    board = {
        "galicia": {"red": 3, "blue": 2, "green": 1},  # the King's: red 4 + 2, blue 2
        "cataluna": {"green": 2, "red": 2},  # green's home, but shared: 2 each
        "sevilla": {"yellow": 1},  # 4
        "aragon": {"blue": 9},
        "castillo": {"blue": 9},
    }
    game = after("score-4s", edition, board=board)
    assert game.scores == {"red": 8, "blue": 2, "green": 2, "yellow": 4}


@every_edition
def test_the_fives_are_scored_with_ties_and_bonuses(edition: str) -> None:
    board = {
        "pais-vasco": {"red": 2, "blue": 1},  # red's home: red 5 + 2, blue 3
        "aragon": {"green": 3, "blue": 1, "yellow": 1},  # green 5; blue and yellow share second: 1 each
        "valencia": {"blue": 4, "green": 3, "red": 2, "yellow": 1},  # 5, 3, 2, 0
    }
    game = after("score-5s", edition, board=board)
    assert game.scores == {"red": 7 + 2, "blue": 3 + 1 + 5, "green": 5 + 3, "yellow": 1}


@every_edition
def test_the_sixes_and_sevens_are_scored_with_ties_and_bonuses(edition: str) -> None:
    board = {
        "castilla-la-vieja": {"yellow": 2, "red": 1},  # yellow's home: 6 + 2, red 4
        "castilla-la-nueva": {"blue": 1, "green": 1, "red": 1},  # all share first: 4 each
        "granada": {"green": 5, "yellow": 4, "blue": 3, "red": 2},  # 6, 3, 1, 0
    }
    game = after("score-6s-7s", edition, board=board)
    assert game.scores == {"red": 8, "blue": 5, "green": 10, "yellow": 11}


@pytest.mark.parametrize(
    ("tile", "paid"),
    [("8", {"red": 8, "blue": 4, "green": 0, "yellow": 0}), ("4", {"red": 4, "blue": 0, "green": 0, "yellow": 0})],
)
@pytest.mark.parametrize(("card", "place"), [("score-castillo", "castillo"), ("score-most", "granada")])
def test_a_tile_pays_in_the_place_of_the_printed_values(card: str, place: str, tile: str, paid: dict[str, int]) -> None:
    game = after(card, board={place: {"red": 3, "blue": 2, "green": 1}}, tiles={tile: place})
    assert game.scores == paid


@every_edition
def test_the_castillo_is_scored_without_bonus_and_what_is_in_it_stays(edition: str) -> None:
    game = after("score-castillo", edition, board={"castillo": {"green": 4, "red": 3, "blue": 3, "yellow": 1}})
    assert game.scores == {"red": 1, "blue": 1, "green": 5, "yellow": 0}
    assert [at(game, "castillo", seat) for seat in FOUR] == [3, 3, 4, 1]
    assert (game.scorings[0].king_bonus, game.scorings[0].grande_bonus) == (0, 0)


@every_edition
def test_firsts_are_paid_alone_a_shared_one_gets_nothing_and_bonuses_are_as_usual(edition: str) -> None:
    board = {
        "galicia": {"yellow": 1},  # the King's: 4 + 2
        "pais-vasco": {"red": 1, "blue": 1},  # red's home, but shared: nothing
        "aragon": {"red": 2, "blue": 1},  # 5, and nothing for blue although it is at home there
        "castilla-la-vieja": {"yellow": 3, "red": 2, "green": 2},  # yellow's home: 6 + 2
        "granada": {"green": 2, "blue": 2, "red": 1},  # shared: nothing, for red neither
        "castillo": {"blue": 9},  # not a region
    }
    game = after("score-firsts", edition, board=board)
    assert game.scores == {"red": 5, "blue": 0, "green": 0, "yellow": 14}


def test_firsts_are_paid_by_the_tile_where_one_lies() -> None:
    game = after(
        "score-firsts", board={"valencia": {"red": 1}, "granada": {"blue": 1}}, tiles={"8": "valencia", "4": "granada"}
    )
    assert game.scores == {"red": 8, "blue": 4, "green": 0, "yellow": 0}


MOST_AND_FEWEST: list[tuple[str, dict[str, dict[str, int]], list[str]]] = [
    ("score-most", {"sevilla": {"red": 2, "blue": 2}, "aragon": {"green": 3}, "castillo": {"red": 9}}, ["sevilla"]),
    ("score-most", {"sevilla": {"red": 2, "blue": 1}, "aragon": {"green": 3}}, ["aragon", "sevilla"]),
    ("score-most", {"galicia": {"red": 4}, "aragon": {"green": 3}}, ["galicia"]),
    ("score-fewest", {"sevilla": {"red": 2, "blue": 2}, "aragon": {"green": 3}, "castillo": {"red": 1}}, ["aragon"]),
    ("score-fewest", {"sevilla": {"red": 1, "blue": 1}, "aragon": {"green": 2}}, ["aragon", "sevilla"]),
    ("score-fewest", {"galicia": {"red": 1}, "aragon": {"green": 3}}, ["galicia"]),
]


@every_edition
@pytest.mark.parametrize(("card", "board", "places"), MOST_AND_FEWEST)
def test_the_regions_with_the_most_or_the_fewest_caballeros_in_all_are_scored(
    card: str, board: dict[str, dict[str, int]], places: list[str], edition: str
) -> None:
    assert scored(after(card, edition, board=board)) == places


def test_the_most_and_the_fewest_are_paid_as_any_scoring() -> None:
    board = {"galicia": {"red": 2, "blue": 1}, "cataluna": {"green": 2, "blue": 1}, "sevilla": {"yellow": 9}}
    game = after("score-fewest", board=board)
    assert game.scores == {"red": 4 + 2, "blue": 2 + 2, "green": 4 + 2, "yellow": 0}
    game = after("score-most", board=board)
    assert game.scores == {"red": 0, "blue": 0, "green": 0, "yellow": 4}


@pytest.mark.parametrize(
    "card", ["score-4s", "score-5s", "score-6s-7s", "score-castillo", "score-firsts", "score-most"]
)
def test_where_nobody_may_object_no_region_is_asked_for(card: str) -> None:
    game = turn_of(card)
    for line in ("red score galicia", "red score castillo"):
        with pytest.raises(IllegalMove):
            game.play(line)
    game.play("red special")
    for line in ("red score galicia", "red score castillo", "red done"):
        with pytest.raises(IllegalMove):
            game.play(line)
