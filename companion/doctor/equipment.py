"""The devices that the checks open: those of this machine, or simulated ones."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, Self

from hardware.board import Board, Strip
from hardware.buttons import GpioButtons
from hardware.contacts import STUCK_S
from hardware.drivers import lights as light_drivers
from hardware.errors import StripOutOfReach
from hardware.lights import StripLights
from hardware.patterns import BLACK
from hardware.pieces import HubPort, SerialPieces
from hardware.ports import Gesture, Trouble

if TYPE_CHECKING:
    from gpiozero import Factory

STEP_S: Final = 0.02
"""How often to look whether something has happened."""
PATIENCE_S: Final = 3.0
"""How long a hub may take to answer."""


class Equipment:
    """The pins, the strip and the hubs. Hubs are greeted once for all checks, since it takes a while.

    :param open_hubs: opens the hubs of a board.
    :param open_pins: returns gpiozero's pin factory for a board, or `None` for the pins of this machine.
    :param open_strip: opens the strip.
    :param pause: waits this many seconds.
    :param to_close: closes everything at the end.
    """

    def __init__(
        self,
        open_hubs: Callable[[Board], SerialPieces],
        open_pins: Callable[[Board], Factory | None] = lambda board: None,
        open_strip: light_drivers.StripOpener = light_drivers.open_strip,
        pause: Callable[[float], None] = time.sleep,
        to_close: ExitStack | None = None,
    ) -> None:
        self._open_hubs = open_hubs
        self._hubs: list[HubPort] | None = None
        self._pause = pause
        self._to_close = to_close or ExitStack()
        self._open_pins = open_pins
        self._open_strip = open_strip

    plays = False
    """Whether a table is using these devices at the same time."""

    def hubs(self, board: Board) -> list[HubPort]:
        """Returns the hubs of the board, once all are in step or have had the time to be."""
        if self._hubs is None:
            self._hubs = self._greeted(self._open_hubs(board))
        return self._hubs

    def _greeted(self, pieces: SerialPieces) -> list[HubPort]:
        hubs = list(pieces.hubs.values())
        self.wait(lambda: all(hub.error or hub.condition in ("in step", "foreign") for hub in hubs), PATIENCE_S)
        return hubs

    def buttons_down(self, board: Board) -> list[str]:
        """Returns the buttons that are down now."""
        reported: list[Gesture] = []
        now_s = 0.0
        with warnings.catch_warnings():
            # gpiozero warns about each pin library that it cannot use.
            warnings.simplefilter("ignore")
            buttons = GpioButtons(board, self._open_pins(board), clock=lambda: now_s, by_hand=True)
        with buttons:
            buttons.listen(reported.append)
            # On this clock, a button that is down now has been stuck long enough to be reported.
            now_s = STUCK_S
            buttons.poll()
        return [gesture.where for gesture in reported if isinstance(gesture, Trouble)]

    def send_frame(self, strip: Strip) -> None:
        """Sends a dark frame to the strip. Raises whatever goes wrong."""
        pixels = self._open_strip(strip)
        try:
            pixels[:] = [BLACK] * strip.count
            pixels.show()
        finally:
            pixels.deinit()

    def wait(self, until: Callable[[], bool], within_s: float) -> bool:
        """Waits until something has happened or the time is up. Returns whether it has happened."""
        for _ in range(round(within_s / STEP_S)):
            if until():
                return True
            self._pause(STEP_S)
        return until()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._to_close.close()


class PlayingEquipment(Equipment):
    """The devices of a running table: they are only asked for their state, and nothing is opened a second time."""

    plays = True

    def __init__(
        self,
        buttons: GpioButtons,
        lights: StripLights,
        pieces: SerialPieces,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(lambda board: pieces, pause=pause)
        self._buttons = buttons
        self._lights = lights
        self._pieces = pieces

    def hubs(self, board: Board) -> list[HubPort]:
        # Every time, because one may have been lost or found since the last check.
        return self._greeted(self._pieces)

    def buttons_down(self, board: Board) -> list[str]:
        return self._buttons.down

    def send_frame(self, strip: Strip) -> None:
        if self._lights.why_lost:
            raise StripOutOfReach(self._lights.why_lost)


def real_equipment() -> Equipment:
    """Returns the devices of this machine."""
    to_close = ExitStack()

    def open_hubs(board: Board) -> SerialPieces:
        pieces = SerialPieces(board)
        # Hubs start when somebody listens.
        pieces.listen(lambda gesture: None)
        return to_close.enter_context(pieces)

    return Equipment(open_hubs, to_close=to_close)


def simulated_equipment() -> Equipment:
    """Returns simulated devices that run by themselves, in real time."""
    from hardware.simulated.board import SimulatedBoard
    from hardware.simulated.strip import SimulatedStrip

    to_close = ExitStack()
    opened: list[SimulatedBoard] = []

    def simulated(board: Board) -> SimulatedBoard:
        if not opened:
            opened.append(to_close.enter_context(SimulatedBoard(board)))
            # The check opens the pins itself.
            opened[0].buttons.close()
        return opened[0]

    return Equipment(
        lambda board: simulated(board).pieces,
        lambda board: simulated(board).factory,
        SimulatedStrip().open,
        to_close=to_close,
    )
