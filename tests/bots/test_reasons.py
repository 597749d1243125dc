"""Why bots play as they do: in one clause, and never with a secret in it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from companion.bots import make_bot
from companion.bots.reasons import because
from companion.engine import SEATS, TABLE, Game, Message, Move, deal, determinise
from companion.engine.views import public_log
from companion.translations import Translator
from tests.support.arrange import opening, play, turn_of
from tests.support.random_games import SEEDS, decisions, games


def said(game: Game, line: str) -> str | None:
    move = Move.parse(line)
    reason = because(game.view(move.seat), move)
    if reason is None:
        return None
    return Translator().say(Message("Red did it, {why}", {"why": reason})).removeprefix("Red did it, ")


@pytest.mark.parametrize(
    ("card", "lines", "move", "words"),
    [
        ("move-3", [], "red place castilla-la-vieja", "to win Castilla la Vieja"),
        ("score-one", ["red special"], "red score pais-vasco", "to score 7 points at once"),
        ("tile", ["red special"], "red tile 8 pais-vasco", "for a share of Castilla la Vieja"),
        ("one-each-home", ["red special"], "red remove blue aragon", "for a share of Castilla la Vieja"),
        ("veto", ["red place castillo", "red place castillo"], "red special", "to have caballeros in the castillo"),
        ("veto", [], "red end", None),
        # Where others withdraw is up to them.
        ("secret-all-home", ["red place pais-vasco", "red place pais-vasco"], "red special", None),
    ],
)
def test_a_turn_is_explained_by_what_it_leads_to(card: str, lines: list[str], move: str, words: str | None) -> None:
    assert said(play(turn_of(card), *lines), move) == words


def test_a_single_point_is_a_reason_too() -> None:
    game = play(opening(cards=["score-one"]), "red power 1", "blue power 12", "green power 13", "yellow power 2")
    play(game, "green recruit 0", "green card 1", "green place pais-vasco", "green end", "blue recruit 0")
    play(game, "blue card 2", "blue place pais-vasco", "blue special")
    assert said(game, "blue score pais-vasco") == "to score 1 point at once"


def test_a_special_action_that_was_vetoed_explains_nothing() -> None:
    game = play(opening(SEATS[:2], cards=["veto", "court-2"]), "red power 13", "blue power 12")
    play(game, "red recruit 0", "red card 2", "red special", "red end", "blue recruit 0", "blue card 4", "blue special")
    allowed, vetoed = game.copy(), game.copy()
    assert said(play(allowed, "red allow all", "blue recruit 2"), "blue end") == "to have more caballeros to place"
    assert said(play(vetoed, "red veto"), "blue end") is None


@pytest.mark.parametrize(
    ("before", "line", "words"),
    [
        ((), "red power 13", "to choose early"),
        ((), "red power 5", "hoping to choose early"),
        (("red power 13",), "blue power 2", "for the caballeros"),
    ],
)
def test_a_power_card_is_explained_by_its_number(before: tuple[str, ...], line: str, words: str) -> None:
    assert said(play(opening(), *before), line) == words


@pytest.mark.parametrize("line", ["red dial granada", "red retake 13", "red veto", "red allow", "red allow all"])
def test_nothing_is_said_of_a_secret(line: str) -> None:
    assert said(turn_of("secret-score"), line) is None


def test_what_a_seat_knows_alone_is_masked_like_that_of_the_others() -> None:
    game = play(turn_of("power-back"), "red special", "red retake 13")
    assert game.view("red")["log"][-1] == "red retake 13"
    assert public_log(game.view("red"))[-1] == "red retake ?"


@pytest.mark.games
@games(20)
@given(SEEDS)
def test_a_seats_log_without_its_secrets_is_the_public_log(seed: int) -> None:
    for game, _ in decisions(seed):
        for seat in game.seats:
            assert public_log(game.view(seat)) == game.view(None)["log"]


@pytest.mark.games
@pytest.mark.parametrize("seed", [0, 4, 5, 7, 10, 18])
def test_over_whole_games_no_reason_depends_on_what_is_secret(seed: int) -> None:
    """Whatever a bot holds back, dealt again at random, its reason stays the same."""
    rng = Random(seed)
    level = ("normal", "hard", "easy")[seed % 3]
    game = Game(SEATS[: rng.randint(2, 5)], rounds=rng.choice((6, 9)))
    bots = {seat: make_bot(level, seed, iterations=4) for seat in game.seats}
    told = secret = 0
    while not game.over:
        (seat, *_) = game.to_act
        if seat == TABLE:
            deal(game, rng)
            continue
        view = game.view(seat)
        decision = bots[seat].decide(view, game.legal_moves(seat))
        # Another game that looks the same to everybody else.
        other = determinise(game.view(None), rng).view(seat)
        assert because({**other, "viewer": seat}, decision.move) == decision.because
        told += decision.because is not None
        secret += other["log"] != view["log"]
        game.play(decision.move)
    assert told > 50
    assert secret > 0, "this game had no secret: choose another seed"
