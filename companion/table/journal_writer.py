"""Writes what happens at a table to its journal: to disk before anybody sees it, or to memory if players agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from companion.engine import Message, phrase
from companion.storage.errors import DatabaseError
from companion.storage.journal import Entry

RETRY_S: Final = 5.0
"""How often the table tries to save what it could not."""
MOST_POSTPONED: Final = 64
"""How many actions wait for the disk at most; more are refused."""
NOT_SAVED: Final = phrase("Not saved since move {move}.")
SAVED: Final = phrase("Everything is saved again.")


class JournalFile(Protocol):
    """What a table needs from the journal."""

    def append(self, game_id: int, entries: Sequence[Entry], after: int) -> object: ...


class JournalWriter:
    """Writes a game's entries. When that fails, it keeps them in memory if the players agree, and tries again."""

    def __init__(self, journal: JournalFile, game_id: int, entries: int) -> None:
        self.version = entries
        """How many entries the game has, saved or not."""
        self.trouble: tuple[Message, ...] = ()
        """Since when entries have not been saved, and why. Empty when all are saved."""
        self.in_memory = False
        """Whether the players have agreed to go on without saving."""
        self._journal = journal
        self._game_id = game_id
        self._saved = entries
        self._waiting: list[Entry] = []
        self._postponed: list[Callable[[], object]] = []
        self._repeating = False
        self._tried_s = 0.0

    @property
    def stuck(self) -> bool:
        """Whether nothing can be saved and the players have not agreed to go on without saving."""
        return bool(self.trouble) and not self.in_memory

    def keep(self, entries: Sequence[Entry], move: int, now_s: float) -> bool:
        """Saves entries, or keeps them in memory if the players agreed. Returns whether they may take effect."""
        if self._postponed and not self._repeating:
            # What was accepted before comes first, even if this could be saved already.
            return False
        self._waiting += entries
        if (self.in_memory and not self.is_due(now_s)) or self._save(move, now_s) or self.in_memory:
            self.version += len(entries)
            return True
        del self._waiting[len(self._waiting) - len(entries) :]
        return False

    def postpone(self, action: Callable[[], object]) -> bool:
        """Remembers an action that could not be saved, to repeat it when it can be or the players go on without.

        Actions are repeated in their order. Returns whether it was remembered: only a limited number are.
        """
        if len(self._postponed) >= MOST_POSTPONED:
            return False
        self._postponed.append(action)
        return True

    def go_on_in_memory(self) -> None:
        """Goes on without saving, as the players agreed."""
        if self.stuck:
            self.in_memory = True
            self._repeat()

    @property
    def unsaved(self) -> bool:
        """Whether something has taken effect that is only in memory."""
        return bool(self._waiting)

    def try_again(self, now_s: float, at_once: bool = False) -> bool:
        """Tries again to save, if it is time to. Returns whether everything is saved that was not before.

        :param at_once: whether to try now, whenever the last time was.
        """
        if not self.is_due(now_s) and not (at_once and self.trouble):
            return False
        self._tried_s = now_s
        if self._waiting:
            self._save(0, now_s)
        if not self._waiting:
            self._repeat()
        if not self._waiting and not self._postponed:
            # Even if there was nothing to write in the end, because what was postponed was refused.
            self.trouble, self.in_memory = (), False
        return not self.trouble

    def is_due(self, now_s: float) -> bool:
        """Returns whether it is time to try again."""
        return bool(self.trouble) and now_s >= self._tried_s + RETRY_S

    def due_s(self) -> float | None:
        """Returns when to try again, or `None` when everything is saved."""
        return self._tried_s + RETRY_S if self.trouble else None

    def _repeat(self) -> None:
        """Repeats what was postponed, in its order, up to the first that fails: it postpones itself again."""
        actions, self._postponed = self._postponed, []
        self._repeating = True
        try:
            while actions and not self._postponed:
                actions.pop(0)()
        finally:
            self._postponed += actions
            self._repeating = False

    def _save(self, move: int, now_s: float) -> bool:
        self._tried_s = now_s
        try:
            self._journal.append(self._game_id, self._waiting, self._saved)
        except DatabaseError as error:
            if not self.trouble:
                self.trouble = (Message(NOT_SAVED, {"move": move}), error.cause, error.advice())
            return False
        self._saved += len(self._waiting)
        self._waiting.clear()
        self.trouble, self.in_memory = (), False
        return True
