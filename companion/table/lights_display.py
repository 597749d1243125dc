"""The lights of the board: shown first, in the table's own thread."""

from __future__ import annotations

import os

from hardware.ports import Lights, Scene


class LightsDisplay:
    """Passes scenes on to the lights when they change.

    Unlike other displays it is shown the scene alone, before the rest of the moment is made: the light is what the eye
    waits for.
    """

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self._scene: Scene | None = None

    @property
    def scene(self) -> Scene | None:
        """What the lights show."""
        return self._scene

    def show(self, scene: Scene) -> None:
        """Shows a scene, if it is another than before."""
        if scene != self._scene:
            self._lights.show(scene)
            # Their thread draws the scene now, and not after the words for all pages are made.
            os.sched_yield()
        self._scene = scene

    def acknowledge(self, place: str) -> None:
        """Answers a press with light, from any thread, before anybody knows what comes of it."""
        self._lights.acknowledge(place)
