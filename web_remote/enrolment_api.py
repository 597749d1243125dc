"""What the workshop page requests about tags: enrol pieces by taps, and forget tags. Only for the table."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Final

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.engine.pieces import Piece
from web_remote import request_fields
from web_remote.context import WebContext
from web_remote.workshop_api import blueprint, open_workshop

if TYPE_CHECKING:
    from companion.workshop import Workshop

NEW_TAG_PLACE: Final = "castillo"
"""Where a made-up piece is held to the simulated board, if there is a reader."""


def make(context: WebContext) -> Blueprint:
    """Returns the addresses at which pieces are enrolled."""
    enrolment = blueprint("enrolment", context)

    def shop() -> Workshop:
        return open_workshop(context)

    @enrolment.post("/enrol")
    def enrol() -> ResponseReturnValue:
        given = request_fields.given()
        try:
            piece, afresh = Piece.parse(str(given.get("piece"))), given.get("afresh", False)
        except ValueError:
            raise BadRequest from None
        if not isinstance(afresh, bool):
            raise BadRequest
        shop().enrol(piece, afresh)
        return jsonify(ok=True)

    @enrolment.post("/finish")
    def finish() -> ResponseReturnValue:
        shop().enrolment.finish()
        return jsonify(ok=True)

    @enrolment.post("/forget")
    def forget() -> ResponseReturnValue:
        tag = request_fields.text("tag", 14).strip().upper()
        if not re.fullmatch("[0-9A-F]{8}|[0-9A-F]{14}", tag):
            return jsonify(error="no tag"), 400
        shop().enrolment.forget(tag)
        return jsonify(ok=True)

    @enrolment.post("/new-piece")
    def new_piece() -> ResponseReturnValue:
        """Taps a piece with a brand-new tag on a simulated board."""
        if context.simulated is None:
            return jsonify(error="the board is real"), 404
        places = context.simulated.board.places
        with_reader = [name for name, place in places.items() if place.reader is not None]
        if not with_reader:
            return jsonify(error="no readers"), 404
        place = NEW_TAG_PLACE if NEW_TAG_PLACE in with_reader else with_reader[0]
        context.simulated.tap(f"08{secrets.token_hex(3).upper()}", place)
        return jsonify(ok=True)

    return enrolment
