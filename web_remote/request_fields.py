"""The fields of a request: a few words and numbers as JSON. Anything that none of our pages would send is refused."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from flask import request
from werkzeug.exceptions import BadRequest

LINE_LENGTH: Final = 100
_UNFIT: Final = ("Cc", "Cs", "Zl", "Zp")
"""Kinds of characters that break lines or cannot be encoded: a lone surrogate would end every stream."""
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reverse the direction of the text after them, even outside their own field."""


def given() -> dict[str, Any]:
    """Returns everything the request carries."""
    try:
        data = request.get_json(silent=True)
    except RecursionError:  # deeply nested brackets
        data = None
    if not isinstance(data, dict):
        raise BadRequest
    return data


def text(name: str, most: int = 32, default: str | None = None) -> str:
    """Returns a text in any script. It must not be empty unless there is a default."""
    value = checked_text(given().get(name, default), most)
    if default is None and not value.strip():
        raise BadRequest
    return value


def code(default: str | None = None) -> str:
    """Returns a code, or the token that a QR code carries instead."""
    return text("code", 64, default).strip()


def line(name: str = "line") -> str:
    """Returns a line of notation or a command: plain characters only, because everybody may be shown it."""
    value = text(name, LINE_LENGTH)
    if not value.isascii():
        raise BadRequest
    return value


def number(name: str) -> int:
    """Returns a number that counts something."""
    value = given().get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise BadRequest
    return value


def flag(name: str) -> bool:
    """Returns whether something is asked for; a field that is missing asks for nothing."""
    value = given().get(name, False)
    if not isinstance(value, bool):
        raise BadRequest
    return value


def checked_text(value: object, most: int) -> str:
    """Returns a text in any script, which may be empty."""
    if not isinstance(value, str) or len(value) > most or not all(map(_fit, value)):
        raise BadRequest
    return value


def _fit(letter: str) -> bool:
    return unicodedata.category(letter) not in _UNFIT and letter not in _TURNING
