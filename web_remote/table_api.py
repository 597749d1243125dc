"""What the table may do: unlock the table screen, change players, start the same game again."""

from __future__ import annotations

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.table.phone_input import PLAYERS, ChangePlayer
from web_remote import request_fields
from web_remote.access import known_by
from web_remote.context import COOKIE, WebContext
from web_remote.display import SHARED
from web_remote.limits import Deed
from web_remote.moves_api import answer
from web_remote.seats_api import with_cookie
from web_remote.streams import too_often


def make(context: WebContext) -> Blueprint:
    """Returns the addresses of the table screen's own requests."""
    table = Blueprint("table", __name__, url_prefix="/table")

    @table.post("/open")
    def unlock() -> ResponseReturnValue:
        if not context.codes.try_table(request_fields.code(), context.address(request)):
            return jsonify(error="code"), 403
        token = context.token(request)
        context.codes.trust(token)
        return with_cookie(jsonify(ok=True), token)

    @table.post("/player")
    def player() -> ResponseReturnValue:
        seat, who = request_fields.text("seat"), request_fields.text("player")
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        if seat not in context.display.now.public.view["seats"] or who not in PLAYERS:
            raise BadRequest
        if (refused := too_often(context, Deed.JOIN)) is not None:
            return refused
        return answer(context, SHARED, context.ask(ChangePlayer(seat, who, known_by(request.cookies.get(COOKIE, "")))))

    @table.post("/new")
    def another() -> ResponseReturnValue:
        """Starts another game with the same players when this one is over; whoever played may ask for it."""
        if not context.seats(request) and not context.may_manage(request):
            return jsonify(error="table"), 403
        if not context.display.now.public.view["over"]:
            return jsonify(error="not over"), 409
        if (refused := too_often(context, Deed.GAME)) is not None:
            return refused
        context.play_again()
        return jsonify(ok=True), 200

    return table
