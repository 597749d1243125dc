"""Words for people: constant texts with named fields, so that they can be translated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Field: TypeAlias = "str | int | Message | Several"


def phrase(text: str) -> str:
    """Marks a constant as words for people, so that it is found for translation where no `Message` is made of it yet.

    >>> phrase("{seat} ends the turn")
    '{seat} ends the turn'
    """
    return text


class Several(tuple["str | Message", ...]):
    """Several things in one field: each is put into words by itself, and a comma stands between them.

    >>> str(Message("there are {seats}", {"seats": Several(("red", "blue"))}))
    'there are red, blue'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(map(str, self))


class Message(NamedTuple):
    """Words for people: a constant text, and the values that go into it.

    >>> str(Message("it is not {seat}'s turn", {"seat": "red"}))
    "it is not red's turn"
    """

    text: str
    fields: Mapping[str, Field]

    @classmethod
    def using(cls, text: str, fields: Mapping[str, Field]) -> Message:
        """A message with those of the fields that its text speaks of."""
        return cls(text, {name: value for name, value in fields.items() if f"{{{name}}}" in text})

    def __str__(self) -> str:
        return self.text.format(**self.fields)
