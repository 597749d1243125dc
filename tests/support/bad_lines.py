"""Lines that no hub would send: random bytes, and real lines cut, joined and with flipped bits."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from firmware.lines import make_line, read_line

WORDS = ("seen 2 04A1B2C3", "gone 1 04A1B2C3D4E5F6", "crowd 0", "dead 1 no chip", "beat 12", "snapshot 1 - - -")


def bad_lines(count: int, epoch: str, seed: int = 0) -> Iterator[bytes]:
    """Yields this many bad lines, each with a line end; the epoch makes them look as real as possible."""
    chance = Random(seed)
    made = 0
    while made < count:
        line = chance.choice((_noise, _cut, _joined, _turned))(chance, epoch)
        # A line end in the middle makes two lines of one; both must be bad, or one would be a real line.
        if all(read_line(part) is None for part in line.split(b"\n")):
            made += 1
            yield line + b"\n"


def _real(chance: Random, epoch: str) -> bytes:
    return make_line(epoch, chance.randrange(1, 40), *chance.choice(WORDS).split())[:-1]


def _noise(chance: Random, epoch: str) -> bytes:
    return chance.randbytes(chance.randrange(1, 80))


def _cut(chance: Random, epoch: str) -> bytes:
    line = _real(chance, epoch)
    start, end = sorted((chance.randrange(len(line)), chance.randrange(len(line))))
    return line[:start] + line[end:] if chance.random() < 0.5 else line[start:end]


def _joined(chance: Random, epoch: str) -> bytes:
    return _real(chance, epoch) + _cut(chance, epoch)


def _turned(chance: Random, epoch: str) -> bytes:
    line = bytearray(_real(chance, epoch))
    for _ in range(chance.randrange(1, 6)):
        line[chance.randrange(len(line))] ^= 1 << chance.randrange(8)
    return bytes(line)
