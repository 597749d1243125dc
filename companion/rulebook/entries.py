"""What the rulebook is made of: sections with their parts, cards, terms, and where editions differ."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from companion.engine import Message

Text: TypeAlias = str | Message
"""A text for people, marked by `phrase`; a message where numbers or places are filled in."""


class Points(tuple[Text, ...]):
    """A list in no particular order."""

    __slots__ = ()


class Steps(tuple[Text, ...]):
    """A list whose order matters."""

    __slots__ = ()


class Picture(Enum):
    """The pictures; `static/rules/figures.js` draws one for each value."""

    PIECES = "pieces"
    POWER_CARDS = "power-cards"
    MAP = "map"
    DIAL = "dial"


class Figure(NamedTuple):
    """A picture, and what it shows in words."""

    picture: Picture
    caption: Text


class Listing(Enum):
    """The parts that are worked out from the engine's own tables."""

    POWER_CARDS = "power-cards"
    PLACES = "places"
    EXAMPLES = "examples"
    CARDS = "cards"
    HOUSE_RULES = "house-rules"
    EDITIONS = "editions"
    TERMS = "terms"


class Note(NamedTuple):
    """Marks a spot where the editions differ."""

    rule: str
    """A field of the engine's `Edition`."""


Part: TypeAlias = Text | Points | Steps | Figure | Listing | Note


class Section(NamedTuple):
    """A chapter of the rules. Its name is also its address on the page, as in `/rules#veto`."""

    name: str
    title: str
    parts: tuple[Part, ...]


class CardNotes(NamedTuple):
    """What there is to say about an action card beyond its own text."""

    more: tuple[Text, ...] = ()
    rules: tuple[str, ...] = ()
    """Where the editions differ: fields of the engine's `Edition`."""
    section: str = ""
    """A section to read on in."""


class Term(NamedTuple):
    """A word of the game. It may have a section to read on in."""

    title: str
    text: Text
    section: str = ""


class Difference(NamedTuple):
    """A point where editions differ: in short, and what holds where it is so and where it is not."""

    title: Text
    yes: Text
    no: Text
