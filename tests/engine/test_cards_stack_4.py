"""Stacks 4 and 5: tiles, power cards taken back, the court, the Grande, dials that score or expel, and the King."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import EDITIONS, PLACES, REGIONS, Game, IllegalMove
from tests.support.arrange import FOUR, NEIGHBOURS, at, opening, play, put, texts, turn_of

every_edition = pytest.mark.parametrize("edition", EDITIONS)


def begun(card: str, edition: str = "bigbox-de", **pieces: Any) -> Game:
    """The card's special action has just begun."""
    return play(turn_of(card, edition=edition, **pieces), "red special")


def asked(game: Game) -> tuple[str, ...]:
    """Who is asked for a step of the special action: nobody when it is over."""
    for question in game.questions:
        assert str(question.message).startswith(question.seat)
    assert tuple(question.seat for question in game.questions) == game.to_act
    return game.to_act if game.questions[0].kind == "step" else ()


def scored(game: Game) -> list[str]:
    """The places scored so far, in order."""
    return [PLACES[scoring.place] for scoring in game.scorings]


def refuses(game: Game, *lines: str) -> None:
    before = game.snapshot(), texts(game)
    for line in lines:
        with pytest.raises(IllegalMove):
            game.play(line)
    assert (game.snapshot(), texts(game)) == before


# --- Tiles ------------------------------------------------------------------------------------------------------------

TILES: list[tuple[dict[str, str], dict[str, set[str]]]] = [
    ({}, {"8": {"galicia"}, "4": {"galicia"}}),
    ({"8": "aragon"}, {"8": {"galicia", "aragon"}, "4": {"galicia", "aragon"}}),
    ({"8": "castillo", "4": "sevilla"}, {t: {"galicia", "castillo", "sevilla"} for t in ("8", "4")}),
    ({"8": "galicia"}, {"4": {"galicia"}}),
    ({"4": "galicia", "8": "aragon"}, {"8": {"galicia", "aragon"}}),
]


@every_edition
@pytest.mark.parametrize(("tiles", "closed"), TILES, ids=[str(tiles) for tiles, _ in TILES])
def test_a_tile_goes_to_any_place_but_the_kings_region_and_where_one_lies(
    tiles: dict[str, str], closed: dict[str, set[str]], edition: str
) -> None:
    game = begun("tile", edition, tiles=tiles)
    assert texts(game) == {f"red tile {t} {place}" for t, not_to in closed.items() for place in set(PLACES) - not_to}


@pytest.mark.parametrize("place", ["granada", "castillo"])
@pytest.mark.parametrize("before", [None, "aragon"])
@pytest.mark.parametrize(("tile", "other"), [("8", "4"), ("4", "8")])
def test_one_tile_is_laid_or_moved_and_the_other_stays(tile: str, other: str, before: str | None, place: str) -> None:
    game = begun("tile", tiles={tile: before, other: "valencia"})
    game.play(f"red tile {tile} {place}")
    assert game.snapshot()["tiles"] == {tile: place, other: "valencia"}
    assert asked(game) == ()


def test_a_tile_may_not_be_left_undone() -> None:
    refuses(begun("tile", tiles={"8": "aragon"}), "red done", "red end", "red tile 8 aragon", "red tile 4 galicia")


# --- Power cards ------------------------------------------------------------------------------------------------------


@every_edition
def test_a_power_card_is_taken_back_into_the_hand(edition: str) -> None:
    game = begun("power-back", edition, hands={"red": [1, 2, 5, 6, 8, 9, 10, 11, 12]})
    assert texts(game) == {"red retake 3", "red retake 4", "red retake 7", "red retake 13"}
    refuses(game, "red retake 1", "red done")
    game.play("red retake 4")
    assert game.snapshot()["seats"]["red"]["hand"] == [1, 2, 4, 5, 6, 8, 9, 10, 11, 12]
    assert asked(game) == ()


def test_a_power_card_taken_back_can_be_played_again() -> None:
    game = opening(("red", "blue"), cards=["power-back"])
    play(game, "red power 1", "blue power 2", "blue recruit 0", "blue card 1", "blue end")
    play(game, "red recruit 0", "red card 4", "red special", "red retake 1", "red end")
    for _ in range(4):
        game.play(game.legal_moves()[0])
    assert game.to_act == ("red",)  # by the cards as played, red's 1 was the lowest
    assert texts(game) == {f"red power {number}" for number in range(1, 14)}


# --- The court --------------------------------------------------------------------------------------------------------

RECALLS = {"classic-nl": False, "classic-fr": False, "bigbox-de": True, "bigbox-nl": True, "anniversary-es": True}
"""Whether what the province lacks may come from regions."""

IN_REGIONS = {"aragon": {"red": 1}, "sevilla": {"red": 2}, "galicia": {"red": 2}, "castillo": {"red": 1}}


def with_province(edition: str, province: int, board: dict[str, dict[str, int]]) -> Game:
    """Red has this many in the province, and begins `court-2`."""
    court = 30 - province - sum(counts["red"] for counts in board.values())
    game = begun("court-2", edition, board=board, court={"red": court})
    assert at(game, "province", "red") == province
    return game


@pytest.mark.parametrize(("province", "most"), [(9, 2), (2, 2), (1, 1)])
@every_edition
def test_up_to_two_come_to_the_court_and_in_the_french_edition_two(edition: str, province: int, most: int) -> None:
    game = with_province(edition, province, IN_REGIONS)
    full = {f"red recruit {most}"}
    upto = {f"red recruit {number}" for number in range(most + 1)} | {"red done"}
    assert texts(game) == (full if edition == "classic-fr" else upto)
    assert asked(game) == ("red",)


@pytest.mark.parametrize(("province", "number"), [(9, 2), (2, 2), (9, 1), (9, 0), (2, 1), (1, 0)])
@pytest.mark.parametrize("edition", [edition for edition in EDITIONS if edition != "classic-fr"])
def test_nothing_is_recalled_unless_the_province_was_too_small_and_all_was_taken(
    edition: str, province: int, number: int
) -> None:
    game = with_province(edition, province, IN_REGIONS)
    court = at(game, "court", "red")
    game.play(f"red recruit {number}")
    assert asked(game) == ()
    assert (at(game, "court", "red"), at(game, "province", "red")) == (court + number, province - number)


@pytest.mark.parametrize(("edition", "recalls"), RECALLS.items())
def test_the_last_of_the_province_comes_and_the_rest_from_regions_where_the_edition_has_it(
    edition: str, recalls: bool
) -> None:
    game = play(with_province(edition, 1, IN_REGIONS), "red recruit 1")
    if not recalls:
        assert asked(game) == ()
        return
    assert texts(game) == {"red recall aragon", "red recall sevilla", "red done"}
    court = at(game, "court", "red")
    game.play("red recall sevilla")
    assert asked(game) == ()
    assert (at(game, "court", "red"), at(game, "sevilla", "red"), at(game, "province", "red")) == (court + 1, 1, 0)


@pytest.mark.parametrize(("edition", "recalls"), RECALLS.items())
def test_with_an_empty_province_two_may_be_recalled_where_the_edition_has_it(edition: str, recalls: bool) -> None:
    game = with_province(edition, 0, IN_REGIONS)
    if not recalls:
        assert asked(game) == ()
        return
    assert texts(game) == {"red recruit 0", "red done"}
    play(game, "red recruit 0", "red recall aragon")
    assert texts(game) == {"red recall sevilla", "red done"}
    refuses(game, "red recall galicia", "red recall castillo", "red recall aragon", "red recruit 0")
    play(game, "red recall sevilla")
    assert asked(game) == ()


@pytest.mark.parametrize(
    "lines", [["red done"], ["red recruit 0", "red done"], ["red recruit 0", "red recall aragon", "red done"]]
)
def test_bringing_to_the_court_may_stop_at_any_point(lines: list[str]) -> None:
    game = play(with_province("bigbox-de", 0, IN_REGIONS), *lines)
    assert asked(game) == ()
    assert at(game, "aragon", "red") == 1 - lines.count("red recall aragon")


def test_recalling_is_over_when_nothing_is_left_to_recall() -> None:
    game = with_province("bigbox-de", 0, {"aragon": {"red": 1}, "galicia": {"red": 3}})
    play(game, "red recruit 0", "red recall aragon")
    assert asked(game) == ()


# --- The Grande -------------------------------------------------------------------------------------------------------


@every_edition
def test_ones_own_grande_goes_to_any_other_region_but_the_kings(edition: str) -> None:
    game = begun("grande", edition)
    assert texts(game) == {f"red grande {region}" for region in REGIONS if region not in ("galicia", "pais-vasco")}
    refuses(game, "red done", "red grande galicia", "red grande pais-vasco", "red grande castillo")
    game.play("red grande aragon")
    assert {seat: data["grande"] for seat, data in game.snapshot()["seats"].items()} == {
        "red": "aragon", "blue": "aragon", "green": "cataluna", "yellow": "castilla-la-vieja",
    }  # fmt: skip
    assert asked(game) == ()


# --- Dials ------------------------------------------------------------------------------------------------------------


@every_edition
def test_each_region_dialled_exactly_once_is_scored_the_kings_too(edition: str) -> None:
    board = {
        "galicia": {"blue": 2, "red": 1},
        "aragon": {"green": 3},
        "sevilla": {"yellow": 1},
        "castillo": {"red": 4},
    }
    game = begun("secret-score", edition, board=board)
    assert asked(game) == FOUR
    assert texts(game) == {f"{seat} dial {region}" for seat in FOUR for region in REGIONS}
    play(game, "yellow dial sevilla", "red dial aragon", "green dial aragon")
    assert scored(game) == []
    game.play("blue dial galicia")
    assert scored(game) == ["galicia", "sevilla"]
    assert game.scores == {"red": 2, "blue": 4 + 2, "green": 0, "yellow": 4}
    assert asked(game) == ()


def test_a_region_dialled_three_times_is_not_scored() -> None:
    game = begun("secret-score")
    play(game, "red dial aragon", "blue dial aragon", "green dial aragon", "yellow dial cataluna")
    assert scored(game) == ["cataluna"]


EXPEL = {"sevilla": {"red": 2, "blue": 3, "green": 1}, "aragon": {"yellow": 2, "blue": 1}, "castillo": {"yellow": 1}}


@every_edition
def test_every_other_seat_in_the_region_named_leaves_it_for_the_one_it_dials(edition: str) -> None:
    game = begun("expel", edition, board=EXPEL)
    assert texts(game) == {f"red expel {region}" for region in REGIONS if region != "galicia"}
    assert asked(game) == ("red",)
    assert game.questions[0].message.fields["seat"] == "red"
    refuses(game, "red expel galicia", "red expel castillo", "red done", "blue dial aragon")
    naming = game.questions[0].message.text
    game.play("red expel sevilla")
    assert [question.message.fields for question in game.questions] == [
        {"seat": "blue", "region": "sevilla"}, {"seat": "green", "region": "sevilla"},
    ]  # fmt: skip
    assert game.questions[0].message.text != naming
    assert asked(game) == ("blue", "green")
    open_to = REGIONS if edition == "bigbox-de" else [region for region in REGIONS if region != "sevilla"]
    assert texts(game) == {f"{seat} dial {region}" for seat in ("blue", "green") for region in open_to}
    refuses(game, "red dial aragon", "yellow dial aragon", "blue dial castillo")
    play(game, "green dial granada", "blue dial aragon")
    assert asked(game) == ()
    assert [at(game, "sevilla", seat) for seat in FOUR] == [2, 0, 0, 0]
    assert [at(game, "aragon", seat) for seat in FOUR] == [0, 4, 0, 2]
    assert [at(game, "granada", seat) for seat in FOUR] == [0, 0, 1, 0]
    assert [at(game, "court", seat) for seat in FOUR] == [7, 7, 7, 7]


@every_edition
def test_who_dials_the_kings_region_is_expelled_to_the_court(edition: str) -> None:
    game = play(begun("expel", edition, board=EXPEL), "red expel sevilla", "blue dial galicia", "green dial aragon")
    assert (at(game, "court", "blue"), at(game, "galicia", "blue"), at(game, "sevilla", "blue")) == (10, 0, 0)
    assert (at(game, "court", "green"), at(game, "aragon", "green")) == (7, 1)


@every_edition
def test_dialling_the_region_itself_sends_to_the_court_in_one_edition_and_is_refused_in_the_others(
    edition: str,
) -> None:
    game = play(begun("expel", edition, board=EXPEL), "red expel sevilla")
    if edition != "bigbox-de":
        refuses(game, "blue dial sevilla")
        return
    play(game, "blue dial sevilla", "green dial aragon")
    assert (at(game, "court", "blue"), at(game, "sevilla", "blue")) == (10, 0)


def test_dials_of_an_earlier_card_are_forgotten() -> None:
    game = opening(cards=["secret-score", "secret-all-home"])
    play(game, "red power 13", "blue power 1", "green power 2", "yellow power 3", "red recruit 0", "red card 4")
    play(game, "red special", *(f"{seat} dial castilla-la-vieja" for seat in FOUR), "red end")
    play(game, "yellow recruit 0", "yellow card 2", "yellow special")
    play(game, "red dial pais-vasco", "blue dial aragon", "green dial cataluna")
    assert [at(game, home, seat) for seat, home in zip(FOUR, REGIONS[1:], strict=False)] == [0, 0, 0, 2]


def test_the_region_of_an_earlier_card_is_forgotten() -> None:
    game = play(begun("expel"), "red expel aragon", "blue dial sevilla", "red end")
    play(game, "yellow recruit 0", "yellow card 1", "yellow special")
    assert {move.args[1] for move in game.legal_moves() if move.verb == "move"} == {
        "pais-vasco", "cataluna", "castilla-la-vieja", "sevilla",
    }  # fmt: skip


# --- The King ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("region", REGIONS)
def test_the_advisor_moves_the_king_to_a_neighbour(region: str) -> None:
    game = begun("advisor", king=region)
    assert texts(game) == {f"red king {near}" for near in NEIGHBOURS[region]}
    assert asked(game) == ("red",)
    refuses(game, "red done", f"red king {region}", "red king castillo")


@pytest.mark.parametrize("region", REGIONS)
def test_the_king_card_moves_the_king_to_any_other_region(region: str) -> None:
    game = begun("king", king=region)
    assert texts(game) == {f"red king {other}" for other in REGIONS if other != region}
    assert asked(game) == ("red",)
    refuses(game, "red done", f"red king {region}", "red king castillo")


@every_edition
@pytest.mark.parametrize(("card", "to"), [("advisor", "pais-vasco"), ("king", "granada")])
def test_after_the_king_has_moved_other_regions_are_open(card: str, to: str, edition: str) -> None:
    game = turn_of(card, edition=edition)
    assert texts(game) == {
        "red place pais-vasco", "red place castilla-la-vieja", "red place castillo", "red special", "red end",
    }  # fmt: skip
    play(game, "red special", f"red king {to}")
    assert game.snapshot()["king"] == to
    assert texts(game) == {f"red place {near}" for near in NEIGHBOURS[to]} | {"red place castillo", "red end"}


def test_the_taboo_goes_with_the_king() -> None:
    game = play(begun("king"), "red king granada", "red place valencia", "red end")
    put(game, board={"granada": {"yellow": 2}, "galicia": {"yellow": 1}}, court={"yellow": 27})
    assert at(game, "province", "yellow") == 0
    play(game, "yellow recruit 0")
    assert texts(game) == {"yellow recall galicia", "yellow done"}
