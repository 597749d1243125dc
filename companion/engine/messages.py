"""Text for people: constant strings with named fields, so that they can be translated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Field: TypeAlias = "str | int | Message | Several"


def phrase(text: str) -> str:
    """Marks a constant as text for people, so that translation finds it even where no `Message` is made from it.

    >>> phrase("{seat} ends the turn")
    '{seat} ends the turn'
    """
    return text


AND = phrase("{first} and {last}")
"""How the last thing of a series is joined to the others."""


class Several(tuple["str | Message", ...]):
    """Several things in one field: each is translated on its own, and commas separate them.

    >>> str(Message("there are {seats}", {"seats": Several(("red", "blue"))}))
    'there are red, blue'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(map(str, self))


class Series(Several):
    """Several things in one field, with "and" before the last.

    >>> str(Message("placed {parts}", {"parts": Series(("2 in Aragon", "1 in Granada"))}))
    'placed 2 in Aragon and 1 in Granada'
    """

    __slots__ = ()

    def __str__(self) -> str:
        *most, last = map(str, self)
        return AND.format(first=", ".join(most), last=last) if most else last


class Message(NamedTuple):
    """Text for people: a constant string, and the values that go into it.

    >>> str(Message("it is not {seat}'s turn", {"seat": "red"}))
    "it is not red's turn"
    """

    text: str
    fields: Mapping[str, Field]

    @classmethod
    def using(cls, text: str, fields: Mapping[str, Field]) -> Message:
        """Makes a message that keeps only the fields its text mentions."""
        return cls(text, {name: value for name, value in fields.items() if f"{{{name}}}" in text})

    def __str__(self) -> str:
        return self.text.format(**self.fields)


class QuestionWords(NamedTuple):
    """A question in two wordings: about the seat that is asked, for everybody, and to that seat itself.

    >>> words = QuestionWords.using("{seat} takes a card", "Take a card", {"seat": "red"})
    >>> str(words.about), str(words.to)
    ('red takes a card', 'Take a card')
    """

    about: Message
    to: Message

    @classmethod
    def using(cls, about: str, to: str, fields: Mapping[str, Field]) -> QuestionWords:
        """Makes both messages, each with the fields its text mentions."""
        return cls(Message.using(about, fields), Message.using(to, fields))

    @classmethod
    def for_everybody(cls, message: Message) -> QuestionWords:
        """Makes a question that is asked of nobody in particular: which card was turned up."""
        return cls(message, message)
