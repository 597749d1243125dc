"""Every worked example of the five rulebooks, played through the engine.

`EXAMPLES` below is the table of contents: one row an example, one column a rulebook, and in it the line of that book's
text (0: the book has no such example). A case is named book-line-example, so `pytest -k 003_17658cab9f078de8` plays one
book. The people of the examples are seats here: the start player is red, the others clockwise blue, green, yellow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import pytest

from companion.engine import PLACES, REGIONS, Game
from tests.support.arrange import FOUR, at, opening, play, put, texts, turn_of, turn_up, verbs

BOOKS: Final = {
    "000_80e8a31700d1f258": "classic-nl",
    "001_0ca483c5ba31da6a": "bigbox-de",
    "002_6ee17c812c2670b0": "bigbox-nl",
    "003_17658cab9f078de8": "classic-fr",
    "004_58e821968e500246": "anniversary-es",
}

EXAMPLES: Final = {
    # A round                            000  001  002  003  004
    "five-cards-turned-up":             (  0,  60,  61,   0,  52),
    "power-cards-all-differ":           (  0,  68,  64,   0,  60),
    "turns-by-power-card":              (  0,  80, 151,   0,  72),
    "recruits-by-power-card":           (  0,  92, 139,   0,  84),
    "card-brings-three":                (110,   0,   0,   0,   0),
    "three-from-province-two-recalled": (  0, 116, 156,   0, 102),
    "recall-declined":                  (  0, 118, 159,   0, 102),
    "one-card-left-over":               (  0, 200, 321,   0, 182),
    "lowest-card-starts":               (  0, 206, 330,   0, 191),
    # Placing
    "king-in-galicia":                  (147,   0,   0, 128,   0),
    "king-in-castilla-la-nueva":        (149, 188, 312, 130, 170),
    "card-places-three":                (179,   0,   0,   0,   0),
    "king-moved-first":                 (  0, 142, 236,   0, 128),
    "placing-before-scoring":           (  0, 146, 245,   0, 132),
    # Special actions, whole or in part
    "all-5-regions-or-none":            (  0, 126, 185,   0, 110),
    "four-moves-are-up-to-four":        (  0, 126, 191,   0, 110),
    "two-from-one-and-one-from-another":(  0, 374,   0,   0, 353),
    "three-placed-in-all":              (315, 430, 606,   0, 417),
    "veto-of-the-third-move":           (361, 472, 718, 314, 455),
    # General scoring
    "dial-on-galicia":                  (  0, 239, 400,   0, 223),
    "castillo-shared-first":            (  0, 258, 411,   0, 242),
    "castillo-to-granada":              (  0, 280, 480,   0, 266),
    "galicia-third-gets-nothing":       (  0, 303, 458,   0, 290),
    "pais-vasco-three-share-first":     (  0, 307, 465,   0, 294),
    "aragon-two-pairs":                 (  0, 311, 472,   0, 297),
    "regions-one-after-the-other":      (  0, 299, 457,   0, 288),
    "king-bonus":                       (  0, 321, 523,   0, 307),
    "home-bonus":                       (  0, 333, 531,   0, 319),
    "both-bonuses":                     (  0, 337, 506,   0, 323),
    # Scoring a region by a card
    "five-three-one":                   (238,   0,   0, 193,   0),
    "three-share-first-next-is-third":  (246,   0,   0,   0,   0),
    "three-share-first-next-is-fourth": (  0,   0,   0, 199,   0),
    "two-share-third":                  (248,   0,   0, 201,   0),
    "home-bonus-in-a-4-region":         (415,   0,   0,   0,   0),
    "both-bonuses-in-a-4-region":       (415,   0,   0,   0,   0),
    # Score tiles
    "tile-lowers-castilla-la-vieja":    (  0, 345,   0,   0, 332),
    "the-4-regions":                    (411, 553,   0, 368, 540),
    "the-5-regions":                    (419, 563,   0,   0, 554),
    "the-6-and-7-regions":              (423, 569,   0,   0, 562),
    "tile-8-in-galicia":                (413, 555,   0, 368, 544),
    "tile-8-in-cataluna":               (  0, 555,   0,   0, 544),
    "tile-8-in-sevilla":                (  0, 555,   0,   0, 544),
    "tile-4-in-granada":                (414,   0,   0, 368,   0),
    "tile-4-in-some-region":            (  0, 555, 923,   0, 542),
    "tile-4-at-the-castillo":           (  0, 555,   0,   0, 544),
}  # fmt: skip

_covered: set[str] = set()


def example(slug: str) -> pytest.MarkDecorator:
    """A case for each book that has the example."""
    return pytest.mark.parametrize("edition", [pytest.param(edition, id=name) for name, edition in _found(slug)])


def examples(rows: Mapping[str, object]) -> pytest.MarkDecorator:
    """A case for each book and each row whose example it has."""
    cases = [pytest.param(edition, row, id=name) for slug, row in rows.items() for name, edition in _found(slug)]
    return pytest.mark.parametrize(("edition", "row"), cases)


def _found(slug: str) -> Iterator[tuple[str, str]]:
    _covered.add(slug)
    for (book, edition), line in zip(BOOKS.items(), EXAMPLES[slug], strict=True):
        if line:
            yield f"{book}-{line}-{slug}", edition


# The round that the Big Box books follow from its first card to its last.

TURNED_UP: Final = {"1": "move-5-from-one", "2": "veto", "3": "score-5s", "4": "grande", "5": "king"}
POWER: Final = {"red": 7, "blue": 3, "green": 2, "yellow": 8}
ORDER: Final = ("yellow", "red", "blue", "green")


def cards_turned_up(edition: str) -> Game:
    return opening(edition=edition, cards=list(TURNED_UP.values()))


def power_cards_played(edition: str) -> Game:
    return play(cards_turned_up(edition), *(f"{seat} power {number}" for seat, number in POWER.items()))


def take(game: Game, seat: str, stack: int) -> None:
    """A turn in which a card is taken and nothing done with it."""
    play(game, f"{seat} recruit 0", f"{seat} card {stack}", f"{seat} end")


@example("five-cards-turned-up")
def test_the_top_card_of_each_stack_is_open(edition: str) -> None:
    game = cards_turned_up(edition)
    assert game.snapshot()["open"] == TURNED_UP
    play(game, *(f"{seat} power {number}" for seat, number in POWER.items()), "yellow recruit 0")
    assert texts(game) == {f"yellow card {stack}" for stack in TURNED_UP}


@example("power-cards-all-differ")
def test_a_power_card_of_a_value_already_played_is_refused(edition: str) -> None:
    game = cards_turned_up(edition)
    left = set(range(1, 14))
    for seat, number in POWER.items():
        assert texts(game) == {f"{seat} power {card}" for card in left}
        game.play(f"{seat} power {number}")
        left.remove(number)


@example("turns-by-power-card")
def test_seats_act_from_the_highest_power_card_to_the_lowest(edition: str) -> None:
    game = power_cards_played(edition)
    acted = []
    for stack in (5, 1, 3, 4):
        (seat,) = game.to_act
        acted.append(seat)
        take(game, seat, stack)
    assert tuple(acted) == ORDER


@example("recruits-by-power-card")
def test_a_power_card_says_how_many_may_come_to_the_court(edition: str) -> None:
    game = power_cards_played(edition)
    for seat, stack, most in (("yellow", 5, 2), ("red", 1, 3), ("blue", 3, 5), ("green", 4, 5)):
        assert texts(game) == {f"{seat} recruit {number}" for number in range(most + 1)}
        play(game, f"{seat} recruit {most}", f"{seat} card {stack}", f"{seat} end")
        assert (at(game, "court", seat), at(game, "province", seat)) == (7 + most, 21 - most)


@example("card-brings-three")
def test_the_power_card_pictured_brings_three(edition: str) -> None:
    for number in (6, 7):  # the two cards that show three
        game = opening(edition=edition)
        play(game, f"red power {number}", "blue power 1", "green power 2", "yellow power 3")
        assert texts(game) == {f"red recruit {caballeros}" for caballeros in range(4)}


def short_of_two(edition: str) -> Game:
    """Blue has brought all three of its province, and its card says five; the King is in galicia."""
    game = power_cards_played(edition)
    take(game, "yellow", 5)
    take(game, "red", 1)
    blue = {"galicia": 2, "pais-vasco": 7, "aragon": 8, "castillo": 3}
    put(game, board={place: {"blue": number} for place, number in blue.items()}, court={"blue": 7})
    assert at(game, "province", "blue") == 3
    assert texts(game) == {f"blue recruit {number}" for number in range(4)}
    return play(game, "blue recruit 3")


@example("three-from-province-two-recalled")
def test_what_the_province_lacks_may_come_from_regions(edition: str) -> None:
    game = short_of_two(edition)
    assert texts(game) == {"blue recall pais-vasco", "blue recall aragon", "blue done"}
    play(game, "blue recall pais-vasco", "blue recall aragon")
    assert [at(game, place, "blue") for place in ("court", "province", "pais-vasco", "aragon")] == [12, 0, 6, 7]
    assert verbs(game) == {"card"}


@example("recall-declined")
def test_nobody_has_to_recall(edition: str) -> None:
    game = play(short_of_two(edition), "blue done")
    assert [at(game, place, "blue") for place in ("court", "province", "pais-vasco", "aragon")] == [10, 0, 7, 8]
    assert verbs(game) == {"card"}


@example("one-card-left-over")
def test_four_seats_leave_one_card_which_is_put_away(edition: str) -> None:
    game = power_cards_played(edition)
    for seat, stack in zip(ORDER, (5, 1, 3), strict=False):
        take(game, seat, stack)
    play(game, "green recruit 0", "green card 4")
    assert game.snapshot()["open"] == {"2": "veto"}
    play(game, "green end")
    assert (game.round, game.to_act, game.snapshot()["open"]) == (2, ("table",), {"5": "king"})


@example("lowest-card-starts")
def test_the_lowest_power_card_starts_the_next_round(edition: str) -> None:
    game = power_cards_played(edition)
    for seat, stack in zip(ORDER, (5, 1, 3, 4), strict=True):
        take(game, seat, stack)
    turn_up(game)
    seats = game.snapshot()["seats"]
    for seat, number in POWER.items():
        assert seats[seat]["hand"] == [card for card in range(1, 14) if card != number]
    for seat, number in zip(("green", "yellow", "red", "blue"), (13, 12, 11, 10), strict=True):
        assert game.to_act == (seat,)
        game.play(f"{seat} power {number}")


# Placing.


class Placing(NamedTuple):
    """Where the King is, and where one may place."""

    king: str
    near: set[str]


AROUND_GALICIA: Final = {"castilla-la-vieja", "pais-vasco", "castillo"}
AROUND_NUEVA: Final = {"castilla-la-vieja", "sevilla", "granada", "valencia", "aragon", "castillo"}
PLACINGS: Final = {
    "king-in-galicia": Placing("galicia", AROUND_GALICIA),
    "king-in-castilla-la-nueva": Placing("castilla-la-nueva", AROUND_NUEVA),
}


def from_seat(seat: str) -> tuple[str, ...]:
    """The same table, told from another seat, which is then the first to act in `turn_of`."""
    first = FOUR.index(seat)
    return FOUR[first:] + FOUR[:first]


def placeable(game: Game) -> set[str]:
    return {move.args[0] for move in game.legal_moves() if move.verb == "place"}


@examples(PLACINGS)
def test_caballeros_are_placed_around_the_king_or_in_the_castillo(edition: str, row: Placing) -> None:
    assert placeable(turn_of("king", edition=edition, king=row.king)) == row.near


@example("card-places-three")
def test_the_action_card_pictured_places_three(edition: str) -> None:
    game = turn_of("score-castillo", edition=edition, court={"red": 7})
    play(game, *["red place pais-vasco"] * 3)
    assert placeable(game) == set()
    assert (at(game, "court", "red"), at(game, "pais-vasco", "red")) == (4, 2 + 3)


@example("king-moved-first")
def test_the_king_moved_first_opens_other_regions(edition: str) -> None:
    game = turn_of("king", from_seat("yellow"), edition, power=8)
    assert placeable(game) == AROUND_GALICIA
    play(game, "yellow special", "yellow king castilla-la-nueva")
    assert game.snapshot()["king"] == "castilla-la-nueva"
    for place in ("aragon", "castilla-la-vieja", "granada", "sevilla", "valencia"):
        assert placeable(game) == AROUND_NUEVA
        game.play(f"yellow place {place}")
    assert texts(game) == {"yellow end"}
    assert at(game, "court", "yellow") == 7 - 5


FIVES: Final = ("pais-vasco", "aragon", "valencia")
HOMES: Final = {"red": "granada", "blue": "sevilla", "green": "sevilla", "yellow": "sevilla"}
"""Where the Grandes stand in the scorings: red as in the home bonus example, the others out of the way."""


def scored_places(game: Game) -> list[str]:
    return [PLACES[scoring.place] for scoring in game.scorings]


@example("placing-before-scoring")
def test_caballeros_placed_first_count_in_the_scoring(edition: str) -> None:
    board = {"pais-vasco": {"red": 1}, "aragon": {"green": 2, "red": 1}, "valencia": {"yellow": 1}}
    game = turn_of("score-5s", from_seat("blue"), edition, board=board, grandes=HOMES)
    assert placeable(game) == AROUND_GALICIA
    play(game, "blue place pais-vasco", "blue place pais-vasco", "blue place castillo")
    assert texts(game) == {"blue special", "blue end"}
    play(game, "blue special")
    assert texts(game) == {"blue end"}
    assert sorted(scored_places(game)) == sorted(FIVES)
    assert game.scores == {"red": 3 + 4, "blue": 5, "green": 5, "yellow": 5}
    assert at(game, "castillo", "blue") == 1


# Special actions, whole or in part.


@example("all-5-regions-or-none")
def test_all_regions_of_a_scoring_are_scored_for_whoever_it_is_good(edition: str) -> None:
    board = {"pais-vasco": {"red": 3, "blue": 1}, "aragon": {"green": 2}, "valencia": {"green": 2}}
    game = turn_of("score-5s", from_seat("blue"), edition, board=board, grandes=HOMES)
    opposed = put(game.copy(), vetoes=["red"])

    play(game, "blue special")
    assert sorted(scored_places(game)) == sorted(FIVES)
    assert game.scores == {"red": 5, "blue": 3, "green": 10, "yellow": 0}

    # Scored one by one, for a veto's sake, they cannot be left out either.
    left = set(FIVES)
    play(opposed, "blue special", "red allow")
    for region in FIVES:
        assert texts(opposed) == {f"blue score {other}" for other in left}
        play(opposed, f"blue score {region}", "red allow")
        left.remove(region)
    assert opposed.scores == game.scores


@example("four-moves-are-up-to-four")
def test_a_card_that_says_may_can_be_carried_out_in_part(edition: str) -> None:
    game = turn_of("move-4", edition=edition, board={"aragon": {"green": 5}})
    play(game, "red special")
    for moved in range(4):
        stopped = play(game.copy(), "red done")
        assert (at(stopped, "aragon", "green"), at(stopped, "sevilla", "green")) == (5 - moved, moved)
        assert verbs(stopped) == {"place", "end"}
        game.play("red move green aragon sevilla")
    assert (at(game, "aragon", "green"), at(game, "sevilla", "green")) == (1, 4)
    assert verbs(game) == {"place", "end"}


@example("two-from-one-and-one-from-another")
def test_caballeros_moved_may_come_from_several_regions_and_go_to_several(edition: str) -> None:
    game = turn_of("move-3", edition=edition, board={"aragon": {"red": 2, "blue": 2}, "granada": {"red": 1}})
    play(game, "red special", "red move blue aragon sevilla", "red move red aragon sevilla")
    play(game, "red move red granada castillo")
    assert {place: at(game, place, "red") for place in ("aragon", "granada", "sevilla", "castillo")} == {
        "aragon": 1, "granada": 0, "sevilla": 1, "castillo": 1,
    }  # fmt: skip
    assert (at(game, "aragon", "blue"), at(game, "sevilla", "blue")) == (1, 1)


@example("three-placed-in-all")
def test_two_extra_make_three_placed_in_all(edition: str) -> None:
    game = turn_of("extra-2", edition=edition, board={}, court={"red": 7})
    assert placeable(game) == AROUND_GALICIA
    play(game, "red place pais-vasco", "red special")
    anywhere = {f"red extra {place}" for place in PLACES if place != "galicia"}
    assert texts(game) == anywhere | {"red done"}
    play(game, "red extra granada", "red extra cataluna")
    assert texts(game) == {"red end"}
    assert [at(game, place, "red") for place in ("court", "pais-vasco", "granada", "cataluna")] == [4, 1, 1, 1]


@example("veto-of-the-third-move")
def test_a_veto_undoes_the_third_move_and_loses_the_fourth(edition: str) -> None:
    game = turn_of("move-4", edition=edition, board={"aragon": {"green": 4}}, vetoes=["blue"])
    play(game, "red special", "blue allow")
    play(game, "red move green aragon sevilla", "blue allow", "red move green aragon valencia", "blue allow")
    play(game, "red move green aragon granada", "blue veto")
    assert [at(game, place, "green") for place in ("aragon", "sevilla", "valencia", "granada")] == [2, 1, 1, 0]
    assert verbs(game) == {"place", "end"}
    assert game.snapshot()["seats"]["blue"]["vetoes"] == 0


# General scoring.


class Scored(NamedTuple):
    """A place as it stands, and what it pays, in the order red, blue, green, yellow."""

    place: str
    counts: tuple[int, int, int, int]
    points: tuple[int, int, int, int]
    grandes: Mapping[str, str] = HOMES


KING: Final = "cataluna"
GENERAL: Final = {
    "castillo-shared-first": Scored("castillo", (2, 2, 1, 0), (3, 3, 1, 0)),
    "galicia-third-gets-nothing": Scored("galicia", (1, 2, 3, 0), (0, 2, 4, 0)),
    "pais-vasco-three-share-first": Scored("pais-vasco", (3, 3, 2, 3), (3, 3, 1, 3)),
    "aragon-two-pairs": Scored("aragon", (2, 2, 3, 3), (0, 0, 4, 4)),
    "king-bonus": Scored("cataluna", (1, 0, 2, 0), (2, 0, 4 + 2, 0)),
    "home-bonus": Scored("granada", (4, 0, 1, 1), (6 + 2, 0, 1, 1)),
    "both-bonuses": Scored("cataluna", (1, 0, 2, 0), (2, 0, 4 + 2 + 2, 0), HOMES | {"green": "cataluna"}),
}


def by_seat(numbers: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(FOUR, numbers, strict=True))


def before_dials(edition: str, board: Mapping[str, Mapping[str, int]], grandes: Mapping[str, str] = HOMES) -> Game:
    """A short game in which nobody did anything until its first general scoring, with these pieces then."""
    game = Game(FOUR, edition, rounds=6)
    while "dial" not in verbs(game):
        moves = game.legal_moves()
        game.play(next((move for move in moves if move.verb == "end"), moves[0]))
    court = dict.fromkeys(FOUR, 7)
    return put(game, king=KING, board=board, court=court, grandes=grandes)


def dial(game: Game, **regions: str) -> Game:
    """All set their dials; who is not named takes what is in the castillo back to the court."""
    return play(game, *(f"{seat} dial {regions.get(seat, KING)}" for seat in FOUR if seat in game.to_act))


@examples(GENERAL)
def test_a_general_scoring_pays_the_example(edition: str, row: Scored) -> None:
    game = dial(before_dials(edition, {row.place: by_seat(row.counts)}, row.grandes))
    assert game.scores == by_seat(row.points)


@example("dial-on-galicia")
def test_a_dial_is_one_region_and_unseen(edition: str) -> None:
    game = before_dials(edition, {"castillo": {"blue": 2}})
    assert texts(game, "blue") == {f"blue dial {region}" for region in REGIONS}
    game.play("blue dial galicia")
    assert texts(game, "blue") == set()
    assert game.view("blue")["log"][-1] == "blue dial galicia"
    assert all("galicia" not in game.view(viewer)["log"][-1] for viewer in ("red", "green", "yellow", None))
    dial(game)
    assert (at(game, "castillo", "blue"), at(game, "galicia", "blue")) == (0, 2)


@example("castillo-to-granada")
def test_the_castillo_empties_to_the_regions_dialled(edition: str) -> None:
    game = before_dials(edition, {"castillo": {"red": 2, "blue": 2, "green": 1}})
    dial(game, red="granada", blue="galicia", green="sevilla")
    assert all(at(game, "castillo", seat) == 0 for seat in FOUR)
    assert [at(game, "granada", "red"), at(game, "galicia", "blue"), at(game, "sevilla", "green")] == [2, 2, 1]
    assert game.scores == {"red": 3 + 6 + 2, "blue": 3 + 4, "green": 1 + 4 + 2, "yellow": 0}


@example("regions-one-after-the-other")
def test_the_examples_together_are_one_scoring_in_track_order(edition: str) -> None:
    rows = [row for slug, row in GENERAL.items() if slug != "both-bonuses"]
    board = {row.place: by_seat(row.counts) for row in rows}
    # Before the dials are turned, the regions lack what comes out of the castillo.
    board["granada"]["red"] -= 2
    board["galicia"]["blue"] -= 2
    board["pais-vasco"]["green"] -= 1
    game = dial(before_dials(edition, board), red="granada", blue="galicia", green="pais-vasco")
    assert scored_places(game)[:4] == ["castillo", "galicia", "pais-vasco", "aragon"]
    assert len(game.scorings) == len(set(scored_places(game))) == 10
    assert game.scores == {
        "red": 3 + 0 + 3 + 0 + 2 + 8,
        "blue": 3 + 2 + 3,
        "green": 1 + 4 + 1 + 4 + 6 + 1,
        "yellow": 0 + 0 + 3 + 4 + 0 + 1,
    }


# Scoring a region by a card.

BY_CARD: Final = {
    "five-three-one": Scored("pais-vasco", (3, 2, 1, 0), (5, 3, 1, 0)),
    "three-share-first-next-is-third": Scored("pais-vasco", (4, 4, 3, 4), (3, 3, 1, 3)),
    "three-share-first-next-is-fourth": Scored("pais-vasco", (4, 4, 3, 4), (3, 3, 0, 3)),
    "two-share-third": Scored("castilla-la-vieja", (4, 3, 2, 2), (6, 4, 0, 0)),
}


@examples(BY_CARD)
def test_a_scoring_by_a_card_pays_the_example(edition: str, row: Scored) -> None:
    game = turn_of("score-one", edition=edition, king=KING, board={row.place: by_seat(row.counts)}, grandes=row.grandes)
    play(game, "red special", f"red score {row.place}")
    assert game.scores == by_seat(row.points)


class Bonus(NamedTuple):
    """Where the King is, and what the leader of sevilla, at home there, gets in all."""

    king: str
    points: int


BONUSES: Final = {
    "home-bonus-in-a-4-region": Bonus("galicia", 4 + 2),
    "both-bonuses-in-a-4-region": Bonus("sevilla", 4 + 2 + 2),
}


@examples(BONUSES)
def test_bonuses_are_paid_by_a_card_too(edition: str, row: Bonus) -> None:
    board = {"sevilla": {"red": 1, "blue": 2}}
    game = play(turn_of("score-4s", edition=edition, king=row.king, board=board, grandes=HOMES), "red special")
    assert game.scores == {"red": 3, "blue": row.points, "green": 0, "yellow": 0}


# Score tiles.


class Listed(NamedTuple):
    """Which regions a card scores, and what each pays first and second, with tiles and the King lying so."""

    card: str
    king: str
    tiles: Mapping[str, str]
    pays: Mapping[str, tuple[int, int]]


GALICIA, CATALUNA, SEVILLA = {"galicia": (4, 2)}, {"cataluna": (4, 2)}, {"sevilla": (4, 3)}
FOURS: Final = GALICIA | CATALUNA | SEVILLA
LISTED: Final = {
    "the-4-regions": Listed("score-4s", "aragon", {}, FOURS),
    "the-5-regions": Listed("score-5s", "galicia", {}, {"pais-vasco": (5, 3), "aragon": (5, 4), "valencia": (5, 3)}),
    "the-6-and-7-regions": Listed(
        "score-6s-7s", "aragon", {}, {"castilla-la-vieja": (6, 4), "castilla-la-nueva": (7, 4), "granada": (6, 3)}
    ),
    "tile-8-in-galicia": Listed("score-4s", "aragon", {"8": "galicia"}, CATALUNA | SEVILLA),
    "tile-8-in-cataluna": Listed("score-4s", "aragon", {"8": "cataluna"}, GALICIA | SEVILLA),
    "tile-8-in-sevilla": Listed("score-4s", "aragon", {"8": "sevilla"}, GALICIA | CATALUNA),
    "tile-4-in-granada": Listed("score-4s", "aragon", {"4": "granada"}, FOURS | {"granada": (4, 0)}),
    "tile-4-in-some-region": Listed("score-4s", "aragon", {"4": "valencia"}, FOURS | {"valencia": (4, 0)}),
    "tile-4-at-the-castillo": Listed("score-4s", "aragon", {"4": "castillo"}, FOURS),
}


@examples(LISTED)
def test_a_card_scores_the_regions_of_its_value_tiles_included(edition: str, row: Listed) -> None:
    board = {place: {"red": 2, "blue": 1} for place in PLACES}
    homes = dict.fromkeys(FOUR, row.king)
    game = turn_of(row.card, edition=edition, king=row.king, board=board, grandes=homes, tiles=row.tiles)
    play(game, "red special")
    assert {PLACES[scoring.place]: scoring.points[:2] for scoring in game.scorings} == row.pays
    assert game.scores == {
        "red": sum(first for first, _ in row.pays.values()),
        "blue": sum(second for _, second in row.pays.values()),
        "green": 0,
        "yellow": 0,
    }


@example("tile-lowers-castilla-la-vieja")
def test_a_tile_lowers_what_a_region_pays(edition: str) -> None:
    game = opening(edition=edition, cards=["tile", "score-one"])
    play(game, "red power 13", "blue power 12", "green power 11", "yellow power 10", "red recruit 0", "red card 4")
    put(game, board={"castilla-la-vieja": {"red": 3, "blue": 2, "green": 1}}, grandes=HOMES)
    score = ("red end", "blue recruit 0", "blue card 2", "blue special", "blue score castilla-la-vieja")
    assert play(game.copy(), *score).scores == by_seat((6, 4, 2, 0))
    assert play(game, "red special", "red tile 4 castilla-la-vieja", *score).scores == by_seat((4, 0, 0, 0))


def test_every_example_in_the_table_is_played() -> None:
    assert _covered == set(EXAMPLES)
