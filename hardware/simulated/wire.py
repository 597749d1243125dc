"""The line from a simulated hub to its host, with faults on demand, each of a kind that real lines have."""

from __future__ import annotations

from collections import deque
from enum import Enum
from random import Random


class LineFault(Enum):
    """How one line can be spoiled."""

    DROP = "the line is lost"
    GARBAGE = "random bytes come before it"
    REPEAT = "it comes twice"
    REORDER = "it comes after the next one"
    HALF = "only its first half comes, without a line end"
    BITS = "some of its bits are turned"


class Wire:
    """Passes lines on, and spoils the next ones on demand."""

    def __init__(self, seed: int = 0) -> None:
        self.silent = False
        """Swallows everything, like a hub that hangs."""
        self._chance = Random(seed)
        self._faults: deque[LineFault] = deque()
        self._late = b""
        self._garbage = b""

    def spoil(self, fault: LineFault, lines: int = 1) -> None:
        """Spoils the next lines."""
        self._faults.extend([fault] * lines)

    def interject(self, data: bytes) -> None:
        """Sends these bytes before the next line."""
        self._garbage += data

    def carry(self, data: bytes) -> bytes:
        """Returns what arrives of some whole lines."""
        if self.silent:
            return b""
        out = bytearray(self._garbage)
        self._garbage = b""
        for line in data.splitlines(keepends=True):
            if not self._faults:
                out += line + self._late
                self._late = b""
                continue
            fault = self._faults.popleft()
            if fault is LineFault.REORDER:
                self._late += line
                continue
            out += self._spoilt(line, fault) + self._late
            self._late = b""
        return bytes(out)

    def _spoilt(self, line: bytes, fault: LineFault) -> bytes:
        match fault:
            case LineFault.DROP:
                return b""
            case LineFault.GARBAGE:
                return self._chance.randbytes(self._chance.randrange(1, 60)) + line
            case LineFault.REPEAT:
                return line + line
            case LineFault.HALF:
                return line[: len(line) // 2]
            case _:
                return self._turned(line)

    def _turned(self, line: bytes) -> bytes:
        spoilt = bytearray(line)
        # Different bits: one that is flipped twice is unchanged.
        for bit in self._chance.sample(range(8 * len(spoilt)), self._chance.randrange(1, 4)):
            spoilt[bit // 8] ^= 1 << bit % 8
        return bytes(spoilt)
