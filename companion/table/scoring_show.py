"""Scenes shown one after the other, each for a while: a wave, and the places as they are scored."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from hardware.ports import Scene


class Parade:
    """The scenes still to be shown; the first is shown now."""

    def __init__(self) -> None:
        self._scenes: deque[tuple[Scene, float]] = deque()
        self._until_s = 0.0

    @property
    def scene(self) -> Scene | None:
        """What is shown now."""
        return self._scenes[0][0] if self._scenes else None

    def add(self, scenes: Iterable[tuple[Scene, float]], now_s: float) -> None:
        """Shows these too, each for its seconds."""
        for scene, seconds in scenes:
            if not self._scenes:
                self._until_s = now_s + seconds
            self._scenes.append((scene, seconds))

    def cut(self) -> None:
        """Shows none of them any more."""
        self._scenes.clear()

    def go_on(self, now_s: float) -> None:
        """Goes on to the next when its time has come."""
        while self._scenes and now_s >= self._until_s:
            self._scenes.popleft()
            if self._scenes:
                self._until_s += self._scenes[0][1]

    def due_s(self) -> float | None:
        """When the next is shown."""
        return self._until_s if self._scenes else None
