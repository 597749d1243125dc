"""Every fault of the simulated board, to be thrown at a game, and how each is fixed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from hardware.ports import Fault
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.hub import SimulatedHub
from hardware.simulated.wire import LineFault

STRANGER: Final = "DEADBEEF"


class Mishap(NamedTuple):
    """Something that goes wrong, how it is fixed, and what people must be shown."""

    begin: Callable[[SimulatedBoard, Random], None]
    mend: Callable[[SimulatedBoard], None]
    told: Fault | None = None


def _hub(board: SimulatedBoard, rng: Random) -> SimulatedHub:
    return rng.choice(list(board.hubs.values()))


def _each(board: SimulatedBoard, act: Callable[[SimulatedHub], None]) -> None:
    for hub in board.hubs.values():
        act(hub)


def _nothing(board: SimulatedBoard) -> None:
    pass


def _flicker(board: SimulatedBoard, rng: Random) -> None:
    """Passes a tag over a reader, too briefly to count."""
    place = rng.choice(list(board.board.places))
    board.put(STRANGER, place)
    board.advance(0.03)
    board.take(STRANGER, place)


def _unplug(board: SimulatedBoard, rng: Random) -> None:
    _hub(board, rng).unplug()


def _silence(board: SimulatedBoard, rng: Random) -> None:
    _hub(board, rng).wire.silent = True


def _speak(board: SimulatedBoard) -> None:
    for hub in board.hubs.values():
        hub.wire.silent = False
        hub.deaf = False


def _deafen(board: SimulatedBoard, rng: Random) -> None:
    _hub(board, rng).deaf = True


def _strange_tag(board: SimulatedBoard, rng: Random) -> None:
    place = rng.choice(list(board.board.places))
    board.put(STRANGER, place)
    board.advance(0.3)
    board.take(STRANGER, place)
    board.advance(0.4)


def _two_tags(board: SimulatedBoard, rng: Random) -> None:
    place = rng.choice(list(board.board.places))
    for tag in (STRANGER, "CAFEBABE"):
        board.put(tag, place)
    board.advance(0.5)
    for tag in (STRANGER, "CAFEBABE"):
        board.take(tag, place)
    board.advance(0.5)


def _unlit(board: SimulatedBoard, rng: Random) -> str | None:
    """Returns a place that is not lit, where a press means nothing. Returns `None` when all are lit."""
    places = [place for place in board.board.places if place not in board.lights.scene.places]
    return rng.choice(places) if places else None


def _stick(board: SimulatedBoard, rng: Random) -> None:
    place = _unlit(board, rng)
    if place is not None:
        board.press(place, seconds=None)
        board.advance(11.0, slice_s=0.1)


def _free(board: SimulatedBoard) -> None:
    for place in board.board.places:
        board.release(place)


def _bounce(board: SimulatedBoard, rng: Random) -> None:
    place = _unlit(board, rng)
    if place is not None:
        board.bounce(place, 20)
        board.advance(0.1)
        board.release(place)


def _lose_strip(board: SimulatedBoard, rng: Random) -> None:
    board.strip.lost = True


def _find_strip(board: SimulatedBoard) -> None:
    board.strip.lost = False


def _mend_readers(board: SimulatedBoard) -> None:
    for hub in board.hubs.values():
        for reader in range(hub.hub.readers):
            hub.break_reader(reader, False)
            hub.freeze_reader(reader, False)


def _spoil(fault: LineFault) -> Callable[[SimulatedBoard, Random], None]:
    return lambda board, rng: _hub(board, rng).wire.spoil(fault, 3)


MISHAPS: Final = {
    "cable pulled": Mishap(_unplug, lambda board: _each(board, SimulatedHub.plug), Fault.LOST_HUB),
    "hub silent": Mishap(_silence, _speak, Fault.LOST_HUB),
    "hub deaf": Mishap(_deafen, _speak, Fault.LOST_HUB),
    "hub reset": Mishap(lambda board, rng: _hub(board, rng).reset(), _nothing),
    **{f"line: {fault.value}": Mishap(_spoil(fault), _nothing) for fault in LineFault},
    "garbage": Mishap(lambda board, rng: _hub(board, rng).babble(rng.randbytes(300)), _nothing),
    "reader dead": Mishap(lambda board, rng: _hub(board, rng).break_reader(0), _mend_readers, Fault.DEAD_READER),
    "reader hangs": Mishap(lambda board, rng: _hub(board, rng).freeze_reader(1), _mend_readers, Fault.DEAD_READER),
    "reader loses power": Mishap(lambda board, rng: _hub(board, rng).starve_reader(0), _nothing),
    "noise on the air": Mishap(lambda board, rng: _hub(board, rng).disturb_reader(0, 2), _nothing),
    "tag flickers": Mishap(_flicker, _nothing),
    "strange tag": Mishap(_strange_tag, _nothing, Fault.UNKNOWN_TAG),
    "two tags at once": Mishap(_two_tags, _nothing, Fault.CROWDED_READER),
    "stuck button": Mishap(_stick, _free, Fault.STUCK_BUTTON),
    "bouncing contact": Mishap(_bounce, _nothing),
    "strip lost": Mishap(_lose_strip, _find_strip, Fault.LOST_STRIP),
}
"""Everything that can go wrong with the simulated board."""
ON_BUTTONS: Final = ("stuck button", "bouncing contact", "strip lost")
"""Those that a board without readers can have."""


def told(board: SimulatedBoard, fault: Fault) -> bool:
    """Returns whether the devices have reported a fault."""
    return any(getattr(gesture, "fault", None) is fault for gesture in board.gestures)
