"""Set-up and the course of a round; and the snapshot at each stage."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.engine import REGIONS, SEATS, Game, Move
from tests.support.arrange import FOUR, NEIGHBOURS, at, opening, play, put, texts, turn_up

RECRUITS = {1: 6, 2: 5, 3: 5, 4: 4, 5: 4, 6: 3, 7: 3, 8: 2, 9: 2, 10: 1, 11: 1, 12: 0, 13: 0}

EMPTY: dict[str, dict[str, int]] = {}


def idle_move(game: Game) -> Move:
    """The move of somebody who wants to do nothing. No veto card is turned up before the others of its stack."""
    moves = game.legal_moves()
    if moves[0].verb == "reveal":
        return moves[-1]
    return next((move for move in moves if move.verb in ("end", "done")), moves[0])


def idle(game: Game, until: str) -> Game:
    """Plays on with nobody doing anything, until a question of a kind is asked; with `over`, to the end."""
    while game.questions and game.questions[0].kind != until:
        game.play(idle_move(game))
    return game


def idle_round(game: Game) -> Game:
    """Plays to the beginning of the next round, or to this round's general scoring."""
    number = game.round
    while game.round == number and game.questions[0].kind != "dial":
        game.play(idle_move(game))
    return game


def asks(game: Game) -> tuple[str, tuple[str, ...]]:
    """What kind of question is asked, and of whom."""
    for question in game.questions:
        assert str(question.message)
    (kind,) = {question.kind for question in game.questions}
    assert tuple(question.seat for question in game.questions) == game.to_act
    return kind, game.to_act


def powers(game: Game, **cards: int) -> Game:
    """Plays these power cards, in the order given."""
    return play(game, *(f"{seat} power {number}" for seat, number in cards.items()))


# --- Set-up -----------------------------------------------------------------------------------------------------------


def test_the_chance_moves_of_the_set_up_come_in_order() -> None:
    game = Game(("blue", "red", "brown"))
    assert asks(game) == ("king", ("table",))
    assert texts(game) == {f"table king {region}" for region in REGIONS}
    game.play("table king sevilla")
    taken = ["sevilla"]
    for seat, home in (("blue", "granada"), ("red", "galicia"), ("brown", "aragon")):
        assert asks(game) == ("home", ("table",))
        assert seat in str(game.questions[0].message)
        assert texts(game) == {f"table home {seat} {region}" for region in REGIONS if region not in taken}
        game.play(f"table home {seat} {home}")
        taken.append(home)
    assert asks(game) == ("start", ("table",))
    assert texts(game) == {"table start blue", "table start red", "table start brown"}
    game.play("table start brown")
    for stack in (1, 2, 3, 4):
        assert asks(game) == ("reveal", ("table",))
        assert game.questions[0].message.fields == {"stack": stack}
        game.play(game.legal_moves()[0])
    assert asks(game) == ("power", ("brown",))


@pytest.mark.parametrize("seats", [SEATS[:2], SEATS[1:4], FOUR, SEATS])
def test_what_a_seat_has_at_the_start(seats: Sequence[str]) -> None:
    snapshot = opening(seats).snapshot()
    assert list(snapshot["seats"]) == list(seats)
    for seat, home in zip(seats, REGIONS[1:], strict=False):
        assert snapshot["seats"][seat] == {
            "score": 0,
            "court": 7,
            "province": 21,
            "castillo": 0,
            "grande": home,
            "hand": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
            "regions": dict.fromkeys(REGIONS, 0) | {home: 2},
            "vetoes": 0,
        }


# --- Power cards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", FOUR)
def test_power_cards_are_played_clockwise_from_the_start_seat_each_value_once(start: str) -> None:
    game = opening()
    for _ in range(5):
        game.undo()
    turn_up(play(game, f"table start {start}"))
    first = FOUR.index(start)
    played: set[int] = set()
    for seat, number in zip(FOUR[first:] + FOUR[:first], (7, 3, 13, 1), strict=True):
        assert asks(game) == ("power", (seat,))
        assert texts(game) == {f"{seat} power {value}" for value in range(1, 14) if value not in played}
        game.play(f"{seat} power {number}")
        played.add(number)
    assert asks(game)[0] == "recruit"


def test_a_power_card_is_played_once_in_a_game() -> None:
    game = idle_round(powers(opening(("red", "blue")), red=5, blue=9))
    turn_up(game)
    assert texts(game) == {f"red power {number}" for number in range(1, 14) if number != 5}
    powers(game, red=9)
    assert texts(game) == {f"blue power {number}" for number in range(1, 14) if number != 9}


@pytest.mark.parametrize(
    ("cards", "order", "next_start"),
    [
        ({"red": 1, "blue": 2, "green": 3, "yellow": 4}, ["yellow", "green", "blue", "red"], "red"),
        ({"red": 13, "blue": 2, "green": 9, "yellow": 4}, ["red", "green", "yellow", "blue"], "blue"),
        ({"red": 10, "blue": 12, "green": 11, "yellow": 3}, ["blue", "green", "red", "yellow"], "yellow"),
    ],
)
def test_seats_act_from_the_highest_card_to_the_lowest_which_then_starts(
    cards: dict[str, int], order: list[str], next_start: str
) -> None:
    game = powers(opening(), **cards)
    for stack, seat in enumerate(order, start=1):
        assert asks(game) == ("recruit", (seat,))
        game.play(f"{seat} recruit 0")
        assert asks(game) == ("card", (seat,))
        assert texts(game) == {f"{seat} card {other}" for other in range(stack, 6)}
        game.play(f"{seat} card {stack}")
        assert asks(game) == ("act", (seat,))
        game.play(f"{seat} end")
    assert game.round == 2
    turn_up(game)
    assert asks(game) == ("power", (next_start,))


# --- Recruiting -------------------------------------------------------------------------------------------------------


def to_recruit(number: int, board: dict[str, dict[str, int]], province: int) -> Game:
    """Red has played a power card, has this many in the province, and is to recruit."""
    game = powers(opening(("red", "blue")), red=number, blue=13 if number < 13 else 12)
    while game.to_act != ("red",):
        idle(play(game, "blue recruit 0"), "act").play("blue end")
    court = 30 - province - sum(counts["red"] for counts in board.values())
    return put(game, board=board, court={"red": court})


@pytest.mark.parametrize(("number", "most"), RECRUITS.items())
def test_a_power_card_brings_up_to_its_number(number: int, most: int) -> None:
    game = to_recruit(number, EMPTY, province=21)
    assert asks(game) == ("recruit", ("red",))
    assert game.questions[0].message.fields == {"seat": "red", "number": most}
    assert texts(game) == {f"red recruit {few}" for few in range(most + 1)}
    game.play(f"red recruit {most}")
    assert (at(game, "court", "red"), at(game, "province", "red")) == (9 + most, 21 - most)
    assert asks(game) == ("card", ("red",))


@pytest.mark.parametrize(("province", "most"), [(7, 6), (6, 6), (5, 5), (1, 1), (0, 0)])
def test_no_more_come_than_the_province_holds(province: int, most: int) -> None:
    game = to_recruit(1, EMPTY, province)
    assert texts(game) == {f"red recruit {few}" for few in range(most + 1)}


SCATTERED = {"galicia": {"red": 4}, "aragon": {"red": 1}, "sevilla": {"red": 3}, "castillo": {"red": 2}}


def test_what_the_province_lacked_may_be_recalled_from_regions_but_not_from_the_king_or_the_castillo() -> None:
    game = to_recruit(1, SCATTERED, province=3)
    game.play("red recruit 3")
    assert asks(game) == ("recall", ("red",))
    assert game.questions[0].message.fields == {"seat": "red", "number": 3}
    assert texts(game) == {"red recall aragon", "red recall sevilla", "red done"}
    game.play("red recall aragon")
    assert texts(game) == {"red recall sevilla", "red done"}
    court = at(game, "court", "red")
    play(game, "red recall sevilla", "red recall sevilla")
    assert asks(game) == ("card", ("red",))
    assert at(game, "court", "red") == court + 2
    assert [at(game, place, "red") for place in ("aragon", "sevilla", "province")] == [0, 1, 0]
    assert [at(game, place, "red") for place in ("galicia", "castillo")] == [4, 2]


@pytest.mark.parametrize("recalls", [0, 1, 2])
def test_recalling_may_stop_early(recalls: int) -> None:
    game = play(to_recruit(1, SCATTERED, province=3), "red recruit 3", *["red recall sevilla"] * recalls, "red done")
    assert asks(game) == ("card", ("red",))
    assert at(game, "sevilla", "red") == 3 - recalls


def test_recalling_is_over_when_nothing_is_left() -> None:
    game = play(to_recruit(1, {"galicia": {"red": 2}, "aragon": {"red": 1}}, province=0), "red recruit 0")
    assert texts(game) == {"red recall aragon", "red done"}
    game.play("red recall aragon")
    assert asks(game) == ("card", ("red",))


@pytest.mark.parametrize(
    ("number", "province", "recruits"),
    [(1, 6, 6), (1, 7, 6), (1, 3, 2), (1, 3, 0), (10, 1, 1), (13, 0, 0)],
    ids=["exactly enough", "more than enough", "one left", "none taken", "one of one", "a card that brings none"],
)
def test_there_is_no_recall_where_the_province_was_enough_or_was_not_emptied(
    number: int, province: int, recruits: int
) -> None:
    game = play(to_recruit(number, SCATTERED, province), f"red recruit {recruits}")
    assert asks(game) == ("card", ("red",))


# --- Placing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("king", REGIONS)
def test_caballeros_are_placed_in_the_neighbours_of_the_kings_region_and_in_the_castillo(king: str) -> None:
    game = powers(opening(("red", "blue")), red=2, blue=1)
    put(play(game, "red recruit 0", "red card 1"), king=king)
    places = {f"red place {place}" for place in (*NEIGHBOURS[king], "castillo")}
    assert texts(game) == places | {"red special", "red end"}


# --- Rounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "rounds"), [(9, [1, 2, 3, 4, 5, 6, 7, 8, 9]), (6, [2, 3, 5, 6, 8, 9])])
def test_which_rounds_are_played_and_when_general_scoring_comes(length: int, rounds: list[int]) -> None:
    game = opening(("red", "blue", "green"), rounds=length)
    seen = [game.round]
    scored: list[int] = []
    while not game.over:
        idle_round(game)
        if game.round != seen[-1]:
            seen.append(game.round)
        if asks(game)[0] == "dial":
            scored.append(game.round)
            play(game, "red dial aragon", "blue dial aragon", "green dial aragon")
            if not game.over:
                seen.append(game.round)
    assert seen == rounds
    assert scored == [3, 6, 9]
    assert len(game.scorings) == 30


def test_a_card_that_nobody_took_is_put_away() -> None:
    game = idle_round(powers(opening(("red", "blue"), cards=["score-most"]), red=1, blue=2))
    assert game.snapshot()["open"] == {"5": "king"}
    while not game.legal_moves()[0].text.startswith("table reveal 3"):
        game.play(game.legal_moves()[0])
    assert "table reveal 3 score-most" not in texts(game)


# --- The snapshot -----------------------------------------------------------------------------------------------------

BEFORE_HOME = {
    "score": 0,
    "court": 7,
    "province": 23,
    "castillo": 0,
    "grande": None,
    "hand": list(range(1, 14)),
    "regions": dict.fromkeys(REGIONS, 0),
    "vetoes": 0,
}


def test_the_snapshot_during_set_up() -> None:
    game = Game(("red", "blue"))
    empty: dict[str, object] = {"round": 0, "king": None, "tiles": {"8": None, "4": None}, "open": {}}
    assert dict(game.snapshot()) == {**empty, "seats": {"red": BEFORE_HOME, "blue": BEFORE_HOME}}
    game.play("table king sevilla")
    assert dict(game.snapshot()) == {**empty, "king": "sevilla", "seats": {"red": BEFORE_HOME, "blue": BEFORE_HOME}}
    game.play("table home red aragon")
    at_home = {**BEFORE_HOME, "province": 21, "grande": "aragon", "regions": dict.fromkeys(REGIONS, 0) | {"aragon": 2}}
    assert dict(game.snapshot()) == {**empty, "king": "sevilla", "seats": {"red": at_home, "blue": BEFORE_HOME}}


def test_the_round_and_the_open_cards_in_the_snapshot() -> None:
    game = Game(("red", "blue"))
    play(game, "table king sevilla", "table home red aragon", "table home blue granada", "table start red")
    stages = [(game.snapshot()["round"], game.snapshot()["open"])]
    turn_up(game, ["extra-2", "veto", "score-most", "tile"])
    stages.append((game.snapshot()["round"], game.snapshot()["open"]))
    play(powers(game, red=1, blue=2), "blue recruit 0", "blue card 3")
    stages.append((game.snapshot()["round"], game.snapshot()["open"]))
    idle_round(game)
    stages.append((game.snapshot()["round"], game.snapshot()["open"]))
    assert stages == [
        (1, {"5": "king"}),
        (1, {"1": "extra-2", "2": "veto", "3": "score-most", "4": "tile", "5": "king"}),
        (1, {"1": "extra-2", "2": "veto", "4": "tile", "5": "king"}),
        (2, {"5": "king"}),
    ]


def test_the_snapshot_during_general_scoring_and_after_it() -> None:
    game = idle(opening(("red", "blue")), "dial")
    assert (game.snapshot()["round"], game.snapshot()["open"]) == (3, {})
    play(game, "red dial aragon", "blue dial aragon")
    assert (game.snapshot()["round"], game.snapshot()["open"]) == (4, {"5": "king"})
    idle(game, "over")
    assert (game.snapshot()["round"], game.snapshot()["open"]) == (9, {})


def test_the_snapshot_of_the_example_in_the_rules() -> None:
    game = Game(("red", "blue", "green"))
    play(game, "table king cataluna", "table home red granada", "table home blue aragon", "table home green sevilla")
    turn_up(play(game, "table start red"), ["veto"])
    powers(game, red=11, blue=2, green=1)
    play(game, "red recruit 1", "red card 2", "red place castillo", "red place castillo", "red end")
    turn_up(idle_round(game), ["three-courts-home", "secret-score"])
    powers(game, green=12, red=4, blue=3)
    play(game, "green recruit 0", "green card 1", "green end", "red recruit 1", "red card 3", "red place castillo")
    snapshot = game.snapshot()
    seats = snapshot["seats"]
    assert snapshot == {
        "round": 2,
        "king": "cataluna",
        "tiles": {"8": None, "4": None},
        "open": {"2": "three-courts-home", "4": "secret-score", "5": "king"},
        "seats": {
            "red": {
                "score": 0,
                "court": 6,
                "province": 19,
                "castillo": 3,
                "grande": "granada",
                "hand": [1, 2, 3, 5, 6, 7, 8, 9, 10, 12, 13],
                "regions": {
                    "galicia": 0, "pais-vasco": 0, "aragon": 0, "cataluna": 0, "castilla-la-vieja": 0,
                    "castilla-la-nueva": 0, "valencia": 0, "sevilla": 0, "granada": 2,
                },
                "vetoes": 0,
            },
            "blue": seats["blue"],
            "green": seats["green"],
        },
    }  # fmt: skip
    assert list(seats["red"]["regions"]) == list(REGIONS)
