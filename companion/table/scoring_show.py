"""The scoring show on the lights: one scene after another, each for a while."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from hardware.ports import Scene


class ScoringShow:
    """The scenes still to be shown; the first is shown now."""

    def __init__(self) -> None:
        self._scenes: deque[tuple[Scene, float]] = deque()
        self._until_s = 0.0

    @property
    def scene(self) -> Scene | None:
        """The scene to show now, or `None` when the show is over."""
        return self._scenes[0][0] if self._scenes else None

    def add(self, scenes: Iterable[tuple[Scene, float]], now_s: float) -> None:
        """Adds scenes at the end, each with the seconds it lasts."""
        for scene, seconds in scenes:
            if not self._scenes:
                self._until_s = now_s + seconds
            self._scenes.append((scene, seconds))

    def cut(self) -> None:
        """Ends the show."""
        self._scenes.clear()

    def advance(self, now_s: float) -> None:
        """Moves on to the scene that is due now."""
        while self._scenes and now_s >= self._until_s:
            self._scenes.popleft()
            if self._scenes:
                self._until_s += self._scenes[0][1]

    def due_s(self) -> float | None:
        """Returns when the current scene ends, or `None` when the show is over."""
        return self._until_s if self._scenes else None
