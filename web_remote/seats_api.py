"""Seats: phones join with a code, with a QR code or by a button, and leave."""

from __future__ import annotations

import io
from typing import Final
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Request, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.table.names import NAME_LENGTH, is_name_problem
from companion.table.options import PERSON
from companion.table.replies import Outcome, Reply
from companion.table.seat_requests import Knock, TakeSeat
from web_remote import request_fields
from web_remote.access import known_by
from web_remote.context import COOKIE, WebContext
from web_remote.limits import Deed
from web_remote.request_checks import host_name, is_loopback
from web_remote.server import addresses, url
from web_remote.streams import too_often, words_of

YEAR_S: Final = 365 * 24 * 3600


def make(context: WebContext) -> Blueprint:
    """Returns the addresses at which seats are taken and left."""
    seats = Blueprint("seats", __name__)

    @seats.get("/me")
    def me() -> ResponseReturnValue:
        return jsonify(seats=context.seats(request), table=context.may_manage(request))

    @seats.post("/join")
    def join() -> ResponseReturnValue:
        seat, name = request_fields.text("seat"), request_fields.text("name", NAME_LENGTH, "")
        code, over = request_fields.code(""), request_fields.flag("over")
        if over and not context.may_take_over(request):
            return jsonify(error="table"), 403
        if (refused := _unavailable(context, seat, over)) is not None:
            return refused
        if (refused := too_often(context, Deed.JOIN)) is not None:
            return refused
        if not context.may_manage(request) and not context.codes.try_join(code, context.address(request)):
            return jsonify(error="code"), 403
        token = context.token(request)
        reply = take_seat(context, seat, token, name, over)
        if reply is not None and reply.outcome is Outcome.REFUSED:
            return _refused(context, reply)
        if reply is not None and reply.outcome is Outcome.ACCEPTED:
            return with_cookie(jsonify(ok=True, seat=seat), token), 200
        return with_cookie(jsonify(ok=True, seat=seat, waiting=True), token), 202

    @seats.post("/knock")
    def knock() -> ResponseReturnValue:
        seat, name = request_fields.text("seat"), request_fields.text("name", NAME_LENGTH, "")
        if (refused := _unavailable(context, seat)) is not None:
            return refused
        if not context.codes.may_knock(context.address(request)):
            return jsonify(error="too many tries"), 429, {"Retry-After": "10"}
        token = context.token(request)
        context.knocked = known_by(token)
        reply = context.ask(Knock(seat, context.knocked, name))
        if reply is not None and reply.outcome is Outcome.REFUSED:
            return _refused(context, reply)
        return with_cookie(jsonify(ok=True), token)

    @seats.post("/leave")
    def leave() -> ResponseReturnValue:
        seat = request_fields.text("seat")
        if seat not in context.seats(request) and not context.may_manage(request):
            return jsonify(error="seat"), 403
        if seat not in context.display.now.public.view["seats"]:
            return jsonify(error="no such seat"), 404
        if (refused := too_often(context, Deed.JOIN)) is not None:
            return refused
        reply = context.ask(TakeSeat(seat, "", by_phone=known_by(request.cookies.get(COOKIE, ""))))
        if reply is not None and reply.is_too_fast:
            return jsonify(error="too often"), 429, {"Retry-After": "1"}
        if reply is not None and reply.outcome is Outcome.REFUSED:
            return jsonify(error="asked first"), 409
        left = reply is not None and reply.outcome is Outcome.ACCEPTED
        return (jsonify(ok=True), 200) if left else (jsonify(ok=True, waiting=True), 202)

    @seats.get("/qr/<seat>.svg")
    def picture_of_link(seat: str) -> ResponseReturnValue:
        """Returns a QR code that leads a phone to a seat; only for the table screen, because it lets phones in."""
        if not context.may_manage(request) or seat not in context.display.now.public.view["seats"]:
            return Response(status=404)
        picture = io.BytesIO()
        link = f"{phone_address(context, request)}/join?seat={seat}&key={context.codes.join_token}"
        segno.make(link, error="m").save(picture, kind="svg", border=2, dark="#000", light="#fff", xmldecl=False)
        return Response(picture.getvalue(), mimetype="image/svg+xml")

    return seats


def take_seat(context: WebContext, seat: str, token: str, name: str = "", over: bool = False) -> Reply | None:
    """Gives a seat to a phone. Returns the table's reply, or `None` when there is none yet.

    :param over: whether to take the seat over from another phone.
    """
    return context.ask(TakeSeat(seat, known_by(token), name, over))


def with_cookie(response: Response, token: str) -> Response:
    """Returns the response with a cookie that holds the phone's token."""
    response.set_cookie(COOKIE, token, max_age=YEAR_S, httponly=True, samesite="Lax")
    return response


def _unavailable(context: WebContext, seat: str, over: bool = False) -> ResponseReturnValue | None:
    """Returns the reason why a seat cannot be taken, or `None` when it can."""
    now = context.display.now
    if seat not in now.public.view["seats"] or now.public.options.player(seat) != PERSON:
        return jsonify(error="no such seat"), 404
    held = now.holders.get(seat)
    held_by_another = held and held != known_by(request.cookies.get(COOKIE, ""))
    if held_by_another and not over and not now.public.seats_open:
        return jsonify(error="taken"), 409
    return None


def _refused(context: WebContext, reply: Reply) -> ResponseReturnValue:
    """Returns the answer to a phone that does not get a seat."""
    if reply.why is not None and is_name_problem(reply.why):
        return jsonify(error="name", why=words_of(context).say(reply.why)), 409
    if reply.is_too_fast:
        return jsonify(error="too often"), 429, {"Retry-After": "1"}
    return jsonify(error="taken"), 409


def phone_address(context: WebContext, request: Request) -> str:
    """Returns where phones find us; never a loopback name, which would mean the phone itself.

    It is always plain HTTP, so that no phone is sent to a browser's warning unless somebody asked for it.
    """
    host, asked = host_name(request.host), urlsplit(f"//{request.host}").port or 80
    port = context.ports.http if request.is_secure else asked
    if is_loopback(host):
        return addresses(port, context.host)[0]
    return url(host, port) if request.is_secure else f"http://{request.host}"
