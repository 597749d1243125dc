"""The lights of a board, on Adafruit's NeoPixel library."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from hardware.board import PLACES, Board, Strip
from hardware.device import CLOCK, BaseDevice, Clock
from hardware.errors import StripOutOfReach
from hardware.patterns import BLACK, Colour, Frame, current_ma, frame, moving
from hardware.ports import COLOURS, DARK, Fault, Scene, Trouble

FRAME_S: Final = 1 / 30
PRESSED_S: Final = 0.15
"""How long a press is acknowledged."""
RETRY_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""How long a strip that failed is left alone, the first time, the second, and so on."""


class Pin(Protocol):
    """What we use of a pin of Blinka."""

    def deinit(self) -> None: ...


class Pixels(Protocol):
    """What we use of `neopixel.NeoPixel`."""

    def __setitem__(self, index: slice, colours: list[Colour]) -> None: ...

    def show(self) -> None: ...

    def deinit(self) -> None: ...

    @property
    def pin(self) -> Pin: ...


def open_pixels(strip: Strip) -> Pixels:
    """The strip at the pin that the board file names."""
    # In a terminal Blinka would stop and offer to install packages, even ones that we have no use for.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        import board
        import neopixel
    except (ImportError, NotImplementedError, RuntimeError) as error:
        # Blinka says NotImplementedError on a machine that it does not know, RuntimeError where a package is missing.
        raise StripOutOfReach(str(error) or "this machine is no Raspberry Pi") from None
    try:
        pin = getattr(board, f"D{strip.gpio}")
        pixels: Pixels = neopixel.NeoPixel(
            pin, strip.count, bpp=len(strip.order), auto_write=False, pixel_order=strip.order
        )
    except (OSError, RuntimeError, ValueError, AttributeError, NotImplementedError) as error:
        raise StripOutOfReach(str(error)) from None
    return pixels


class NeoPixelLights(BaseDevice):
    """One strip of lights through all places.

    Its data wire comes from the strip's GPIO through a level shifter and a resistor, its power from a supply of its
    own through a fuse; hardware/README.md shows how.

        with NeoPixelLights(read_board(file)) as lights:
            lights.show(Scene({"granada": Show(Pattern.LEGAL, "red")}, king="aragon"))
            input("Enter ends.")

    While something moves it is drawn 30 times a second; while nothing does, nothing is sent. No frame ever draws more
    than the budget of the board file. A strip that fails is told as a trouble and tried again; the scene is not lost.

    :param board: which light is where, and the budget.
    :param pixels: opens the strip; by default that of this machine.
    :param clock: seconds that only go forward.
    :param by_hand: start no thread; whoever made this calls `poll`.
    :param patient: take a strip that cannot be opened at first for lost, and try it again; else it is an error.
    """

    def __init__(
        self,
        board: Board,
        pixels: Callable[[Strip], Pixels] = open_pixels,
        clock: Clock = CLOCK,
        by_hand: bool = False,
        patient: bool = False,
    ) -> None:
        super().__init__("lights", clock, by_hand)
        self._board = board
        self._open = pixels
        self._pixels: Pixels | None = None
        self._lock = threading.Lock()
        self._scene = DARK
        self._fresh = True
        """Whether the scene has not been drawn yet."""
        self._pressed: dict[str, float] = {}
        """The places that were pressed, and until when that is shown."""
        self._due_s = clock()
        self._failures = 0
        self.why_lost = ""
        """Why the strip cannot be reached now; nothing if it can."""
        self._drawn_ma = 0.0
        try:
            self._pixels = pixels(board.strip)
        except Exception as error:
            if not patient:
                raise
            self._lost(error, clock())
        self._start()

    @property
    def scene(self) -> Scene:
        """What is shown."""
        return self._scene

    def show(self, scene: Scene) -> None:
        """Shows a scene until the next one; returns at once."""
        unknown = [place for place in (*scene.places, scene.king) if place is not None and place not in PLACES]
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
        # On the beat, not a frame's time after a late frame; but never two at once to catch up.
        on_beat_s = self._due_s + FRAME_S
        self._due_s = on_beat_s if now_s < on_beat_s <= now_s + FRAME_S else now_s + FRAME_S
        try:
            if self._pixels is None:
                self._pixels = self._open(self._board.strip)
            self._pixels[:] = colours
            self._pixels.show()
        except Exception as error:
            # Each kind of Pi has errors of its own here; whatever it is, the game goes on.
            self._lost(error, now_s)
            return
        self._drawn_ma = current_ma(colours)
        if self._failures:
            self._failures = 0
            self.why_lost = ""
            self._tell(Trouble(Fault.LOST_STRIP, "lights", over=True))

    def _lost(self, error: Exception, now_s: float) -> None:
        self._due_s = now_s + RETRY_S[min(self._failures, len(RETRY_S) - 1)]
        self._failures += 1
        self._drop()
        # What to do about it is for whoever runs a command; people at a table are told the reason.
        self.why_lost = (error.why if isinstance(error, StripOutOfReach) else str(error)) or type(error).__name__
        if self._failures == 1:
            self._tell(Trouble(Fault.LOST_STRIP, "lights", self.why_lost))

    def _drop(self) -> None:
        """Lets go of a strip that failed, so that it can be opened again."""
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            try:
                pixels.deinit()
            except Exception:
                # The library darkens the strip before it frees the pin, and cannot; so we free it.
                with contextlib.suppress(Exception):
                    pixels.pin.deinit()

    def _state(self) -> str:
        strip = self._board.strip
        if self._failures:
            return f"{strip.count} lights, lost"
        return f"{strip.count} lights, {self._drawn_ma:.0f} of {strip.budget_ma:.0f} mA"

    def _let_go(self) -> None:
        if self._pixels is not None:
            try:
                self._pixels[:] = [BLACK] * self._board.strip.count
                self._pixels.show()
            except Exception:
                # It was lost, and is dark or not without us.
                return
            finally:
                self._drop()
