"""The veto: who is asked, about what, and what an objection undoes."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import CARDS, PLACES, Game
from companion.engine.views import Snapshot
from tests.engine.test_round import idle_move, idle_round, powers
from tests.support.arrange import FOUR, at, opening, play, put, texts, turn_of, turn_up, verbs

BLUE_GOES = "red move blue aragon granada"
RED_GOES = "red move red pais-vasco granada"
THREE_DIALS = ["blue dial aragon", "green dial cataluna", "yellow dial castilla-la-vieja"]

FIRST_STEP = {
    "move-3": [BLUE_GOES],
    "move-4": [BLUE_GOES],
    "move-4-own": [RED_GOES],
    "move-3-others": [BLUE_GOES],
    "move-2-own-2-others": [RED_GOES],
    "move-5-from-one": [BLUE_GOES],
    "move-own-from-one": [RED_GOES],
    "extra-2": ["red extra granada"],
    "own-from-one-or-extra-2": ["red extra granada"],
    "one-each-home": ["red remove blue aragon"],
    "king-is-angry": ["blue return aragon"],
    "secret-all-home": THREE_DIALS,
    "secret-two-home": THREE_DIALS,
    "score-one": ["red score aragon"],
    "score-4s": ["red score cataluna"],
    "score-5s": ["red score aragon"],
    "score-6s-7s": ["red score castilla-la-vieja"],
    "score-firsts": ["red score aragon"],
    "score-most": ["red score aragon"],
    "score-fewest": ["red score aragon"],
    "score-one-3": ["red score aragon"],
    "tile": ["red tile 8 granada"],
    "power-back": ["red retake 13"],
    "court-2": ["red recruit 2"],
    "grande": ["red grande granada"],
    "secret-score": ["red dial pais-vasco", *THREE_DIALS],
    "expel": ["red expel aragon"],
    "advisor": ["red king pais-vasco"],
    "king": ["red king granada"],
}
"""The moves of the first step of each card, from the position of `turn_of`."""

NO_STEP = {"veto", "all-courts-home", "three-courts-home", "score-castillo"}
LISTS = {"score-4s", "score-5s", "score-6s-7s", "score-firsts", "score-most", "score-fewest"}


def held(card: str, *holders: str, **pieces: Any) -> Game:
    """Red has taken a card, and these seats hold vetoes."""
    return turn_of(card, vetoes=holders, **pieces)


def asked(game: Game) -> str:
    """Who is asked whether to object; nobody (an empty text) when it is another question."""
    (question, *others) = game.questions
    assert question.seat == game.to_act[0]
    assert str(question.message).startswith(question.seat)
    if question.kind != "veto":
        assert game.view(None)["turn"]["step"] is None
        return ""
    assert others == []
    assert texts(game) == {f"{question.seat} veto", f"{question.seat} allow", f"{question.seat} allow all"}
    assert str(question.message) == f"{question.seat} may veto red's {question.message.fields['card']}"
    return question.seat


def vetoes(game: Game) -> dict[str, int]:
    """How many veto cards each seat holds, without the zeros."""
    seats = game.snapshot()["seats"].items()
    return {seat: data["vetoes"] for seat, data in seats if data["vetoes"]}


def without_vetoes(snapshot: Snapshot) -> Snapshot:
    for data in snapshot["seats"].values():
        data["vetoes"] = 0
    return snapshot


def scored(game: Game) -> list[str]:
    """The places scored so far, in order."""
    return [PLACES[scoring.place] for scoring in game.scorings]


def over(game: Game) -> bool:
    """Whether red's special action is over, with nothing left of it, and its turn goes on."""
    turn = game.view(None)["turn"]
    assert (turn["special"], turn["left"], turn["region"], turn["step"]) == ("used", 0, None, None)
    return [(q.seat, q.kind) for q in game.questions] == [("red", "act")] and "red special" not in texts(game)


# --- Announcements and steps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", CARDS)
def test_a_holder_is_asked_about_the_announcement_and_may_stop_it(card: str) -> None:
    game = held(card, "green")
    before = without_vetoes(game.snapshot())
    game.play("red special")
    assert asked(game) == "green"
    assert game.questions[0].message.fields["card"] == card
    assert without_vetoes(game.snapshot()) == before
    game.play("green veto")
    assert without_vetoes(game.snapshot()) == before
    assert scored(game) == []
    assert vetoes(game) == {}
    assert over(game)
    assert "red place castillo" in texts(game)


def test_every_card_is_in_the_tables_of_this_file() -> None:
    assert FIRST_STEP.keys() | NO_STEP == CARDS.keys()


@pytest.mark.parametrize(("card", "lines"), FIRST_STEP.items(), ids=FIRST_STEP)
def test_a_holder_is_asked_about_a_step_of_which_nothing_has_happened_yet_and_may_stop_it(
    card: str, lines: list[str]
) -> None:
    game = play(held(card, "green"), "red special", "green allow")
    assert asked(game) == ""
    before = without_vetoes(game.snapshot())
    play(game, *lines)
    assert asked(game) == "green"
    assert without_vetoes(game.snapshot()) == before
    assert scored(game) == []
    game.play("green veto")
    assert without_vetoes(game.snapshot()) == before
    assert scored(game) == []
    assert vetoes(game) == {}
    assert over(game)


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("answers", [("green allow all", ""), ("green allow", "green allow all")])
def test_what_is_allowed_happens_as_if_nobody_held_a_veto(card: str, answers: tuple[str, str]) -> None:
    announced, stepped = answers
    game = play(held(card, "green"), "red special", announced)
    plain = play(turn_of(card), "red special")
    if card not in LISTS:
        play(plain, *FIRST_STEP.get(card, []))
    if card not in LISTS or stepped:
        play(game, *FIRST_STEP.get(card, []))
    if stepped and card not in NO_STEP:
        game.play(stepped)
    assert without_vetoes(game.snapshot()) == without_vetoes(plain.snapshot())
    assert sorted(scored(game)) == sorted(scored(plain))
    assert texts(game) == texts(plain)


def test_earlier_steps_stay_the_step_objected_to_is_undone_and_the_rest_is_lost() -> None:
    game = play(held("move-3", "blue"), "red special", "blue allow")
    play(
        game, "red move green cataluna sevilla", "blue allow", "red move yellow castilla-la-vieja castillo", "blue veto"
    )
    assert over(game)
    assert (at(game, "cataluna", "green"), at(game, "sevilla", "green")) == (1, 1)
    assert (at(game, "castilla-la-vieja", "yellow"), at(game, "castillo", "yellow")) == (2, 0)
    assert verbs(game) == {"place", "end"}


@pytest.mark.parametrize(("card", "lines"), FIRST_STEP.items(), ids=FIRST_STEP)
def test_a_special_action_that_was_stopped_leaves_nothing_behind_for_the_next(card: str, lines: list[str]) -> None:
    stopped = play(held(card, "green"), "red special", "green allow", *lines, "green veto", "red end")
    refused = play(turn_of(card), "red end")
    for stack in {1, 2, 3, 4, 5} - {CARDS[card].stack}:
        after = [play(game.copy(), "yellow recruit 0", f"yellow card {stack}") for game in (stopped, refused)]
        for game in after:
            game.play("yellow special")
        assert texts(after[0]) == texts(after[1])
        assert after[0].questions == after[1].questions


def test_a_veto_undoes_no_placing_and_placing_goes_on_after_it() -> None:
    game = play(held("tile", "blue"), "red special", "blue veto", "red place castillo", "red place castillo")
    assert asked(game) == ""
    assert at(game, "castillo", "red") == 2
    game = play(held("tile", "blue"), "red place castillo", "red special", "blue veto")
    assert at(game, "castillo", "red") == 1
    assert texts(game) == {"red end"}


def test_nobody_is_asked_about_anything_but_a_special_action() -> None:
    game = opening(cards=["move-3"])
    powers(game, red=1, blue=2, green=3, yellow=4)
    put(game, vetoes=["blue", "green"], board={"aragon": {"yellow": 2}}, court={"yellow": 27})
    for line in ("yellow recruit 1", "yellow recall aragon", "yellow done", "yellow card 1", "yellow place castillo"):
        game.play(line)
        assert game.to_act == ("yellow",)
        assert game.questions[0].kind != "veto"
    game.play("yellow end")
    assert game.to_act == ("green",)
    assert vetoes(game) == {"blue": 1, "green": 1}


@pytest.mark.parametrize("holders", [[], ["red"]], ids=["nobody holds one", "only the acting seat holds one"])
@pytest.mark.parametrize(("card", "lines"), FIRST_STEP.items(), ids=FIRST_STEP)
def test_nobody_is_asked_where_no_other_seat_holds_one(card: str, lines: list[str], holders: list[str]) -> None:
    game = play(held(card, *holders), "red special")
    assert game.questions[0].kind in ("step", "act")
    if card not in LISTS:
        play(game, *lines)
        assert game.questions[0].kind in ("step", "act")


def test_a_special_action_without_a_legal_step_is_asked_about_and_over_at_once() -> None:
    game = play(held("move-3", "blue", board={}), "red special")
    assert asked(game) == "blue"
    game.play("blue allow")
    assert over(game)
    assert vetoes(game) == {"blue": 1}


# --- Several holders --------------------------------------------------------------------------------------------------


def test_holders_are_asked_clockwise_from_the_acting_seat_whoever_took_theirs_first() -> None:
    game = play(held("tile", "yellow", "red", "blue", "green"), "red special")
    order: list[str] = []
    while asked(game):
        order.append(asked(game))
        game.play(f"{order[-1]} allow")
    assert order == ["blue", "green", "yellow"]
    assert game.to_act == ("red",)


def test_clockwise_goes_round_the_table() -> None:
    game = powers(opening(cards=["tile"]), red=1, blue=2, green=13, yellow=3)
    put(play(game, "green recruit 0", "green card 4"), vetoes=["blue", "red", "yellow"])
    order: list[str] = []
    game.play("green special")
    while game.questions[0].kind == "veto":
        order += game.to_act
        game.play(f"{order[-1]} allow")
    assert order == ["yellow", "red", "blue"]


def test_one_objection_is_enough_and_cannot_be_stopped() -> None:
    game = play(held("tile", "blue", "green", "yellow"), "red special", "blue allow", "green veto")
    assert over(game)
    assert vetoes(game) == {"blue": 1, "yellow": 1}


def test_allow_all_ends_the_questions_to_this_holder_only() -> None:
    game = play(held("move-3", "blue", "green"), "red special", "blue allow all")
    assert asked(game) == "green"
    play(game, "green allow", BLUE_GOES)
    assert asked(game) == "green"
    play(game, "green allow all", BLUE_GOES)
    assert game.to_act == ("red",)
    assert at(game, "granada", "blue") == 2
    assert vetoes(game) == {"blue": 1, "green": 1}


def test_allow_all_holds_for_this_special_action_only() -> None:
    game = play(held("king", "blue"), "red special", "blue allow all", "red king granada", "red end")
    play(game, "yellow recruit 0", "yellow card 1", "yellow special")
    assert game.questions[0][:2] == ("blue", "veto")


# --- Two vetoes, and how long they are held ---------------------------------------------------------------------------


def two_vetoes() -> Game:
    """Blue has taken a veto in round 1 and another in round 2; red has announced a special action."""
    game = powers(opening(("red", "blue"), cards=["veto"]), red=1, blue=13)
    idle_round(play(game, "blue recruit 0", "blue card 2", "blue special", "blue end"))
    turn_up(game, ["veto", "tile"])
    play(powers(game, red=2, blue=12), "blue recruit 0", "blue card 2", "blue special", "blue end")
    return play(game, "red recruit 0", "red card 4", "red special")


def test_a_seat_with_two_vetoes_is_asked_once_and_uses_the_older() -> None:
    game = two_vetoes()
    assert vetoes(game) == {"blue": 2}
    assert asked(game) == "blue"
    game.play("blue allow")
    assert asked(game) == ""
    game.undo()
    game.play("blue veto")
    assert vetoes(game) == {"blue": 1}
    assert over(game)
    # What is left is the newer, which outlives round 2.
    idle_round(game)
    assert (game.round, vetoes(game)) == (3, {"blue": 1})
    idle_round(game)
    assert vetoes(game) == {}


def test_of_two_vetoes_not_used_the_older_goes_first() -> None:
    game = idle_round(play(two_vetoes(), "blue allow all", "red tile 8 granada"))
    assert (game.round, vetoes(game)) == (3, {"blue": 1})
    idle_round(game)
    assert vetoes(game) == {}


def test_each_of_two_vetoes_stops_one_special_action() -> None:
    game = held("king", "blue", "blue")
    play(game, "red special", "blue veto", "red end")
    play(game, "yellow recruit 0", "yellow card 1", "yellow special")
    assert game.questions[0][:2] == ("blue", "veto")
    play(game, "blue veto", "yellow end", "green recruit 0", "green card 2", "green special")
    assert game.questions[0].kind != "veto"
    assert vetoes(game).get("blue", 0) == 0


@pytest.mark.parametrize(
    ("length", "taken", "last", "gone"),
    [(9, 1, 2, 3), (9, 2, 3, 4), (9, 3, 4, 5), (6, 2, 3, 5), (6, 3, 5, 6), (6, 5, 6, 8), (6, 6, 8, 9)],
)
def test_a_veto_is_held_until_the_end_of_the_next_round_played(length: int, taken: int, last: int, gone: int) -> None:
    first = 1 if length == 9 else 2
    game = opening(("red", "blue"), rounds=length, cards=["veto" if taken == first else "score-one"])
    while game.round < taken:
        game.play(idle_move(game))
    if taken != first:
        turn_up(game, ["veto"])
    while game.questions[0].kind != "card":
        game.play(idle_move(game))
    (holder,) = game.to_act
    play(game, f"{holder} card 2", f"{holder} special")

    held_at_start: dict[int, int] = {}
    asked_in: set[int] = set()
    while game.round <= gone and not game.over:
        if game.questions[0].kind == "power":
            held_at_start[game.round] = vetoes(game).get(holder, 0)
        if game.questions[0].kind == "act" and game.to_act != (holder,):
            other = play(game.copy(), f"{game.to_act[0]} special")
            if other.questions[0][:2] == (holder, "veto"):
                asked_in.add(game.round)
        game.play(idle_move(game))
    assert held_at_start == {last: 1, gone: 0}
    assert asked_in == {taken, last}


def test_a_veto_can_be_used_in_the_round_it_was_taken() -> None:
    game = play(turn_of("veto"), "red special", "red end")
    play(game, "yellow recruit 0", "yellow card 5", "yellow special")
    assert game.questions[0][:2] == ("red", "veto")
    play(game, "red veto")
    assert game.snapshot()["king"] == "galicia"


def test_keeping_a_veto_card_is_a_special_action_that_a_veto_can_stop() -> None:
    game = play(held("veto", "blue"), "red special")
    assert asked(game) == "blue"
    assert vetoes(game) == {"blue": 1}
    game.play("blue veto")
    assert vetoes(game) == {}
    assert over(game)
    game = play(held("veto", "blue"), "red special", "blue allow")
    assert vetoes(game) == {"red": 1, "blue": 1}


# --- Dials ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["secret-all-home", "secret-two-home", "secret-score"])
def test_all_dials_of_a_card_are_one_step(card: str) -> None:
    game = play(held(card, "blue", "yellow"), "red special", "blue allow", "yellow allow")
    for line in FIRST_STEP[card]:
        assert asked(game) == ""
        game.play(line)
    assert asked(game) == "blue"
    game.play("blue allow")
    assert asked(game) == "yellow"


@pytest.mark.parametrize("stopped_at", ["announcement", "naming", "dials", "nothing"])
def test_expelling_is_asked_about_three_times(stopped_at: str) -> None:
    game = held("expel", "blue", board={"aragon": {"green": 2, "red": 1}})
    for stage, lines in (
        ("announcement", ["red special"]),
        ("naming", ["red expel aragon"]),
        ("dials", ["green dial sevilla"]),
    ):
        play(game, *lines)
        assert asked(game) == "blue"
        assert at(game, "aragon", "green") == 2
        if stage == stopped_at:
            game.play("blue veto")
            break
        game.play("blue allow")
    assert over(game)
    assert at(game, "aragon", "green") == (0 if stopped_at == "nothing" else 2)
    assert at(game, "sevilla", "green") == (2 if stopped_at == "nothing" else 0)


# --- Scorings ---------------------------------------------------------------------------------------------------------


def test_under_a_veto_regions_are_scored_one_by_one_in_the_order_chosen() -> None:
    game = play(held("score-5s", "blue"), "red special", "blue allow")
    assert texts(game) == {"red score pais-vasco", "red score aragon", "red score valencia"}
    play(game, "red score valencia", "blue allow")
    assert scored(game) == ["valencia"]
    assert texts(game) == {"red score pais-vasco", "red score aragon"}
    play(game, "red score aragon", "blue allow")
    assert texts(game) == {"red score pais-vasco"}
    play(game, "red score pais-vasco", "blue allow")
    assert scored(game) == ["valencia", "aragon", "pais-vasco"]
    assert over(game)


def test_a_veto_stops_the_region_named_and_those_still_to_come() -> None:
    game = play(held("score-5s", "blue"), "red special", "blue allow", "red score aragon", "blue allow")
    play(game, "red score pais-vasco", "blue veto")
    assert scored(game) == ["aragon"]
    assert game.scores == {"red": 0, "blue": 7, "green": 0, "yellow": 0}
    assert over(game)


def test_as_soon_as_all_holders_allow_all_the_rest_is_scored_at_once_in_track_order() -> None:
    game = play(held("score-5s", "blue", "green"), "red special", "blue allow all", "green allow")
    assert texts(game) == {"red score pais-vasco", "red score aragon", "red score valencia"}
    game.play("red score valencia")
    assert asked(game) == "green"
    assert scored(game) == []
    game.play("green allow all")
    assert scored(game) == ["valencia", "pais-vasco", "aragon"]
    assert over(game)


def test_allow_all_at_the_announcement_scores_all_at_once() -> None:
    game = play(held("score-firsts", "blue"), "red special", "blue allow all")
    assert scored(game) == list(PLACES[:9])
    assert over(game)


@pytest.mark.parametrize("card", ["score-castillo", "score-fewest"])
def test_where_there_is_no_region_to_name_only_the_announcement_is_asked_about(card: str) -> None:
    game = play(held(card, "blue", board={"castillo": {"red": 1}}), "red special", "blue allow")
    assert over(game)
    assert scored(game) == (["castillo"] if card == "score-castillo" else [])


# --- The King is angry ------------------------------------------------------------------------------------------------


def test_a_holder_is_asked_about_its_own_return_and_may_stop_the_rest() -> None:
    game = play(held("king-is-angry", "blue"), "red special", "blue allow", "blue return court", "blue allow")
    assert (at(game, "court", "blue"), at(game, "province", "blue")) == (6, 22)
    play(game, "blue return aragon")
    assert asked(game) == "blue"
    assert at(game, "aragon", "blue") == 2
    game.play("blue veto")
    assert over(game)
    assert (at(game, "court", "blue"), at(game, "aragon", "blue"), at(game, "province", "blue")) == (6, 2, 22)
    assert [at(game, "court", seat) for seat in FOUR] == [7, 6, 7, 7]


def test_returns_are_asked_about_clockwise_from_the_seat_whose_special_action_it_is() -> None:
    game = play(held("king-is-angry", "blue", "yellow"), "red special", "blue allow", "yellow allow")
    play(game, *["blue return court", "blue allow", "yellow allow"] * 3, "green return court")
    assert asked(game) == "blue"
    assert game.questions[0].message.fields == {"seat": "blue", "actor": "red", "card": "king-is-angry"}
    game.play("blue allow")
    assert asked(game) == "yellow"


# --- What is seen -----------------------------------------------------------------------------------------------------


def test_the_step_that_waits_is_shown_with_the_holders_still_to_be_asked() -> None:
    game = play(held("move-3", "blue", "green"), "red special", "blue allow all", "green allow", BLUE_GOES)
    for seat in (None, *FOUR):
        step = game.view(seat)["turn"]["step"]
        assert step == {"move": BLUE_GOES, "asked": ["green"], "content": ["blue"]}


def test_a_holder_learns_that_a_card_is_taken_back_but_not_which() -> None:
    game = play(held("power-back", "blue", hands={"red": [1, 2]}), "red special", "blue allow", "red retake 7")
    assert asked(game) == "blue"
    for seat, shown in (
        ("red", "red retake 7"),
        ("blue", "red retake ?"),
        ("green", "red retake ?"),
        (None, "red retake ?"),
    ):
        view = game.view(seat)
        assert view["turn"]["step"] == {"move": shown, "asked": ["blue"], "content": []}
        assert view["log"][-1] == shown
    assert game.snapshot()["seats"]["red"]["hand"] == [1, 2]
    game.play("blue allow")
    assert game.snapshot()["seats"]["red"]["hand"] == [1, 2, 7]
    assert game.view("blue")["log"][-2:] == ["red retake ?", "blue allow"]
