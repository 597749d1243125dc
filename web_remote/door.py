"""Who may come in: tokens that phones carry, the codes that let them in, and how often one may guess."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Final

GUESSES: Final = 6
"""How many wrong codes one address may send in a minute."""
ALL_GUESSES: Final = 40
"""How many wrong codes may come from everywhere before the codes are changed."""
MINUTE_S: Final = 60.0


def new_token() -> str:
    """What a phone carries: nobody can guess it, and nobody keeps it but the phone."""
    return secrets.token_urlsafe(24)


def known_by(token: str) -> str:
    """What a token is known by: it tells nothing about the token."""
    return hashlib.sha256(token.encode()).hexdigest()


def seats_of(token: str | None, holders: Mapping[str, str]) -> list[str]:
    """The seats that a phone holds."""
    if not token:
        return []
    known = known_by(token)
    return [seat for seat, phone in holders.items() if secrets.compare_digest(phone, known)]


def _code() -> str:
    return f"{secrets.randbelow(1_000_000):06d}"


class Door:
    """The two codes: one lets phones sit down, the other, the table's own, does more. Both change if somebody guesses.

    :param clock: seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: defaultdict[str, deque[float]] = defaultdict(deque)
        self._all_wrong = 0
        self._keepers: set[str] = set()
        """What the tokens are known by that came with the table's own code."""
        self.join_code = _code()
        self.table_code = _code()

    def try_join(self, code: str, address: str) -> bool | None:
        """Whether a code lets a phone sit down; none: too many guesses, try again later."""
        return self._try(code, lambda: (self.join_code, self.table_code), address)

    def try_table(self, code: str, address: str) -> bool | None:
        """Whether a code is the table's own; none: too many guesses, try again later."""
        return self._try(code, lambda: (self.table_code,), address)

    def trust(self, token: str) -> None:
        """Has a browser do what only the table may."""
        with self._lock:
            self._keepers.add(known_by(token))

    def trusts(self, token: str | None) -> bool:
        """Whether a browser may do what only the table may."""
        with self._lock:
            return bool(token) and known_by(str(token)) in self._keepers

    def _try(self, code: str, right: Callable[[], tuple[str, ...]], address: str) -> bool | None:
        now_s = self._clock()
        with self._lock:
            wrong = self._wrong[address]
            while wrong and now_s - wrong[0] > MINUTE_S:
                wrong.popleft()
            if len(wrong) >= GUESSES:
                return None
            if any(secrets.compare_digest(code.encode(), each.encode()) for each in right()):
                del self._wrong[address]
                return True
            wrong.append(now_s)
            self._all_wrong += 1
            if self._all_wrong >= ALL_GUESSES:
                self._all_wrong = 0
                self.join_code, self.table_code = _code(), _code()
            return False
