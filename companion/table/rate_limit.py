"""Limits how often each sender may do something, so that only the sender that floods is slowed."""

from __future__ import annotations

from typing import Final

REMEMBERED: Final = 4096
"""How many senders are remembered before those that may do everything again are forgotten."""

ROUNDING_S: Final = 1e-6


class RateLimit:
    """How often each sender may do something: a number of times at once, and then at a steady pace.

    >>> limit = RateLimit(at_once=2, every_s=10.0)
    >>> [limit.take("a", now_s=0.0) for _ in range(3)], limit.take("b", now_s=0.0)
    ([True, True, False], True)
    >>> limit.wait_s("a", now_s=4.0), limit.take("a", now_s=10.0)
    (6.0, True)

    :param at_once: how many times in a row a sender may do it that has done nothing for a while.
    :param every_s: how many seconds it takes until a sender may do it once more.
    """

    def __init__(self, at_once: int, every_s: float) -> None:
        self._every_s = every_s
        self._ahead_s = (at_once - 1) * every_s
        self._paid_until_s: dict[str, float] = {}
        """Until when each sender has used up its turns; in the past, it may do everything again."""

    def wait_s(self, sender: str, now_s: float) -> float:
        """Returns how many seconds a sender has to wait; 0 when it may go ahead now."""
        return max(0.0, self._paid_until_s.get(sender, now_s) - self._ahead_s - now_s)

    def take(self, sender: str, now_s: float) -> bool:
        """Counts one time, if a sender may go ahead now. Returns whether it may."""
        if self.wait_s(sender, now_s) > ROUNDING_S:
            return False
        self.count(sender, now_s)
        return True

    def count(self, sender: str, now_s: float) -> None:
        """Counts one time, even if the sender should have waited; then it waits the longer afterwards."""
        if len(self._paid_until_s) >= REMEMBERED and sender not in self._paid_until_s:
            self._forget(now_s)
        self._paid_until_s[sender] = max(self._paid_until_s.get(sender, now_s), now_s) + self._every_s

    def __len__(self) -> int:
        return len(self._paid_until_s)

    def _forget(self, now_s: float) -> None:
        """Forgets those that may do everything again; if there are none, those that may first."""
        left = {sender: until_s for sender, until_s in self._paid_until_s.items() if until_s > now_s}
        if len(left) >= REMEMBERED:
            longest = sorted(left, key=left.__getitem__)[-REMEMBERED // 2 :]
            left = {sender: left[sender] for sender in longest}
        self._paid_until_s = left
