"""A hub on a rig: scripted readers, a clock moved by hand, and lines checked with zlib."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Generator, Iterator

from firmware.hub import Crowded, Hub, ReaderError

STEP_MS = 5
TAGS = {"A": "04A1B2C3", "B": "00000001", "C": "04A1B2C3D4E5F6"}
"""The tags, by the letters that scripts write for them."""


def line(text: str) -> bytes:
    """Returns a line with the checksum that PROTOCOL.md specifies."""
    return f"{text}*{zlib.crc32(text.encode()):08X}\n".encode()


def texts(data: bytes) -> list[str]:
    """Returns whole lines without their checksums, which must be right."""
    assert data == b"" or data.endswith(b"\n")
    found = [raw.decode().rpartition("*")[0] for raw in data.splitlines()]
    assert data == b"".join(line(text) for text in found)
    return found


class ScriptedReader:
    """A reader whose scans find what its script says, one after the other, and then what is there.

    In a script, `A` and `AC` are tags, `-` is no tag, `*` a crowd, `!` a failure, and `...` a scan that never ends.
    """

    def __init__(self) -> None:
        self.there = "-"
        """What every scan finds when the script has ended."""
        self.script: deque[str] = deque()
        self.yields = 1
        """How often a scan waits."""
        self.began: list[int] = []
        """When each scan began, in milliseconds."""
        self.tested: str | None = "ok version 92"
        """The result of the self-test, or `None` when it fails."""
        self.modes: list[bool] = []
        """Whether many tags were asked for, scan by scan."""
        self.rig: HubRig | None = None
        self.scanning = False
        self._held: list[object] = []

    def scan(self, many: bool) -> Generator[None, int, list[str]]:
        work = self._scan(many)
        # Kept alive as MicroPython would: only a call closes it.
        self._held = [work]
        return work

    def _scan(self, many: bool) -> Generator[None, int, list[str]]:
        self.modes.append(many)
        self.began.append(self.rig.now_ms if self.rig else 0)
        found = self.script.popleft() if self.script else self.there
        self.scanning = True
        try:
            for _ in range(self.yields):
                yield
            while found == "...":
                yield
        finally:
            self.scanning = False
        if found == "!":
            raise ReaderError("no chip")
        if found == "*" or (len(found) > 1 and not many):
            raise Crowded
        return [TAGS[letter] for letter in found if letter != "-"]

    def test(self) -> Generator[None, int, str]:
        yield
        if self.tested is None:
            raise ReaderError("memory wrong")
        return self.tested


class HubRig:
    """A hub with scripted readers. What it sends is kept in `said`, each line with its time."""

    def __init__(self, readers: int = 4) -> None:
        self.readers = [ScriptedReader() for _ in range(readers)]
        for reader in self.readers:
            reader.rig = self
        self.now_ms = 0
        self.epochs = 0
        self.said: list[tuple[int, str]] = []
        self.requests = 0
        self.reset()

    def reset(self) -> None:
        """Resets the microcontroller."""
        self.hub = Hub({"rc522": self.readers}, serial="E66058388345A52A", epoch=self._epoch)

    def _epoch(self) -> str:
        self.epochs += 1
        return f"{self.epochs:08X}"

    @property
    def epoch(self) -> str:
        """The epoch drawn last."""
        return f"{self.epochs:08X}"

    def step(self, received: bytes = b"") -> bytes:
        """Takes one step of the hub, and then lets a little time pass."""
        out = self.hub.step(self.now_ms, received)
        self.said += [(self.now_ms, text) for text in texts(out)]
        self.now_ms += STEP_MS
        return out

    def run(self, ms: int, received: bytes = b"") -> list[str]:
        """Returns what the hub sends during this much time."""
        before = len(self.said)
        for _ in range(ms // STEP_MS):
            self.step(received)
            received = b""
        return [text for _, text in self.said[before:]]

    def ask(self, *words: object, ms: int = STEP_MS) -> list[str]:
        """Returns what the hub sends after a request from the host."""
        self.requests += 1
        return self.run(ms, line(" ".join(map(str, ("host", self.requests, *words)))))

    def start(self, mode: str = "tap", readers: int = 1) -> None:
        """Starts the hub and waits until it has reported what is there."""
        self.ask("start", mode, readers, ms=400)

    def events(self) -> Iterator[tuple[int, str]]:
        """Yields number and words of all events of this epoch, in order, each once."""
        found: dict[int, str] = {}
        for _, text in self.said:
            sender, number, word, *arguments = text.split(" ")
            if sender == self.epoch and word in ("seen", "gone", "crowd", "clear", "dead", "well"):
                assert found.setdefault(int(number), " ".join((word, *arguments))) == " ".join((word, *arguments))
        assert sorted(found) == list(range(1, len(found) + 1)), "events are numbered 1, 2, 3, ..."
        yield from sorted(found.items())

    def told(self) -> list[str]:
        """The words of all events of this epoch, with the letters of tags for their numbers."""
        letters = {tag: letter for letter, tag in TAGS.items()}
        return [" ".join(letters.get(word, word) for word in event.split(" ")) for _, event in self.events()]
