"""The devices that are tried: those of this machine, or those of a simulated board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from companion.doctor.equipment import Equipment, PlayingEquipment, real_equipment
from hardware.board import Board
from hardware.buttons import GpioButtons
from hardware.lights import StripLights
from hardware.pieces import SerialPieces

if TYPE_CHECKING:
    from hardware.simulated.board import SimulatedBoard


class BenchDevices(Protocol):
    """Opens devices; each is closed before the next is opened, as two programs cannot use the same one."""

    def equipment(self, pause: Callable[[float], None]) -> Equipment:
        """Returns what the doctor's checks open."""

    def lights(self, board: Board) -> AbstractContextManager[StripLights]:
        """Opens the lights, with the strip divided into the places of this board."""

    def buttons(self, board: Board) -> AbstractContextManager[GpioButtons]:
        """Opens the buttons."""

    def pieces(self, board: Board) -> AbstractContextManager[SerialPieces]:
        """Opens the hubs."""


class RealDevices:
    """The devices of this machine."""

    def equipment(self, pause: Callable[[float], None]) -> Equipment:
        """Returns what the doctor's checks open."""
        return real_equipment()

    def lights(self, board: Board) -> AbstractContextManager[StripLights]:
        """Opens the strip."""
        return StripLights(board)

    def buttons(self, board: Board) -> AbstractContextManager[GpioButtons]:
        """Opens the pins."""
        return GpioButtons(board)

    def pieces(self, board: Board) -> AbstractContextManager[SerialPieces]:
        """Opens the hubs' ports."""
        return SerialPieces(board)


class _OpenEquipment(PlayingEquipment):
    """Devices that are open already, although no table is playing."""

    plays = False


class SimulatedDevices:
    """The devices of a simulated board, which stay open and keep their faults."""

    def __init__(self, simulated: SimulatedBoard) -> None:
        self._simulated = simulated

    def equipment(self, pause: Callable[[float], None]) -> Equipment:
        """Returns the open devices, which the checks only ask for their state."""
        return _OpenEquipment(self._simulated.buttons, self._simulated.lights, self._simulated.pieces, pause)

    @contextmanager
    def lights(self, board: Board) -> Iterator[StripLights]:
        """Opens the strip again, for other places."""
        try:
            yield self._simulated.open_lights(board)
        finally:
            self._simulated.open_lights(self._simulated.board, patient=True)

    @contextmanager
    def buttons(self, board: Board) -> Iterator[GpioButtons]:
        """Returns the open buttons."""
        yield self._simulated.buttons

    @contextmanager
    def pieces(self, board: Board) -> Iterator[SerialPieces]:
        """Returns the open hubs."""
        yield self._simulated.pieces
