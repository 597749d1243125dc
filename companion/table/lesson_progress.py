"""Which lessons each seat has had, and whether it wants any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from companion.storage.notes import LessonNote, Note, TeachNote

READING_S: Final = 30.0
"""How long scorings and bots wait for a lesson to be read: a phone that sleeps must not stop the table."""


class LessonProgress:
    """What each seat has been taught.

    A lesson is over when its player says so, or makes the next move. Both are notes in the journal, so nothing is
    explained twice, after a restart or an undo either.

    :param notes: the notes of the game so far.
    """

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        self._had: dict[str, set[str]] = {}
        self._wanted: dict[str, bool] = {}
        self._shown: dict[str, list[str]] = {}
        """The lessons that each seat has been shown since its last move."""
        self._now: Mapping[str, str] = {}
        """The lesson that each seat is being shown."""
        self._until_s: dict[tuple[str, str], float] = {}
        """How long the table waits for a seat and a lesson."""
        self.take(notes)

    def had(self, seat: str) -> Collection[str]:
        """Returns the lessons that a seat has had."""
        return self._had.get(seat, ())

    def teaches(self, seat: str, by_default: bool) -> bool:
        """Returns whether a seat is given lessons: as agreed for the game, unless its player has said otherwise."""
        return self._wanted.get(seat, by_default)

    def take(self, notes: Iterable[Note]) -> None:
        """Takes notes that are in the journal now."""
        for note in notes:
            match note:
                case LessonNote(seat, lesson):
                    self._had.setdefault(seat, set()).add(lesson)
                case TeachNote(seat, taught):
                    self._wanted[seat] = taught

    def shown(self, lessons: Mapping[str, str], now_s: float) -> None:
        """Remembers which lesson each seat is being shown."""
        self._now = lessons
        for seat, lesson in lessons.items():
            self._until_s.setdefault((seat, lesson), now_s + READING_S)
            shown = self._shown.setdefault(seat, [])
            if lesson not in shown:
                shown.append(lesson)

    def read_until_s(self, seats: Collection[str]) -> float | None:
        """Returns until when the table waits for these seats to read what they are being shown, or `None`."""
        return max((self._until_s[each] for each in self._now.items() if each[0] in seats), default=None)

    def over_by_move(self, seat: str) -> list[LessonNote]:
        """Returns the notes for the lessons that are over because a seat makes a move."""
        return [LessonNote(seat, lesson) for lesson in self._shown.get(seat, ()) if lesson not in self.had(seat)]

    def moved(self, seat: str) -> None:
        """Forgets what a seat was shown before it made a move."""
        self._shown.pop(seat, None)
