"""Secrets at the table: a dial is its seat's alone until all are turned, a card taken back for good."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.engine import REGIONS, Game, Message
from companion.table import turns
from companion.table.options import Options
from companion.table.prompts import Board, Prompt
from tests.support.arrange import play, turn_of
from tests.support.random_games import Player
from tests.support.table_rig import Bench, at_a_bench

THREE = ("red", "blue", "green")
TWO_EACH = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}


def dialling(**pieces: object) -> Game:
    game = turn_of("secret-all-home", THREE, **{"board": TWO_EACH} | pieces)  # type: ignore[arg-type]
    return play(game, "red special")


def test_presses_never_set_a_dial(tmp_path: Path) -> None:
    for game in (dialling(), turn_of("secret-score", ("red", "blue")), general_dials()):
        if game.legal_moves()[0].verb != "dial":
            game.play("red special")
        with at_a_bench(tmp_path, game) as bench:
            before = bench.table.version
            for place in REGIONS:
                bench.press(place)
                assert bench.notices == ["No place is asked for now."]
            assert bench.table.version == before
            # And not the last one either, when only one seat is left.
            *first, last = bench.game.to_act
            for seat in first:
                bench.say(seat, bench.choices(seat)[0])
            bench.press("aragon")
            assert bench.game.to_act == (last,)


def general_dials() -> Game:
    rng = Random(3)
    game, player = Game(THREE), Player(rng)
    while game.legal_moves()[0].verb != "dial":
        game.play(player.choose(game.legal_moves()))
    return game


def test_two_who_dial_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, dialling()) as bench:
        version = bench.board.version
        bench.say("blue", "dial aragon", version=version)
        bench.say("blue", "dial aragon", version=version)
        assert "has set the dial already" in str(bench.prompt("blue").told)
        bench.say("green", "dial sevilla", version=version)
        assert [str(move) for move in bench.game.moves if move.verb == "dial"] == [
            "blue dial aragon", "green dial sevilla"
        ]  # fmt: skip
        bench.say("green", "dial sevilla", version=version)
        assert str(bench.prompt("green").told) == "The game has gone on meanwhile."


def test_why_a_dial_was_refused_is_told_to_its_seat_alone(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, dialling()) as bench:
        for line in ("dial granada", "dail sevilla", "dial sevilla now"):
            bench.say("blue", line)
            told = bench.prompt("blue").told
            assert told is not None
            assert bench.notices == []
            assert bench.prompt("red").told is None
        bench.say("blue", "dial sevilla")
        assert bench.prompt("blue").told is None


def test_a_dial_that_the_table_sets_is_told_to_nobody(tmp_path: Path) -> None:
    game = turn_of("secret-all-home", THREE, board={"aragon": {"blue": 1}, "sevilla": {"green": 1, "blue": 1}})
    with at_a_bench(tmp_path, game) as bench:
        bench.say("red", "special")
        assert str(bench.game.moves[-1]) == "green dial sevilla"
        assert bench.table.made_by[-1] == "table"
        assert bench.notices == []
        assert bench.game.to_act == ("blue",)


def test_which_card_was_taken_back_is_told_to_nobody_also_under_a_veto(tmp_path: Path) -> None:
    game = turn_of("power-back", THREE, vetoes=["blue"], hands={"red": [1, 2, 3, 12]})
    play(game, "red special", "blue allow")
    with at_a_bench(tmp_path, game) as bench:
        bench.say("red", "retake 12")
        assert bench.notices == []
        assert "12" in str(bench.prompt("red").told)
        bench.say("red", "retake 11")
        assert bench.game.to_act == ("blue",)
        bench.say("blue", "allow")
        assert bench.game.to_act == ("red",)
        for board in bench.phones.boards[-2:]:
            assert "11" not in " ".join(str(line) for line in shown(board, "blue"))


# --- Whole games -----------------------------------------------------------------------------------------------------


def shown_to_others(bench: Bench, seat: str) -> tuple[object, ...]:
    """All that anybody but a seat sees, but for who is waited for: that somebody has dialled is no secret."""
    board = bench.board
    others = {other: prompt for other, prompt in board.prompts.items() if other != seat}
    return others, board.guide, bench.scene


@pytest.mark.parametrize("seed", range(4))
def test_no_secret_of_a_whole_game_reaches_anybody_else(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    player, dials = Player(rng), 0
    with at_a_bench(tmp_path, Game(THREE, rounds=6), Options(veto_s=0)) as bench:
        while not bench.game.over:
            move = player.choose(bench.game.legal_moves())
            bench.pass_s(60)
            before, notices = shown_to_others(bench, move.seat), bench.notices
            bench.say(move.seat, " ".join((move.verb, *move.args)))
            if move.verb == "dial" and bench.game.moves[-1].verb == "dial" and turns.dialling(bench.game):
                dials += 1
                assert shown_to_others(bench, move.seat) == before
                assert set(bench.notices) <= set(notices)
    assert dials >= 6
    everything = [line for board in bench.phones.boards for seat in THREE for line in shown(board, seat)]
    assert not [line for line in everything if line.text.startswith("{seat} dials")]
    assert not [line for line in everything if line.text.startswith("{seat} takes the power card")]


def shown(board: Board, seat: str) -> list[Message]:
    """What everybody is shown, and what a seat is asked."""
    prompt = board.prompts.get(seat, Prompt(seat))
    return [*board.notices, *board.guide, *([prompt.asked] if prompt.asked else [])]
