"""The bots play by the rules, with intent, and by what they may see."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

import pytest
from hypothesis import given

from companion.bots import LEVELS, HardBot, NormalBot, UnknownLevel, make_bot
from companion.bots.valuation import Valuation, expected
from companion.engine import EDITIONS, HOUSE_RULES, SEATS, TABLE, Game, Move, deal
from companion.translations import Translator
from tests.engine.test_views import twin
from tests.support.arrange import opening, play, put, turn_of
from tests.support.random_games import LONGER, SEEDS, decisions, finished, games


def decide(game: Game, seat: str, seed: int = 0) -> str:
    """What the normal bot does in a position; it is asked past its view, which knows nothing of pieces put by hand."""
    return str(NormalBot().judge(game, game.legal_moves(seat), Random(seed)))


def play_game(levels: list[str], edition: str, rng: Random, rounds: int, iterations: int) -> Game:
    """A game of bots in which every proposal is looked at."""
    seats = rng.sample(SEATS, len(levels))
    game = Game(seats, edition, rounds, [rule for rule in HOUSE_RULES if rng.random() < 0.3])
    seed = rng.randrange(10**6)
    bots = {seat: make_bot(level, seed, iterations=iterations) for seat, level in zip(seats, levels, strict=True)}
    while not game.over:
        seat = game.to_act[0]
        if seat == TABLE:
            deal(game, rng)
            continue
        legal = game.legal_moves(seat)
        decision = bots[seat].decide(game.view(seat), legal)
        move, why = decision.move, decision.because
        assert move in legal
        if why is not None:
            assert move.verb not in ("dial", "retake", "veto", "allow")
            assert "{" not in Translator().say(why)
        game.play(move)
    return game


@pytest.mark.games
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_bot_proposes_an_illegal_move_in_whole_games(edition: str, seats: int) -> None:
    # All in all 100, and 500 in `make soak`.
    for number in range(5 if LONGER == 1 else 25):
        rng = Random(f"{edition}/{seats}/{number}")
        levels = [rng.choice(("random", "easy", "normal")) for _ in range(seats)]
        assert play_game(levels, edition, rng, rng.choice((9, 6)), 0).over


ALL_HARD = [(edition, seats) for edition in EDITIONS for seats in (2, 3, 4, 5)]
HARD = ALL_HARD if LONGER > 1 else list(zip(EDITIONS, (2, 3, 4, 5, 3), strict=True))
"""Each edition once, and all 20 in `make soak`."""


@pytest.mark.games
@pytest.mark.parametrize(
    ("edition", "seats"), HARD if LONGER > 1 else list(zip(EDITIONS, (2, 3, 4, 5, 3), strict=True))
)
def test_the_hard_bot_proposes_no_illegal_move_in_games_at_50_iterations(edition: str, seats: int) -> None:
    rng = Random(f"hard/{edition}/{seats}")
    others = [rng.choice(("random", "easy", "normal")) for _ in range(seats - 1)]
    assert play_game(["hard", *others], edition, rng, 9 if seats == 2 else 6, 50).over


@pytest.mark.games
@games(25)
@given(SEEDS)
def test_what_a_bot_may_not_see_does_not_change_its_choice(seed: int) -> None:
    rng = Random(seed)
    for number, (game, _) in enumerate(decisions(seed)):
        if number % 41 and not (number % 5 == 0 and len(game.to_act) > 1):
            continue
        for seat in game.to_act:
            if seat == TABLE or len(game.legal_moves(seat)) < 2:
                continue
            other = twin(game, seat, rng)
            for level in LEVELS:
                chosen = make_bot(level, 4, iterations=2).decide(game.view(seat), game.legal_moves(seat))
                again = make_bot(level, 4, iterations=2).decide(other.view(seat), other.legal_moves(seat))
                assert chosen == again


def test_a_bot_made_anew_makes_the_same_choice() -> None:
    game = turn_of("move-4")
    for level in LEVELS:
        first, second = (
            make_bot(level, 9, iterations=5).decide(game.view("red"), game.legal_moves()) for _ in range(2)
        )
        assert first == second


def test_an_unknown_level_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownLevel, match="there is no bot called 'genius'; the bots are random, easy, normal, hard"):
        make_bot("genius")


# --- The budget ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "most_tries"), [(0.05, 3), (0.0, 0), (0.5, 26)])
def test_the_hard_bot_stops_when_its_time_is_up(
    seconds: float, most_tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count(0.0, 0.02)  # every look at the clock costs 20 ms
    bot = HardBot(seconds=seconds, clock=lambda: next(clock))
    tries: list[Move] = []
    outcome = bot.outcome

    def counted(world: Game, move: Move, rng: Random) -> float:
        tries.append(move)
        return outcome(world, move, rng)

    monkeypatch.setattr(bot, "outcome", counted)
    game = opening()
    legal = game.legal_moves()
    assert bot.decide(game.view("red"), legal).move in legal
    assert len(tries) <= most_tries
    assert bool(tries) == bool(most_tries)


def test_without_time_to_compare_the_hard_bot_chooses_as_the_normal_one() -> None:
    game = turn_of("move-4")
    hard = HardBot(seconds=0.0).decide(game.view("red"), game.legal_moves())
    assert hard == NormalBot().decide(game.view("red"), game.legal_moves())


# --- Intent ----------------------------------------------------------------------------------------------------------


def test_it_places_where_one_more_takes_the_lead() -> None:
    board = {"castilla-la-vieja": {"red": 2, "blue": 2}, "pais-vasco": {"red": 5}}
    crowded = {"castillo": {"blue": 6, "green": 5, "yellow": 4}}
    game = put(turn_of("all-courts-home"), board={**board, **crowded}, court={"red": 1})
    assert decide(game, "red") == "red place castilla-la-vieja"


def test_it_moves_the_others_out_of_where_it_can_lead() -> None:
    board = {"castilla-la-nueva": {"red": 3, "blue": 3}, "sevilla": {"blue": 6}}
    game = play(put(turn_of("move-3-others"), board=board), "red special")
    assert decide(game, "red").startswith("red move blue castilla-la-nueva ")


def test_it_stops_moving_when_every_step_would_hurt() -> None:
    # Wherever the others go from here, they have more of it.
    game = put(turn_of("move-3-others"), board={"sevilla": {"red": 6, "green": 5, "yellow": 4, "blue": 1}})
    assert decide(play(game, "red special"), "red") == "red done"


def test_it_has_a_region_scored_that_pays_itself_and_not_the_others() -> None:
    board = {"castilla-la-nueva": {"red": 3, "blue": 1}, "castilla-la-vieja": {"blue": 3}}
    game = play(put(turn_of("score-one"), board=board), "red special")
    assert decide(game, "red") == "red score castilla-la-nueva"


def test_it_lays_the_good_tile_where_it_leads() -> None:
    board = {"cataluna": {"red": 6, "blue": 1}, "granada": {"blue": 4}, "castilla-la-nueva": {"green": 4}}
    game = play(put(turn_of("tile"), board=board), "red special")
    assert decide(game, "red") == "red tile 8 cataluna"


def test_it_brings_the_king_to_where_it_leads() -> None:
    board = {"granada": {"red": 4, "blue": 1}, "sevilla": {"blue": 4, "red": 1}}
    game = play(put(turn_of("advisor"), king="castilla-la-nueva", board=board, court={"red": 0}), "red special")
    assert decide(game, "red") == "red king granada"


def test_it_makes_its_home_where_it_leads() -> None:
    game = play(put(turn_of("grande"), board={"sevilla": {"red": 6}, "granada": {"blue": 2}}), "red special")
    assert decide(game, "red") == "red grande sevilla"


def test_it_takes_the_highest_card_back() -> None:
    game = play(turn_of("power-back"), "red special")
    put(game, hands={"red": [1, 2, 3, 4, 5, 7, 8]})
    assert decide(game, "red") == "red retake 13"


def test_it_gives_back_what_is_worth_least() -> None:
    board = {"castilla-la-nueva": {"blue": 2, "green": 1}, "granada": {"blue": 1, "green": 6, "yellow": 6, "red": 6}}
    game = play(put(turn_of("king-is-angry"), board=board, court={"blue": 0}), "red special")
    assert decide(game, "blue") == "blue return granada"


def test_it_recruits_all_it_can() -> None:
    game = play(opening(), "red power 13", "blue power 1", "green power 2", "yellow power 3")
    play(game, "red recruit 0", "red card 5", "red end")
    assert decide(game, "yellow") == "yellow recruit 5"


def test_it_recalls_where_a_caballero_does_nothing_and_stops_where_it_does() -> None:
    game = play(opening(), "red power 1", "blue power 13", "green power 2", "yellow power 3")
    board = {"granada": {"red": 1, "blue": 9, "green": 8, "yellow": 7}, "castilla-la-nueva": {"red": 3, "blue": 2}}
    put(game, board={**board, "castillo": {"red": 25}}, court={"red": 1})
    play(game, "blue recruit 0", "blue card 5", "blue end", "yellow recruit 0", "yellow card 4", "yellow end")
    play(game, "green recruit 0", "green card 3", "green end", "red recruit 0")
    assert decide(game, "red") == "red recall granada"
    put(game, board={"castilla-la-nueva": {"red": 3, "blue": 2}, "castillo": {"red": 19}}, court={"red": 8})
    assert decide(game, "red") == "red done"


def test_it_vetoes_what_hurts_and_lets_pass_what_does_not() -> None:
    board = {"castilla-la-nueva": {"red": 3}, "castilla-la-vieja": {"red": 3}, "sevilla": {"blue": 3}}
    game = play(put(turn_of("score-6s-7s"), board=board, vetoes=["blue"]), "red special")
    assert decide(game, "blue") == "blue veto"
    game = play(put(turn_of("score-4s"), board=board, vetoes=["blue"]), "red special")
    assert decide(game, "blue") == "blue allow"


def test_it_keeps_a_high_power_card_when_nothing_is_to_be_won_by_it() -> None:
    game = play(opening(cards=["power-back"]), "red power 1", "blue power 2", "green power 3")
    put(game, hands={"yellow": [5, 13]}, court={"yellow": 0})
    assert decide(game, "yellow") == "yellow power 5"  # either comes first


def test_its_dials_are_mixed() -> None:
    game = turn_of("secret-score", board={"granada": {"red": 2}, "sevilla": {"red": 2}, "cataluna": {"red": 2}})
    play(game, "red special")
    chosen = Counter(decide(game, "red", seed=seed) for seed in range(60))
    assert len(chosen) >= 3
    assert max(chosen.values()) < 50


def test_it_dials_away_from_where_it_is_strong_when_caballeros_must_go_home() -> None:
    board = {"castilla-la-nueva": {"blue": 4, "green": 3}, "granada": {"blue": 1, "green": 8, "red": 7, "yellow": 6}}
    game = play(put(turn_of("secret-all-home"), board=board), "red special")
    chosen = Counter(decide(game, "blue", seed=seed) for seed in range(20))
    assert chosen.most_common(1)[0][0] == "blue dial granada"


def test_a_finished_game_is_worth_its_points() -> None:
    for seed in range(3):
        game = finished(seed)
        scores = list(game.scores.values())
        margin = scores[0] - (sum(scores) - scores[0]) / (len(scores) - 1)
        assert Valuation(game.state, 0).total(game.state) == pytest.approx(margin)


def test_expected_points_are_the_points_when_nothing_is_blurred() -> None:
    assert expected((5, 3, 1), (4, 2, 1, 0), 0.05, 0, (0, 0, 0, 0)) == pytest.approx((5, 3, 1, 0), abs=0.01)
    assert expected((5, 3, 1), (4, 4, 4, 3), 0.05, 0, (2, 2, 2, 2))[3] == pytest.approx(0, abs=0.01)
    assert expected((5, 3, 1), (4, 1, 0, 0), 0.05, 1, (2, 2, 0, 0))[0] == pytest.approx(7, abs=0.01)


# --- What it says ----------------------------------------------------------------------------------------------------
