"""The general scoring: dials, what a place pays, bonuses; and the winner."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.engine import PLACES, REGIONS, SEATS, Game, IllegalMove
from tests.engine.test_round import asks, idle, idle_move
from tests.support.arrange import FOUR, at, opening, play, put, texts


def dialling(seats: Sequence[str] = FOUR, edition: str = "bigbox-de", house: Sequence[str] = ()) -> Game:
    """Round 3 has been played; every seat is to dial. The King is in galicia."""
    return idle(opening(seats, edition, house=house), "dial")


def test_every_seat_dials_one_of_the_nine_in_any_order() -> None:
    game = dialling()
    assert (game.round, asks(game)) == (3, ("dial", FOUR))
    assert texts(game) == {f"{seat} dial {region}" for seat in FOUR for region in REGIONS}
    game.play("green dial aragon")
    assert asks(game) == ("dial", ("red", "blue", "yellow"))
    assert texts(game) == {f"{seat} dial {region}" for seat in ("red", "blue", "yellow") for region in REGIONS}
    before = game.snapshot()
    play(game, "red dial sevilla", "yellow dial galicia")
    assert game.snapshot() == before
    game.play("blue dial sevilla")
    assert game.round == 4


def test_the_castillo_is_scored_first_then_emptied_by_the_dials_then_the_regions_in_track_order() -> None:
    board = {"castillo": {"red": 3, "blue": 2}, "valencia": {"green": 2, "blue": 1}}
    game = put(dialling(), board=board)
    play(game, "red dial valencia", "blue dial valencia", "green dial aragon", "yellow dial sevilla")
    assert [PLACES[scoring.place] for scoring in game.scorings] == ["castillo", *REGIONS]
    assert {scoring.occasion for scoring in game.scorings} == {"general"}
    by_place = {PLACES[scoring.place]: scoring for scoring in game.scorings}
    assert by_place["castillo"].counts == (3, 2, 0, 0)
    assert by_place["castillo"].points == (5, 3, 0, 0)
    assert by_place["valencia"].counts == (3, 3, 2, 0)
    assert by_place["valencia"].points == (3, 3, 2, 0)
    assert game.scores == {"red": 8, "blue": 6, "green": 2, "yellow": 0}
    assert [at(game, "castillo", seat) for seat in FOUR] == [0, 0, 0, 0]
    assert [at(game, "valencia", seat) for seat in FOUR] == [3, 3, 2, 0]


def test_who_dials_the_kings_region_takes_the_castillos_caballeros_to_the_court() -> None:
    game = put(dialling(), board={"castillo": {"red": 3, "blue": 2}}, court={"red": 1, "blue": 4})
    play(game, "red dial galicia", "blue dial aragon", "green dial galicia", "yellow dial galicia")
    assert [at(game, place, "red") for place in ("court", "galicia", "castillo")] == [4, 0, 0]
    assert [at(game, place, "blue") for place in ("court", "aragon", "castillo")] == [4, 2, 0]
    assert game.scores["red"] == 5


def test_with_strict_dial_the_kings_region_is_refused() -> None:
    game = dialling(house=("strict-dial",))
    assert texts(game) == {f"{seat} dial {region}" for seat in FOUR for region in REGIONS if region != "galicia"}
    with pytest.raises(IllegalMove):
        game.play("red dial galicia")


# --- What a place pays ------------------------------------------------------------------------------------------------

VALUES = {
    "galicia": (4, 2, 0), "pais-vasco": (5, 3, 1), "aragon": (5, 4, 1), "cataluna": (4, 2, 1),
    "castilla-la-vieja": (6, 4, 2), "castilla-la-nueva": (7, 4, 2), "valencia": (5, 3, 2), "sevilla": (4, 3, 1),
    "granada": (6, 3, 1), "castillo": (5, 3, 1),
}  # fmt: skip


def paid(
    counts: Sequence[int], place: str = "valencia", edition: str = "bigbox-de", tile: str | None = None
) -> tuple[int, ...]:
    """What a general scoring pays the ranks of a place, with a seat for each count."""
    seats = SEATS[: len(counts)]
    game = dialling(seats, edition)
    put(game, board={place: dict(zip(seats, counts, strict=True))}, tiles={tile: place} if tile else None)
    play(game, *(f"{seat} dial galicia" for seat in seats))
    return next(scoring.points for scoring in game.scorings if PLACES[scoring.place] == place)


@pytest.mark.parametrize(("place", "values"), VALUES.items())
def test_what_each_place_pays_first_second_and_third(place: str, values: tuple[int, ...]) -> None:
    assert list(VALUES) == list(PLACES)
    assert paid((4, 3, 2, 1), place) == (*values, 0)


@pytest.mark.parametrize(("tile", "values"), [("8", (8, 4, 0)), ("4", (4, 0, 0))])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("place", ["valencia", "castillo"])
def test_what_a_place_with_a_tile_pays(tile: str, values: tuple[int, ...], seats: int, place: str) -> None:
    ranks = (*values[: seats - 1], 0, 0, 0)
    assert paid((5, 4, 3, 2, 1)[:seats], place, tile=tile) == ranks[:seats]


# In valencia, worth 5/3/2: the counts, what is paid, and what the French edition pays.
RANKS: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [
    # With two seats only the first is paid.
    ((3, 1), (5, 0), (5, 0)),
    ((0, 1), (0, 5), (0, 5)),
    ((2, 2), (0, 0), (0, 0)),
    ((0, 0), (0, 0), (0, 0)),
    # With three, first and second.
    ((3, 2, 1), (5, 3, 0), (5, 3, 0)),
    ((1, 0, 2), (3, 0, 5), (3, 0, 5)),
    ((2, 2, 1), (3, 3, 0), (3, 3, 0)),
    ((3, 1, 1), (5, 0, 0), (5, 0, 0)),
    ((2, 2, 2), (3, 3, 3), (3, 3, 3)),
    ((0, 2, 2), (0, 3, 3), (0, 3, 3)),
    # With four or five, all three.
    ((4, 3, 2, 1), (5, 3, 2, 0), (5, 3, 2, 0)),
    ((3, 3, 2, 1), (3, 3, 2, 0), (3, 3, 2, 0)),
    ((3, 2, 2, 1), (5, 2, 2, 0), (5, 2, 2, 0)),
    ((3, 2, 1, 1), (5, 3, 0, 0), (5, 3, 0, 0)),
    ((3, 3, 2, 2), (3, 3, 0, 0), (3, 3, 0, 0)),
    ((2, 2, 2, 1), (3, 3, 3, 2), (3, 3, 3, 0)),
    ((2, 2, 2, 0), (3, 3, 3, 0), (3, 3, 3, 0)),
    ((1, 1, 1, 1), (3, 3, 3, 3), (3, 3, 3, 3)),
    ((5, 4, 3, 2, 1), (5, 3, 2, 0, 0), (5, 3, 2, 0, 0)),
    ((2, 2, 2, 2, 1), (3, 3, 3, 3, 2), (3, 3, 3, 3, 0)),
    ((3, 3, 3, 2, 1), (3, 3, 3, 2, 0), (3, 3, 3, 0, 0)),
    ((2, 2, 2, 1, 1), (3, 3, 3, 0, 0), (3, 3, 3, 0, 0)),
    ((4, 3, 3, 3, 2), (5, 2, 2, 2, 0), (5, 2, 2, 2, 0)),
    ((1, 2, 3, 3, 0), (0, 2, 3, 3, 0), (0, 2, 3, 3, 0)),
]


@pytest.mark.parametrize(("counts", "points", "french"), RANKS)
@pytest.mark.parametrize("edition", ["classic-nl", "classic-fr", "bigbox-de", "bigbox-nl", "anniversary-es"])
def test_what_the_ranks_are_paid(
    counts: tuple[int, ...], points: tuple[int, ...], french: tuple[int, ...], edition: str
) -> None:
    assert paid(counts, edition=edition) == (french if edition == "classic-fr" else points)


BONUSES: list[tuple[dict[str, int], str, str, tuple[int, int]]] = [
    ({"red": 2, "blue": 1}, "galicia", "granada", (2, 0)),
    ({"red": 2, "blue": 1}, "granada", "galicia", (0, 2)),
    ({"red": 2, "blue": 1}, "galicia", "galicia", (2, 2)),
    ({"red": 2, "blue": 2}, "galicia", "galicia", (0, 0)),
    ({"red": 1, "blue": 2}, "galicia", "galicia", (2, 0)),
    ({"red": 1, "blue": 2}, "granada", "galicia", (0, 0)),
]


@pytest.mark.parametrize(("counts", "king", "grande", "bonuses"), BONUSES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_bonuses_go_to_the_one_who_alone_has_the_most(
    counts: dict[str, int], king: str, grande: str, bonuses: tuple[int, int], seats: int
) -> None:
    game = dialling(SEATS[:seats])
    put(game, king=king, board={"galicia": counts}, grandes={"red": grande})
    play(game, *(f"{seat} dial {king}" for seat in game.seats))
    scoring = next(scoring for scoring in game.scorings if PLACES[scoring.place] == "galicia")
    assert (scoring.king_bonus, scoring.grande_bonus) == bonuses
    assert sum(game.scores.values()) == sum(scoring.points) + sum(bonuses)
    leader = max(counts, key=counts.__getitem__)
    assert game.scores[leader] == scoring.points[game.seats.index(leader)] + sum(bonuses)


# --- The winner -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ({"red": 10, "blue": 12, "green": 3}, ("blue",)),
        ({"red": 12, "blue": 3, "green": 12}, ("red", "green")),
        ({"red": 0, "blue": 0, "green": 0}, ("red", "blue", "green")),
    ],
)
def test_the_most_points_win_and_equal_points_share_the_place(scores: dict[str, int], winners: tuple[str, ...]) -> None:
    game = opening(("red", "blue", "green"))
    while game.round < 9 or game.questions[0].kind != "dial":
        game.play(idle_move(game))
    put(game, board={}, scores=scores)
    play(game, "red dial aragon", "blue dial aragon")
    assert (game.over, game.winners) == (False, ())
    game.play("green dial aragon")
    assert game.over
    assert game.scores == scores
    assert game.winners == winners
    assert (game.to_act, game.questions, game.legal_moves()) == ((), (), [])
