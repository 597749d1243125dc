"""The whole game in our own words, as data: sections, notes on cards, terms, and where editions differ.

The texts are English; a `Translator` puts them into other languages. Numbers come from the engine. `web_remote` shows
all of it on one page, `/rules`.
"""

from companion.rulebook.cards import CARD_NOTES, STACK_WORDS
from companion.rulebook.editions import DIFFERENCES, EDITION_NAMES, HOUSE_RULE_WORDS, so_in
from companion.rulebook.examples import EXAMPLES, scored
from companion.rulebook.sections import SECTIONS
from companion.rulebook.terms import TERMS

__all__ = [
    "CARD_NOTES",
    "DIFFERENCES",
    "EDITION_NAMES",
    "EXAMPLES",
    "HOUSE_RULE_WORDS",
    "SECTIONS",
    "STACK_WORDS",
    "TERMS",
    "scored",
    "so_in",
]
