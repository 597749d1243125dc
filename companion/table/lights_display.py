"""The lights of the board: shown first, in the table's own thread."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

from hardware.ports import Lights, Scene

_YIELD: Final[Callable[[], None]] = getattr(os, "sched_yield", lambda: time.sleep(0))
"""Lets other threads go first; Windows has no other way than to sleep for no time."""


class LightsDisplay:
    """Passes scenes on to the lights when they change.

    Unlike other displays, it is shown only the scene, before the rest of the moment is made, because people look at the
    lights first.
    """

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._scene: Scene | None = None

    @property
    def scene(self) -> Scene | None:
        """The scene the lights show, or `None` before the first."""
        return self._scene

    def show(self, scene: Scene) -> None:
        """Shows a scene, unless it is shown already."""
        if scene != self._scene:
            self._lights.show(scene)
            # Their thread draws the scene now, and not after the words for all pages are made.
            _YIELD()
        self._scene = scene

    def acknowledge(self, place: str) -> None:
        """Acknowledges a press with light at once, whatever comes of it. May be called from any thread."""
        self._lights.acknowledge(place)
