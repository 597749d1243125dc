"""Fair play: what phones add to the deals, so that nobody can choose the cards."""

from __future__ import annotations

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from companion.table.fair_deal import NUMBER_BYTES
from companion.table.mixing import MixAnswer
from web_remote import request_fields
from web_remote.access import known_by
from web_remote.context import COOKIE, WebContext
from web_remote.display import SHARED
from web_remote.moves_api import answer


def make(context: WebContext) -> Blueprint:
    """Returns the address that takes the numbers of phones."""
    fair_play = Blueprint("fair_play", __name__)

    @fair_play.post("/mix")
    def mix() -> ResponseReturnValue:
        """Takes the hash of a phone's number, and then the number."""
        mix_round, value = request_fields.number("round"), request_fields.text("value", 2 * NUMBER_BYTES)
        if not context.seats(request):
            return jsonify(error="seat"), 403
        phone = known_by(request.cookies[COOKIE])
        return answer(context, SHARED, context.ask(MixAnswer(phone, mix_round, value)))

    return fair_play
