"""The scoring show: one place after another, each for a while, on the lights and on every page."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import isfinite
from typing import NamedTuple

from hardware.ports import Scene


class ShowFrame(NamedTuple):
    """One frame of the show."""

    scene: Scene
    seconds: float
    """How long it lasts; infinite until somebody says `next`."""
    scorings: int
    """How many scorings of the game people have been shown with this frame."""
    place: str | None = None
    """The place being scored; `None` while the wave runs through all places, and while the totals are shown."""
    totals: bool = False
    """Whether it shows the totals, after the last place."""


class ScoringShow:
    """The frames still to be shown; the first is shown now."""

    def __init__(self) -> None:
        self._frames: deque[ShowFrame] = deque()
        self._until_s = 0.0
        self._held = False
        """Whether the current frame has waited for somebody."""

    @property
    def frame(self) -> ShowFrame | None:
        """The frame to show now, or `None` when the show is over."""
        return self._frames[0] if self._frames else None

    @property
    def left(self) -> int:
        """How many frames are left, with the one that is shown now."""
        return len(self._frames)

    def add(self, frames: Iterable[ShowFrame], now_s: float) -> None:
        """Adds frames at the end."""
        for frame in frames:
            if not self._frames:
                self._until_s = now_s + frame.seconds
            self._frames.append(frame)

    def cut(self) -> None:
        """Ends the show."""
        self._frames.clear()

    def skip(self, now_s: float) -> None:
        """Ends the current frame."""
        self._until_s = now_s
        self.advance(now_s)

    def skip_ahead(self, now_s: float) -> None:
        """Goes on to the last frame; from there, ends the show."""
        ahead = list(self._frames)[1:][-1:]
        self._frames.clear()
        self.add(ahead, now_s)

    def hold(self) -> None:
        """Keeps the current frame until the next `advance`, however long it has been shown."""
        self._held = True

    def advance(self, now_s: float) -> None:
        """Moves on to the frame that is due now."""
        if self._held:
            self._held = False
            self._until_s = max(self._until_s, now_s)
        while self._frames and now_s >= self._until_s:
            self._frames.popleft()
            if self._frames:
                self._until_s += self._frames[0].seconds

    def due_s(self) -> float | None:
        """Returns when the current frame ends, or `None` when that is not a matter of time."""
        return self._until_s if self._frames and isfinite(self._until_s) else None
