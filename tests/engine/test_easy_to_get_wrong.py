"""The points of the rules that are easy to get wrong, one after the other."""

from __future__ import annotations

import pytest

from companion.engine import CARDS, EDITIONS, PLACES, REGIONS, SEATS, BadRecord, BadSetup, Game, IllegalMove
from tests.engine.test_round import idle, idle_move, idle_round, powers
from tests.support.arrange import FOUR, at, opening, play, put, texts, turn_of, turn_up, verbs


def kind(game: Game) -> str:
    """What is asked, having checked that it is asked of the seats to act."""
    assert tuple(question.seat for question in game.questions) == game.to_act
    assert all(str(question.message) for question in game.questions)
    return game.questions[0].kind


def scored(game: Game) -> list[str]:
    """The places scored so far, in order."""
    return [PLACES[scoring.place] for scoring in game.scorings]


def refuses(game: Game, *lines: str) -> None:
    before = game.snapshot(), texts(game), game.record()
    for line in lines:
        with pytest.raises(IllegalMove):
            game.play(line)
    assert (game.snapshot(), texts(game), game.record()) == before


# --- Chance moves -----------------------------------------------------------------------------------------------------


def test_chance_moves_come_in_the_order_king_homes_start_reveals() -> None:
    game = idle_round(opening(("green", "red")))
    assert [(move.verb, move.args[0]) for move in game.moves if move.seat == "table"] == [
        ("king", "galicia"), ("home", "green"), ("home", "red"), ("start", "green"),
        ("reveal", "1"), ("reveal", "2"), ("reveal", "3"), ("reveal", "4"),
    ]  # fmt: skip


def test_a_card_with_two_copies_can_come_twice_in_a_game_and_no_more() -> None:
    game = opening(("red", "blue"), cards=["tile", "power-back", "veto", "move-3"])
    seen: dict[str, int] = dict.fromkeys(CARDS, 0)
    for move in game.moves:
        if move.verb == "reveal":
            seen[move.args[1]] += 1
    while not game.over:
        if game.questions[0].kind == "reveal":
            stack = game.questions[0].message.fields["stack"]
            left = {name for name, card in CARDS.items() if card.stack == stack and seen[name] < card.copies}
            assert texts(game) == {f"table reveal {stack} {name}" for name in left}
            move = game.legal_moves()[0]
            seen[move.args[1]] += 1
        else:
            move = idle_move(game)
        game.play(move)
    assert (seen["tile"], seen["veto"], seen["move-3"]) == (3, 2, 1)


# --- Moves ------------------------------------------------------------------------------------------------------------


def test_a_decision_with_one_legal_move_is_still_a_move_of_the_record() -> None:
    game = powers(opening(("red", "blue"), cards=["veto"]), red=13, blue=1)
    assert texts(game) == {"red recruit 0"}
    play(game, "red recruit 0", "red card 2")
    put(game, court={"red": 0})
    game.play("red special")
    assert texts(game) == {"red end"}
    game.play("red end")
    assert game.record().splitlines()[-4:] == ["red recruit 0", "red card 2", "red special", "red end"]


def test_a_special_action_ends_by_itself_when_its_count_is_used_up() -> None:
    game = play(turn_of("extra-2"), "red special", "red extra granada", "red extra granada")
    assert kind(game) == "act"
    refuses(game, "red done")


def test_a_special_action_ends_by_itself_when_no_step_is_left() -> None:
    game = play(turn_of("extra-2", court={"red": 1}), "red special", "red extra granada")
    assert kind(game) == "act"


UP_TO = {
    "move-3", "move-4", "move-4-own", "move-3-others", "move-2-own-2-others", "move-5-from-one", "move-own-from-one",
    "extra-2", "own-from-one-or-extra-2", "one-each-home", "court-2",
}  # fmt: skip


@pytest.mark.parametrize("card", CARDS)
def test_done_is_legal_only_between_steps_of_an_up_to_card_at_its_start_too(card: str) -> None:
    game = turn_of(card)
    refuses(game, "red done")
    game.play("red special")
    assert ("red done" in texts(game)) == (card in UP_TO)


# --- Recalling --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "province", "recruits", "asked"),
    [
        ({"aragon": {"red": 2}}, 2, 2, True),
        ({"aragon": {"red": 2}}, 0, 0, True),
        ({"aragon": {"red": 2}}, 2, 1, False),
        ({"aragon": {"red": 2}}, 6, 6, False),
        ({"galicia": {"red": 2}, "castillo": {"red": 2}}, 2, 2, False),
    ],
    ids=["asked", "asked of an empty province", "not all taken", "enough", "nothing to recall"],
)
def test_recall_is_asked_only_if_the_province_was_too_small_was_emptied_and_something_is_there(
    board: dict[str, dict[str, int]], province: int, recruits: int, asked: bool
) -> None:
    game = powers(opening(("red", "blue")), red=1, blue=13)
    play(game, "blue recruit 0", "blue card 1", "blue end")
    put(game, board=board, court={"red": 30 - province - sum(counts["red"] for counts in board.values())})
    game.play(f"red recruit {recruits}")
    assert kind(game) == ("recall" if asked else "card")
    if asked:
        assert texts(game) == {"red recall aragon", "red done"}
        game.play("red done")
        assert kind(game) == "card"


# --- The King is angry, and dials -------------------------------------------------------------------------------------


def test_the_three_returns_of_a_seat_follow_each_other_then_the_next_clockwise() -> None:
    game = play(turn_of("king-is-angry"), "red special")
    for seat in ("blue", "green", "yellow"):
        for left in (3, 2, 1):
            assert game.to_act == (seat,)
            assert game.questions[0].message.fields["left"] == left
            game.play(f"{seat} return court")
    assert kind(game) == "act"


def test_a_dial_once_given_cannot_be_given_again() -> None:
    for game in (play(turn_of("secret-score"), "red special"), idle(opening(), "dial")):
        play(game, "green dial aragon")
        refuses(game, "green dial aragon", "green dial sevilla")


def test_dials_are_given_in_any_order_and_the_record_keeps_it() -> None:
    game = play(turn_of("secret-score"), "red special")
    lines = ["yellow dial aragon", "red dial sevilla", "green dial aragon", "blue dial granada"]
    play(game, *lines)
    assert game.record().splitlines()[-4:] == lines


def test_a_dial_that_is_refused_is_not_legal_and_one_that_goes_to_the_court_is() -> None:
    expel = ["red special", "red expel aragon"]
    assert "blue dial aragon" not in texts(play(turn_of("expel", edition="bigbox-nl"), *expel))
    game = play(turn_of("expel", edition="bigbox-nl"), *expel, "blue dial galicia")
    assert at(game, "court", "blue") == 9
    game = play(turn_of("expel", edition="bigbox-de"), *expel, "blue dial aragon")
    assert at(game, "court", "blue") == 9


@pytest.mark.parametrize("card", ["secret-score", "expel"])
def test_strict_dial_says_nothing_of_the_dials_of_cards(card: str) -> None:
    game = play(turn_of(card, house=("strict-dial",)), "red special")
    if card == "expel":
        game.play("red expel aragon")
    assert "blue dial galicia" in texts(game)


# --- Scoring lists and dials under a veto -----------------------------------------------------------------------------


def test_regions_are_asked_for_while_some_holder_has_not_allowed_all_then_the_rest_is_scored_at_once() -> None:
    game = play(turn_of("score-firsts", vetoes=["green", "blue"]), "red special", "blue allow", "green allow")
    play(game, "red score granada", "blue allow all", "green allow")
    assert texts(game) == {f"red score {region}" for region in REGIONS if region != "granada"}
    play(game, "red score aragon")
    assert game.to_act == ("green",)
    play(game, "green allow all")
    rest = [region for region in REGIONS if region not in ("granada", "aragon")]
    assert scored(game) == ["granada", "aragon", *rest]


@pytest.mark.parametrize("edition", EDITIONS)
def test_any_region_but_the_kings_may_be_expelled_even_one_where_nobody_else_stands(edition: str) -> None:
    game = play(turn_of("expel", edition=edition), "red special")
    assert texts(game) == {f"red expel {region}" for region in REGIONS if region != "galicia"}
    before = game.snapshot()
    for region in ("pais-vasco", "granada"):  # red alone, and nobody
        after = play(game.copy(), f"red expel {region}")
        assert kind(after) == "act"
        assert after.snapshot() == before


def test_a_dial_card_under_a_veto_goes_announcement_naming_dials_each_with_its_question() -> None:
    game = turn_of("expel", vetoes=["yellow"], board={"aragon": {"blue": 1, "green": 1}})
    kinds: list[str] = []
    for line in (
        "red special", "yellow allow", "red expel aragon", "yellow allow", "green dial sevilla", "blue dial granada",
        "yellow allow",
    ):  # fmt: skip
        game.play(line)
        kinds.append(kind(game))
    assert kinds == ["veto", "step", "veto", "step", "step", "veto", "act"]
    assert (at(game, "granada", "blue"), at(game, "sevilla", "green")) == (1, 1)


def test_the_dials_are_face_up_at_the_last_question() -> None:
    game = turn_of("expel", vetoes=["yellow"], board={"aragon": {"blue": 1, "green": 1}})
    play(game, "red special", "yellow allow", "red expel aragon", "yellow allow", "green dial sevilla")
    assert game.view("yellow")["log"][-1] == "green dial ?"
    game.play("blue dial granada")
    assert game.view("yellow")["log"][-2:] == ["green dial sevilla", "blue dial granada"]


# --- Veto cards -------------------------------------------------------------------------------------------------------


def take_veto(rounds: int, taken: int) -> Game:
    """Somebody has just kept a veto card, in a round of that number."""
    game = opening(("red", "blue"), rounds=rounds, cards=["score-one"])
    while game.round < taken:
        game.play(idle_move(game))
    turn_up(game, ["veto"])
    idle(game, "card")
    return play(game, f"{game.to_act[0]} card 2", f"{game.to_act[0]} special")


def held(game: Game) -> int:
    return sum(data["vetoes"] for data in game.snapshot()["seats"].values())


def test_a_veto_taken_in_a_round_can_be_used_in_it_and_in_the_next_and_then_is_gone() -> None:
    game = take_veto(9, 4)
    (holder,) = game.to_act
    (other,) = set(game.seats) - {holder}
    asked: dict[int, bool] = {}
    while game.round < 7:
        if game.to_act == (other,) and kind(game) == "act":
            asked[game.round] = play(game.copy(), f"{other} special").to_act == (holder,)
        game.play(idle_move(game))
    assert asked == {4: True, 5: True, 6: False}


def test_a_seat_may_hold_two_vetoes_and_each_stops_one_special_action() -> None:
    game = turn_of("tile", vetoes=["blue", "blue"])
    assert held(game) == 2
    play(game, "red special", "blue veto", "red end", "yellow recruit 0", "yellow card 5", "yellow special")
    assert (held(game), game.to_act) == (1, ("blue",))
    play(game, "blue veto", "yellow end", "green recruit 0", "green card 1", "green special")
    assert (held(game), game.to_act) == (0, ("green",))


# --- Single cards -----------------------------------------------------------------------------------------------------


def test_power_back_takes_any_card_played_in_this_game_that_is_not_in_the_hand() -> None:
    game = idle_round(powers(opening(("red", "blue")), red=3, blue=4))
    turn_up(game, ["power-back"])
    play(powers(game, red=12, blue=5), "red recruit 0", "red card 4", "red special")
    assert texts(game) == {"red retake 3", "red retake 12"}
    play(game, "red retake 12")
    assert game.snapshot()["seats"]["red"]["hand"] == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]


@pytest.mark.parametrize("card", [card.name for card in CARDS.values() if card.stack == 1])
def test_every_card_of_the_first_stack_is_an_up_to_card(card: str) -> None:
    game = play(turn_of(card), "red special")
    before = game.snapshot()
    game.play("red done")
    assert kind(game) == "act"
    assert game.snapshot() == before


def test_the_same_caballero_may_be_moved_again_and_each_step_counts() -> None:
    game = play(turn_of("move-3", board={"aragon": {"blue": 1}}), "red special")
    play(game, "red move blue aragon granada", "red move blue granada sevilla", "red move blue sevilla aragon")
    assert kind(game) == "act"
    assert at(game, "aragon", "blue") == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_court_2_may_stop_before_recruit_except_in_the_french_edition(edition: str) -> None:
    game = play(turn_of("court-2", edition=edition), "red special")
    assert ("red done" in texts(game)) == (edition != "classic-fr")


def test_recruit_0_is_a_step_of_court_2_that_a_holder_is_asked_about() -> None:
    game = play(turn_of("court-2", vetoes=["blue"]), "red special", "blue allow", "red recruit 0")
    assert (kind(game), game.to_act) == ("veto", ("blue",))


@pytest.mark.parametrize("edition", EDITIONS)
def test_court_2_with_nothing_to_bring_at_all_is_over_without_recruit_0(edition: str) -> None:
    game = turn_of("court-2", edition=edition, board={"galicia": {"red": 1}}, court={"red": 29})
    game.play("red special")
    assert kind(game) == "act"


@pytest.mark.parametrize(("taken", "last", "gone"), [(3, 5, 6), (6, 8, 9)])
def test_in_the_short_game_the_next_round_is_the_next_round_played(taken: int, last: int, gone: int) -> None:
    game = take_veto(6, taken)
    seen: dict[int, int] = {}
    while game.round <= gone and not game.over:
        if kind(game) == "power":
            seen[game.round] = held(game)
        game.play(idle_move(game))
    assert seen == {last: 1, gone: 0}


def test_a_seat_with_two_vetoes_uses_the_older_first() -> None:
    game = take_veto(9, 2)
    (holder,) = game.to_act
    (other,) = set(game.seats) - {holder}
    idle_round(game)
    turn_up(game, ["veto"])
    # The holder takes the second one before the other seat acts, and uses one of the two.
    powers(game, **({holder: 13, other: 12} if game.to_act == (holder,) else {other: 12, holder: 13}))
    play(game, f"{holder} recruit 0", f"{holder} card 2", f"{holder} special", f"{holder} end")
    play(game, f"{other} recruit 0", f"{other} card 5", f"{other} special", f"{holder} veto")
    assert held(game) == 1
    idle(game, "power")
    assert (game.round, held(game)) == (4, 1)


@pytest.mark.parametrize(
    ("card", "board", "regions"),
    [
        ("score-most", {"aragon": {"red": 2}, "sevilla": {"red": 1}}, ["aragon"]),
        ("score-6s-7s", {}, ["granada", "castilla-la-nueva", "castilla-la-vieja"]),
    ],
    ids=["a single region", "regions without caballeros"],
)
def test_under_a_veto_every_region_is_taken_by_score_the_last_too(
    card: str, board: dict[str, dict[str, int]], regions: list[str]
) -> None:
    game = play(turn_of(card, vetoes=["blue"], board=board), "red special", "blue allow")
    for number, region in enumerate(regions):
        assert texts(game) == {f"red score {other}" for other in regions[number:]}
        play(game, f"red score {region}", "blue allow")
    assert kind(game) == "act"
    assert scored(game) == regions


def test_score_castillo_has_no_score_step() -> None:
    game = play(turn_of("score-castillo", vetoes=["blue"]), "red special", "blue allow")
    assert kind(game) == "act"
    assert scored(game) == ["castillo"]


@pytest.mark.parametrize("card", sorted(UP_TO))
def test_nobody_is_asked_about_done(card: str) -> None:
    game = play(turn_of(card, vetoes=["blue"]), "red special", "blue allow", "red done")
    assert (kind(game), game.to_act) == ("act", ("red",))


@pytest.mark.parametrize("card", ["secret-all-home", "secret-two-home", "expel"])
def test_if_nobody_can_dial_there_is_no_question_about_dials(card: str) -> None:
    board = {"galicia": {"blue": 2}, "aragon": {"red": 1}}
    game = play(turn_of(card, vetoes=["blue"], board=board), "red special", "blue allow")
    if card == "expel":
        play(game, "red expel aragon", "blue allow")
    assert kind(game) == "act"


def test_two_in_the_kings_region_do_not_count_for_secret_two_home() -> None:
    board = {"galicia": {"blue": 3, "green": 5}, "aragon": {"blue": 1}, "sevilla": {"blue": 1, "yellow": 2}}
    game = play(turn_of("secret-two-home", board=board), "red special")
    assert game.to_act == ("blue", "yellow")
    assert texts(game, "blue") == {"blue dial aragon", "blue dial sevilla"}
    play(game, "yellow dial sevilla", "blue dial aragon")
    assert [at(game, "aragon", "blue"), at(game, "galicia", "blue"), at(game, "sevilla", "yellow")] == [0, 3, 0]


def test_a_holder_is_not_told_which_card_is_taken_back() -> None:
    game = play(turn_of("power-back", vetoes=["blue"]), "red special", "blue allow", "red retake 13")
    step = game.view("blue")["turn"]["step"]
    assert step is not None
    assert step["move"] == game.view("blue")["log"][-1] == "red retake ?"
    assert "13" not in str(game.questions[0].message)


# --- Seats, records, set-up -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [("brown", "red"), ("yellow", "blue", "red"), tuple(reversed(SEATS))])
def test_seats_are_any_two_to_five_colours_in_the_order_they_sit(seats: tuple[str, ...]) -> None:
    game = opening(seats)
    assert game.seats == seats
    for seat in seats:
        assert game.to_act == (seat,)
        game.play(game.legal_moves()[0])


@pytest.mark.parametrize("seats", [("red",), (), ("red", "red"), ("red", "white")])
def test_other_seats_are_refused(seats: tuple[str, ...]) -> None:
    with pytest.raises(BadSetup):
        Game(seats)


HEADER = "edition: bigbox-nl\nseats: red blue\nrounds: 6\n"


def test_header_lines_are_those_with_a_colon_before_the_first_move() -> None:
    game = Game.from_record("# our game\nseats: brown red\n\nrounds: 6\nedition: bigbox-nl\ntable king aragon\n")
    assert (game.seats, game.edition, game.rounds, len(game.moves)) == (("brown", "red"), "bigbox-nl", 6, 1)
    with pytest.raises(BadRecord):
        Game.from_record(HEADER + "table king aragon\nhouse: strict-dial\n")


@pytest.mark.parametrize("line", ["colour: red", "seats: red green", "edition: bigbox-nl"])
def test_unknown_or_doubled_header_keys_are_refused(line: str) -> None:
    with pytest.raises(BadRecord):
        Game.from_record(HEADER + line + "\n")


def test_a_province_holds_23_before_home_and_21_after_and_the_round_is_0_until_set_up_is_done() -> None:
    game = play(Game(("red", "blue")), "table king galicia")
    assert (at(game, "province", "red"), game.round) == (23, 0)
    play(game, "table home red aragon", "table home blue granada")
    assert (at(game, "province", "red"), game.round) == (21, 0)
    game.play("table start red")
    assert game.round == 1


def test_the_open_cards_of_a_round_include_the_king() -> None:
    assert opening().snapshot()["open"]["5"] == "king"


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_player_is_each_other_player_in_the_french_edition_too(edition: str) -> None:
    game = play(turn_of("king-is-angry", edition=edition), "red special")
    play(game, *(f"{seat} return court" for seat in ("blue", "green", "yellow") for _ in range(3)))
    assert kind(game) == "act"
    assert at(game, "court", "red") == 7
    game = play(turn_of("one-each-home", edition=edition), "red special")
    assert not any(move.startswith("red remove red") for move in texts(game))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_dials_of_secret_score_are_turned_together(edition: str) -> None:
    game = play(turn_of("secret-score", edition=edition), "red special")
    play(game, *(f"{seat} dial aragon" for seat in FOUR[:3]))
    assert verbs(game) == {"dial"}
    assert scored(game) == []
    assert game.view("yellow")["log"][-3:] == ["red dial ?", "blue dial ?", "green dial ?"]
    game.play("yellow dial sevilla")
    assert scored(game) == ["sevilla"]
