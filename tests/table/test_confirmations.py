"""Nothing is lost by accident: on the board the first press warns, and a phone asks its own player."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game
from companion.table.options import Options
from companion.table.replies import Outcome
from hardware.ports import Pattern
from tests.support.arrange import opening, play, turn_of
from tests.support.table_rig import THREE, TableRig, table_rig

BOARD = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1}}


def placed(card: str = "king", **pieces: object) -> Game:
    """Red has placed one of several, so that the special action would end placing."""
    game = turn_of(card, THREE, **{"board": BOARD, "court": {"red": 4}} | pieces)  # type: ignore[arg-type]
    return play(game, "red place castillo")


def details(rig: TableRig, seat: str) -> list[str]:
    return [str(line) for line in rig.prompt(seat).details]


def words(rig: TableRig, seat: str) -> dict[str, str]:
    prompt = rig.prompt(seat)
    return {choice.line: str(choice.words) for choice in prompt.choices}


# --- What is asked of a phone ----------------------------------------------------------------------------------------

# The position, the line, the question, what would be lost, what goes on, and the move that is then played.
LOST = {
    "the special action ends placing": (
        placed(), "special", "Use king? This ends placing.", ["Caballeros not placed: 3."],
        "Use it anyway", "red special",
    ),
    "the end of the turn": (
        placed(), "end", "End your turn?", ["Caballeros not placed: 3.", "The special action of king not used."],
        "End anyway", "red end",
    ),
    "confirm": (
        placed(), "confirm", "End your turn?", ["Caballeros not placed: 3.", "The special action of king not used."],
        "End anyway", "red end",
    ),
    "stopping early": (
        play(turn_of("move-3", THREE, board=BOARD), "red special"), "done", "Stop here?", ["Moves left: 3."],
        "Stop anyway", "red done",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LOST)
def test_a_phone_is_asked_once_in_private_before_something_is_lost(case: str, tmp_path: Path) -> None:
    game, line, question, lost, anyway, move = LOST[case]
    with table_rig(tmp_path, game.copy()) as rig:
        before = len(rig.game.moves)
        rig.say("red", line)
        assert rig.replies[-1].outcome is Outcome.WAITING
        assert len(rig.game.moves) == before
        assert str(rig.prompt("red").asked) == question
        assert details(rig, "red") == lost
        assert words(rig, "red") == {"yes": anyway, "no": "No, go back"}
        # It is nobody else's business.
        assert rig.notices == []
        assert rig.prompt("blue").asked is None
        rig.say("red", "yes")
        assert str(rig.game.moves[before]) == move


@pytest.mark.parametrize("answer", ["no", "place castillo", "undo"])
def test_no_or_anything_else_drops_the_question(answer: str, tmp_path: Path) -> None:
    with table_rig(tmp_path, placed()) as rig:
        rig.say("red", "special", answer, "yes")
        assert "red special" not in map(str, rig.game.moves)
        assert "yes" not in rig.choices("red")


def test_another_players_line_does_not_drop_the_question(tmp_path: Path) -> None:
    with table_rig(tmp_path, placed()) as rig:
        rig.say("red", "special")
        rig.say("blue", "touch granada")
        rig.say("blue", "yes")
        assert "yes" in rig.choices("red")
        rig.say("red", "yes")
        assert str(rig.game.moves[-1]) == "red special"


NOTHING_LOST = {
    "placing has not begun": (turn_of("king", THREE), "special", "red special"),
    "the court is empty": (placed(court={"red": 1}), "special", "red special"),
    "all are placed": (placed("score-one-3", court={"red": 3}), "special", "red special"),
}


@pytest.mark.parametrize("case", NOTHING_LOST)
def test_nobody_is_asked_where_nothing_is_lost(case: str, tmp_path: Path) -> None:
    game, line, move = NOTHING_LOST[case]
    if case == "all are placed":
        game = play(game.copy(), "red place castillo", "red place castillo")
    with table_rig(tmp_path, game.copy()) as rig:
        rig.say("red", line)
        assert move in map(str, rig.game.moves)


def test_the_choice_says_that_it_ends_placing_only_when_it_does(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("king", THREE)) as rig:
        assert words(rig, "red")["special"] == "Use king"
        rig.press("castillo")
        assert words(rig, "red")["special"] == "Use king (this ends placing)"
        assert str(rig.prompt("red").asked) == "Place up to 4 more, or use king (this ends placing)"
        rig.press("castillo", "castillo", "castillo", "castillo")
        assert words(rig, "red")["special"] == "Use king"


# --- What the board warns of -----------------------------------------------------------------------------------------


def test_on_the_board_the_first_press_warns_and_the_second_does_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, placed()) as rig:
        rig.press("confirm")
        assert rig.notices == [
            "Caballeros not placed: 3.", "The special action of king not used.", "Press again to end anyway.",
        ]  # fmt: skip
        assert rig.choices("red") != ["yes", "no"]
        rig.press("confirm")
        assert "red end" in map(str, rig.game.moves)


# --- Undo ------------------------------------------------------------------------------------------------------------

WITH_BOTS = Options(players={"blue": "easy", "green": "easy"}, pace="fast")


def test_undo_asks_before_it_goes_past_a_bot(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), WITH_BOTS) as rig:
        rig.say("red", "power 9")
        rig.pass_s(1)
        rig.think("blue power 3")
        rig.say("red", "undo")
        assert str(rig.prompt("red").asked) == "Undo: you played power card 9"
        assert details(rig, "red") == ["This also undoes moves by blue."]
        assert words(rig, "red") == {"yes": "Undo", "no": "No, go back"}
        rig.say("red", "yes")
        assert rig.game.to_act == ("red",)


def test_a_press_of_undo_warns_before_it_goes_past_a_bot(tmp_path: Path) -> None:
    with table_rig(tmp_path, opening(THREE), WITH_BOTS) as rig:
        rig.say("red", "power 9")
        rig.pass_s(1)
        rig.think("blue power 3")
        rig.press("undo")
        assert rig.notices == ["This also undoes moves by blue.", "Press again to undo anyway."]
        assert rig.game.to_act == ("green",)
        rig.press("undo")
        assert rig.game.to_act == ("red",)


def test_past_a_bot_with_others_at_the_table_comes_the_question_and_then_the_vote(tmp_path: Path) -> None:
    options = Options(players={"blue": "easy"}, pace="fast")
    with table_rig(tmp_path, opening(THREE), options) as rig:
        rig.say("red", "power 9")
        rig.pass_s(1)
        rig.think("blue power 3")
        rig.say("red", "undo")
        assert rig.prompt("green").asked is None or "agree" not in rig.choices("green")
        rig.say("red", "yes")
        assert str(rig.prompt("green").asked) == "red wants to undo 2 moves. OK?"
        assert details(rig, "green") == ["red plays power card 9", "blue plays power card 3"]


def offered(rig: TableRig, seat: str) -> dict[str, str]:
    return {choice.line: str(choice.words) for choice in rig.moment.seen_by(seat).undo}


def test_a_player_reads_what_undo_takes_back(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("expel", THREE)) as rig:
        assert offered(rig, "red") == {"undo": "Undo: you took expel", "undo turn": "Undo the whole turn"}
        rig.press("castillo")
        assert offered(rig, "red")["undo"] == "Undo: you placed one in castillo"
        assert offered(rig, "blue")["undo"] == "Ask to undo: red places one in castillo"


def test_half_a_move_is_what_undo_takes_back_first(tmp_path: Path) -> None:
    game = play(turn_of("move-3", THREE, board=BOARD), "red special")
    with table_rig(tmp_path, game) as rig:
        rig.press("sevilla")
        assert offered(rig, "red") == {"undo": "Undo: the move you began"}
        assert offered(rig, "blue")["undo"] == "Ask to undo: red begins the special action"


def test_nothing_is_offered_where_nothing_can_be_taken_back(tmp_path: Path) -> None:
    with table_rig(tmp_path, Game(THREE)) as rig:
        assert all(offered(rig, seat) == {} for seat in THREE)


def test_a_vote_says_who_asks_for_what_to_everybody(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", THREE)) as rig:
        rig.press("castillo")
        rig.say("green", "undo")
        for seat in ("red", "blue"):
            assert str(rig.prompt(seat).asked) == "green wants to undo 1 move. OK?"
            assert details(rig, seat) == ["red places one in castillo"]
            assert words(rig, seat) == {"agree": "OK, undo it", "disagree": "No, keep it"}
        vote = rig.public.vote
        assert vote is not None
        assert str(vote.words) == "green wants to undo 1 move. OK?"
        assert list(map(str, vote.moves)) == ["red places one in castillo"]
        assert rig.lit(Pattern.BREATHE)
        rig.say("red", "disagree")
        assert rig.public.vote is None


def test_a_vote_never_names_a_secret(tmp_path: Path) -> None:
    game = play(turn_of("power-back", THREE, hands={"red": (5, 6, 7)}), "red special")
    with table_rig(tmp_path, game) as rig:
        rig.say("red", "retake 3")
        rig.say("blue", "undo")
        assert rig.public.vote is not None
        assert str(rig.public.vote.moves[0]) == "red takes a power card back"
