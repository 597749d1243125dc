"""Access control: the tokens that phones carry, the codes that let them in, and limits on guessing."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

TRIES: Final = 6
"""How many wrong codes one address may send per minute, and how often it may knock."""
ALL_TRIES: Final = 20
"""The same limit for all addresses together: one machine can have as many addresses as it likes."""
MINUTE_S: Final = 60.0
CHANGED_AFTER: Final = 40
"""Both codes change after this many wrong ones."""
JOIN_DIGITS: Final = 6
TABLE_DIGITS: Final = 8


def new_token() -> str:
    """Returns a new token for a phone. It cannot be guessed, and only the phone keeps it."""
    return secrets.token_urlsafe(24)


def known_by(token: str) -> str:
    """Returns the hash that identifies a token without revealing it."""
    return hashlib.sha256(token.encode()).hexdigest()


def seats_of(token: str | None, holders: Mapping[str, str]) -> list[str]:
    """Returns the seats that a phone holds."""
    if not token:
        return []
    known = known_by(token)
    return [seat for seat, phone in holders.items() if secrets.compare_digest(phone, known)]


def _code(digits: int) -> str:
    return f"{secrets.randbelow(10**digits):0{digits}d}"


class _Tries:
    """Counts the tries of the last minute and limits them, per address and for all addresses together."""

    def __init__(self) -> None:
        self._tries: deque[tuple[float, str]] = deque()

    def may(self, address: str, now_s: float) -> bool:
        """Returns whether an address may try now."""
        while self._tries and now_s - self._tries[0][0] > MINUTE_S:
            self._tries.popleft()
        return len(self._tries) < ALL_TRIES and sum(who == address for _, who in self._tries) < TRIES

    def count(self, address: str, now_s: float) -> None:
        """Records a try."""
        self._tries.append((now_s, address))

    def __len__(self) -> int:
        return len(self._tries)


class AccessCodes:
    """The two codes: the join code lets phones sit down, the table code does more. Both change if somebody guesses.

    The token of the machine is part of the address that is printed where the program was started. Whoever opens that
    address sits at the machine and may do what the table code allows. It is too long to be guessed.

    :param clock: seconds that only go forward.
    :param changed: called when the codes have changed, from any thread.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, changed: Callable[[], None] = lambda: None) -> None:
        self._clock = clock
        self._changed = changed
        self._lock = threading.Lock()
        self._guesses, self._knocks = _Tries(), _Tries()
        self._wrong = 0
        self._keepers: set[str] = set()
        """The hashes of the tokens that came with the table code, or with the token of the machine."""
        self._at_the_machine: set[str] = set()
        """The hashes of those that came with the token of the machine."""
        self.join_code = _code(JOIN_DIGITS)
        self.table_code = _code(TABLE_DIGITS)
        self.machine_token = new_token()

    def is_machine_token(self, token: str) -> bool:
        """Returns whether a token is that of the machine."""
        return secrets.compare_digest(token.encode(), self.machine_token.encode())

    def try_join(self, code: str, address: str) -> bool | None:
        """Returns whether a code lets a phone sit down, or `None` after too many guesses."""
        return self._try(code, lambda: (self.join_code, self.table_code), address)

    def try_table(self, code: str, address: str) -> bool | None:
        """Returns whether a code is the table code, or `None` after too many guesses."""
        return self._try(code, lambda: (self.table_code,), address)

    def may_knock(self, address: str) -> bool:
        """Returns whether a phone may ask for a button to be lit. This is limited because everybody is notified."""
        now_s = self._clock()
        with self._lock:
            if not self._knocks.may(address, now_s):
                return False
            self._knocks.count(address, now_s)
            return True

    def trust(self, token: str, at_the_machine: bool = False) -> None:
        """Lets a browser do what only the table may do.

        :param at_the_machine: whether it opened the address that is printed where the program was started.
        """
        with self._lock:
            self._keepers.add(known_by(token))
            if at_the_machine:
                self._at_the_machine.add(known_by(token))

    def sits_at_the_machine(self, token: str | None) -> bool:
        """Returns whether a browser opened the address that is printed where the program was started."""
        with self._lock:
            return bool(token) and known_by(str(token)) in self._at_the_machine

    def trusts(self, token: str | None) -> bool:
        """Returns whether a browser may do what only the table may do."""
        with self._lock:
            return bool(token) and known_by(str(token)) in self._keepers

    def _try(self, code: str, right: Callable[[], tuple[str, ...]], address: str) -> bool | None:
        now_s = self._clock()
        with self._lock:
            if not self._guesses.may(address, now_s):
                return None
            if any(secrets.compare_digest(code.encode(), each.encode()) for each in right()):
                # Wrong tries still count: somebody who knows one code might go on to guess the other.
                return True
            self._guesses.count(address, now_s)
            self._wrong += 1
            changed = self._wrong >= CHANGED_AFTER
            if changed:
                self._wrong = 0
                self.join_code, self.table_code = _code(JOIN_DIGITS), _code(TABLE_DIGITS)
        if changed:
            self._changed()
        return False
