"""What people may type at the keyboard, and what it means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from companion.engine import Move
from companion.engine.words import PLACE_NAMES

MOST_LISTED: Final = 16
"""With more choices than this, people are asked word by word."""

# For these, the number is the choice itself: 7 plays power card 7.
_BY_OWN_NUMBER: Final = ("power", "recruit", "card", "retake")

Words = tuple[str, ...]


def spoken(move: Move) -> Words:
    """Returns a move's words without its seat."""
    return (move.verb, *move.args)


def choices(legal: Sequence[Move], said: Words) -> list[Words]:
    """Returns what can be typed next: whole moves if there are few, otherwise up to the next word.

    >>> choices([Move("red", "power", "1"), Move("red", "power", "2")], ())
    [('power', '1'), ('power', '2')]
    """
    fitting = [words for words in map(spoken, legal) if words[: len(said)] == said]
    if len(fitting) <= MOST_LISTED:
        return fitting
    next_words = list(dict.fromkeys(words[: len(said) + 1] for words in fitting))
    return choices(legal, next_words[0]) if len(next_words) == 1 else next_words


def labelled(options: Sequence[Words]) -> dict[str, Words]:
    """Returns options by what to type for them: their own number if they have one, otherwise their position.

    >>> labelled([("power", "4"), ("power", "9")])
    {'4': ('power', '4'), '9': ('power', '9')}
    >>> labelled([("place", "granada"), ("end",)])
    {'1': ('place', 'granada'), '2': ('end',)}
    """
    if any(words[0] in _BY_OWN_NUMBER and len(words) > 1 for words in options):
        return {words[-1]: words for words in options}
    return {str(number): words for number, words in enumerate(options, start=1)}


def folded(text: str, names: Mapping[str, str] | None = None) -> str:
    """Returns a text without capitals and accents, with place names as the engine writes them.

    >>> folded("Move blue Castilla la Nueva Aragón")
    'move blue castilla-la-nueva aragon'
    >>> folded("move blauw Nieuw-Castilië", {"Nieuw-Castilië": "castilla-la-nueva", "blauw": "blue"})
    'move blue castilla-la-nueva'

    :param names: names in another language, each with the notation's word for it.
    """
    plain = _plain(text)
    for name in PLACE_NAMES:
        plain = plain.replace(name.replace("-", " "), name)
    for name, word in (names or {}).items():
        plain = re.sub(rf"(?<![\w-]){re.escape(_plain(name))}(?![\w-])", word, plain)
    return plain.replace("the castillo", "castillo").replace("the court", "court")


def _plain(text: str) -> str:
    plain = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return " ".join(plain.lower().split())


def understand(answer: str, legal: Sequence[Move], said: Words, names: Mapping[str, str] | None = None) -> list[Move]:
    """Returns the legal moves an answer can mean, read as a continuation of what was typed before or from the start.

    Words may be shortened: `pl gra` means `place granada`, if nothing else begins like that.
    """
    words = tuple(folded(answer, names).split())
    for start in dict.fromkeys((said, ())):
        whole = (*start, *words)
        exact = [move for move in legal if spoken(move)[: len(whole)] == whole]
        found = exact or [move for move in legal if _begins(spoken(move), whole)]
        if found:
            return found
    return []


def _begins(words: Words, short: Words) -> bool:
    return len(short) <= len(words) and all(word.startswith(part) for word, part in zip(words, short, strict=False))


def common_words(moves: Sequence[Move]) -> Words:
    """Returns the words that all moves begin with."""
    first, *others = map(spoken, moves)
    length = 0
    while length < len(first) and all(words[: length + 1] == first[: length + 1] for words in others):
        length += 1
    return first[:length]
