"""Secrets at the table: a dial is its seat's alone until all are turned, a card taken back for good."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.engine import REGIONS, Game, Message, Several
from companion.table.moment import Moment, Prompt
from companion.table.options import Options
from tests.support.arrange import play, turn_of
from tests.support.random_games import Player
from tests.support.table_rig import TableRig, table_rig

THREE = ("red", "blue", "green")
TWO_EACH = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}


def dialling(**pieces: object) -> Game:
    game = turn_of("secret-all-home", THREE, **{"board": TWO_EACH} | pieces)  # type: ignore[arg-type]
    return play(game, "red special")


def test_presses_never_set_a_dial(tmp_path: Path) -> None:
    for game in (dialling(), turn_of("secret-score", ("red", "blue")), general_dials()):
        if game.legal_moves()[0].verb != "dial":
            game.play("red special")
        with table_rig(tmp_path, game) as rig:
            before = rig.session.version
            for place in REGIONS:
                rig.press(place)
                assert rig.notices == [f"Dials still to be set: {Several(rig.game.to_act)}."]
            assert rig.session.version == before
            # And not the last one either, when only one seat is left.
            *first, last = rig.game.to_act
            for seat in first:
                rig.say(seat, rig.choices(seat)[0])
            rig.press("aragon")
            assert rig.game.to_act == (last,)


def test_who_has_to_dial_and_taps_a_map_is_told_to_dial_first(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        rig.say("blue", "touch granada")
        assert str(rig.prompt("blue").notice) == "Set your dial first."
        rig.say("blue", "dial aragon")
        for seat in ("red", "blue"):
            rig.say(seat, "touch granada")
            assert str(rig.prompt(seat).notice) == "Dials still to be set: green."


def general_dials() -> Game:
    rng = Random(3)
    game, player = Game(THREE), Player(rng)
    while game.legal_moves()[0].verb != "dial":
        game.play(player.choose(game.legal_moves()))
    return game


def test_two_who_dial_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        version = rig.moment.version
        rig.say("blue", "dial aragon", version=version)
        rig.say("blue", "dial aragon", version=version)
        assert "has already set the dial" in str(rig.prompt("blue").notice)
        rig.say("green", "dial sevilla", version=version)
        assert [str(move) for move in rig.game.moves if move.verb == "dial"] == [
            "blue dial aragon", "green dial sevilla"
        ]  # fmt: skip
        rig.say("green", "dial sevilla", version=version)
        assert str(rig.prompt("green").notice) == "The game has moved on."


def test_why_a_dial_was_refused_is_told_to_its_seat_alone(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        for line in ("dial granada", "dail sevilla", "dial sevilla now"):
            rig.say("blue", line)
            told = rig.prompt("blue").notice
            assert told is not None
            assert rig.notices == []
            assert rig.prompt("red").notice is None
        rig.say("blue", "dial sevilla")
        assert rig.prompt("blue").notice is None


def test_a_dial_that_the_table_sets_is_told_to_nobody(tmp_path: Path) -> None:
    game = turn_of("secret-all-home", THREE, board={"aragon": {"blue": 1}, "sevilla": {"green": 1, "blue": 1}})
    with table_rig(tmp_path, game) as rig:
        rig.say("red", "special")
        assert str(rig.game.moves[-1]) == "green dial sevilla"
        assert rig.session.made_by[-1] == "table"
        assert rig.notices == []
        assert rig.game.to_act == ("blue",)


def test_which_card_was_taken_back_is_told_to_nobody_also_under_a_veto(tmp_path: Path) -> None:
    game = turn_of("power-back", THREE, vetoes=["blue"], hands={"red": [1, 2, 3, 12]})
    play(game, "red special", "blue allow")
    with table_rig(tmp_path, game) as rig:
        rig.say("red", "retake 12")
        assert rig.notices == []
        assert "12" in str(rig.prompt("red").notice)
        rig.say("red", "retake 11")
        assert rig.game.to_act == ("blue",)
        rig.say("blue", "allow")
        assert rig.game.to_act == ("red",)
        for board in rig.display.moments[-2:]:
            assert "11" not in " ".join(str(line) for line in shown(board, "blue"))


# --- Whole games -----------------------------------------------------------------------------------------------------


def shown_to_others(rig: TableRig, seat: str) -> tuple[object, ...]:
    """All that anybody but a seat sees, but for who is waited for: that somebody has dialled is no secret."""
    others = {other: prompt for other, prompt in rig.moment.prompts.items() if other != seat}
    return others, rig.public.guide, rig.scene


@pytest.mark.parametrize("seed", range(4))
def test_no_secret_of_a_whole_game_reaches_anybody_else(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    player, dials = Player(rng), 0
    with table_rig(tmp_path, Game(THREE, rounds=6), Options(veto_s=0)) as rig:
        while not rig.game.over:
            move = player.choose(rig.game.legal_moves())
            rig.pass_s(60)
            before, notices = shown_to_others(rig, move.seat), rig.notices
            rig.say(move.seat, " ".join((move.verb, *move.args)))
            if move.verb == "dial" and rig.game.moves[-1].verb == "dial" and rig.game.dialling:
                dials += 1
                assert shown_to_others(rig, move.seat) == before
                assert set(rig.notices) <= set(notices)
    assert dials >= 6
    everything = [line for board in rig.display.moments for seat in THREE for line in shown(board, seat)]
    assert not [line for line in everything if line.text.startswith("{seat} dials")]
    assert not [line for line in everything if line.text.startswith("{seat} takes power card")]


def shown(moment: Moment, seat: str) -> list[Message]:
    """What everybody is shown, and what a seat is asked."""
    prompt = moment.prompts.get(seat, Prompt(seat))
    return [*moment.public.notices, *moment.public.guide, *([prompt.asked] if prompt.asked else [])]
