"""Names: none that nobody can read, none that passes for another player's, and none that turns a sentence around."""
# ruff: noqa: RUF001

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import SEATS, Message
from companion.speech.display import _spoken
from companion.storage.notes import NameNote
from companion.table.game_wish import BadWish, GameWish
from companion.table.names import (
    COLOUR_WORDS,
    LIKE_A_COLOUR,
    LIKE_ANOTHER,
    LIKE_THE_TABLE,
    NAME_LENGTH,
    TABLE_WORDS,
    UNREADABLE,
    looks_like,
    name_problem,
    tidy_name,
)
from companion.table.options import Options
from companion.table.replies import Outcome, Reply
from companion.table.seat_requests import Knock, TakeSeat
from companion.translations import LANGUAGES, Translator
from companion.translations.colours import CHANCE, COLOURS
from tests.support.table_rig import placing, table_rig

ANN = {"red": "Ann"}


def why(name: str, seat: str = "blue", **names: str) -> str | None:
    problem = name_problem(seat, name, names or ANN)
    return None if problem is None else problem.text


@pytest.mark.parametrize(
    "name",
    ["\u200b", "\u200d\u200c", "\u2060", "\ufeff", "\u00ad", "\u115f", "\u3164", "\uffa0", "\u2800", "\ufe0f", "\u034f",
     "\u0301\u0302", "\u180e", "\U000e0041", "\ue000", "\u200b \u3000\u200b", "\u2063", "\U000e0101"],
)  # fmt: skip
def test_a_name_that_cannot_be_read_is_refused(name: str) -> None:
    assert why(name) == UNREADABLE
    with pytest.raises(BadWish, match="cannot be read"):
        GameWish(names={"blue": name})


@pytest.mark.parametrize(
    "name",
    ["ann", "ANN", "Ann ", "A nn", "A-n-n", "Ann\u200b", "A\u200dnn", "Аnn", "Αnn", "Ａｎｎ", "𝐀𝐧𝐧", "Ånn", "Än̈n",
     "4nn", "@nn", "ａnn", "Ann\u3164", "\u2066Ann\u2069", "Ann."],
)  # fmt: skip
def test_a_name_that_passes_for_another_players_is_refused(name: str) -> None:
    assert why(name) == LIKE_ANOTHER
    assert name_problem("red", name, ANN) is None, "a player's own name may be written differently"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Olga", "Оlga"), ("Bob", "B0b"), ("Ian", "lan"), ("Ian", "1an"), ("Lisa", "L1sa"), ("Bernd", "Bemd"),
     ("Willem", "VVillem"), ("Peter", "Реtеr"), ("Zoe", "Ζοε"), ("Nina", "Νina"), ("Łukasz", "Lukasz"),
     ("Tess", "Te55")],
)  # fmt: skip
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert looks_like(one, other)
    assert looks_like(other, one)


@pytest.mark.parametrize(
    "name",
    ["Anna", "An", "Anne", "Hans", "José", "Zoë", "Ольга", "Γιώργος", "אבי", "عمر", "さくら", "小明", "नमिता", "Nguyễn",
     "7 of 9", "🌳", "👩\u200d🚀", "...", "O'Neil", "Jan-Willem", "", "  ", "Blauwe Jan", "Rotraud"],
)  # fmt: skip
def test_honest_names_in_any_script_may_stay(name: str) -> None:
    assert why(name) is None
    assert tidy_name(name) == " ".join(name.split())


def test_nobody_is_called_by_the_colour_of_another_seat_in_any_language() -> None:
    for language in LANGUAGES:
        for seat in SEATS:
            for word in (str(COLOURS[language][seat]), f"{COLOURS[language][seat]:word}"):
                assert word.casefold() in (each.casefold() for each in COLOUR_WORDS[seat])
                other = "red" if seat == "blue" else "blue"
                assert why(word.upper(), other, red="") == LIKE_A_COLOUR
                assert why(word, seat, red="") is None
        assert CHANCE[language] in TABLE_WORDS
        assert why(CHANCE[language].title()) == LIKE_THE_TABLE
    assert why("Вlue", "red", blue="") == LIKE_A_COLOUR


def test_marks_are_limited_and_names_short() -> None:
    name = tidy_name("Z" + "\u0300\u0301\u0302" * 5 + "oe" + "\u0489" * 9)
    assert len(name) < 10
    assert len(tidy_name("W" * 50)) == NAME_LENGTH


def test_whoever_joins_under_a_name_that_passes_for_anothers_is_told_and_nobody_else(tmp_path: Path) -> None:
    with table_rig(tmp_path, placing(), Options(names={"green": "Zoe"})) as rig:
        replies: list[Reply] = []
        for gesture in (
            TakeSeat("red", "abc", "Ann"),
            TakeSeat("blue", "def", "Аnn"),
            Knock("blue", "def", "\u3164"),
            TakeSeat("blue", "def", "zoe"),
            TakeSeat("blue", "def", "  Ann\u200ba "),
            TakeSeat("red", "abc", "ANN"),
        ):
            rig.table.post(gesture, replies.append)
            rig.table.poll()
            assert rig.public.notices == ()
        assert [reply.outcome for reply in replies] == [Outcome.ACCEPTED] + [Outcome.REFUSED] * 3 + [
            Outcome.ACCEPTED
        ] * 2
        assert replies[1].why == Message(LIKE_ANOTHER, {"other": "red"})
        assert rig.session.options.names == {"green": "Zoe", "red": "ANN", "blue": "Anna"}


def test_games_of_old_with_such_names_still_open_and_another_can_be_set_up() -> None:
    game = placing()
    options = Options().after([NameNote("red", "Ann"), NameNote("blue", "Аnn"), NameNote("green", "\u3164")])
    assert options.names["blue"] == "Аnn"
    wish = GameWish.like(game.view(None)["setup"], options)
    assert wish.names == {"red": "Ann"}


def test_a_name_written_from_right_to_left_turns_nothing_else_around() -> None:
    words = Translator("en", names={"red": "אבי 5", "blue": "Ann"})
    said = words.in_words("{seat} places one in {place}", seat="red", place="aragon")
    assert said == "\u2068אבי 5\u2069 places one in Aragón"
    assert words.in_words("{seat} ends the turn", seat="blue") == "Ann ends the turn"
    assert words.seat("red") == "\u2068אבי 5\u2069"
    assert words.understood()["אבי 5"] == "red"
    assert _spoken(said) == "אבי 5 places one in Aragón"
