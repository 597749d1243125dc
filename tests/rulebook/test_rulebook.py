"""The rulebook covers the whole game: every card, place, term and difference between editions, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.engine import CARDS, EDITIONS, Message
from companion.engine.editions import HOUSE_RULES, Edition
from companion.engine.regions import CABALLEROS, COURT_AT_START, HOME_AT_START, PLACES, SCORING_ROUNDS, STACKS
from companion.rulebook import (
    CARD_NOTES,
    DIFFERENCES,
    EDITION_NAMES,
    EXAMPLES,
    HOUSE_RULE_WORDS,
    SECTIONS,
    STACK_WORDS,
    TERMS,
    scored,
    so_in,
)
from companion.rulebook.entries import Figure, Listing, Note, Part, Picture, Points, Steps, Text
from companion.rulebook.sections import KING_IN, OPEN
from companion.translations import LANGUAGES, Translator

NAMES = [section.name for section in SECTIONS]
RULES = [rule for rule in Edition._fields if rule not in ("name", "language")]
"""What an edition decides."""


def parts() -> list[Part]:
    return [part for section in SECTIONS for part in section.parts]


def texts() -> Iterator[Text]:
    """Everything that the rulebook says."""
    for section in SECTIONS:
        yield section.title
    for part in parts():
        if isinstance(part, Points | Steps):
            yield from part
        elif isinstance(part, Figure):
            yield part.caption
        elif isinstance(part, str | Message):
            yield part
    yield from (text for notes in CARD_NOTES.values() for text in notes.more)
    yield from STACK_WORDS.values()
    yield from (text for term in TERMS.values() for text in (term.title, term.text))
    yield from (text for difference in DIFFERENCES.values() for text in difference)
    yield from (*EDITION_NAMES.values(), *HOUSE_RULE_WORDS.values())
    for example in EXAMPLES:
        yield example.title
        yield from (paid.why for edition in EDITIONS for paid in scored(example, edition))


def said(words: Translator, text: Text) -> str:
    return words.say(text) if isinstance(text, Message) else words.text(text)


# --- Nothing is missing -----------------------------------------------------------------------------------------------


def test_every_card_and_every_stack_has_its_notes() -> None:
    assert list(CARD_NOTES) == list(CARDS)
    assert tuple(STACK_WORDS) == STACKS


def test_every_difference_between_editions_is_described_and_no_other() -> None:
    assert list(DIFFERENCES) == RULES
    assert list(EDITION_NAMES) == list(EDITIONS)
    for rule in RULES:
        assert {so_in(edition, rule) for edition in EDITIONS} == {True, False}


def test_every_difference_is_marked_where_it_matters() -> None:
    marked = {part.rule for part in parts() if isinstance(part, Note)}
    marked |= {rule for notes in CARD_NOTES.values() for rule in notes.rules}
    assert marked == {*RULES}


def test_every_house_rule_is_described() -> None:
    assert tuple(HOUSE_RULE_WORDS) == HOUSE_RULES


def test_every_picture_and_every_listing_has_its_place() -> None:
    assert {part.picture for part in parts() if isinstance(part, Figure)} == {*Picture}
    assert {part for part in parts() if isinstance(part, Listing)} == {*Listing}


@pytest.mark.parametrize(
    "term", ["caballero", "grande", "king", "court", "province", "region", "castillo", "taboo", "dial", "tile", "veto"]
)
def test_the_words_that_players_ask_about_are_explained(term: str) -> None:
    assert term in TERMS


def test_whoever_reads_on_finds_a_section() -> None:
    assert len({*NAMES}) == len(NAMES)
    named = {notes.section for notes in CARD_NOTES.values()} | {term.section for term in TERMS.values()}
    assert named - {""} <= {*NAMES}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_everything_is_said_in_every_language(language: str) -> None:
    words = Translator(language)
    # Some words are the same everywhere.
    same = {"Bonus", "Caballero", "Grande", "Veto", "Region", "Province", "Castillo"}
    for text in texts():
        told = said(words, text)
        assert told
        assert not re.search("[{}<>]", told), told
        assert str(text) in same or told != said(Translator("en"), text), told


# --- What it says is what the engine does -----------------------------------------------------------------------------


def test_the_numbers_are_those_of_the_engine() -> None:
    whole = " ".join(said(Translator("en"), text) for text in texts())
    assert f"Caballeros: {CABALLEROS} in your colour" in whole
    assert f"your Grande and {HOME_AT_START} caballeros" in whole
    assert f"{COURT_AT_START} caballeros go to your court; the other 21 wait" in whole
    assert f"After rounds {', '.join(map(str, SCORING_ROUNDS))} comes" in whole
    assert "The short game has only 6 rounds: 2, 3, 5, 6, 8, 9." in whole
    assert "Without tiles these are Castilla la Vieja, Castilla la Nueva, Granada." in whole
    assert "Two score tiles, worth 8/4/0 and 4/0/0" in whole


def test_the_map_lights_the_neighbours_of_the_king_and_the_castillo() -> None:
    assert KING_IN not in OPEN
    assert {*OPEN} == {"castilla-la-vieja", "aragon", "valencia", "granada", "sevilla", "castillo"}
    assert {*OPEN} <= {*PLACES}


@pytest.mark.parametrize(
    ("example", "edition", "totals"),
    [
        (0, "bigbox-de", [8, 3, 1, 0]),
        (1, "bigbox-de", [0, 8, 2, 2]),
        (2, "bigbox-de", [3, 3, 3, 1]),
        (2, "classic-fr", [3, 3, 3, 0]),
    ],
)
def test_the_examples_pay_what_the_rules_say(example: int, edition: str, totals: list[int]) -> None:
    assert [paid.total for paid in scored(EXAMPLES[example], edition)] == totals


def test_the_examples_show_both_bonuses_a_tie_without_one_and_an_empty_hand() -> None:
    paid = [each for example in EXAMPLES for each in scored(example)]
    assert any(each.king_bonus for each in paid)
    assert any(each.grande_bonus for each in paid)
    assert any(not each.caballeros for each in paid)
    assert any(example.king and not any(each.king_bonus for each in scored(example)) for example in EXAMPLES)
    assert [each.why for each in scored(EXAMPLES[1])] == [
        "nothing left", "the most", "tied: paid as third", "tied: paid as third",
    ]  # fmt: skip
