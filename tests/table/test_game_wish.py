"""A wish for a game: the same defaults and checks for the command line and the set-up page."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import EDITIONS, Game
from companion.table.game_wish import GameWish, seated
from companion.table.options import PERSON, Options


def test_without_further_wishes_one_person_plays_three_bots_and_nothing_runs_out() -> None:
    wish = GameWish()
    assert list(wish.players.values()) == [PERSON, "normal", "normal", "normal"]
    assert (wish.rounds, wish.veto_s, wish.real_cards, wish.leader_lights, wish.house) == (9, 0.0, False, False, ())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"players": {"red": PERSON}}, "2 to 5 seats"),
        ({"players": {"red": PERSON, "purple": PERSON}}, "no seat called 'purple'"),
        ({"players": {"red": PERSON, "blue": "genius"}}, "Who plays blue?"),
        ({"edition": "pirate"}, "no edition called 'pirate'"),
        ({"rounds": 7}, "9 rounds, or 6"),
        ({"house": ("no-king",)}, "no house rule called 'no-king'"),
        ({"names": {"brown": "Ann"}}, "brown is not in this game"),
        ({"names": {"red": "A" * 21}}, "20 characters at most"),
        ({"names": {"red": "Ann", "blue": " ann "}}, "Two players are called ann"),
        ({"pace": "frantic"}, "cannot play at that pace"),
        ({"veto_s": float("nan")}, "from 0 to 600"),
        ({"veto_s": -1.0}, "from 0 to 600"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        GameWish(**wrong)


def test_names_are_tidied_and_empty_ones_are_left_out() -> None:
    assert GameWish(names={"red": "  Ann   Lee ", "blue": "  "}).names == {"red": "Ann Lee"}


def test_a_wish_becomes_its_game_and_options_and_those_become_the_same_wish_again() -> None:
    wish = GameWish(
        players=seated(("green", "red", "blue"), people=2, level="hard"),
        names={"green": "Ann"},
        edition="classic-fr",
        rounds=6,
        house=("open-castillo",),
        real_cards=True,
        leader_lights=True,
        veto_s=20.0,
        language="fr",
        pace="slow",
        hints=False,
    )
    game, options = wish.game(), wish.options(guided=True)
    assert (game.seats, game.edition, game.rounds, game.house) == (wish.seats, "classic-fr", 6, ("open-castillo",))
    assert options.guided
    assert GameWish.like(game.view(None)["setup"], options) == wish


def test_a_first_game_is_guided_short_and_slow_against_two_easy_bots() -> None:
    wish = GameWish.first_game("nl")
    assert wish.players == {"red": "person", "blue": "easy", "green": "easy"}
    assert (wish.teach, wish.rounds, wish.pace, wish.language) == (True, 6, "slow", "nl")
    # Whoever has played it has had the lessons.
    assert not GameWish.like(wish.game().view(None)["setup"], wish.options(guided=False)).teach


def test_a_game_like_one_in_which_two_had_the_same_name_can_be_wished_for() -> None:
    game = Game(("red", "blue"))
    options = Options(names={"red": "Ann", "blue": "ann", "green": "Bo"}, veto_s=1e6, pace="of an older version")
    wish = GameWish.like(game.view(None)["setup"], options)
    assert len(wish.names) == 1
    assert wish.pace == "normal"


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_can_be_wished_for(edition: str) -> None:
    assert GameWish(edition=edition).game().edition == edition
