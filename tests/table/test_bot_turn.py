"""Bots at the table: they think about the game as it is now, wait a moment, and may take and leave any seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game, Message, Move
from companion.storage.database import open_database
from companion.storage.journal import Journal, Kept
from companion.table.bot_process import Thought
from companion.table.options import PACES, Options
from companion.table.replies import Outcome
from companion.table.session import reasons_in
from hardware.ports import Pattern
from tests.support.arrange import opening, play, turn_of
from tests.support.table_rig import TableRig, journalled, table_rig

THREE = ("red", "blue", "green")
BLUE_BOT = Options(players={"blue": "easy"}, pace="fast")


def test_a_bot_is_asked_when_it_is_to_act_and_moves_after_a_short_pause(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), BLUE_BOT) as rig:
        assert rig.bots.questions == []
        rig.say("red", "power 9")
        rig.table.poll()
        (question,) = rig.bots.questions
        assert question[:2] == ("blue", "easy")
        assert question[3] == rig.session.version
        rig.table.post(Thought("blue", Move.parse("blue power 3"), None, question[3]))
        rig.pass_s(0.4)
        assert rig.game.to_act == ("blue",)
        assert rig.table.poll() == pytest.approx(0.1)
        rig.pass_s(0.1)
        assert str(rig.game.moves[-1]) == "blue power 3"
        assert rig.session.made_by[-1] == "bot"
    assert journalled(tmp_path)[-1] == ("move", "blue power 3")


def test_the_next_bot_is_asked_without_anybody_doing_anything(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy", "green": "hard"}, pace="fast")
    with table_rig(tmp_path, opening(THREE), options) as rig:
        rig.say("red", "power 9")
        rig.table.poll()
        rig.table.post(Thought("blue", Move.parse("blue power 3"), None, rig.session.version))
        rig.now_s += 1
        assert rig.table.poll() == 0  # called again at once, it goes on
        rig.table.poll()
        assert rig.bots.questions[-1][:2] == ("green", "hard")


def test_a_thought_about_an_older_version_is_dropped(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), BLUE_BOT) as rig:
        rig.say("red", "power 9")
        rig.table.poll()
        version = rig.bots.questions[-1][3]
        rig.press("undo")
        rig.say("red", "power 3")
        rig.table.poll()
        rig.table.post(Thought("blue", Move.parse("blue power 9"), None, version))
        rig.pass_s(5)
        assert rig.game.to_act == ("blue",)
        rig.think("blue power 8")
        assert str(rig.game.moves[-1]) == "blue power 8"


def test_a_seat_goes_to_a_bot_and_back_in_the_middle(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", THREE), Options(pace="fast")) as rig:
        rig.change_player("red", "normal")
        assert "red" not in rig.moment.prompts
        assert rig.lit(Pattern.BREATHE) == set()
        rig.press("castillo")
        assert rig.notices == ["It's red's turn."]
        rig.pass_s(1)
        assert rig.bots.questions[-1][:2] == ("red", "normal")
        version = rig.bots.questions[-1][3]
        rig.change_player("red", "person")
        rig.table.post(Thought("red", Move.parse("red special"), None, version))
        rig.pass_s(5)
        assert rig.game.moves[-1].verb == "card"
        rig.press("castillo")
        assert str(rig.game.moves[-1]) == "red place castillo"
    assert [line for _, line in journalled(tmp_path) if "player" in line] == [
        '{"player": ["red", "normal"]}', '{"player": ["red", "person"]}'
    ]  # fmt: skip


@pytest.mark.parametrize(("seat", "player"), [("red", "genius"), ("white", "easy"), ("red", '"'), ("red", "")])
def test_only_a_player_that_there_is_takes_a_seat(seat: str, player: str, tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE)) as rig:
        before = rig.session.version
        rig.change_player(seat, player)
        assert rig.session.version == before
        assert rig.notices
        assert rig.replies[-1].outcome is Outcome.REFUSED


def test_who_answers_a_question_is_not_disturbed_by_another_seat_that_changes_hands(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE)) as rig:
        version = rig.moment.version
        rig.change_player("blue", "easy")
        rig.say("red", "power 9", version=version)
        assert str(rig.game.moves[-1]) == "red power 9"


def test_half_a_move_goes_with_the_person_who_was_making_it(tmp_path: Path) -> None:
    board = {"aragon": {"red": 2, "blue": 1}}
    game = play(turn_of("move-3", THREE, board=board), "red special")
    with table_rig(tmp_path, game) as rig:
        rig.press("aragon")
        rig.change_player("red", "easy")
        assert rig.lit(Pattern.PULSE) == set()


def test_a_bot_plays_nothing_for_a_person_and_says_nothing(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), BLUE_BOT) as rig:
        rig.say("red", "power 9")
        rig.say("blue", "power 3")
        assert rig.game.to_act == ("blue",)


def test_bots_dial_beside_people_whoever_is_first(tmp_path: Path) -> None:
    board = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    game = play(turn_of("secret-all-home", THREE, board=board), "red special")
    with table_rig(tmp_path, game, BLUE_BOT) as rig:
        version = rig.moment.version
        rig.think("blue dial aragon")
        rig.say("green", "dial sevilla", version=version)
        assert [move.seat for move in rig.game.moves if move.verb == "dial"] == ["blue", "green"]
    with table_rig(tmp_path, Game(THREE), Options(players=dict.fromkeys(THREE, "easy"))) as rig:
        assert rig.moment.prompts == {}


# --- Pace and reasons ------------------------------------------------------------------------------------------------


def kept(folder: Path) -> Kept:
    """The game as it is on disk."""
    with open_database(folder / "table.db") as database:
        saved = Journal(database).unfinished()
        assert saved is not None
        return saved


def decided(rig: TableRig, line: str, why: Message | None = None) -> None:
    """Lets the bot that was asked last decide."""
    rig.table.poll()
    move = Move.parse(line)
    assert rig.bots.questions[-1][0] == move.seat
    rig.table.post(Thought(move.seat, move, why, rig.session.version))
    rig.table.poll()


@pytest.mark.parametrize("pace", ["slow", "normal", "fast"])
def test_people_choose_how_long_a_bot_waits_before_each_move(tmp_path: Path, pace: str) -> None:
    with table_rig(tmp_path, opening(THREE), BLUE_BOT) as rig:
        rig.say("red", f"pace {pace}", "power 9")
        decided(rig, "blue power 3")
        rig.pass_s(PACES[pace] - 0.1)
        assert rig.game.to_act == ("blue",)
        rig.pass_s(0.2)
        assert rig.game.to_act == ("green",)
    assert BLUE_BOT.after(kept(tmp_path).notes).pace == pace


def test_an_unknown_pace_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), BLUE_BOT) as rig:
        rig.say("red", "pace furious")
        assert "slow, normal, fast, step" in rig.notices[0]
        assert rig.session.options.pace == "fast"


def test_step_by_step_a_bot_waits_for_next_and_several_moves_of_a_kind_are_one_step(tmp_path: Path) -> None:
    options = Options(players={"red": "easy"}, pace="step", guided=False)
    with table_rig(tmp_path, turn_of("score-4s", THREE), options) as rig:
        decided(rig, "red place castillo")
        rig.pass_s(60)
        assert rig.game.moves[-1].verb == "card"
        assert [offer.line for offer in rig.public.offers] == ["next"]
        rig.say("blue", "next")
        assert rig.game.moves[-1].verb == "place"
        assert rig.public.offers == ()
        decided(rig, "red place castillo")
        rig.pass_s(1)
        assert [move.verb for move in rig.game.moves[-2:]] == ["place", "place"]
        decided(rig, "red special")
        rig.pass_s(60)
        assert rig.game.moves[-1].verb == "place"
        rig.press("confirm")
        assert "special" in [move.verb for move in rig.game.moves[-2:]]


def test_next_counts_for_one_step_only(tmp_path: Path) -> None:
    options = Options(players={"red": "easy", "blue": "easy"}, pace="step", guided=False)
    with table_rig(tmp_path, opening(THREE), options) as rig:
        decided(rig, "red power 9")
        rig.pass_s(1)
        rig.say("green", "next")
        decided(rig, "blue power 3")
        rig.pass_s(60)
        assert rig.game.to_act == ("blue",)


def test_a_bots_reason_is_shown_and_kept_in_the_journal(tmp_path: Path) -> None:
    why = Message("to win {place}", {"place": "granada"})
    with table_rig(tmp_path, opening(THREE), BLUE_BOT) as rig:
        rig.say("red", "power 9")
        decided(rig, "blue power 3", why)
        rig.pass_s(1)
        assert rig.public.reasons == {rig.public.numbers[-1]: why}
        rig.say("green", "power 4")
        assert len(rig.public.reasons) == 1
    saved = kept(tmp_path)
    ((number, reason),) = reasons_in(saved.notes).items()
    assert reason == why
    assert str(saved.game.moves[saved.numbers.index(number)]) == "blue power 3"


def test_a_bot_that_gives_no_reason_is_told_apart_from_a_move_that_nobody_decided(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), BLUE_BOT) as rig:
        rig.say("red", "power 9")
        decided(rig, "blue power 3")
        rig.pass_s(1)
        assert rig.public.reasons == {rig.public.numbers[-1]: None}


def test_step_by_step_a_scoring_waits_for_next_at_every_place(tmp_path: Path) -> None:
    board = {"galicia": {"red": 2}, "cataluna": {"blue": 1}, "sevilla": {"green": 1}}
    with table_rig(tmp_path, turn_of("score-4s", THREE, board=board), Options(pace="step", guided=False)) as rig:
        rig.say("red", "special")
        rig.pass_s(2)
        seen = []
        while rig.public.scoring is not None:
            seen.append(rig.public.scoring)
            rig.pass_s(60)
            assert rig.public.scoring == seen[-1]
            assert "next" in [offer.line for offer in rig.public.offers]
            rig.say("blue", "next")
        assert seen == ["galicia", "cataluna", "sevilla"]
        assert rig.public.scorings_shown == 3


def test_at_any_other_pace_next_ends_the_scoring_show(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", THREE), Options(pace="slow", guided=False)) as rig:
        rig.say("red", "special")
        assert rig.public.scorings_shown == 0
        rig.say("blue", "next")
        assert rig.public.scorings_shown == 3


def test_a_bot_waits_until_people_have_seen_a_scoring(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy"}, pace="normal", guided=False)
    board = {"aragon": {"red": 2}, "granada": {"blue": 1}}
    with table_rig(tmp_path, turn_of("score-one", THREE[:2], board=board), options) as rig:
        rig.say("red", "special", "score aragon")
        rig.insist("red", "end")
        decided(rig, "blue recruit 0")
        assert rig.public.scoring is None
        rig.pass_s(1.6)
        assert rig.public.scoring == "aragon"
        assert rig.game.to_act == ("blue",)
        rig.pass_s(2)
        assert rig.public.scoring is None
        assert rig.game.moves[-1].text == "blue recruit 0"
