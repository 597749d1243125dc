"""The lights of a board: shows scenes on its strip."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from hardware.board import Board
from hardware.device import CLOCK, BaseDevice, Clock
from hardware.drivers.lights import Pixels, StripOpener, open_strip
from hardware.errors import StripOutOfReach
from hardware.patterns import BLACK, Frame, current_ma, frame, moving
from hardware.ports import COLOURS, DARK, Fault, Scene, Trouble

FRAME_S: Final = 1 / 30
PRESSED_S: Final = 0.15
"""How long a pressed place stays white."""
RETRY_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""The pauses before a failed strip is tried again: after the first failure, the second, and so on."""


class SentFrame(NamedTuple):
    """When a frame began to go out, and when the driver was done with it."""

    began_s: float
    ended_s: float


class StripLights(BaseDevice):
    """One strip of lights that runs through all places.

    The data wire runs from the strip's GPIO through a level shifter and a resistor; the power comes from a supply of
    its own, through a fuse. hardware/README.md shows how.

    >>> from hardware.board import example_board
    >>> from hardware.ports import Pattern, Scene, Show
    >>> from hardware.simulated.strip import SimulatedStrip
    >>> strip = SimulatedStrip()
    >>> with StripLights(example_board(), strip.open) as lights:    # with a real strip: StripLights(board)
    ...     lights.show(Scene({"north": Show(Pattern.BREATHE, "red")}, marker="south"))

    While something moves, a frame is sent 30 times a second; while nothing moves, none. No frame ever draws more than
    the budget of the board file. A strip that fails is reported as a trouble and tried again; the scene is kept.

    :param board: which light is where, and the budget.
    :param opener: opens the strip; by default with the driver that the board file names.
    :param clock: seconds that only go forward.
    :param by_hand: start no thread; the program calls `poll` itself.
    :param patient: keep trying a strip that cannot be opened at first; otherwise that is an error.
    """

    def __init__(
        self,
        board: Board,
        opener: StripOpener = open_strip,
        clock: Clock = CLOCK,
        by_hand: bool = False,
        patient: bool = False,
    ) -> None:
        super().__init__("lights", clock, by_hand)
        self._board = board
        self._open = opener
        self._pixels: Pixels | None = None
        self._lock = threading.Lock()
        self._scene = DARK
        self._fresh = True
        """Whether the scene has not been drawn yet."""
        self._pressed: dict[str, float] = {}
        """The places that were pressed, and until when they stay white."""
        self._due_s = clock()
        self._failures = 0
        self.why_lost = ""
        """Why the strip cannot be reached now; empty when it can."""
        self._drawn_ma = 0.0
        self._frame_listener: Callable[[SentFrame], None] | None = None
        try:
            self._pixels = opener(board.strip)
        except Exception as error:
            if not patient:
                raise
            self._lost(error, clock())
        self._start()

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._scene

    def show(self, scene: Scene) -> None:
        """Shows a scene until the next one; returns at once."""
        lit = [*scene.places, *([] if scene.marker is None else [scene.marker])]
        unknown = [place for place in lit if place not in self._board.places]
        unknown += [show.colour for show in scene.places.values() if show.colour not in COLOURS]
        if unknown:
            raise ValueError(f"no place or colour is called {', '.join(unknown)}")
        with self._lock:
            self._scene = scene
            self._fresh = True
        self.wake()

    def acknowledge(self, place: str) -> None:
        """Lights a place white for a moment; returns at once."""
        if place in self._board.places:
            with self._lock:
                self._pressed[place] = self._clock() + PRESSED_S
                self._fresh = True
            self.wake()

    def watch_frames(self, listener: Callable[[SentFrame], None] | None) -> None:
        """Passes the times of every frame to the listener, in the device's thread. `None` ends it."""
        self._frame_listener = listener

    def poll(self) -> float | None:
        """Draws a frame if one is due."""
        now_s = self._clock()
        with self._lock:
            if ended := [place for place, until_s in self._pressed.items() if until_s <= now_s]:
                self._fresh = True
                for place in ended:
                    del self._pressed[place]
            scene, fresh = replace(self._scene, pressed=frozenset(self._pressed)), self._fresh
            animated = moving(scene) or bool(self._pressed)
            if self._failures and now_s < self._due_s:
                return self._due_s - now_s
            if not fresh and not self._failures:
                if not animated:
                    return None
                if now_s < self._due_s:
                    return self._due_s - now_s
            self._fresh = False
        self._draw(frame(scene, self._board, now_s), now_s)
        if self._failures or animated:
            return max(0.0, self._due_s - self._clock())
        return None

    def _draw(self, colours: Frame, now_s: float) -> None:
        # Keep to the beat after a late frame, but never draw two at once to catch up.
        on_beat_s = self._due_s + FRAME_S
        self._due_s = on_beat_s if now_s < on_beat_s <= now_s + FRAME_S else now_s + FRAME_S
        try:
            if self._pixels is None:
                self._pixels = self._open(self._board.strip)
            began_s = self._clock()
            self._pixels[:] = colours
            self._pixels.show()
        except Exception as error:
            # Each kind of Pi raises errors of its own here; whatever it is, the game goes on.
            self._lost(error, now_s)
            return
        self._drawn_ma = current_ma(colours)
        listener = self._frame_listener
        if listener is not None:
            listener(SentFrame(began_s, self._clock()))
        if self._failures:
            self._failures = 0
            self.why_lost = ""
            self._report(Trouble(Fault.LOST_STRIP, "lights", over=True))

    def _lost(self, error: Exception, now_s: float) -> None:
        self._due_s = now_s + RETRY_S[min(self._failures, len(RETRY_S) - 1)]
        self._failures += 1
        self._drop()
        # The error also says what to do at a command line; people at a table only need the reason.
        self.why_lost = (error.why if isinstance(error, StripOutOfReach) else str(error)) or type(error).__name__
        if self._failures == 1:
            self._report(Trouble(Fault.LOST_STRIP, "lights", self.why_lost))

    def _drop(self) -> None:
        """Closes a strip that failed, so that it can be opened again."""
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            try:
                pixels.deinit()
            except Exception:
                # The library darkens the strip before it frees the pin. That has failed, so we free the pin.
                with contextlib.suppress(Exception):
                    pixels.pin.deinit()

    def _state(self) -> str:
        strip = self._board.strip
        if self._failures:
            return f"{strip.count} lights, lost"
        return f"{strip.count} lights, {self._drawn_ma:.0f} of {strip.budget_ma:.0f} mA"

    def _release(self) -> None:
        if self._pixels is not None:
            try:
                self._pixels[:] = [BLACK] * self._board.strip.count
                self._pixels.show()
            except Exception:
                # The strip is lost; we cannot darken it.
                return
            finally:
                self._drop()
