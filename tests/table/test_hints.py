"""Hints: a bot says what it would do, from what the seat may know; the seat alone is told, and nothing is played."""

from __future__ import annotations

import json
from pathlib import Path

from companion.engine import Game, Message, Move
from companion.storage.notes import HintNote, read_note
from companion.table.bot_process import Advice, BotProcess, Thought
from companion.table.moment import plain
from companion.table.options import Options
from companion.table.replies import Outcome
from tests.support.arrange import opening, turn_of
from tests.support.table_rig import THREE, TableRig, journalled, table_rig
from tests.support.web_rig import with_pages

QUICK = Options(pace="fast", guided=False)
SECRET = "I'd choose “{choice}”"


def placing() -> Game:
    return turn_of("score-4s", THREE, king="valencia")


def advise(rig: TableRig, line: str, because: Message | None = None) -> None:
    """Answers for the bot that was asked for advice last."""
    seat, _level, _legal, version = rig.bots.advice[-1]
    rig.table.post(Advice(seat, Move.parse(line), because, version))
    rig.table.poll()


def hint(rig: TableRig, seat: str = "red") -> str | None:
    words = rig.moment.seen_by(seat).hint
    return None if words is None else str(words.words)


def test_a_normal_bot_is_asked_and_its_advice_is_shown_with_its_reason(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), QUICK) as rig:
        assert rig.moment.seen_by("red").may_ask
        rig.say("red", "hint")
        ((seat, level, legal, _version),) = rig.bots.advice
        assert (seat, level) == ("red", "normal")
        assert list(legal) == rig.game.legal_moves("red")
        assert hint(rig) == "Let me think …"
        assert not rig.moment.seen_by("red").may_ask
        advise(rig, "red place granada", Message("to win {place}", {"place": "granada"}))
        assert hint(rig) == "I'd choose “Place one in granada”, to win granada."
        shown = rig.moment.seen_by("red").hint
        assert shown is not None
        assert shown.place == "granada"


def test_advice_is_never_played(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), QUICK) as rig:
        before = rig.game.moves
        rig.say("red", "hint")
        advise(rig, "red place granada")
        rig.pass_s(60)
        assert rig.game.moves == before
        # Even when a bot takes over, it thinks for itself.
        rig.change_player("red", "normal")
        rig.pass_s(60)
        assert rig.game.moves == before
        assert rig.bots.questions[-1][:2] == ("red", "normal")


def test_a_hint_is_gone_when_the_game_goes_on(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), QUICK) as rig:
        rig.say("red", "hint")
        advise(rig, "red place granada")
        rig.say("red", "place castillo")
        assert hint(rig) is None
        assert rig.moment.seen_by("red").may_ask


def test_advice_that_comes_too_late_is_dropped(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), QUICK) as rig:
        rig.say("red", "hint")
        rig.say("red", "place castillo")
        advise(rig, "red place granada")
        assert hint(rig) is None
        rig.say("red", "hint")
        rig.table.post(Advice("red", Move.parse("red place granada"), None, rig.bots.advice[0][3]))
        rig.table.poll()
        assert hint(rig) == "Let me think …"


def test_only_who_has_something_to_decide_may_ask(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), QUICK) as rig:
        assert not rig.moment.seen_by("blue").may_ask
        rig.say("blue", "hint")
        assert str(rig.prompt("blue").notice) == "There is nothing for you to decide now."
        assert rig.bots.advice == []


def test_a_table_can_forbid_hints(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), Options(pace="fast", guided=False, hints=False)) as rig:
        assert not rig.moment.seen_by("red").may_ask
        rig.say("red", "hint")
        assert rig.replies[-1].outcome is Outcome.REFUSED
        assert str(rig.prompt("red").notice) == "Hints are switched off in this game."
        assert rig.bots.advice == []


def test_that_a_hint_was_asked_for_is_in_the_journal_and_in_the_history_but_not_what_it_said(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing(), QUICK) as pages:
        rig = pages.rig
        rig.say("red", "hint")
        advise(rig, "red place granada", Message("to win {place}", {"place": "granada"}))
        kind, line = journalled(tmp_path)[-1]
        assert kind == "note"
        assert read_note(json.loads(line)) == HintNote("red", rig.session.version - 1)
        steps = pages.browser().state()["history"]["turns"][-1]["steps"]
        assert steps[-1]["words"] == "Red asked for a hint"
        assert steps[-1]["line"] == "red hint"


def test_what_a_hint_says_reaches_its_seat_alone(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing(), QUICK) as pages:
        red, blue, screen = pages.browser("red"), pages.browser("blue"), pages.browser()
        pages.rig.say("red", "hint")
        advise(pages.rig, "red place granada", Message("to win {place}", {"place": "granada"}))
        assert red.state("red")["you"]["hint"] == {
            "words": "I'd choose “Place one in Granada”, to win Granada.", "place": "granada",
        }  # fmt: skip
        for state in (blue.state("blue"), screen.state(), json.loads(screen.get("/history").text)):
            assert "I'd choose" not in json.dumps(state, ensure_ascii=False)
        assert blue.state("blue")["you"]["hint"] is None
        moment = pages.rig.moment
        others = [moment.public, *(moment.seats[seat] for seat in ("blue", "green"))]
        assert not any(SECRET in json.dumps(plain(each), ensure_ascii=False) for each in others)
        assert not any("choice" in line for _kind, line in journalled(tmp_path))


def test_a_dial_of_another_does_not_take_a_hint_away(tmp_path: Path) -> None:
    game = turn_of("secret-score", THREE)
    game.play("red special")
    with table_rig(tmp_path, game, QUICK) as rig:
        rig.say("red", "hint")
        rig.say("blue", "dial granada")
        advise(rig, "red dial sevilla")
        assert hint(rig) == "I'd choose “Set your dial to sevilla”."
        assert hint(rig, "green") is None
        rig.say("red", "dial aragon")
        assert hint(rig) is None


def test_a_hint_survives_undo_in_the_history(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing(), QUICK) as pages:
        rig = pages.rig
        rig.say("red", "place castillo")
        rig.say("red", "hint")
        rig.press("undo")
        steps = pages.browser().state()["history"]["turns"][-1]["steps"]
        assert [step["line"] for step in steps][-1] == "red hint"


def test_the_worker_answers_a_player_with_advice_and_a_bot_with_a_thought() -> None:
    from queue import SimpleQueue

    answers: SimpleQueue[Thought | Advice] = SimpleQueue()
    game = opening(THREE)
    with BotProcess(answers.put, seed=7) as bots:
        for ask in (bots.advise, bots.think):
            ask("red", "normal", game.view("red"), game.legal_moves("red"), 1)
        first, second = answers.get(timeout=60), answers.get(timeout=60)
    assert isinstance(first, Advice)
    assert isinstance(second, Thought)
    assert first.move == second.move
