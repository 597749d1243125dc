"""Taking back at the table: one's own last gesture at once, more only when everybody agrees, a secret never."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.engine.pieces import Piece, PieceKind
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.table.options import Options
from hardware.ports import Pattern
from tests.support.arrange import opening, play, turn_of
from tests.support.table_rig import TableRig, journalled, table_rig

BLUE = Piece(PieceKind.CABALLERO, "blue")
BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1}}
THREE = ("red", "blue", "green")
WITH_BOT = Options(players={"blue": "easy", "green": "easy"}, pace="fast")


def placing(**pieces: object) -> Game:
    return turn_of("score-4s", THREE, **pieces)  # type: ignore[arg-type]


def lines(game: Game, count: int) -> list[str]:
    return [str(move) for move in game.moves[-count:]]


# --- One's own -------------------------------------------------------------------------------------------------------


def test_undo_takes_the_last_gesture_back_and_the_guide_puts_the_piece_back(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.press("castillo", "pais-vasco", "undo")
        assert lines(rig.game, 2) == ["red card 3", "red place castillo"]
        assert rig.guide == ["Take 1 red from pais-vasco."]
        assert rig.scene.places["pais-vasco"].pattern is Pattern.PULSE
        assert len(rig.session.made_by) == len(rig.game.moves)
        rig.press("confirm", "pais-vasco")
        assert lines(rig.game, 1) == ["red place pais-vasco"]
        assert rig.guide == []
    assert journalled(tmp_path)[-2:] == [("undo", "1"), ("move", "red place pais-vasco")]


def test_what_the_table_played_after_it_goes_with_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(court={"red": 1})) as rig:
        rig.say("red", "special")
        rig.press("confirm")
        version = rig.session.version
        rig.press("castillo")
        assert rig.game.moves[-1].verb == "end"
        rig.press("undo")
        assert lines(rig.game, 1) == ["red special"]
        assert rig.session.version == version + 3
        assert "red ends the turn" not in rig.notices


def test_half_a_move_goes_first_and_is_not_journalled(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game) as rig:
        before = rig.session.version
        rig.press("aragon", "undo")
        assert rig.lit(Pattern.PULSE) == set()
        rig.press("aragon", "granada", "undo")  # the colour was asked for
        assert rig.session.version == before
        assert rig.lit(Pattern.BREATHE) == {"aragon", "sevilla"}


def test_the_half_move_of_one_is_not_for_another_to_take_back(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game) as rig:
        rig.press("aragon")
        rig.say("blue", "undo")
        assert rig.lit(Pattern.PULSE) == {"aragon"}


def test_nobody_else_is_asked_about_ones_own_gesture(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.press("castillo")
        rig.say("red", "undo")
        assert lines(rig.game, 1) == ["red card 3"]


def test_score_markers_go_back_too(tmp_path: Path) -> None:
    game = play(turn_of("score-one", THREE, board={"aragon": {"red": 2}}), "red special")
    with table_rig(tmp_path, game) as rig:
        rig.press("aragon")
        rig.pass_s(5)
        score = rig.game.scores["red"]
        assert rig.guide == [f"Move red's score marker to {score}."]
        rig.press("confirm", "undo")
        assert rig.guide == ["Move red's score marker to 0."]


# --- What was revealed -----------------------------------------------------------------------------------------------


def dialling() -> Game:
    """Each other seat sets a dial."""
    board = {"aragon": {"blue": 1, "green": 1}, "sevilla": {"blue": 1, "green": 1}}
    return play(turn_of("secret-all-home", THREE, board=board), "red special")


def test_a_dial_is_never_taken_back_nor_what_was_before_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, dialling()) as rig:
        rig.say("blue", "dial aragon")
        before = rig.game.moves
        for seat in THREE:
            rig.say(seat, "undo", "undo turn")
            locked = (
                "Your dial is locked." if seat == "blue" else "Dials have been set: earlier moves cannot be undone."
            )
            assert str(rig.prompt(seat).notice) == locked
        rig.press("undo")
        assert rig.game.moves == before


def test_what_was_dealt_stays_dealt(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(THREE)) as rig:
        rig.press("undo")
        assert rig.notices == ["There is nothing to undo."]
    game = play(opening(THREE), "red power 4", "blue power 5", "green power 6")
    for number, seat in enumerate(("green", "blue", "red"), start=1):
        play(game, f"{seat} recruit 0", f"{seat} card {number}", *([f"{seat} end"] if seat != "red" else []))
    with table_rig(tmp_path, game) as rig:
        rig.press("confirm", "confirm")
        assert rig.game.round == 2
        rig.press("undo")
        assert rig.notices == ["New cards have been turned up: earlier moves cannot be undone."]
        assert rig.game.round == 2


def test_a_real_card_can_be_entered_again_but_what_was_before_it_stands(tmp_path: Path) -> None:
    game = play(opening(THREE), "red power 4", "blue power 5", "green power 6")
    for number, seat in enumerate(("green", "blue", "red"), start=1):
        play(game, f"{seat} recruit 0", f"{seat} card {number}", *([f"{seat} end"] if seat != "red" else []))
    options = Options(real_cards=True)
    with table_rig(tmp_path, game, options) as rig:
        rig.press("confirm", "confirm")
        first, second = [choice for choice in rig.choices("red") if choice.startswith("table reveal")][:2]
        rig.say("red", first, "undo", second, "undo")
        assert lines(rig.game, 1) == ["red end"]
        rig.press("undo")
        assert rig.notices == ["New cards have been turned up: earlier moves cannot be undone."]
    # Nor after a restart, though the game holds no card of this round any more.
    with open_database(tmp_path / "table.db") as database:
        kept = Journal(database).load(1)
        assert (str(kept.game.moves[-1]), kept.fixed) == ("red end", len(kept.game.moves))


# --- With agreement --------------------------------------------------------------------------------------------------


def asked(rig: TableRig) -> set[str]:
    return {seat for seat, prompt in rig.moment.prompts.items() if "agree" in rig.choices(seat) and prompt.asked}


def test_another_persons_gesture_needs_everybody(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.press("castillo")
        rig.say("blue", "undo")
        assert asked(rig) == {"red", "green"}
        assert set(rig.public.waiting_for) == {"red", "green"}
        rig.say("red", "agree")
        assert set(rig.public.waiting_for) == {"green"}
        assert asked(rig) == {"green"}
        assert lines(rig.game, 1) == ["red place castillo"]
        rig.say("green", "agree")
        assert lines(rig.game, 1) == ["red card 3"]
        assert asked(rig) == set()


def test_one_no_is_enough(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.press("castillo")
        rig.say("blue", "undo")
        rig.say("red", "agree")
        rig.say("green", "disagree")
        assert rig.notices == ["Not everybody agreed: nothing is undone."]
        assert asked(rig) == set()
        assert lines(rig.game, 1) == ["red place castillo"]


def test_a_whole_turn_goes_back_with_everybodys_agreement(tmp_path: Path) -> None:
    for by_button in (True, False):
        with table_rig(tmp_path, placing()) as rig:
            rig.press("castillo", "castillo")
            if by_button:
                rig.hold("undo")
            else:
                rig.say("red", "undo turn")
            assert asked(rig) == {"blue", "green"}
            rig.say("blue", "agree")
            rig.say("green", "agree")
            # With nothing to recruit, the table plays that again by itself.
            assert lines(rig.game, 2) == ["green power 2", "red recruit 0"]
            assert rig.session.made_by[-1] == "table"


def test_a_long_press_never_reaches_into_the_turn_before(tmp_path: Path) -> None:
    game = opening(THREE)
    with table_rig(tmp_path, game) as rig:
        rig.say("red", "power 9")
        rig.say("blue", "power 3")
        rig.hold("undo")  # the press takes back all that there was of it
        assert lines(rig.game, 1) == ["red power 9"]
        assert asked(rig) == set()
        rig.say("blue", "power 13")
        rig.say("green", "power 1")
        assert lines(rig.game, 1) == ["blue recruit 0"]  # by the table
        rig.say("blue", "card 3")
        rig.hold("undo")
        assert lines(rig.game, 1) == ["blue recruit 0"]
        assert asked(rig) == set()


def test_past_a_bot_only_with_agreement_and_the_bot_waits_for_it(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy"}, pace="fast")
    with table_rig(tmp_path, opening(THREE), options) as rig:
        rig.say("red", "power 9")
        rig.pass_s(1)
        rig.think("blue power 3")
        assert lines(rig.game, 1) == ["blue power 3"]
        rig.press("undo", "undo")  # the first press warns
        assert asked(rig) == {"green"}
        rig.say("green", "agree")
        assert rig.game.to_act == ("red",)


def test_a_person_alone_with_bots_asks_nobody(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), WITH_BOT) as rig:
        rig.say("red", "power 9")
        rig.pass_s(1)
        rig.think("blue power 3")
        asked_before = len(rig.bots.questions)
        rig.press("undo", "undo")  # the first press warns
        assert rig.game.to_act == ("red",)
        assert len(rig.bots.questions) == asked_before


def test_while_people_are_asked_no_bot_moves(tmp_path: Path) -> None:
    options = Options(players={"green": "easy"}, pace="fast")
    with table_rig(tmp_path, opening(THREE), options) as rig:
        rig.say("red", "power 9")
        rig.say("blue", "power 3")
        rig.say("red", "undo")
        assert asked(rig) == {"blue"}
        rig.pass_s(1)
        if rig.bots.questions:
            rig.think("green power 1")
        assert lines(rig.game, 1) == ["blue power 3"]
        rig.say("blue", "disagree")
        rig.pass_s(1)
        rig.think("green power 1")
        assert "green power 1" in map(str, rig.game.moves)


def test_a_seat_that_becomes_a_bot_need_not_agree(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.press("castillo")
        rig.say("blue", "undo")
        rig.say("red", "agree")
        rig.change_player("green", "easy")
        assert lines(rig.game, 1) == ["red card 3"]


def test_playing_on_ends_the_question(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing()) as rig:
        rig.press("castillo")
        rig.say("blue", "undo")
        rig.press("castillo")
        assert asked(rig) == set()
        assert lines(rig.game, 2) == ["red place castillo"] * 2


# --- Over a restart --------------------------------------------------------------------------------------------------


def test_undo_and_deals_go_on_over_a_restart(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(("red", "blue"))) as rig:
        for _ in range(2):
            seat = rig.game.to_act[0]
            rig.say(seat, rig.choices(seat)[-1])
        record, version, made_by = rig.game.record(), rig.session.version, rig.session.made_by
    with open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        kept = journal.unfinished()
        assert kept is not None
        assert (kept.game.record(), kept.entries, kept.made_by) == (record, version, made_by)
        again = TableRig(kept, journal, Options.from_json(kept.options), resumed=True)
        assert again.session.version == version
        assert any("the King" in line for line in again.guide)
        assert not any(line.startswith("castillo") for line in again.guide)
        assert again.lit(Pattern.BREATHE) == set()
        again.press("aragon")
        assert again.game.record() == record
        again.press("confirm")
        assert again.guide == []
        again.press("undo")
        last = max(number for number, maker in enumerate(made_by) if maker == "person")
        assert again.game.moves == rig.game.moves[:last]


@pytest.mark.parametrize("stop", [5, 40, 90])
def test_a_restart_deals_the_same_cards(stop: int, tmp_path: Path) -> None:
    def play_on(rig: TableRig, until: int) -> None:
        while len(rig.game.moves) < until and not rig.game.over:
            seat = rig.game.to_act[0]
            prompt = rig.prompt(seat)
            rig.insist(seat, (*prompt.choices, *prompt.places)[-1].line)

    (tmp_path / "whole").mkdir()
    with table_rig(tmp_path / "whole", Game(("red", "blue")), Options(guided=False)) as rig:
        play_on(rig, 120)
        whole = rig.game.record()
    with table_rig(tmp_path, Game(("red", "blue")), Options(guided=False)) as rig:
        play_on(rig, stop)
    with open_database(tmp_path / "table.db") as database:
        journal = Journal(database)
        kept = journal.load(1)
        again = TableRig(kept, journal, Options(guided=False), resumed=True)
        play_on(again, 120)
        assert again.game.record() == whole
