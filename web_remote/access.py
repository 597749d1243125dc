"""Access control: the tokens that phones carry, the codes that let them in, and how wrong codes are slowed down.

A typed join code has 9 characters of 30: 30^9, or 2 * 10^13 codes. An address that guesses wrong waits ever longer, up
to 10 minutes, so in an evening of six hours it tries 44 codes at most. Somebody with a whole /16 network of 65,536
addresses tries 3 million; with as many addresses as they like, as many as the server can answer, about 500 a second:
11 million. So the chance to guess the code within an evening is below 1 in 400 billion for one address, 1 in 6 million
for a whole network, and 1 in 1.8 million at the very most. The table code has 12 characters: 27,000 times as many.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from companion.table.rate_limit import RateLimit
from web_remote.senders import known_by as known_by
from web_remote.senders import network_of

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of codes: none that look or sound like another, such as 0 and O, or U and V."""
JOIN_LENGTH: Final = 9
TABLE_LENGTH: Final = 12
GROUP: Final = 3
"""Codes are shown in groups of this many characters; people may type them with or without spaces and dashes."""
FREE_TRIES: Final = 3
"""After how many wrong codes an address begins to wait."""
FIRST_WAIT_S: Final = 10.0
"""How long it waits then; twice as long after every further one."""
LONGEST_WAIT_S: Final = 600.0
FORGIVEN_S: Final = 3600.0
"""After how long without a wrong code an address is as good as any other."""
REMEMBERED: Final = 100_000
"""How many addresses are remembered that guessed wrong."""
KNOCKS: Final = (6, 10.0)
"""How often an address may ask for a button to be lit: how many times at once, and then the seconds between two."""


def new_token() -> str:
    """Returns a new token for a phone. It cannot be guessed, and only the phone keeps it."""
    return secrets.token_urlsafe(24)


def seats_of(token: str | None, holders: Mapping[str, str]) -> list[str]:
    """Returns the seats that a phone holds."""
    if not token:
        return []
    known = known_by(token)
    return [seat for seat, phone in holders.items() if secrets.compare_digest(phone, known)]


def shown_code(code: str) -> str:
    """Returns a code as people are shown it.

    >>> shown_code("K7F2MQX9R")
    'K7F-2MQ-X9R'
    """
    return "-".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


def typed_code(typed: str) -> str:
    """Returns what somebody typed as a code, without spaces and dashes and in capitals.

    >>> typed_code(" k7f 2mq-x9r")
    'K7F2MQX9R'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def _code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


class WrongCodes:
    """Slows down the addresses that guess wrong, each on its own: nobody else is kept waiting."""

    def __init__(self) -> None:
        self._wrong: dict[str, tuple[int, float]] = {}
        """How many wrong codes each address has sent, and when the latest; the latest address last."""

    def wait_s(self, address: str, now_s: float) -> float:
        """Returns how many seconds an address has to wait before its next code is looked at."""
        count, last_s = self._wrong.get(network_of(address), (0, 0.0))
        if count < FREE_TRIES or now_s - last_s > FORGIVEN_S:
            return 0.0
        wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(count - FREE_TRIES, 10))
        return max(0.0, last_s + wait_s - now_s)

    def count(self, address: str, now_s: float) -> None:
        """Counts a wrong code."""
        count, last_s = self._wrong.pop(network_of(address), (0, 0.0))
        self._wrong[network_of(address)] = (1 if now_s - last_s > FORGIVEN_S else count + 1, now_s)
        if len(self._wrong) > REMEMBERED:
            del self._wrong[next(iter(self._wrong))]

    def __len__(self) -> int:
        return len(self._wrong)


class WaitForCode(Exception):
    """An address that guessed wrong must wait before its next code is looked at."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = math.ceil(wait_s)
        super().__init__(f"wait {self.wait_s} s")


class AccessCodes:
    """The two codes: the join code lets phones sit down, the table code does more.

    The join token does what the join code does. It is part of QR codes, so that nobody has to type anything. The token
    of the machine is part of the address that is printed where the program was started. Whoever opens that address sits
    at the machine and may do what the table code allows. Tokens are too long to be guessed.

    :param clock: seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong, self._knocks = WrongCodes(), RateLimit(*KNOCKS)
        self._keepers: set[str] = set()
        """The hashes of the tokens that came with the table code, or with the token of the machine."""
        self._at_the_machine: set[str] = set()
        """The hashes of those that came with the token of the machine."""
        self.join_code = _code(JOIN_LENGTH)
        self.table_code = _code(TABLE_LENGTH)
        self.join_token = new_token()
        self.machine_token = new_token()

    def is_machine_token(self, token: str) -> bool:
        """Returns whether a token is that of the machine."""
        return secrets.compare_digest(token.encode(), self.machine_token.encode())

    def try_join(self, code: str, address: str) -> bool:
        """Returns whether a code or a token lets a phone sit down. Raises `WaitForCode` after too many wrong ones."""
        return self._try(code, (self.join_code, self.table_code), address, self.join_token)

    def try_table(self, code: str, address: str) -> bool:
        """Returns whether a code is the table code. Raises `WaitForCode` after too many wrong ones."""
        return self._try(code, (self.table_code,), address)

    def may_knock(self, address: str) -> bool:
        """Returns whether a phone may ask for a button to be lit. This is limited because everybody is notified."""
        with self._lock:
            return self._knocks.take(network_of(address), self._clock())

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

    def _try(self, code: str, codes: tuple[str, ...], address: str, token: str = "") -> bool:
        now_s, typed = self._clock(), typed_code(code)
        with self._lock:
            if token and secrets.compare_digest(code.encode(), token.encode()):
                return True  # nobody guesses a token, so it lets in even somebody who mistyped the code before
            if not typed:
                return False  # not a guess: a page was sent off before anything was typed
            wait_s = self._wrong.wait_s(address, now_s)
            if wait_s > 0:
                # Not even the right code counts now, or every guess would still be answered.
                raise WaitForCode(wait_s)
            if any(secrets.compare_digest(typed.encode(), each.encode()) for each in codes):
                # Wrong codes still count: somebody who knows one code might go on to guess the other.
                return True
            self._wrong.count(address, now_s)
            return False
