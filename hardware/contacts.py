"""A button's contact as a state machine: bounces in, presses out. It has no clock: the caller passes the time.

             closed for BOUNCE_S                      HOLD_S              STUCK_S
    OPEN ──────────────────────────> DOWN: press ────────────> long press ───────> stuck
      ^                                │                                             │
      └────────────────────────────────┴────────── open for BOUNCE_S ────────────────┘

A contact that never settles, or that presses faster than any finger, is restless: it does nothing until it has been
quiet for QUIET_S.
"""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import Final

BOUNCE_S: Final = 0.010
HOLD_S: Final = 0.8
STUCK_S: Final = 10.0
RESTLESS_S: Final = 1.0
"""A contact that has not settled after this time is restless."""
QUIET_S: Final = 2.0
FASTEST: Final = 12
"""No finger presses this many times in RESTLESS_S."""


class Happened(Enum):
    """What a contact did."""

    PRESS = "pressed"
    LONG_PRESS = "held"
    STUCK = "stuck"
    FREED = "free again"
    RESTLESS = "restless"
    CALM = "calm again"


class Contact:
    """One contact. Pass it the level when that changes, and poll it when it is due.

    >>> contact = Contact(closed=False, now_s=0.0)
    >>> contact.level(True, now_s=1.0)
    >>> contact.due_s()
    1.01
    >>> contact.poll(now_s=1.01)
    [<Happened.PRESS: 'pressed'>]
    """

    def __init__(self, closed: bool, now_s: float) -> None:
        self._level = closed
        self._changed_s = now_s
        self._unsettled_s: float | None = None
        """When the level stopped being steady."""
        self._down = closed
        self._down_s = now_s
        # A button that is down from the start was not pressed; it can only turn out to be stuck.
        self._next = _STUCK_NEXT if closed else 0
        self._restless = False
        self._presses: deque[float] = deque(maxlen=FASTEST)
        self._happened: list[Happened] = []
        """What had happened when the level changed, and was not returned yet."""

    @property
    def state(self) -> str:
        """The contact in a word."""
        if self._restless:
            return "restless"
        if not self._down:
            return "open"
        return "stuck" if self._next > _STUCK_NEXT else "down"

    def level(self, closed: bool, now_s: float) -> None:
        """Notes the level of the contact."""
        if closed == self._level:
            return
        # A press counts even if it was over before anybody looked.
        if not self._restless:
            self._happened += self._settled(now_s)
        self._level = closed
        self._changed_s = now_s
        if self._unsettled_s is None:
            self._unsettled_s = now_s

    def due_s(self) -> float | None:
        """Returns when something happens if the level stays as it is, or `None` when nothing will."""
        if self._happened:
            return self._changed_s
        if self._restless:
            return self._changed_s + QUIET_S
        if self._unsettled_s is not None:
            return min(self._changed_s + BOUNCE_S, self._unsettled_s + RESTLESS_S)
        if self._down and self._next < len(_WHILE_DOWN):
            return self._down_s + _WHILE_DOWN[self._next][0]
        return None

    def poll(self, now_s: float) -> list[Happened]:
        """Returns what has happened by now."""
        happened, self._happened = self._happened, []
        if self._restless:
            return happened + self._calm_down(now_s)
        happened += self._settled(now_s)
        if self._unsettled_s is not None and now_s - self._unsettled_s >= RESTLESS_S:
            return [*happened, self._tire()]
        # While the level is open, the button may just have been released, so it does not count as held.
        while (
            self._down
            and self._level
            and self._next < len(_WHILE_DOWN)
            and now_s - self._down_s >= _WHILE_DOWN[self._next][0]
        ):
            happened.append(_WHILE_DOWN[self._next][1])
            self._next += 1
        return happened

    def _settled(self, now_s: float) -> list[Happened]:
        """Notes a level that has been steady for long enough. Returns what that means, if it is a new one."""
        if now_s - self._changed_s < BOUNCE_S:
            return []
        self._unsettled_s = None
        if self._level == self._down:
            return []
        self._down = self._level
        if not self._down:
            return self._freed()
        self._down_s, self._next = self._changed_s, 0
        self._presses.append(now_s)
        if len(self._presses) == FASTEST and now_s - self._presses[0] < RESTLESS_S:
            return [self._tire()]
        return [Happened.PRESS]

    def _freed(self) -> list[Happened]:
        """A button that is up is not stuck any more."""
        stuck, self._next = self._next > _STUCK_NEXT, 0
        return [Happened.FREED] if stuck else []

    def _tire(self) -> Happened:
        self._restless = True
        return Happened.RESTLESS

    def _calm_down(self, now_s: float) -> list[Happened]:
        if now_s - self._changed_s < QUIET_S:
            return []
        self._restless, self._unsettled_s = False, None
        self._presses.clear()
        self._down, self._down_s = self._level, now_s
        if not self._down:
            return [Happened.CALM, *self._freed()]
        self._next = max(self._next, _STUCK_NEXT)
        return [Happened.CALM]


_WHILE_DOWN: Final = ((HOLD_S, Happened.LONG_PRESS), (STUCK_S, Happened.STUCK))
_STUCK_NEXT: Final = 1
