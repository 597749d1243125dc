"""Gestures: everything that may happen at a table, and the queue in which it waits to be handled."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue

from companion.table.bot_process import Advice, Thought
from companion.table.mixing import MixAnswer
from companion.table.phone_input import ChangePlayer, SeatLine
from companion.table.replies import SendReply
from companion.table.seat_guard import PhonePresence
from companion.table.seat_requests import Knock, KnockToManage, TakeSeat
from companion.table.workshop_hold import TryBoard
from hardware.ports import Press, Tap, Trouble

Gesture = (
    Press
    | Tap
    | Trouble
    | SeatLine
    | ChangePlayer
    | TakeSeat
    | Knock
    | KnockToManage
    | PhonePresence
    | MixAnswer
    | Thought
    | Advice
    | TryBoard
)
"""One thing that happened: at the board, on a phone, in the workshop, or because a bot decided."""


def brief_press(button: str) -> Press:
    """Returns the gesture of a button that is pressed in a browser and cannot be held down."""
    return Press(button)


class GestureQueue:
    """Gestures from any thread, in order, each with the function that takes the reply to it."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[Gesture, SendReply | None] | None] = SimpleQueue()

    @property
    def empty(self) -> bool:
        """Whether nothing is waiting."""
        return self._queue.empty()

    def put(self, gesture: Gesture, reply: SendReply | None) -> None:
        """Adds a gesture at the end."""
        self._queue.put((gesture, reply))

    def wake(self) -> None:
        """Ends the current wait, or the next one."""
        self._queue.put(None)

    def waiting(self, seconds: float | None = 0.0) -> Iterator[tuple[Gesture, SendReply | None]]:
        """Yields the gestures that are waiting, and those that come meanwhile.

        :param seconds: how long to wait for the first of them; `None` means until one comes.
        """
        while True:
            try:
                posted = self._queue.get(timeout=seconds)
            except Empty:
                return
            seconds = 0.0
            if posted is not None:
                yield posted
