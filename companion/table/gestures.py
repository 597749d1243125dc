"""Gestures: everything that may happen at a table, and the queue in which it waits to be handled."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Final

from companion.table.bot_process import Advice, Thought
from companion.table.mixing import MixAnswer
from companion.table.phone_input import ChangePlayer, SeatLine
from companion.table.replies import TOO_FAST, Reply, SendReply
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


BEFORE_SHOWING: Final = 16
"""How many gestures are handled before people are shown what came of them."""
MOST_WAITING: Final = 8
"""How many gestures of one phone may wait. A page waits for each reply; only a flood has more."""


def brief_press(button: str) -> Press:
    """Returns the gesture of a button that is pressed in a browser and cannot be held down."""
    return Press(button)


def sender_of(gesture: Gesture) -> str:
    """Returns who a gesture comes from, as far as taking turns is concerned."""
    match gesture:
        case SeatLine(seat):
            return f"seat {seat}"
        case TakeSeat(seat, phone):
            return f"phone {phone or seat}"
        case Knock() | KnockToManage() | MixAnswer() | PhonePresence():
            return f"phone {gesture.phone}"
        case ChangePlayer():
            return "table screen"
        case TryBoard():
            return "workshop"
        case Thought() | Advice():
            return "bots"
    return "board"


def _is_from_phone(gesture: Gesture) -> bool:
    # Whether a phone is there is what the server saw, and opening streams has a limit of its own.
    return isinstance(gesture, SeatLine | TakeSeat | Knock | KnockToManage | ChangePlayer | MixAnswer)


class GestureQueue:
    """Gestures from any thread, each with the function that takes the reply to it.

    Senders take turns, so that one that floods delays nobody else. The gestures of one sender stay in order, and those
    of the board, of bots and of the workshop are never refused.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._turns: OrderedDict[str, deque[tuple[Gesture, SendReply | None]]] = OrderedDict()
        """What is waiting, by sender; whose turn it is comes first."""
        self._woken = False

    @property
    def empty(self) -> bool:
        """Whether nothing is waiting."""
        return not self._turns

    def put(self, gesture: Gesture, reply: SendReply | None) -> None:
        """Adds a gesture, the last of its sender's. One of a phone that has too many waiting is refused at once."""
        sender = sender_of(gesture)
        with self._changed:
            full = _is_from_phone(gesture) and len(self._turns.get(sender, ())) >= MOST_WAITING
            if not full:
                self._turns.setdefault(sender, deque()).append((gesture, reply))
                self._changed.notify()
        if full and reply is not None:
            reply(Reply.refused(TOO_FAST))

    def wake(self) -> None:
        """Ends the current wait, or the next one."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def wait(self, seconds: float | None) -> None:
        """Waits until there is a gesture, or somebody wakes it.

        :param seconds: how long to wait at most; `None` means until one of both happens.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._woken or bool(self._turns), seconds)
            self._woken = False

    def take(self, most: int) -> Iterator[tuple[Gesture, SendReply | None]]:
        """Yields gestures that are waiting, and those that come meanwhile, but no more than this many."""
        for _ in range(most):
            with self._changed:
                if not self._turns:
                    return
                sender, waiting = self._turns.popitem(last=False)
                posted = waiting.popleft()
                if waiting:
                    self._turns[sender] = waiting
            yield posted
