"""The table says aloud what is public and new: each thing once, nothing that is outdated, and never a secret."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.engine import Game
from companion.engine.history import history
from companion.engine.words import PLACE_NAMES
from companion.speech import SpeechDisplay, SpeechFailed, spoken_aloud
from companion.table.moment import Moment
from companion.table.options import Options
from companion.table.turn_summaries import summary_of
from companion.translations import Translator
from hardware.ports import Trouble
from tests.support.arrange import play, turn_of
from tests.support.moments import moment_of
from tests.support.random_games import Player
from tests.support.table_rig import BOARD, THREE, placing, table_rig

ALONE = Options(veto_s=0, guided=False)


class RecordedVoice:
    """Keeps what it is to say."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.languages: set[str] = set()
        self.closed = False

    def say(self, words: str, language: str) -> None:
        self.said.append(words)
        self.languages.add(language)

    def close(self) -> None:
        self.closed = True

    def lately(self) -> list[str]:
        """Returns what was said since the last time."""
        said, self.said = self.said, []
        return said


def test_a_question_is_asked_once_and_a_turn_is_told_when_it_is_over(tmp_path: Path) -> None:
    voice = RecordedVoice()
    with table_rig(tmp_path, placing(), ALONE) as rig:
        rig.add_display(SpeechDisplay(voice))
        assert voice.lately() == ["Red may place 3 more, or begin the special action of «Score the fours»"]
        rig.say("red", "place castillo", "place castillo")
        assert voice.lately() == []
        rig.say("red", "place castillo", "special")
        rig.pass_s(30)
        told = voice.lately()
        assert sum(line.startswith("Red took") for line in told) == 1
        assert told[-1].startswith("Green may bring")
        rig.pass_s(1)
        assert voice.lately() == []


def test_a_scoring_is_told_place_by_place_before_the_next_question(tmp_path: Path) -> None:
    voice = RecordedVoice()
    game = turn_of("score-one", THREE, board={"aragon": {"red": 2, "blue": 1}}, court={"red": 3})
    with table_rig(tmp_path, game, ALONE) as rig:
        rig.add_display(SpeechDisplay(voice))
        rig.say("red", "special")
        rig.press("aragon")
        assert not [line for line in voice.said if "Aragón" in line]
        rig.pass_s(1.6)
        assert [line for line in voice.lately() if "Aragón" in line] == ["Aragón is scored: Red 5, Blue 4"]
        rig.pass_s(30)
        assert not [line for line in voice.lately() if "Aragón is scored" in line]


def test_what_is_taken_back_is_said_and_what_follows_is_told_again(tmp_path: Path) -> None:
    voice = RecordedVoice()
    with table_rig(tmp_path, placing(), ALONE) as rig:
        rig.add_display(SpeechDisplay(voice))
        rig.say("red", "place castillo")
        voice.lately()
        rig.say("red", "undo")
        assert voice.lately() == ["Undone."]


def test_why_something_is_refused_is_said_once(tmp_path: Path) -> None:
    voice = RecordedVoice()
    with table_rig(tmp_path, placing(), ALONE) as rig:
        rig.add_display(SpeechDisplay(voice))
        voice.lately()
        king = rig.public.view["king"]
        assert king is not None
        rig.press(king)
        assert len(voice.lately()) == 1
        rig.press(king)
        assert voice.lately() == []


def test_why_a_dial_is_refused_is_its_players_own_affair(tmp_path: Path) -> None:
    voice = RecordedVoice()
    with table_rig(tmp_path, play(turn_of("secret-score", THREE, board=BOARD), "red special"), ALONE) as rig:
        rig.add_display(SpeechDisplay(voice))
        voice.lately()
        rig.say("red", "dial castillo")
        assert rig.prompt("red").notice is not None
        assert voice.lately() == []


def test_a_step_for_the_pieces_comes_before_the_question(tmp_path: Path) -> None:
    voice = RecordedVoice()
    with table_rig(tmp_path, placing(), Options(veto_s=0, guided=True), resumed=True) as rig:
        rig.add_display(SpeechDisplay(voice))
        assert voice.lately() == [Translator().say(rig.public.guide[0])]


def test_a_game_that_goes_on_begins_with_the_question_not_with_the_past() -> None:
    voice = RecordedVoice()
    game = play(placing(), "red place castillo", "red end")
    SpeechDisplay(voice).show(moment_of(game))
    assert len(voice.said) == 1
    assert voice.said[0].startswith("Green may bring")


def test_it_speaks_the_language_of_the_table_and_calls_players_by_name() -> None:
    voice = RecordedVoice()
    SpeechDisplay(voice).show(moment_of(placing(), Options(language="de", names={"red": "Ann"})))
    assert voice.languages == {"de"}
    assert "Ann" in voice.said[0]


def test_when_all_set_dials_it_says_whom_everybody_waits_for() -> None:
    voice = RecordedVoice()
    game = play(turn_of("secret-score", THREE, board=BOARD), "red special")
    display = SpeechDisplay(voice)
    display.show(moment_of(game))
    assert voice.lately() == ["Waiting for Red, Blue, Green"]
    display.show(moment_of(play(game, "red dial granada")))
    assert voice.lately() == ["Waiting for Blue, Green"]


def moments_of(game: Game) -> list[Moment]:
    """Returns a moment after each move of a game."""
    again = Game(game.seats, game.edition, game.rounds, game.house)
    moments = [moment_of(again)]
    for move in game.moves:
        again.play(move)
        moments.append(moment_of(again))
    return moments


def whole_game(seed: int) -> Game:
    game, player = Game(THREE, rounds=6), Player(Random(seed))
    while not game.over:
        game.play(player.choose(game.legal_moves()))
    return game


@pytest.mark.parametrize("seed", range(3))
def test_in_a_whole_game_each_turn_is_told_once_in_order_and_no_secret_ever(seed: int) -> None:
    voice, moments = RecordedVoice(), moments_of(whole_game(seed))
    display = SpeechDisplay(voice)
    for moment in moments:
        said = len(voice.said)
        display.show(moment)
        # While dials are set, it says whom it waits for and nothing of what they chose.
        if moment.public.view["turn"]["dialling"]:
            fresh = [line for line in voice.said[said:] if not line.endswith(".")]
            assert all(line.startswith("Waiting for") or " dials " in line for line in fresh), fresh
            assert not any(name in line for line in fresh for name in PLACE_NAMES.values() if name != "the castillo")
    last = moments[-1].public
    sentences = [summary_of(last, turn) for turn in history(last.view)]
    told = [Translator().say(sentence) for sentence in sentences if sentence is not None]
    assert [line for line in voice.said if line in set(told)] == told
    assert voice.said[-1].startswith("The game is over")
    assert sum("is scored" in line for line in voice.said) == len(last.view["scorings"])


def test_a_display_that_has_fallen_behind_tells_only_what_still_counts() -> None:
    voice, moments = RecordedVoice(), moments_of(whole_game(1))
    display = SpeechDisplay(voice)
    display.show(moments[0])
    voice.lately()
    display.show(moments[len(moments) // 2])
    turns = [line for line in voice.lately() if line.endswith(".") and "is scored" not in line]
    assert len(turns) <= 3


def test_a_newer_moment_takes_over_after_the_sentence_under_way() -> None:
    voice, moments = RecordedVoice(), moments_of(whole_game(1))
    display = SpeechDisplay(voice, newer=lambda: True)
    display.show(moments[0])
    for moment in (*moments[1:], *[moments[-1]] * 30):
        said = len(voice.said)
        display.show(moment)
        assert len(voice.said) <= said + 2  # what was taken back, and one sentence
    assert voice.said[-1].startswith("The game is over")
    assert len([line for line in voice.said if line.startswith("The game is over")]) == 1


class HoarseVoice(RecordedVoice):
    """Fails at its first sentence."""

    def say(self, words: str, language: str) -> None:
        super().say(words, language)
        if len(self.said) == 1:
            raise SpeechFailed("no sound card")


def test_a_voice_that_fails_is_reported_and_speaks_again_later() -> None:
    voice, troubles = HoarseVoice(), list[Trouble]()
    with spoken_aloud(voice, troubles.append) as display:
        game = placing()
        display.show(moment_of(game))
    assert voice.closed
    assert [(trouble.where, trouble.why, trouble.over) for trouble in troubles] == [
        ("SpeechDisplay", "SpeechFailed", False)
    ]
