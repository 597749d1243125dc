"""Bots at the table: they think about the game as it is now, wait a moment, and may take and leave any seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game, Move
from companion.table.bot_process import Thought
from companion.table.options import Options
from hardware.ports import Pattern
from tests.support.arrange import opening, play, turn_of
from tests.support.table_rig import at_a_bench, journalled

THREE = ("red", "blue", "green")
BLUE_BOT = Options(players={"blue": "easy"}, bot_pause_s=0.5)


def test_a_bot_is_asked_when_it_is_to_act_and_moves_after_a_short_pause(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, opening(THREE), BLUE_BOT) as bench:
        assert bench.bots.questions == []
        bench.say("red", "power 9")
        bench.table.poll()
        (question,) = bench.bots.questions
        assert question[:2] == ("blue", "easy")
        assert question[3] == bench.table.version
        bench.table.post(Thought("blue", Move.parse("blue power 3"), None, question[3]))
        bench.pass_s(0.4)
        assert bench.game.to_act == ("blue",)
        assert bench.table.poll() == pytest.approx(0.1)
        bench.pass_s(0.1)
        assert str(bench.game.moves[-1]) == "blue power 3"
        assert bench.table.made_by[-1] == "bot"
    assert journalled(tmp_path)[-1] == ("move", "blue power 3")


def test_the_next_bot_is_asked_without_anybody_doing_anything(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy", "green": "hard"}, bot_pause_s=0.5)
    with at_a_bench(tmp_path, opening(THREE), options) as bench:
        bench.say("red", "power 9")
        bench.table.poll()
        bench.table.post(Thought("blue", Move.parse("blue power 3"), None, bench.table.version))
        bench.now_s += 1
        assert bench.table.poll() == 0  # called again at once, it goes on
        bench.table.poll()
        assert bench.bots.questions[-1][:2] == ("green", "hard")


def test_a_thought_about_an_older_version_is_dropped(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, opening(THREE), BLUE_BOT) as bench:
        bench.say("red", "power 9")
        bench.table.poll()
        version = bench.bots.questions[-1][3]
        bench.press("undo")
        bench.say("red", "power 3")
        bench.table.poll()
        bench.table.post(Thought("blue", Move.parse("blue power 9"), None, version))
        bench.pass_s(5)
        assert bench.game.to_act == ("blue",)
        bench.think("blue power 8")
        assert str(bench.game.moves[-1]) == "blue power 8"


def test_a_seat_goes_to_a_bot_and_back_in_the_middle(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, turn_of("score-4s", THREE), Options(bot_pause_s=0.5)) as bench:
        bench.say("blue", "player red normal")
        assert "red" not in bench.board.prompts
        assert bench.lit(Pattern.BREATHE) == set()
        bench.press("castillo")
        assert bench.notices == ["No place is asked for now."]
        bench.pass_s(1)
        assert bench.bots.questions[-1][:2] == ("red", "normal")
        version = bench.bots.questions[-1][3]
        bench.say("red", "player red person")
        bench.table.post(Thought("red", Move.parse("red special"), None, version))
        bench.pass_s(5)
        assert bench.game.moves[-1].verb == "card"
        bench.press("castillo")
        assert str(bench.game.moves[-1]) == "red place castillo"
    assert [line for kind, line in journalled(tmp_path) if kind == "note"] == [
        '{"player": ["red", "normal"]}', '{"player": ["red", "person"]}'
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["player red genius", "player white easy", 'player red "', "player red"])
def test_only_a_player_that_there_is_takes_a_seat(line: str, tmp_path: Path) -> None:
    with at_a_bench(tmp_path, opening(THREE)) as bench:
        before = bench.table.version
        bench.say("red", line)
        assert bench.table.version == before
        assert bench.notices


def test_who_answers_a_question_is_not_disturbed_by_another_seat_that_changes_hands(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, opening(THREE)) as bench:
        version = bench.board.version
        bench.say("blue", "player blue easy")
        bench.say("red", "power 9", version=version)
        assert str(bench.game.moves[-1]) == "red power 9"


def test_half_a_move_goes_with_the_person_who_was_making_it(tmp_path: Path) -> None:
    board = {"aragon": {"red": 2, "blue": 1}}
    game = play(turn_of("move-3", THREE, board=board), "red special")
    with at_a_bench(tmp_path, game) as bench:
        bench.press("aragon")
        bench.say("red", "player red easy")
        assert bench.lit(Pattern.PULSE) == set()


def test_a_bot_plays_nothing_for_a_person_and_says_nothing(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, opening(THREE), BLUE_BOT) as bench:
        bench.say("red", "power 9")
        bench.say("blue", "power 3")
        assert bench.game.to_act == ("blue",)


def test_bots_dial_beside_people_whoever_is_first(tmp_path: Path) -> None:
    board = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    game = play(turn_of("secret-all-home", THREE, board=board), "red special")
    with at_a_bench(tmp_path, game, BLUE_BOT) as bench:
        version = bench.board.version
        bench.think("blue dial aragon")
        bench.say("green", "dial sevilla", version=version)
        assert [move.seat for move in bench.game.moves if move.verb == "dial"] == ["blue", "green"]
    with at_a_bench(tmp_path, Game(THREE), Options(players=dict.fromkeys(THREE, "easy"))) as bench:
        assert bench.board.prompts == {}
