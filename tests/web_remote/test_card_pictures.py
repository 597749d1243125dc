"""Every action card has a picture, and no two look the same."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.engine.words import CARD_WORDS
from tests.web_remote.test_scripts import SCRIPTS

SOURCE = SCRIPTS["shared/card_pictures.js"]
MOST_BYTES = 6000
"""Phones load it."""


def table(name: str) -> dict[str, str]:
    """One of the tables in the script, with its keys in their order."""
    (rows,) = re.findall(rf"^const {name} = \{{(.*?)^\}};", SOURCE, re.DOTALL | re.MULTILINE)
    return {key: value.strip('"') for key, value in re.findall(r'^  "?([\w-]+)"?: (.+),$', rows, re.MULTILINE)}


CARDS = table("CARDS")
SIGNS = table("SIGNS")


def test_every_card_has_a_picture_and_there_are_no_others() -> None:
    assert list(CARDS) == list(CARD_WORDS)


def test_no_two_pictures_are_the_same() -> None:
    assert [drawn for drawn, times in Counter(CARDS.values()).items() if times > 1] == []


@pytest.mark.parametrize("card", CARDS)
def test_a_picture_is_made_of_signs_and_numbers_inside_its_square(card: str) -> None:
    for part in CARDS[card].split(", "):
        sign, x, y, *scale = part.split(" ")
        assert sign in SIGNS or re.fullmatch(r"\+?\d", sign), part
        assert 8 < float(x) < 60
        assert 8 < float(y) < 60
        assert len(scale) < 2
        assert all(0.5 < float(each) <= 2 for each in scale)


def test_every_sign_is_used() -> None:
    used = {part.split(" ")[0] for drawn in CARDS.values() for part in drawn.split(", ")}
    assert {*SIGNS} <= used


def test_the_pictures_are_small_enough_for_a_phone() -> None:
    assert len(SOURCE.encode()) < MOST_BYTES
