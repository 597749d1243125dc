"""Slots for streams: how many there may be, how many of one sender, and which ends when there are too many."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

STREAMS: Final = 64
"""How many pages may have a stream at the same time."""
WATCHERS: Final = 48
"""How many of them may be pages of nobody who was let in: players come first."""
OF_ONE_SENDER: Final = 6
"""How many one phone may have, or everybody else at one address: as many as a browser has connections to one host."""


class StreamSlot:
    """A slot that a stream has taken."""

    def __init__(self, sender: str, known: bool, leave: Callable[[StreamSlot], None]) -> None:
        self.sender = sender
        self.known = known
        """Whether the sender was let in."""
        self.replaced = False
        """Whether a newer stream has taken its place, so that the stream must end."""
        self._leave = leave

    def leave(self) -> None:
        """Frees the slot, once or more often."""
        self._leave(self)


class StreamSlots:
    """All slots. A stream that is replaced has no slot any more; its thread ends as soon as it wakes up.

    :param wake: wakes the streams, because one of them must end.
    """

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake = wake
        self._changed = threading.Condition()
        self._slots: list[StreamSlot] = []
        """The oldest first."""

    def take(self, sender: str, known: bool) -> StreamSlot | None:
        """Takes a slot for a stream. Returns `None` when there is none left for this sender.

        The seventh stream of a sender replaces its first. When all slots are taken, players replace others, and
        whoever has fewer streams replaces one of whoever has the most.
        """
        slot = StreamSlot(sender, known, self._free)
        with self._changed:
            before = len(self._slots)
            if not self._make_room(slot):
                return None
            replaced = len(self._slots) < before
            self._slots.append(slot)
            self._changed.notify_all()
        if replaced:
            self._wake()
        return slot

    def __len__(self) -> int:
        return len(self._slots)

    def _make_room(self, new: StreamSlot) -> bool:
        mine = [slot for slot in self._slots if slot.sender == new.sender]
        if len(mine) >= OF_ONE_SENDER:
            self._replace(mine[0])
            return True
        strangers = [slot for slot in self._slots if not slot.known]
        if not new.known and len(strangers) >= WATCHERS:
            return self._replace_one_of(strangers, len(mine))
        if len(self._slots) < STREAMS:
            return True
        if new.known and strangers:
            self._replace(strangers[0])
            return True
        return self._replace_one_of([slot for slot in self._slots if slot.known == new.known], len(mine))

    def _replace_one_of(self, slots: Iterable[StreamSlot], mine: int) -> bool:
        """Replaces the oldest stream of the sender with the most, if it has at least two more than the newcomer."""
        slots = list(slots)
        counted = Counter(slot.sender for slot in slots)
        if not counted:
            return False
        sender, count = counted.most_common(1)[0]
        if count < mine + 2:
            return False
        self._replace(next(slot for slot in slots if slot.sender == sender))
        return True

    def _replace(self, slot: StreamSlot) -> None:
        slot.replaced = True
        self._slots.remove(slot)

    def _free(self, slot: StreamSlot) -> None:
        with self._changed:
            if slot in self._slots:
                self._slots.remove(slot)
                self._changed.notify_all()
