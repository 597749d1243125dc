"""Taking back at the table: one's own last gesture at once, more only when everybody agrees, a secret never."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.tags import Piece
from companion.table.options import Options
from hardware.ports import Pattern
from tests.support.arrange import opening, play, turn_of
from tests.support.table_rig import Bench, at_a_bench, journalled

BLUE = Piece("caballero", "blue")
BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1}}
THREE = ("red", "blue", "green")
WITH_BOT = Options(players={"blue": "easy", "green": "easy"}, bot_pause_s=0.5)


def placing(**pieces: object) -> Game:
    return turn_of("score-4s", THREE, **pieces)  # type: ignore[arg-type]


def lines(game: Game, count: int) -> list[str]:
    return [str(move) for move in game.moves[-count:]]


# --- One's own -------------------------------------------------------------------------------------------------------


def test_undo_takes_the_last_gesture_back_and_the_guide_puts_the_piece_back(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        bench.press("castillo", "pais-vasco", "undo")
        assert lines(bench.game, 2) == ["red card 3", "red place castillo"]
        assert bench.guide == ["Take 1 red from pais-vasco."]
        assert bench.scene.places["pais-vasco"].pattern is Pattern.PULSE
        assert len(bench.table.made_by) == len(bench.game.moves)
        bench.press("confirm", "pais-vasco")
        assert lines(bench.game, 1) == ["red place pais-vasco"]
        assert bench.guide == []
    assert journalled(tmp_path)[-2:] == [("undo", "1"), ("move", "red place pais-vasco")]


def test_what_the_table_played_after_it_goes_with_it(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing(court={"red": 1})) as bench:
        bench.say("red", "special")
        bench.press("confirm")
        version = bench.table.version
        bench.press("castillo")
        assert bench.game.moves[-1].verb == "end"
        bench.press("undo")
        assert lines(bench.game, 1) == ["red special"]
        assert bench.table.version == version + 3
        assert "red ends the turn" not in bench.notices


def test_half_a_move_goes_first_and_is_not_journalled(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with at_a_bench(tmp_path, game) as bench:
        before = bench.table.version
        bench.press("aragon", "undo")
        assert bench.lit(Pattern.PULSE) == set()
        bench.press("aragon", "granada", "undo")  # the colour was asked for
        assert bench.table.version == before
        assert bench.lit(Pattern.BREATHE) == {"aragon", "sevilla"}


def test_the_half_move_of_one_is_not_for_another_to_take_back(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with at_a_bench(tmp_path, game) as bench:
        bench.press("aragon")
        bench.say("blue", "undo")
        assert bench.lit(Pattern.PULSE) == {"aragon"}


def test_nobody_else_is_asked_about_ones_own_gesture(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        bench.press("castillo")
        bench.say("red", "undo")
        assert lines(bench.game, 1) == ["red card 3"]


def test_score_markers_go_back_too(tmp_path: Path) -> None:
    game = play(turn_of("score-one", THREE, board={"aragon": {"red": 2}}), "red special")
    with at_a_bench(tmp_path, game) as bench:
        bench.press("aragon")
        bench.pass_s(5)
        score = bench.game.scores["red"]
        assert bench.guide == [f"The marker of red to {score}."]
        bench.press("confirm", "undo")
        assert bench.guide == ["The marker of red to 0."]


# --- What was revealed -----------------------------------------------------------------------------------------------


def dialling() -> Game:
    """Each other seat sets a dial."""
    board = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    return play(turn_of("secret-all-home", THREE, board=board), "red special")


def test_a_dial_is_never_taken_back_nor_what_was_before_it(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, dialling()) as bench:
        bench.say("blue", "dial aragon")
        before = bench.game.moves
        for seat in THREE:
            bench.say(seat, "undo", "undo turn")
            assert bench.notices == ["A dial once set stands."]
        bench.press("undo")
        assert bench.game.moves == before


def test_what_was_dealt_stays_dealt(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, Game(THREE)) as bench:
        bench.press("undo")
        assert bench.notices == ["There is nothing to take back."]
    game = play(opening(THREE), "red power 4", "blue power 5", "green power 6")
    for number, seat in enumerate(("green", "blue", "red"), start=1):
        play(game, f"{seat} recruit 0", f"{seat} card {number}", *([f"{seat} end"] if seat != "red" else []))
    with at_a_bench(tmp_path, game) as bench:
        bench.press("confirm", "confirm")
        assert bench.game.round == 2
        bench.press("undo")
        assert bench.notices == ["What was dealt stays dealt."]
        assert bench.game.round == 2


def test_a_real_card_can_be_entered_again_but_what_was_before_it_stands(tmp_path: Path) -> None:
    game = play(opening(THREE), "red power 4", "blue power 5", "green power 6")
    for number, seat in enumerate(("green", "blue", "red"), start=1):
        play(game, f"{seat} recruit 0", f"{seat} card {number}", *([f"{seat} end"] if seat != "red" else []))
    options = Options(real_cards=True)
    with at_a_bench(tmp_path, game, options) as bench:
        bench.press("confirm", "confirm")
        first, second = [choice for choice in bench.choices("red") if choice.startswith("table reveal")][:2]
        bench.say("red", first, "undo", second, "undo")
        assert lines(bench.game, 1) == ["red end"]
        bench.press("undo")
        assert bench.notices == ["What was dealt stays dealt."]
    # Nor after a restart, though the game holds no card of this round any more.
    with open_database(tmp_path / "table.db") as database:
        kept = Journal(database).load(1)
        assert (str(kept.game.moves[-1]), kept.fixed) == ("red end", len(kept.game.moves))


# --- With agreement --------------------------------------------------------------------------------------------------


def asked(bench: Bench) -> set[str]:
    return {seat for seat, prompt in bench.board.prompts.items() if "agree" in bench.choices(seat) and prompt.asked}


def test_another_persons_gesture_needs_everybody(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        bench.press("castillo")
        bench.say("blue", "undo")
        assert asked(bench) == {"red", "green"}
        assert set(bench.board.waiting_for) == {"red", "green"}
        bench.say("red", "agree")
        assert set(bench.board.waiting_for) == {"green"}
        assert asked(bench) == {"green"}
        assert lines(bench.game, 1) == ["red place castillo"]
        bench.say("green", "agree")
        assert lines(bench.game, 1) == ["red card 3"]
        assert asked(bench) == set()


def test_one_no_is_enough(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        bench.press("castillo")
        bench.say("blue", "undo")
        bench.say("red", "agree")
        bench.say("green", "disagree")
        assert bench.notices == ["It stays as it is: not everybody agreed."]
        assert asked(bench) == set()
        assert lines(bench.game, 1) == ["red place castillo"]


def test_a_whole_turn_goes_back_with_everybodys_agreement(tmp_path: Path) -> None:
    for by_button in (True, False):
        with at_a_bench(tmp_path, placing()) as bench:
            bench.press("castillo", "castillo")
            if by_button:
                bench.hold("undo")
            else:
                bench.say("red", "undo turn")
            assert asked(bench) == {"blue", "green"}
            bench.say("blue", "agree")
            bench.say("green", "agree")
            # With nothing to recruit, the table plays that again by itself.
            assert lines(bench.game, 2) == ["green power 2", "red recruit 0"]
            assert bench.table.made_by[-1] == "table"


def test_a_long_press_never_reaches_into_the_turn_before(tmp_path: Path) -> None:
    game = opening(THREE)
    with at_a_bench(tmp_path, game) as bench:
        bench.say("red", "power 9")
        bench.say("blue", "power 3")
        bench.hold("undo")  # the press takes back all that there was of it
        assert lines(bench.game, 1) == ["red power 9"]
        assert asked(bench) == set()
        bench.say("blue", "power 13")
        bench.say("green", "power 1")
        assert lines(bench.game, 1) == ["blue recruit 0"]  # by the table
        bench.say("blue", "card 3")
        bench.hold("undo")
        assert lines(bench.game, 1) == ["blue recruit 0"]
        assert asked(bench) == set()


def test_past_a_bot_only_with_agreement_and_the_bot_waits_for_it(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy"}, bot_pause_s=0.5)
    with at_a_bench(tmp_path, opening(THREE), options) as bench:
        bench.say("red", "power 9")
        bench.pass_s(1)
        bench.think("blue power 3")
        assert lines(bench.game, 1) == ["blue power 3"]
        bench.press("undo")
        assert asked(bench) == {"green"}
        bench.say("green", "agree")
        assert bench.game.to_act == ("red",)


def test_a_person_alone_with_bots_asks_nobody(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, opening(THREE), WITH_BOT) as bench:
        bench.say("red", "power 9")
        bench.pass_s(1)
        bench.think("blue power 3")
        asked_before = len(bench.bots.questions)
        bench.press("undo")
        assert bench.game.to_act == ("red",)
        assert len(bench.bots.questions) == asked_before


def test_while_people_are_asked_no_bot_moves(tmp_path: Path) -> None:
    options = Options(players={"green": "easy"}, bot_pause_s=0.5)
    with at_a_bench(tmp_path, opening(THREE), options) as bench:
        bench.say("red", "power 9")
        bench.say("blue", "power 3")
        bench.say("red", "undo")
        assert asked(bench) == {"blue"}
        bench.pass_s(1)
        if bench.bots.questions:
            bench.think("green power 1")
        assert lines(bench.game, 1) == ["blue power 3"]
        bench.say("blue", "disagree")
        bench.pass_s(1)
        bench.think("green power 1")
        assert "green power 1" in map(str, bench.game.moves)


def test_a_seat_that_becomes_a_bot_need_not_agree(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        bench.press("castillo")
        bench.say("blue", "undo")
        bench.say("red", "agree")
        bench.say("blue", "player green easy")
        assert lines(bench.game, 1) == ["red card 3"]


def test_playing_on_ends_the_question(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, placing()) as bench:
        bench.press("castillo")
        bench.say("blue", "undo")
        bench.press("castillo")
        assert asked(bench) == set()
        assert lines(bench.game, 2) == ["red place castillo"] * 2


# --- Over a restart --------------------------------------------------------------------------------------------------


def test_undo_and_deals_go_on_over_a_restart(tmp_path: Path) -> None:
    with at_a_bench(tmp_path, Game(("red", "blue"))) as bench:
        for _ in range(2):
            seat = bench.game.to_act[0]
            bench.say(seat, bench.choices(seat)[-1])
        record, version, made_by = bench.game.record(), bench.table.version, bench.table.made_by
    with open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        kept = journal.unfinished()
        assert kept is not None
        assert (kept.game.record(), kept.entries, kept.made_by) == (record, version, made_by)
        again = Bench(
            kept.game, journal, kept.id, Options.from_json(kept.options), None, kept.made_by, True, kept.seed,
            kept.entries,
        )  # fmt: skip
        assert again.table.version == version
        assert any("the King" in line for line in again.guide)
        assert not any(line.startswith("castillo") for line in again.guide)
        assert again.lit(Pattern.BREATHE) == set()
        again.press("aragon")
        assert again.game.record() == record
        again.press("confirm")
        assert again.guide == []
        again.press("undo")
        last = max(number for number, maker in enumerate(made_by) if maker == "person")
        assert again.game.moves == bench.game.moves[:last]


@pytest.mark.parametrize("stop", [5, 40, 90])
def test_a_restart_deals_the_same_cards(stop: int, tmp_path: Path) -> None:
    def play_on(bench: Bench, until: int) -> None:
        while len(bench.game.moves) < until and not bench.game.over:
            seat = bench.game.to_act[0]
            prompt = bench.prompt(seat)
            bench.say(seat, (*prompt.choices, *prompt.places)[-1].line)

    (tmp_path / "whole").mkdir()
    with at_a_bench(tmp_path / "whole", Game(("red", "blue")), Options(guided=False)) as bench:
        play_on(bench, 120)
        whole = bench.game.record()
    with at_a_bench(tmp_path, Game(("red", "blue")), Options(guided=False)) as bench:
        play_on(bench, stop)
    with open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        kept = journal.load(1)
        again = Bench(kept.game, journal, 1, Options(guided=False), None, kept.made_by, True, kept.seed, kept.entries)
        play_on(again, 120)
        assert again.game.record() == whole
