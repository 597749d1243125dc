"""Players' names: which are refused because nobody could read them, or because they pass for somebody else's.

A name is refused when nothing of it can be seen, and when it looks like the name of another player, like the colour of
another seat in any language of the pages, or like the table itself. Whether two names look the same is decided by their
skeletons: compatible characters are unified (NFKC), marks, capitals, spaces and signs are dropped, and letters that
look like others are replaced by them (`LOOKS_LIKE`).

    >>> looks_like("Аnnа", "ANNA"), looks_like("B0b", "Bob"), looks_like("Ann", "Anna")
    (True, True, False)

The table is our own and short: the Greek and Cyrillic letters that are printed like Latin ones, and digits and signs
that pass for letters. It is not meant to be complete; people at a table see each other.
"""
# ruff: noqa: RUF001, RUF002

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from companion.engine import SEATS, Message, phrase

NAME_LENGTH: Final = 20
MOST_MARKS: Final = 3
"""How many combining marks may stand on one letter; more would run into the lines above and below."""

UNREADABLE: Final = phrase("That name cannot be read. Use letters or digits.")
LIKE_ANOTHER: Final = phrase("That name looks like {other}'s. Choose another one.")
LIKE_A_COLOUR: Final = phrase("That name looks like the colour of another seat. Choose another one.")
LIKE_THE_TABLE: Final = phrase("That is what the table itself is called. Choose another name.")

COLOUR_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "red": ("red", "rood", "rot", "rouge", "rojo"),
    "blue": ("blue", "blauw", "blau", "bleu", "azul"),
    "green": ("green", "groen", "grün", "vert", "verde"),
    "yellow": ("yellow", "geel", "gelb", "jaune", "amarillo"),
    "brown": ("brown", "bruin", "braun", "brun", "marrón"),
}
"""What a seat without a name is called, in every language of the pages."""
TABLE_WORDS: Final = ("table", "the table", "de tafel", "der Tisch", "la table", "la mesa")

LOOKS_LIKE: Final[Mapping[str, str]] = {
    # Cyrillic.
    **dict(zip("АВЕЗІЈКМНОРԚЅТУѴԜХСҮҺЬ", "abe3ijkmhopqstyvwxcyhb", strict=True)),
    **dict(zip("авԁеіјкӏмнорԛѕтуѵԝхсүһьгқә", "abdeijklmhopqstyvwxcyhbrke", strict=True)),
    # Greek. A capital nu looks like N, a small one like v.
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "abezhikmnoptyxc", strict=True)),
    **dict(zip("αβεηικνορτυχωσγϲϳ", "abenikvoptuxwoycj", strict=True)),
    # Latin letters with a stroke, without a dot, or small capitals: they have no decomposition.
    **dict(zip("øØđĐħıłŁŧɑɡɩʀʏᴀᴇᴏᴜ", "ooddhilltagiryaeou", strict=True)),
    # Digits and signs that pass for letters.
    **dict(zip("0134578|!$@€", "oleastblisae", strict=True)),
}
"""Letters, digits and signs, and the Latin letters they look like."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
"""Two letters that look like one."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u180b\u180c\u180d\u180f") | {
    chr(number) for block in (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)) for number in block
}
"""Characters that count as letters or marks and show nothing: fillers, joiners, variation selectors, blank braille."""
_UNSEEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp")


def tidy_name(name: str) -> str:
    r"""Returns a name as it is kept: composed, without what cannot be seen, without superfluous spaces and marks.

    >>> tidy_name("  Ann\u200b   Lee "), len(tidy_name("Z" + "\u0301" * 50))
    ('Ann Lee', 4)
    """
    kept: list[str] = []
    marks = 0
    letters = unicodedata.normalize("NFC", name)
    for before, letter, after in zip(" " + letters, letters, letters[1:] + " ", strict=False):
        marks = marks + 1 if _is_mark(letter) else 0
        if letter.isspace():
            kept.append(" ")
        elif (_is_seen(letter) and marks <= MOST_MARKS) or _joins_pictures(before, letter, after):
            kept.append(letter)
    return " ".join("".join(kept).split())[:NAME_LENGTH].rstrip()


def name_problem(seat: str, name: str, names: Mapping[str, str]) -> Message | None:
    """Returns why a player may not be called this, or `None` when they may. One without a name may be.

    :param seat: the player's own seat.
    :param names: what players are called, by seat.
    """
    if not name.strip():
        return None
    tidy = tidy_name(name)
    if all(_is_mark(letter) for letter in tidy):
        return Message(UNREADABLE, {})
    for other, called in names.items():
        if other != seat and called and looks_like(tidy, called):
            return Message(LIKE_ANOTHER, {"other": other})
    if any(looks_like(tidy, word) for other in SEATS if other != seat for word in COLOUR_WORDS[other]):
        return Message(LIKE_A_COLOUR, {})
    if any(looks_like(tidy, word) for word in TABLE_WORDS):
        return Message(LIKE_THE_TABLE, {})
    return None


def is_name_problem(why: Message | None) -> bool:
    """Returns whether something was refused because of a name."""
    return why is not None and why.text in (UNREADABLE, LIKE_ANOTHER, LIKE_A_COLOUR, LIKE_THE_TABLE)


def without_problems(names: Mapping[str, str]) -> dict[str, str]:
    """Returns those names that may stand beside each other; of two that look the same, the first."""
    kept: dict[str, str] = {}
    for seat, name in names.items():
        tidy = tidy_name(name)
        if tidy and name_problem(seat, tidy, kept) is None:
            kept[seat] = tidy
    return kept


def looks_like(name: str, other: str) -> bool:
    """Returns whether people could take one name for the other."""
    return skeleton(name) == skeleton(other)


def skeleton(name: str) -> str:
    """Returns a name reduced to what can be told apart at a glance.

    >>> skeleton("Ånn-Lee"), skeleton("Ian"), skeleton("Bernd")
    ('annlee', 'lan', 'bemd')
    """
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", tidy_name(name)))
    letters = "".join(LOOKS_LIKE.get(letter, letter) for letter in letters if not _is_mark(letter)).casefold()
    letters = "".join(LOOKS_LIKE.get(letter, letter) for letter in letters).replace("i", "l")
    for pair, one in _PAIRS:
        letters = letters.replace(pair, one)
    plain = "".join(letter for letter in letters if unicodedata.category(letter)[0] in "LN" or _is_picture(letter))
    return plain or tidy_name(name)  # a name of signs alone


def _is_seen(letter: str) -> bool:
    """Returns whether a character leaves a trace on paper; a combining mark does, on the letter before it."""
    return unicodedata.category(letter) not in _UNSEEN and letter not in _BLANK


def _joins_pictures(before: str, letter: str, after: str) -> bool:
    """Returns whether a joiner makes one picture of two: a woman and a rocket are an astronaut."""
    return letter == "\u200d" and _is_picture(before) and _is_picture(after)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def _is_picture(letter: str) -> bool:
    """Returns whether a character is a picture, such as an emoji: somebody may be called a tree."""
    return unicodedata.category(letter) == "So" and letter not in _BLANK
