"""What holds for every action card: the decks, placing and special action in either order, and the King's taboo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.engine import CARDS, EDITIONS, Game, IllegalMove
from companion.engine.views import Snapshot
from tests.support.arrange import FOUR, at, opening, play, put, texts, turn_of, verbs

DECKS = {
    1: {
        "move-3": 1, "move-4": 1, "move-4-own": 1, "move-3-others": 1, "move-2-own-2-others": 2, "move-5-from-one": 2,
        "move-own-from-one": 1, "extra-2": 1, "own-from-one-or-extra-2": 1,
    },
    2: {
        "veto": 2, "all-courts-home": 1, "three-courts-home": 1, "one-each-home": 1, "king-is-angry": 1,
        "secret-all-home": 1, "secret-two-home": 1, "score-one": 3,
    },
    3: {
        "score-4s": 2, "score-5s": 2, "score-6s-7s": 1, "score-castillo": 2, "score-firsts": 1, "score-most": 1,
        "score-fewest": 1, "score-one-3": 1,
    },
    4: {"tile": 3, "power-back": 2, "court-2": 1, "grande": 2, "secret-score": 1, "expel": 1, "advisor": 1},
    5: {"king": 1},
}  # fmt: skip

AT_ONCE = {
    "veto", "all-courts-home", "three-courts-home", "score-4s", "score-5s", "score-6s-7s", "score-castillo",
    "score-firsts", "score-most", "score-fewest",
}  # fmt: skip
"""The cards whose special action needs no further step."""

every_card = pytest.mark.parametrize("card", CARDS)


def carry_out(game: Game) -> Game:
    """Takes the first legal step until the special action is over."""
    while game.questions[0].kind == "step":
        game.play(game.legal_moves()[0])
    return game


def test_there_are_45_cards_in_five_stacks() -> None:
    assert {(card.name, card.stack, card.copies) for card in CARDS.values()} == {
        (name, stack, copies) for stack, deck in DECKS.items() for name, copies in deck.items()
    }
    assert [sum(deck.values()) for deck in DECKS.values()] == [11, 11, 11, 11, 1]


@pytest.mark.parametrize("stack", [1, 2, 3, 4])
def test_a_stack_shows_one_of_its_own_cards(stack: int) -> None:
    game = opening()
    for _ in range(5 - stack):
        game.undo()
    assert texts(game) == {f"table reveal {stack} {name}" for name in DECKS[stack]}


# --- Placing and the special action -----------------------------------------------------------------------------------


@every_card
def test_a_card_places_up_to_the_number_of_its_stack(card: str) -> None:
    game = turn_of(card)
    stack = CARDS[card].stack
    for placed in range(stack):
        assert texts(game) == {
            "red place pais-vasco", "red place castilla-la-vieja", "red place castillo", "red special", "red end",
        }  # fmt: skip
        assert game.questions[0].message.fields["number"] == stack - placed
        game.play("red place castillo")
    assert texts(game) == {"red special", "red end"}
    assert (at(game, "castillo", "red"), at(game, "court", "red")) == (stack, 7 - stack)


def test_no_more_are_placed_than_are_in_the_court() -> None:
    game = turn_of("king", court={"red": 2})
    assert game.questions[0].message.fields["number"] == 2
    play(game, "red place castillo", "red place castillo")
    assert texts(game) == {"red special", "red end"}


@every_card
def test_both_placing_and_the_special_action_may_be_refused(card: str) -> None:
    game = turn_of(card)
    before = game.snapshot()
    game.play("red end")
    assert game.snapshot() == before
    assert game.scorings == ()
    assert game.to_act == ("yellow",)


@every_card
def test_placing_is_over_when_the_special_action_begins_after_it(card: str) -> None:
    game = carry_out(play(turn_of(card), "red place castillo", "red special"))
    assert texts(game) == {"red end"}
    assert str(game.questions[0].message) == "red has done everything: end the turn"


@every_card
def test_placing_may_come_after_the_special_action(card: str) -> None:
    game = carry_out(play(turn_of(card), "red special"))
    assert verbs(game) == {"place", "end"}
    for _ in range(CARDS[card].stack):
        game.play("red place castillo")
    assert texts(game) == {"red end"}


@pytest.mark.parametrize("card", [card for card in CARDS if card not in AT_ONCE])
def test_nothing_else_is_done_while_the_special_action_runs(card: str) -> None:
    game = play(turn_of(card), "red special")
    assert not verbs(game) & {"place", "special", "end", "recruit", "card"} - (
        {"recruit"} if card == "court-2" else set()
    )


@every_card
def test_a_special_action_begins_once_a_turn(card: str) -> None:
    game = carry_out(play(turn_of(card), "red special"))
    with pytest.raises(IllegalMove):
        game.play("red special")


@every_card
def test_which_special_actions_need_no_further_step(card: str) -> None:
    game = play(turn_of(card), "red special")
    assert game.questions[0].kind == ("act" if card in AT_ONCE else "step")


@every_card
def test_a_question_is_put_to_the_seats_that_must_act(card: str) -> None:
    game = turn_of(card)
    assert [(question.seat, question.kind) for question in game.questions] == [("red", "act")]
    game.play("red special")
    assert tuple(question.seat for question in game.questions) == game.to_act
    assert {move.seat for move in game.legal_moves()} == set(game.to_act)
    for question in game.questions:
        assert str(question.message).startswith(question.seat)


# --- No legal step ----------------------------------------------------------------------------------------------------

ALL_AT_THE_KINGS = {"galicia": dict.fromkeys(FOUR, 3), "castillo": dict.fromkeys(FOUR, 2)}
ONLY_RED = {"aragon": {"red": 3}, **ALL_AT_THE_KINGS}
ONLY_OTHERS = {"aragon": {"blue": 3, "green": 1}, **ALL_AT_THE_KINGS}
NO_COURTS = dict.fromkeys(FOUR, 0)

WITHOUT_A_STEP: list[tuple[str, dict[str, Any]]] = [
    ("move-3", {"board": ALL_AT_THE_KINGS}),
    ("move-4", {"board": ALL_AT_THE_KINGS}),
    ("move-4-own", {"board": ONLY_OTHERS}),
    ("move-3-others", {"board": ONLY_RED}),
    ("move-2-own-2-others", {"board": ALL_AT_THE_KINGS}),
    ("move-5-from-one", {"board": ALL_AT_THE_KINGS}),
    ("move-own-from-one", {"board": ONLY_OTHERS}),
    ("extra-2", {"court": NO_COURTS}),
    ("own-from-one-or-extra-2", {"board": ONLY_OTHERS, "court": NO_COURTS}),
    ("all-courts-home", {"court": NO_COURTS}),
    ("three-courts-home", {"court": NO_COURTS}),
    ("one-each-home", {"board": ONLY_RED}),
    ("king-is-angry", {"board": ONLY_RED, "court": NO_COURTS}),
    ("secret-all-home", {"board": ONLY_RED}),
    ("secret-two-home", {"board": ONLY_RED}),
    ("score-fewest", {"board": {"castillo": {"red": 3}}}),
    ("court-2", {"board": {"castillo": {"red": 2}, "galicia": {"red": 1}}, "court": {"red": 27}}),
    ("grande", {"grandes": {"red": "galicia"}}),
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("card", "pieces"), WITHOUT_A_STEP, ids=[card for card, _ in WITHOUT_A_STEP])
def test_a_special_action_without_a_legal_step_may_begin_and_is_over_at_once(
    card: str, pieces: dict[str, Any], edition: str
) -> None:
    game = turn_of(card, edition=edition, **pieces)
    before = game.snapshot()
    assert "red special" in texts(game)
    game.play("red special")
    assert game.snapshot() == before
    assert game.scorings == ()
    assert game.questions[0].kind == "act"
    assert "red special" not in texts(game)


# --- The King's region is taboo ---------------------------------------------------------------------------------------

EVERYWHERE = {place: dict.fromkeys(FOUR, 2) for place in ("aragon", "cataluna", "sevilla", "galicia", "granada")}


def in_region(snapshot: Snapshot, region: str) -> tuple[object, ...]:
    """All that stands in a region: caballeros, Grandes, tiles."""
    seats = snapshot["seats"].items()
    return (
        {seat: data["regions"][region] for seat, data in seats},
        {seat for seat, data in seats if data["grande"] == region},
        {tile for tile, place in snapshot["tiles"].items() if place == region},
    )


def after_every_first_step(game: Game) -> Iterator[Game]:
    """The game after its special action, once for each step that it can begin with."""
    game.play("red special")
    for move in game.legal_moves():
        other = game.copy()
        other.play(move)
        yield carry_out(other)


@pytest.mark.parametrize("king", ["galicia", "castilla-la-nueva"])
@pytest.mark.parametrize("edition", ["bigbox-de", "classic-fr"])
@pytest.mark.parametrize("card", [card for card in CARDS if card not in ("king", "advisor")])
def test_no_card_brings_anything_into_the_kings_region_or_out_of_it(card: str, edition: str, king: str) -> None:
    game = turn_of(card, edition=edition)
    board = {**EVERYWHERE, king: {"red": 2, "blue": 3, "green": 1}}
    put(game, king=king, board=board, grandes={"blue": king}, tiles={"8": king}, court={"red": 16})
    before = in_region(game.snapshot(), king)
    assert before == ({"red": 2, "blue": 3, "green": 1, "yellow": 0}, {"blue"}, {"8"})
    for later in after_every_first_step(game):
        assert in_region(later.snapshot(), king) == before
        assert later.snapshot()["king"] == king


@pytest.mark.parametrize("card", ["king", "advisor"])
def test_the_king_moves_alone(card: str) -> None:
    game = turn_of(card, board=EVERYWHERE, grandes={"red": "galicia"}, tiles={"8": "galicia"})
    before = game.snapshot()
    for later in after_every_first_step(game):
        after = later.snapshot()
        assert after["king"] != "galicia"
        assert {**after, "king": "galicia"} == before
