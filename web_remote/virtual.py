"""The virtual board: the simulated strip's very bytes go out, presses and tags of the simulated board come in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.tags import Piece
from hardware.board import CONTROLS, PLACES
from hardware.simulated.board import SimulatedBoard
from web_remote.house import House

LOOK_S: Final = 1 / 30
KEEP_ALIVE_LOOKS: Final = 300


def make(house: House) -> Blueprint:
    """The addresses of the virtual board; there are none beside a real one."""
    virtual = Blueprint("virtual", __name__, url_prefix="/board")

    @virtual.before_request
    def check() -> ResponseReturnValue | None:
        if house.hands is None:
            return jsonify(error="the board is real"), 404
        if not house.seats(request) and not house.may_manage(request):
            return jsonify(error="seat"), 403
        return None

    @virtual.get("/layout")
    def layout() -> ResponseReturnValue:
        """Which light of the strip is where."""
        board = _hands(house).board
        return jsonify(
            order=board.strip.order,
            count=board.strip.count,
            places={
                name: {"lights": list(place.lights), "king": place.king, "reader": place.reader is not None}
                for name, place in board.places.items()
            },
        )

    @virtual.get("/lights")
    def lights() -> ResponseReturnValue:
        if not house.streams.acquire(blocking=False):
            return jsonify(error="full"), 503, {"Retry-After": "10"}
        response = Response(_frames(house), mimetype="text/event-stream")
        response.call_on_close(house.streams.release)
        return response

    @virtual.post("/button")
    def button() -> ResponseReturnValue:
        given = _given()
        name, down = given.get("button"), given.get("down")
        if name not in (*PLACES, *CONTROLS) or not isinstance(down, bool):
            return jsonify(error="bad request"), 400
        if down:
            _hands(house).press(str(name), seconds=None)
        else:
            _hands(house).release(str(name))
        return jsonify(ok=True)

    @virtual.post("/tag")
    def tag() -> ResponseReturnValue:
        """A piece is held to the reader of a place, or taken from it."""
        given = _given()
        place, put = given.get("place"), given.get("put")
        try:
            held = house.tags[Piece.parse(str(given.get("piece")))]
        except (KeyError, ValueError):
            return jsonify(error="bad request"), 400
        hands = _hands(house)
        if place not in PLACES or not isinstance(put, bool) or hands.board.places[str(place)].reader is None:
            return jsonify(error="bad request"), 400
        (hands.put if put else hands.take)(held, str(place))
        return jsonify(ok=True)

    return virtual


def _hands(house: House) -> SimulatedBoard:
    assert house.hands is not None
    return house.hands


def _given() -> dict[str, Any]:
    data = request.get_json(silent=True)
    return data if isinstance(data, dict) else {}


def _frames(house: House) -> Iterator[str]:
    """The bytes of each new frame, as digits; nothing while nothing moves."""
    strip = _hands(house).strip
    shown, looks = -1, 0
    yield "retry: 1000\n\n"
    while not house.phones.closed:
        if strip.frames != shown:
            shown, looks = strip.frames, 0
            yield f"data: {strip.data.hex()}\n\n"
        looks += 1
        if looks >= KEEP_ALIVE_LOOKS:
            looks = 0
            yield ": still here\n\n"
        time.sleep(LOOK_S)
