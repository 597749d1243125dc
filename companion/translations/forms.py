"""Words with several forms: a translated text asks for the one it needs, as in `{place:in}`."""

from __future__ import annotations

from collections.abc import Mapping


class Forms(str):
    """A word in its usual form, with other forms by name. A form it does not have falls back to the usual one.

    >>> castillo = Forms("das Castillo", {"in": "im Castillo"})
    >>> "{0} ist voll, {0:in} sind viele".format(castillo)
    'das Castillo ist voll, im Castillo sind viele'
    """

    __slots__ = ("_others",)

    _others: Mapping[str, str]

    def __new__(cls, usual: str, others: Mapping[str, str] | None = None) -> Forms:
        """Makes a word from its usual form and the others."""
        word = super().__new__(cls, usual)
        word._others = others or {}
        return word

    def __format__(self, form: str) -> str:
        return self._others.get(form, str(self))
