"""What can go wrong with a board: all errors in one file, each with what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Mistake(NamedTuple):
    """One thing wrong in a board file: where it stands, what was found, and what was expected."""

    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.key}: {self.found}; expected {self.expected}"


class BoardError(Exception):
    """Something is wrong with the board."""


class BadBoardFile(BoardError, ValueError):
    """A board file with mistakes: all of them at once, so that they can be mended in one go."""

    def __init__(self, name: str, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        lines = "\n".join(f"  {mistake}" for mistake in mistakes)
        noun = "mistake" if len(mistakes) == 1 else "mistakes"
        super().__init__(f"{name} has {len(mistakes)} {noun}:\n{lines}")
