"""What requests carry: a few words and numbers as JSON. What no page of ours would send is refused."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from flask import request
from werkzeug.exceptions import BadRequest

LINE_LENGTH: Final = 100
_UNFIT: Final = ("Cc", "Cs", "Zl", "Zp")
"""Kinds of letters that break lines, or that cannot be sent on: half of a pair would end every stream."""
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Letters that have what follows them written the other way round, beyond where they stand."""


def given() -> dict[str, Any]:
    """All that the request carries."""
    try:
        data = request.get_json(silent=True)
    except RecursionError:  # brackets within brackets
        data = None
    if not isinstance(data, dict):
        raise BadRequest
    return data


def text(name: str, most: int = 32, default: str | None = None) -> str:
    """A text in any writing: not empty, unless there is a default."""
    value = given().get(name, default)
    if not isinstance(value, str) or len(value) > most or not all(map(_fit, value)):
        raise BadRequest
    if default is None and not value.strip():
        raise BadRequest
    return value


def code(default: str | None = None) -> str:
    """A code, however people space it."""
    return "".join(text("code", 24, default).split())


def line(name: str = "line") -> str:
    """A line of notation, or a word to the table: plain letters, for everybody may be shown it."""
    value = text(name, LINE_LENGTH)
    if not value.isascii():
        raise BadRequest
    return value


def number(name: str) -> int:
    """A number that counts something."""
    value = given().get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise BadRequest
    return value


def _fit(letter: str) -> bool:
    return unicodedata.category(letter) not in _UNFIT and letter not in _TURNING
