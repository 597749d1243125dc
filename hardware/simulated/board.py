"""A whole simulated board: real devices, real libraries and the real firmware, played on by calls instead of hands.

>>> from hardware.board import example_board
>>> from hardware.ports import Pattern, Scene, Show
>>> with SimulatedBoard(example_board(), by_hand=True) as board:
...     board.lights.show(Scene({"north": Show(Pattern.STEADY, "red")}, marker="south"))
...     board.press("north")
...     board.put("04A1B2C3", "south")
...     board.advance(0.3)
...     for gesture in board.gestures:
...         print(gesture)
...     board.colours("north")[0], board.marked()
Press(button='north', long=False)
Tap(tag='04A1B2C3', place='south', gone=False)
((56, 0, 0), ['south'])
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Container
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from hardware.board import Board, BoardHub
from hardware.buttons import GpioButtons
from hardware.device import CLOCK, Clock
from hardware.lights import StripLights
from hardware.patterns import Colour
from hardware.pieces import SerialPieces
from hardware.ports import Gesture, GestureListener
from hardware.simulated.hub import SimulatedHub
from hardware.simulated.line import hub_line
from hardware.simulated.strip import SimulatedStrip

if TYPE_CHECKING:
    from gpiozero.pins.mock import MockFactory

SLICE_S: Final = 0.01
"""How far the clock moves before all devices are polled again."""


class HandClock:
    """A clock that only moves when `now_s` is changed."""

    def __init__(self, now_s: float = 1000.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s


class SimulatedBoard:
    """A board without hardware. Everything except the hands is what runs on a real one.

    :param board: the board; the ports of its hubs are replaced by simulated ones.
    :param known: the enrolled tags; with `None`, every tag passes.
    :param interpreter: what the firmware runs in, `python` or `micropython`.
    :param by_hand: start no threads; time only moves in `advance`, as fast as the machine can.
    :param quick_readers: simulate a reader's chip only where a fault is injected, to play many games in a short time.
    """

    def __init__(
        self,
        board: Board,
        known: Container[str] | None = None,
        interpreter: str = "python",
        by_hand: bool = False,
        quick_readers: bool = False,
    ) -> None:
        from gpiozero.pins.mock import MockFactory

        self._clock = HandClock()
        self.clock: Clock = self._clock if by_hand else CLOCK
        """The clock of all devices."""
        clock = self.clock
        self._by_hand = by_hand
        self.factory: MockFactory = MockFactory()
        self.strip = SimulatedStrip()
        self.hubs: dict[str, SimulatedHub] = {}
        self._wires: dict[str, str] = {}
        """The buttons whose wires end at the pin of another button."""
        self.gestures: list[Gesture] = []
        """Everything that has happened, in order."""
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="el-grande-"))
            ports: dict[str, BoardHub] = {}
            for name, hub in board.hubs.items():
                line = hub_line(Path(folder, name))
                stack.callback(line.unplug)
                simulated = SimulatedHub(hub, line, interpreter, clock, by_hand, quick_readers)
                self.hubs[name] = stack.enter_context(simulated)
                ports[name] = replace(hub, port=line.port)
            self.board = replace(board, hubs=ports)
            self.buttons = stack.enter_context(GpioButtons(self.board, self.factory, clock, by_hand))
            self.lights = stack.enter_context(StripLights(self.board, self.strip.open, clock, by_hand))
            self.pieces = stack.enter_context(SerialPieces(self.board, known, clock, by_hand))
            self._opened = dict.fromkeys(self.hubs, 0)
            self.listen(self.gestures.append)
            if by_hand:
                self._settle()
            self._devices = stack.pop_all()

    def listen(self, listener: GestureListener) -> None:
        """Passes every gesture of every device to the listener."""
        for device in (self.buttons, self.lights, self.pieces):
            device.listen(listener)

    # Hands.

    def press(self, button: str, seconds: float | None = 0.1) -> None:
        """Presses the button of a place or a control, and releases it after this time; with `None`, never."""
        self._pin(button).drive_low()
        if seconds is not None:
            self._let_pass(seconds)
            self._pin(button).drive_high()

    def release(self, button: str) -> None:
        """Releases a button."""
        self._pin(button).drive_high()

    def bounce(self, button: str, times: int, gap_s: float = 0.0) -> None:
        """Closes and opens a contact this many times and leaves it closed; by default as fast as possible.

        :param gap_s: how long it stays as it is after each change but the last.
        """
        for _ in range(times):
            self._pin(button).drive_low()
            self._let_pass(gap_s)
            self._pin(button).drive_high()
            self._let_pass(gap_s)
        self._pin(button).drive_low()

    def swap_buttons(self, one: str, other: str) -> None:
        """Swaps the wires of two buttons: pressing one closes the contact of the other."""
        self._wires |= {one: other, other: one}

    def slow_strip(self, seconds: float) -> None:
        """Makes every frame take this long."""
        self.strip.delay = lambda: self._elapse(seconds)

    def put(self, tag: str, place: str) -> None:
        """Holds a tagged piece to the reader of a place."""
        hub, reader = self._reader(place)
        hub.put(reader, tag)

    def take(self, tag: str, place: str) -> None:
        """Takes a tagged piece from the reader of a place."""
        hub, reader = self._reader(place)
        hub.take(reader, tag)

    def tap(self, tag: str, place: str) -> None:
        """Holds a tagged piece to a reader until it is seen, and takes it away."""
        self.put(tag, place)
        self._let_pass(0.2)
        self.take(tag, place)
        self._let_pass(0.3)

    def colours(self, place: str) -> list[Colour]:
        """Returns what the lights of a place show, from the bytes that the strip was given."""
        lights = self.strip.colours()
        return [lights[light] for light in self.board.places[place].lights]

    def marked(self) -> list[str]:
        """Returns the places whose marker light is on, from the bytes that the strip was given."""
        lights = self.strip.colours()
        markers = {name: place.marker for name, place in self.board.places.items() if place.marker is not None}
        return [name for name, light in markers.items() if any(lights[light])]

    # Time.

    def advance(self, seconds: float, slice_s: float = SLICE_S) -> None:
        """Moves the clock while every device does what is due; only with `by_hand`."""
        if not self._by_hand:
            raise RuntimeError("the board runs by itself: only one that is made with by_hand=True can be advanced")
        until_s = self._clock.now_s + seconds
        while self._clock.now_s < until_s - 1e-9:
            self._clock.now_s = min(until_s, self._clock.now_s + slice_s)
            self._settle()

    def _let_pass(self, seconds: float) -> None:
        """Waits while the devices go on."""
        self.advance(seconds) if self._by_hand else time.sleep(seconds)

    def _elapse(self, seconds: float) -> None:
        """Lets time pass in the middle of a device's work."""
        if self._by_hand:
            self._clock.now_s += seconds
        else:
            time.sleep(seconds)

    def watch(self, seconds: float) -> None:
        """Moves the clock for the lights only, as for somebody who just looks; only with `by_hand`.

        The hubs catch up afterwards: after two seconds without them, the program would treat them as lost.
        """
        self._clock.now_s += seconds
        self.lights.poll()

    def _settle(self) -> None:
        self.buttons.poll()
        for name, hub in self.hubs.items():
            port = self.pieces.hubs[name]
            if port.open:
                hub.await_bytes(port.sent)
            hub.poll()
            port.poll()
            if port.opened == self._opened[name]:
                port.await_bytes(hub.sent)
            else:
                # Bytes sent before the port was opened are gone: both count from zero again.
                self._opened[name] = port.opened
                hub.received = hub.sent = 0
        self.lights.poll()

    # As a device.

    def open_lights(self, board: Board, patient: bool = False) -> StripLights:
        """Opens the lights again, with the same strip divided into other places, and returns them.

        :param patient: keep trying a strip that is lost; otherwise that is an error.
        """
        self.lights.close()
        self.lights = StripLights(board, self.strip.open, self.clock, self._by_hand, patient)
        return self._devices.enter_context(self.lights)

    def close(self) -> None:
        """Closes every device."""
        self._devices.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<SimulatedBoard {self.board.name}: {self.buttons!r}, {self.lights!r}, {self.pieces!r}>"

    def _pin(self, button: str):  # type: ignore[no-untyped-def]
        button = self._wires.get(button, button)
        gpio = self.board.controls.get(button)
        return self.factory.pin(self.board.places[button].button if gpio is None else gpio)

    def _reader(self, place: str) -> tuple[SimulatedHub, int]:
        reader = self.board.places[place].reader
        if reader is None:
            raise LookupError(f"{place} has no reader on this board")
        return self.hubs[reader.hub], reader.number
