"""What players and the table screen send: moves, and commands to the table."""

from __future__ import annotations

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.engine import TABLE
from companion.table.options import PERSON
from companion.table.phone_input import SeatLine
from companion.table.replies import Outcome, Reply
from web_remote import request_fields
from web_remote.context import COOKIE, WebContext
from web_remote.display import SHARED
from web_remote.limits import Deed
from web_remote.streams import fresh_state, too_often, words_of


def make(context: WebContext) -> Blueprint:
    """Returns the addresses that accept lines: `/say` for a seat, `/table/say` for the table."""
    moves = Blueprint("moves", __name__)

    @moves.post("/say")
    def say() -> ResponseReturnValue:
        seat, line = request_fields.text("seat"), request_fields.line()
        version, number = request_fields.number("version"), request_fields.number("number")
        if seat not in context.seats(request):
            return jsonify(error="seat"), 403
        if (refused := too_often(context, Deed.LINE)) is not None:
            return refused
        token, said = request.cookies[COOKIE], f"{seat} {line}"
        if not context.first_time(token, number, said):
            return answer(context, seat, context.reply_to(token, number, said))
        reply = context.ask(SeatLine(seat, line, version))
        context.replied(token, number, said, reply)
        return answer(context, seat, reply)

    @moves.post("/table/say")
    def table_says() -> ResponseReturnValue:
        """Accepts lines from the table screen: real cards that were turned up, `confirm`, and what anybody may say."""
        line, version = request_fields.line(), request_fields.number("version")
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        public = context.display.now.public
        offered = {offer.line for offer in public.offers}
        if line not in ("confirm", "next") and line not in offered and not line.startswith((f"{TABLE} ", "pace ")):
            raise BadRequest
        if (refused := too_often(context, Deed.LINE)) is not None:
            return refused
        # With bots alone, somebody may still watch and set their pace.
        seats = list(public.view["seats"])
        persons = [seat for seat in seats if public.options.player(seat) == PERSON] or seats
        acting = next((seat for seat in public.view["to_act"] if seat in persons), persons[0])
        return answer(context, SHARED, context.ask(SeatLine(acting, line, version)))

    return moves


def answer(context: WebContext, seat: str, reply: Reply | None) -> ResponseReturnValue:
    """Returns the answer to a page: a late line gets the current state, a refused one the reason.

    What is not on disk yet, or waits for something else, is answered with `waiting`.
    """
    if reply is None or reply.outcome is Outcome.WAITING:
        return jsonify(ok=True, waiting=True), 202
    if reply.is_too_fast:
        return jsonify(error="too often"), 429, {"Retry-After": "1"}
    if reply.is_late:
        response, status = fresh_state(context, seat)
        return response, 409 if status == 200 else status
    if reply.why is not None:
        return jsonify(ok=False, why=words_of(context).say(reply.why)), 200
    return jsonify(ok=True), 200
