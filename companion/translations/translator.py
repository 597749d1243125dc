"""Translates messages: the text with the catalogue, and each field according to what it stands for."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final
from unicodedata import bidirectional

from companion.engine import DEFAULT_EDITION, TABLE, Message, Move, Several, phrase
from companion.engine.messages import AND, Field, Series
from companion.engine.words import CARD_WORDS, CardWords, move_words
from companion.translations.catalogue import catalogue
from companion.translations.colours import CHANCE, COLOURS, CONTROLS
from companion.translations.forms import Forms
from companion.translations.languages import ENGLISH, LANGUAGES
from companion.translations.terms import PLACES, terms_of

_LOG: Final = logging.getLogger(__name__)
COMMANDS: Final = ("sudo ", "companion ")
"""What a sentence may begin with that people type as it is."""

# What a field stands for, by its name; any other is shown as it is.
_KINDS: Final = {
    **dict.fromkeys(("place", "origin", "king", "region", "where"), "place"),
    **dict.fromkeys(("seat", "colour", "other", "actor", "next", "winner", "seats", "actors", "winners"), "seat"),
    "which": "colour of a piece",
    "card": "card",
}
_QUOTED: Final = phrase("«{title}»")


ISOLATES: Final = "\u2068\u2069"
"""The characters before and after a text whose direction must not spread to what stands around it."""


def isolated(name: str) -> str:
    r"""Returns a name as it stands in a sentence: one that is written from right to left turns nothing else around.

    All other names stay as they are, because every language of ours is written from left to right.

    >>> isolated("Ann"), isolated("אבי 5") == "\N{FIRST STRONG ISOLATE}אבי 5\N{POP DIRECTIONAL ISOLATE}"
    ('Ann', True)
    """
    turns = any(bidirectional(letter) in ("R", "AL", "AN") for letter in name)
    return f"{ISOLATES[0]}{name}{ISOLATES[1]}" if turns else name


class Translator:
    """Puts everything people read into one language.

    It never changes, so threads may share it, and each language's catalogue is read only once. It never fails: what it
    cannot translate it says in English, and a language it does not know is treated as English.

    :param edition: the edition of the game; its own terms are used when it is in that language.
    :param names: the players' names, by colour.
    """

    def __init__(
        self, language: str = ENGLISH, edition: str = DEFAULT_EDITION, names: Mapping[str, str] | None = None
    ) -> None:
        self.language = language if language in LANGUAGES else ENGLISH
        self.edition = edition
        self.names = {colour: isolated(name) for colour, name in (names or {}).items()}
        terms = terms_of(self.language, edition)
        self._texts = catalogue(self.language, terms)
        self._places = PLACES[terms]
        self._colours = COLOURS[self.language]

    def say(self, message: Message) -> str:
        """Returns a message in this language.

        >>> Translator("de").say(Message("{place} is scored: {points}", {"place": "castillo", "points": "Rot 5"}))
        'Das Castillo wird gewertet: Rot 5'
        """
        return _capital(self._put(message))

    def text(self, text: str) -> str:
        """Returns a text with its fields still to be filled in, for pages, which do that themselves."""
        return _capital(self._text(text))

    def in_words(self, text: str, /, **fields: Field) -> str:
        """Returns a text in this language, with its fields filled in."""
        return self.say(Message(text, fields))

    def move(self, move: Move | str) -> str:
        """Says what a move means. Also accepts a masked line from a view's log.

        >>> Translator("fr").move("green move red aragon castillo")
        "Vert déplace un Caballero de Rouge d'Aragon dans le Castillo"
        """
        return self.say(move_words(move))

    def place(self, place: str) -> str:
        """Returns the name of a place as printed on the board.

        >>> Translator("fr").place("pais-vasco"), Translator("es").place("castillo")
        ('Pays Basque', 'castillo')
        """
        return f"{self._place(place):name}"

    def seat(self, colour: str) -> str:
        """Returns what a player is called, by name or else by colour. Also accepts the seat `table`."""
        if colour == TABLE:
            return CHANCE[self.language]
        return self.names.get(colour) or str(self._colours.get(colour, colour))

    def colour(self, colour: str) -> str:
        """Returns the word for a colour, whoever plays it."""
        return f"{self._colours.get(colour, Forms(colour)):word}"

    def card(self, card: str) -> CardWords:
        """Returns a card's title and what its special action does."""
        words = CARD_WORDS[card]
        return CardWords(_capital(self._text(words.title)), self._text(words.text))

    def control(self, control: str) -> str:
        """Returns the name of a control of the board: `confirm` or `undo`."""
        return CONTROLS[self.language].get(control, control)

    def understood(self) -> dict[str, str]:
        """Returns the names people may type in this language, each with the notation's word for it."""
        places = {f"{words:{form}}": place for place, words in self._places.items() for form in ("name", "")}
        colours = {f"{words:word}": colour for colour, words in self._colours.items()}
        players = {name.strip(ISOLATES): colour for colour, name in self.names.items()}
        return {**places, **colours, **players}

    def __repr__(self) -> str:
        return f"<Translator into {LANGUAGES[self.language]}, {self.edition}>"

    def _text(self, text: str) -> str:
        return self._texts.get(text, text)

    def _put(self, message: Message) -> str:
        """Returns a message without a capital at the beginning, as it stands inside a sentence."""
        try:
            fields = {name: self._field(name, value) for name, value in message.fields.items()}
            for text in dict.fromkeys((self._text(message.text), message.text)):
                try:
                    return text.format(**fields)
                except (LookupError, ValueError, AttributeError):
                    _LOG.exception("'%s' cannot be said in %s", text, self.language)
        except Exception:
            _LOG.exception("'%s' cannot be said", message.text)
        return message.text

    def _field(self, name: str, value: Field) -> str | int:
        if isinstance(value, Message):
            return self._put(value)
        if isinstance(value, Several):
            *most, last = (str(self._field(name, each)) for each in value)
            if isinstance(value, Series) and most:
                return self._text(AND).format(first=", ".join(most), last=last)
            return ", ".join((*most, last))
        if not isinstance(value, str):
            return value
        match _KINDS.get(name):
            case "place":
                return self._place(value)
            case "seat":
                return self.seat(value)
            case "colour of a piece" if self.language == ENGLISH:
                return value  # English texts need no other form: the red Grande
            case "colour of a piece":
                return self._colours.get(value) or Forms(value)
            case "card" if value in CARD_WORDS:
                return self._text(_QUOTED).format(title=self.card(value).title)
        return value

    def _place(self, place: str) -> Forms:
        """Returns the forms of a place; for a control or a hub, which can take its place in a text, its name."""
        return self._places.get(place) or Forms(self.control(place))


def _capital(words: str) -> str:
    """Returns a sentence with a capital at the beginning, unless a command to type stands there."""
    return words if words.startswith(COMMANDS) else words[:1].upper() + words[1:]
