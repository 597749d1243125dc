"""Questions: everybody reads about the seat that is asked, and the seat itself is spoken to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.engine import Game, deal
from tests.support.arrange import opening, play, turn_of

THREE = ("red", "blue", "green")
BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1, "green": 2}}

# The position, what everybody reads, and what the seat itself is asked.
WORDINGS: dict[str, tuple[Callable[[], Game], str, str]] = {
    "a power card": (lambda: opening(THREE), "red plays a power card", "Play a power card"),
    "placing not begun": (
        lambda: turn_of("king", THREE),
        "red may place 5 more, or begin the special action of king",
        "Place up to 5, or use king",
    ),
    "placing begun": (
        lambda: play(turn_of("king", THREE), "red place castillo"),
        "red may place 4 more, or begin the special action of king",
        "Place up to 4 more, or use king (this ends placing)",
    ),
    "nothing to place": (
        lambda: turn_of("king", THREE, court={"red": 0}),
        "red may begin the special action of king, or end the turn",
        "Use king, or end your turn",
    ),
    "the special action used": (
        lambda: play(turn_of("king", THREE), "red special", "red king aragon"),
        "red may place 5 more, or end the turn",
        "Place up to 5 more, or end your turn",
    ),
    "moving": (
        lambda: play(turn_of("move-3", THREE, board=BOARD), "red special"),
        "red may move 3 more",
        "Move up to 3 more: tap from, then to",
    ),
    "bringing to the court": (
        lambda: play(opening(THREE), "red power 5", "blue power 1", "green power 2"),
        "red may bring up to 4 to the court",
        "Bring up to 4 caballeros to your court",
    ),
    "bringing only one to the court": (
        lambda: play(opening(THREE), "red power 10", "blue power 1", "green power 2"),
        "red may bring up to 1 to the court",
        "Bring up to 1 caballero to your court",
    ),
    "bringing the rest to the court from a region": (
        lambda: play(
            turn_of("court-2", THREE, board={"aragon": {"red": 2}, "sevilla": {"red": 27}}, court={"red": 0}),
            "red special",
            "red recruit 1",
        ),
        "red may bring home 1 more from regions",
        "Bring home up to 1 more from regions",
    ),
    "a veto": (
        lambda: play(turn_of("king", THREE, vetoes=["blue"]), "red special"),
        "blue may veto red's king",
        "Veto red's king?",
    ),
}


@pytest.mark.parametrize("case", WORDINGS)
def test_a_question_is_worded_about_the_seat_and_to_the_seat(case: str) -> None:
    make, about, to = WORDINGS[case]
    (question,) = make().questions
    assert (str(question.message), str(question.yours)) == (about, to)


@pytest.mark.parametrize("seed", range(6))
def test_no_seat_is_spoken_to_in_the_third_person(seed: int) -> None:
    """Whole games: who is asked is never a field of the question to that seat, but always of the one about it."""
    rng, game = Random(seed), Game(THREE, rounds=6)
    while not game.over:
        if game.to_act == ("table",):
            deal(game, rng)
            continue
        for question in game.questions:
            assert question.message.fields["seat"] == question.seat
            assert "seat" not in question.yours.fields
            assert question.yours.text
        game.play(rng.choice(game.legal_moves()))
