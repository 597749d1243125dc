"""The entries of a journal, and how they are written as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from companion.engine import Move
from companion.storage.notes import Note, write_note

KINDS: Final = ("move", "undo", "note")
MAKERS: Final = ("person", "bot", "table")


@dataclass(frozen=True)
class Entry:
    """One entry of a journal: a move, a number of moves to take back, or a note, which is a JSON object.

    >>> Entry("move", "red power 7", "person")
    Entry(kind='move', line='red power 7', by='person')
    >>> Entry("undo", "0")
    Traceback (most recent call last):
    ...
    ValueError: an undo takes back a number of moves from 1 on, not '0'
    """

    kind: str
    line: str
    by: str = "table"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"there is no entry of the kind '{self.kind}'; the kinds are {', '.join(KINDS)}")
        if self.by not in MAKERS:
            raise ValueError(f"nobody called '{self.by}' makes entries; expected one of {', '.join(MAKERS)}")
        _CHECKS[self.kind](self.line)


def note_entry(note: Note, by: str = "table") -> Entry:
    """Returns the entry for a note.

    >>> from companion.storage.notes import PlayerNote
    >>> note_entry(PlayerNote("red", "hard"), by="person")
    Entry(kind='note', line='{"player": ["red", "hard"]}', by='person')
    """
    return Entry("note", as_json(write_note(note)), by)


def as_json(fields: Mapping[str, object]) -> str:
    """Returns the text of a note or of options."""
    return json.dumps(dict(fields), ensure_ascii=False, sort_keys=True, allow_nan=False)


def moves_undone(line: str) -> int:
    """Returns how many moves an undo takes back."""
    if not (line.isascii() and line.isdecimal() and int(line)):
        raise ValueError(f"an undo takes back a number of moves from 1 on, not '{line}'")
    return int(line)


def fields_of(line: str) -> dict[str, object]:
    """Returns the fields of a note or of options."""
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise ValueError("a note is an object in JSON")
    return fields


_CHECKS: Final[dict[str, Callable[[str], object]]] = {"move": Move.parse, "undo": moves_undone, "note": fields_of}
