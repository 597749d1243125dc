"""The table: gestures become moves; what cannot be is refused with its reason, and nothing has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Game, Message
from companion.engine.pieces import Piece, PieceKind
from companion.storage.notes import PlayerNote, SetAsideNote
from companion.table.announcements import WRONG_S
from companion.table.moment import Moment
from companion.table.options import Options
from hardware.ports import Pattern, Press
from tests.support.arrange import NEIGHBOURS, at, turn_of
from tests.support.table_rig import journalled, table_rig

RED, BLUE, KING = Piece(PieceKind.CABALLERO, "red"), Piece(PieceKind.CABALLERO, "blue"), Piece(PieceKind.KING)
NEAR_GALICIA = NEIGHBOURS["galicia"] | {"castillo"}
TAP = dict.fromkeys(NEIGHBOURS, "tap") | {"castillo": "tap"}
ONE_EACH = {"aragon": {"red": 2, "blue": 1}, "sevilla": {"blue": 1}}


def moving(card: str = "move-3", **pieces: object) -> Game:
    game = turn_of(card, **{"board": ONE_EACH, "court": {"red": 3}} | pieces)  # type: ignore[arg-type]
    game.play("red special")
    return game


# --- Placing and moving ----------------------------------------------------------------------------------------------


def test_each_press_on_a_lit_region_places_one(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s")) as rig:
        assert rig.lit(Pattern.BREATHE) == NEAR_GALICIA
        rig.press("pais-vasco", "castillo", "castillo")
        assert at(rig.game, "castillo", "red") == 2
        assert [str(move) for move in rig.game.moves[-3:]] == [
            "red place pais-vasco", "red place castillo", "red place castillo"
        ]  # fmt: skip
        assert rig.lit(Pattern.BREATHE) == set()
        assert rig.guide == []
    assert ("move", "red place pais-vasco") in journalled(tmp_path)


def test_moving_is_from_and_to_and_the_colour_is_asked_only_when_there_are_two(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        before = rig.session.version
        rig.press("sevilla")
        assert rig.lit(Pattern.PULSE) == {"sevilla"}
        assert "galicia" not in rig.lit(Pattern.BREATHE)
        assert rig.session.version == before
        rig.press("granada")
        assert str(rig.game.moves[-1]) == "red move blue sevilla granada"
        rig.press("aragon", "granada")
        assert rig.choices("red") == ["move red aragon granada", "move blue aragon granada"]
        assert rig.lit(Pattern.BREATHE) == set()
        assert rig.moment.prompts["blue"].choices == ()
        rig.say("red", "move blue aragon granada")
        assert at(rig.game, "granada", "blue") == 2


ONE_PRESS = {
    "king": ("sevilla", "red king sevilla"),
    "grande": ("sevilla", "red grande sevilla"),
    "score-one": ("aragon", "red score aragon"),
}


@pytest.mark.parametrize("card", ONE_PRESS)
def test_king_grande_and_a_region_to_score_are_one_press(card: str, tmp_path: Path) -> None:
    place, move = ONE_PRESS[card]
    with table_rig(tmp_path, turn_of(card)) as rig:
        rig.say("red", "special")
        rig.press(place)
        assert move in map(str, rig.game.moves)


def test_of_two_tiles_the_phone_asks_which_and_a_tapped_one_says_it(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("tile"), modes=TAP) as rig:
        rig.say("red", "special")
        rig.press("sevilla")
        assert rig.choices("red") == ["tile 8 sevilla", "tile 4 sevilla"]
        rig.press("undo")
        rig.tap(Piece(PieceKind.TILE, "4"), "sevilla")
        assert rig.game.snapshot()["tiles"]["4"] == "sevilla"


def test_buttons_taps_and_phones_mix_in_one_turn(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s"), modes=TAP) as rig:
        rig.press("castillo")
        rig.tap(RED, "pais-vasco")
        rig.say("red", "place castillo")
        assert [move.args[0] for move in rig.game.moves[-3:]] == ["castillo", "pais-vasco", "castillo"]
        assert rig.session.made_by[-3:] == ("person",) * 3
    with table_rig(tmp_path, moving(), modes=TAP) as rig:
        rig.press("aragon")
        rig.tap(BLUE, "granada")
        assert str(rig.game.moves[-1]) == "red move blue aragon granada"


def test_a_place_that_can_be_from_or_to_is_asked_about_and_only_its_player_answers(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving("own-from-one-or-extra-2")) as rig:
        rig.press("aragon")
        assert rig.choices("red") == ["from aragon", "to aragon"]
        before = len(rig.game.moves)
        rig.say("blue", "to aragon")
        assert len(rig.game.moves) == before
        rig.say("red", "to aragon")
        assert str(rig.game.moves[-1]) == "red extra aragon"


# --- Refusals --------------------------------------------------------------------------------------------------------

# What is under way, what is done, and where it blinks red; then the reason.
WRONG = {
    "placing where the King stands": (turn_of("score-4s"), "galicia", None, "the King stands there"),
    "placing too far away": (
        turn_of("score-4s"), "granada", None, "it does not border the King's region (galicia)",
    ),
    "moving from where nobody stands": (moving(), "granada", None, "red has no caballeros in granada"),
    "moving out of the King's region": (moving(), "galicia", None, "the King stands there"),
    "moving out of the castillo": (moving(), "castillo", None, "Choose one of the highlighted places."),
    "another's piece": (
        turn_of("score-4s"), "pais-vasco", BLUE, "You can't move blue caballeros now.",
    ),
    "the King when nobody moves him": (
        turn_of("score-4s"), "castillo", KING, "The King can't move now.",
    ),
    "a colour that does not stand there": (moving(), "sevilla", RED, "red has no caballeros in sevilla"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_not_allowed_blinks_red_says_why_and_changes_nothing(case: str, tmp_path: Path) -> None:
    game, place, piece, reason = WRONG[case]
    with table_rig(tmp_path, game.copy(), modes=TAP) as rig:
        before = rig.game.record(), rig.session.version, rig.lit(Pattern.BREATHE)
        if piece is None:
            rig.press(place)
        else:
            rig.tap(piece, place)
        assert reason in rig.notices[0]
        assert rig.lit(Pattern.BLINK) == {place}
        assert (rig.game.record(), rig.session.version) == before[:2]
        rig.pass_s(WRONG_S)
        assert rig.lit(Pattern.BLINK) == set()
        assert rig.lit(Pattern.BREATHE) == before[2]
    assert len(journalled(tmp_path)) == before[1]


def test_the_second_place_is_refused_in_the_words_of_the_engine_and_the_first_stands(tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("sevilla", "galicia")
        assert "the King stands there" in rig.notices[0]
        assert rig.lit(Pattern.PULSE) == {"sevilla"}
        rig.press("granada")
        assert at(rig.game, "granada", "blue") == 1


def test_a_press_while_there_is_nothing_to_place_says_what_comes_first(tmp_path: Path) -> None:
    game = turn_of("score-4s")
    game.undo()
    with table_rig(tmp_path, game) as rig:
        rig.press("aragon")
        assert rig.notices == ["Nothing to place yet: take an action card first."]


def test_words_that_are_no_move_are_refused_with_their_reason(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s")) as rig:
        for seat, line, reason in (
            ("red", "place galicia", "the King stands there"),
            ("red", "jump", "jump"),
            ("blue", "place castillo", "it is not blue's turn"),
            ("blue", "red place castillo", "red"),
            ("red", "table reveal 1 move-3", "table"),
        ):
            rig.say(seat, line)
            assert reason in str(rig.prompt(seat).notice), line
            assert rig.notices == []
        assert str(rig.game.moves[-1]) == "red card 3"


# --- Confirm ---------------------------------------------------------------------------------------------------------

# What confirm would end, the words for what would be lost, and the move.
LOST = {
    "placing and the special action": (
        turn_of("score-4s"), ["Caballeros not placed: 3.", "The special action of score-4s not used."], "end",
    ),
    "fewer in the court": (
        turn_of("score-4s", court={"red": 1}),
        ["Caballeros not placed: 1.", "The special action of score-4s not used."], "end",
    ),
    "moves": (moving("move-3"), ["Moves left: 3."], "done"),
    "moves without a number": (moving("move-own-from-one"), ["More could be moved."], "done"),
    "more to place": (moving("extra-2"), ["Caballeros not placed: 2."], "done"),
    "one or the other": (
        moving("own-from-one-or-extra-2"), ["The special action of own-from-one-or-extra-2 not used."], "done",
    ),
    "sending home": (moving("one-each-home"), ["Not sent home: 1."], "done"),
    "bringing to the court": (moving("court-2"), ["Not brought to the court: 2."], "done"),
}  # fmt: skip


@pytest.mark.parametrize("case", LOST)
def test_confirm_says_what_would_be_lost_and_ends_it_the_second_time(case: str, tmp_path: Path) -> None:
    game, words, verb = LOST[case]
    with table_rig(tmp_path, game.copy()) as rig:
        before = len(rig.game.moves)
        rig.press("confirm")
        assert rig.notices == [*words, "Press again to end anyway."]
        assert len(rig.game.moves) == before
        rig.press("confirm")
        assert rig.game.moves[before].verb == verb


@pytest.mark.parametrize("between", ["a wrong place", "a word", "a refused word", "undo"])
def test_another_gesture_between_two_confirms_asks_again(between: str, tmp_path: Path) -> None:
    with table_rig(tmp_path, moving()) as rig:
        rig.press("confirm")
        match between:
            case "a wrong place":
                rig.press("galicia")
            case "a word":
                rig.say("red", "agree")
            case "a refused word":
                rig.say("red", "power 3")
            case "undo":
                rig.press("sevilla", "undo")
        before = len(rig.game.moves)
        rig.press("confirm")
        assert len(rig.game.moves) == before
        rig.press("confirm")
        assert rig.game.moves[before].verb == "done"


def test_confirm_with_nothing_to_end_says_so_and_only_who_plays_ends_the_turn(tmp_path: Path) -> None:
    game = turn_of("score-4s")
    with table_rig(tmp_path, game.copy()) as rig:
        rig.say("blue", "confirm", "confirm")
        assert str(rig.prompt("blue").notice) == "It's red's turn."
        assert rig.game.moves == game.moves
    game.undo()
    with table_rig(tmp_path, game) as rig:
        rig.press("confirm")
        assert rig.notices == ["There is nothing to confirm."]


# --- What the table plays --------------------------------------------------------------------------------------------


def test_a_decision_with_one_legal_move_is_played_and_shown(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s", court={"red": 1})) as rig:
        rig.say("red", "special")
        rig.press("confirm", "castillo")
        assert str(rig.game.moves[-1]) == "red end"
        assert rig.session.made_by[-1] == "table"
        assert "red ends the turn" in rig.notices


def test_what_is_dealt_follows_from_the_seed_and_is_not_told_as_played(tmp_path: Path) -> None:
    records = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        with table_rig(folder, Game(("red", "blue"))) as rig:
            assert rig.game.round == 1
            assert rig.notices == []
            records.append(rig.game.record())
    assert records[0] == records[1]


# --- Versions --------------------------------------------------------------------------------------------------------


def test_an_answer_to_an_older_question_is_refused_and_the_same_line_twice_plays_once(tmp_path: Path) -> None:
    with table_rig(tmp_path, turn_of("score-4s")) as rig:
        version = rig.moment.version
        rig.say("red", "place castillo", version=version)
        rig.say("red", "place castillo", version=version)
        assert str(rig.prompt("red").notice) == "The game has moved on."
        assert rig.notices == []
        assert at(rig.game, "castillo", "red") == 1
        rig.say("red", "place castillo", version=version + 7)
        assert at(rig.game, "castillo", "red") == 1


# --- Options ---------------------------------------------------------------------------------------------------------


def test_the_leaders_light_their_places_only_if_that_was_agreed(tmp_path: Path) -> None:
    for agreed in (True, False):
        with table_rig(tmp_path, moving(), Options(leader_lights=agreed)) as rig:
            rig.insist("red", "done", "end")
            rig.press("confirm")
            assert rig.lit(Pattern.DIM) == ({"aragon", "sevilla"} if agreed else set())


def test_options_survive_the_journal_and_so_does_who_plays(tmp_path: Path) -> None:
    options = Options({"blue": "easy"}, {"red": "Ana"}, "es", 0.0, True, False, False, "slow")
    assert Options.from_json(options.as_json()) == options
    assert options.after([PlayerNote("red", "hard"), SetAsideNote(True)]).player("red") == "hard"


def test_every_message_is_a_constant_with_its_fields(tmp_path: Path) -> None:
    """No notice, question or line of the guide has a colour or a place glued into its text."""
    with table_rig(tmp_path, moving()) as rig:
        rig.press("galicia", "confirm", "sevilla", "granada", "undo", "confirm", "undo")
        lines: list[Message] = []
        for moment in rig.display.moments:
            asked = [prompt.asked for prompt in moment.prompts.values() if prompt.asked is not None]
            lines += [*moment.public.notices, *moment.public.guide, *asked]
    assert len({line.text for line in lines}) > 5
    assert not [line for line in lines if {"red", "blue", "sevilla", "granada"} & set(line.text.split())]


# --- Time ------------------------------------------------------------------------------------------------------------


def test_what_becomes_due_while_people_are_shown_something_is_done_at_once(tmp_path: Path) -> None:
    # On a busy machine, showing a moment can take longer than what it shows lasts.
    class SlowDisplay:
        def show(self, moment: Moment) -> None:
            if Pattern.BLINK in {show.pattern for show in moment.scene.places.values()}:
                rig.now_s += WRONG_S

    with table_rig(tmp_path, moving(), displays=[SlowDisplay()]) as rig:
        rig.table.post(Press("sevilla"))
        rig.table.post(Press("galicia"))
        assert rig.table.poll() == 0.0
        assert rig.lit(Pattern.BLINK) == {"galicia"}
        # Nobody does anything, and it ends all the same.
        assert rig.table.poll() is None
        assert rig.lit(Pattern.BLINK) == set()
