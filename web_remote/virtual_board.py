"""The virtual board: sends the bytes of the simulated strip, and receives presses and tags for the simulated board."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Lock, Timer
from typing import TYPE_CHECKING, Final

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from companion.engine import PLACES
from companion.engine.pieces import Piece
from companion.table.board_check import CONTROLS
from companion.table.gestures import brief_press
from hardware.board import Board, Place
from web_remote import request_fields
from web_remote.context import WebContext
from web_remote.stream_slots import StreamSlot
from web_remote.streams import as_stream, stream_over, take_slot

if TYPE_CHECKING:
    from hardware.simulated.board import SimulatedBoard

LOOK_S: Final = 1 / 30
KEEP_ALIVE_LOOKS: Final = 150
"""After how many looks something is sent: only sending shows that a page is out of reach."""
HELD_S: Final = 5.0
"""How long a page may hold something: longer than any press that means something, too short to count as stuck."""


def make(context: WebContext) -> Blueprint:
    """Returns the addresses of the virtual board; with a real board they answer 404."""
    virtual = Blueprint("virtual", __name__, url_prefix="/board")
    held = _Held()

    @virtual.before_request
    def check() -> ResponseReturnValue | None:
        if context.simulated is None:
            return jsonify(error="the board is real"), 404
        if not context.seats(request) and not context.may_manage(request):
            return jsonify(error="seat"), 403
        return None

    @virtual.get("/layout")
    def layout() -> ResponseReturnValue:
        """Returns which light of the strip is where."""
        board = _simulated(context).board
        return jsonify(
            order=board.strip.order,
            count=board.strip.count,
            brightness=board.strip.brightness,
            places={
                name: {"lights": list(place.lights), "marker": place.marker, "reader": _taps(board, place)}
                for name, place in board.places.items()
            },
        )

    @virtual.get("/lights")
    def lights() -> ResponseReturnValue:
        slot = take_slot(context)
        return as_stream(_frames(context, stream_over(slot)), slot) if isinstance(slot, StreamSlot) else slot

    @virtual.post("/button")
    def press() -> ResponseReturnValue:
        """Presses or releases a button."""
        given = request_fields.given()
        name, down = given.get("button"), given.get("down")
        if name not in (*PLACES, *CONTROLS) or not isinstance(down, bool):
            return jsonify(error="bad request"), 400
        simulated, button = _simulated(context), str(name)
        if button in PLACES and not context.may_manage(request):
            # To hold down a dark button opens the seats: on a simulated board, only the table may do that.
            if down:
                context.post(brief_press(button))
        elif down:
            simulated.press(button, seconds=None)
            held.keep(button, lambda: simulated.release(button))
        else:
            held.let_go(button)
            simulated.release(button)
        return jsonify(ok=True)

    @virtual.post("/tag")
    def hold() -> ResponseReturnValue:
        """Holds a piece to the reader of a place, or takes it away."""
        given = request_fields.given()
        place, put = given.get("place"), given.get("put")
        try:
            tag = context.tags[Piece.parse(str(given.get("piece")))]
        except (KeyError, ValueError):
            return jsonify(error="bad request"), 400
        simulated = _simulated(context)
        if place not in PLACES or not isinstance(put, bool) or simulated.board.places[str(place)].reader is None:
            return jsonify(error="bad request"), 400
        where = str(place)
        if put:
            simulated.put(tag, where)
            held.keep(f"{tag} {where}", lambda: simulated.take(tag, where))
        else:
            held.let_go(f"{tag} {where}")
            simulated.take(tag, where)
        return jsonify(ok=True)

    return virtual


class _Held:
    """What pages hold. A page that goes away releases nothing, so it is released after a while."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._timers: dict[str, Timer] = {}

    def keep(self, what: str, let_go: Callable[[], None]) -> None:
        """Notes that something is held from now on."""
        timer = Timer(HELD_S, let_go)
        timer.daemon = True
        self._swap(what, timer)
        timer.start()

    def let_go(self, what: str) -> None:
        """Notes that the page released it itself."""
        self._swap(what, None)

    def _swap(self, what: str, timer: Timer | None) -> None:
        with self._lock:
            before = self._timers.pop(what, None)
            if timer is not None:
                self._timers[what] = timer
        if before is not None:
            before.cancel()


def _taps(board: Board, place: Place) -> bool:
    """Returns whether a piece is only tapped at the reader of a place; an inventory reader needs it to stay."""
    return place.reader is not None and board.hubs[place.reader.hub].mode == "tap"


def _simulated(context: WebContext) -> SimulatedBoard:
    assert context.simulated is not None
    return context.simulated


def _frames(context: WebContext, over: Callable[[], bool]) -> Iterator[str]:
    """Yields the bytes of each new frame in hexadecimal; no frames while nothing moves."""
    strip = _simulated(context).strip
    shown, looks = -1, 0
    yield "retry: 1000\n\n"
    while not context.display.closed and not over():
        if strip.frames != shown:
            shown, looks = strip.frames, 0
            yield f"data: {strip.data.hex()}\n\n"
        looks += 1
        if looks >= KEEP_ALIVE_LOOKS:
            looks = 0
            yield ": still here\n\n"
        time.sleep(LOOK_S)
