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


class Several(tuple["str | Message", ...]):
    """Several things in one field: each is translated on its own, and commas separate them.

    >>> str(Message("there are {seats}", {"seats": Several(("red", "blue"))}))
    'there are red, blue'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(map(str, self))


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
