"""The talk between pages and table: phones sit down, are told what happens, and say what their players do."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.bots import LEVELS
from companion.bots.worker import in_short
from companion.engine import TABLE
from companion.table.options import PERSON
from companion.table.seat_holders import NAME_LENGTH, Knock, Seated
from companion.table.table import Said
from companion.translations import LANGUAGES
from web_remote import request_fields
from web_remote.access import known_by, seats_of
from web_remote.context import COOKIE, WebContext
from web_remote.display import SHARED

LOOK_S: Final = 1.0
"""How often a stream looks whether its page is still there."""
KEEP_ALIVE_LOOKS: Final = 5
"""After how many of them it sends something: only then can it be seen that a phone is out of reach."""
ANSWER_S: Final = 3.0
"""How long a request waits for the table; after that the stream tells what came of it."""
AGAIN: Final = 5
"""How often the table's own wishes are said again if the game has gone on meanwhile."""
YEAR_S: Final = 365 * 24 * 3600

_LOG: Final = logging.getLogger(__name__)


def make(context: WebContext) -> Blueprint:
    """The addresses of the talk."""
    talk = Blueprint("talk", __name__)

    # What happens.

    @talk.get("/events")
    def events() -> ResponseReturnValue:
        seat, language = request.args.get("seat", SHARED), language_asked(context)
        if seat and seat not in context.seats(request):
            return jsonify(error="seat"), 403
        manages = context.may_manage(request)
        leave = context.room(first=bool(context.seats(request)) or manages)
        if leave is None:
            return jsonify(error="full"), 503, {"Retry-After": "10"}
        token, gone = request.cookies.get(COOKIE), request.environ.get("waitress.client_disconnected", lambda: False)
        return as_stream(_stream(context, seat, language, token, manages, gone), leave)

    @talk.get("/state")
    def state() -> ResponseReturnValue:
        return _fresh(context, request.args.get("seat", SHARED))

    # What players do.

    @talk.post("/say")
    def say() -> ResponseReturnValue:
        seat, line = request_fields.text("seat"), request_fields.line()
        version, number = request_fields.number("version"), request_fields.number("number")
        if seat not in context.seats(request):
            return jsonify(error="seat"), 403
        if line.split()[:1] == ["player"]:
            return jsonify(error="table"), 403
        if not context.first_time(request.cookies[COOKIE], number, f"{seat} {line}"):
            return jsonify(ok=True), 200
        return _answer(context, seat, _tell(context, seat, line, version))

    # Seats.

    @talk.get("/me")
    def me() -> ResponseReturnValue:
        return jsonify(seats=context.seats(request), table=context.may_manage(request))

    @talk.post("/join")
    def join() -> ResponseReturnValue:
        seat, name, code = (
            request_fields.text("seat"),
            request_fields.text("name", NAME_LENGTH, ""),
            request_fields.code(""),
        )
        if (refused := _not_to_be_had(context, seat)) is not None:
            return refused
        if not context.may_manage(request):
            right = context.codes.try_join(code, request.remote_addr or "")
            if right is None:
                return jsonify(error="too many tries"), 429
            if not right:
                return jsonify(error="code"), 403
        # One after the other: of two who want the same seat, the second must find it taken.
        with context.sitting:
            if (refused := _not_to_be_had(context, seat)) is not None:
                return refused
            token = context.token(request)
            seated = seat_down(context, seat, token, name)
        return with_cookie(jsonify(ok=True, seat=seat), token), 200 if seated else 202

    @talk.post("/knock")
    def knock() -> ResponseReturnValue:
        seat, name = request_fields.text("seat"), request_fields.text("name", NAME_LENGTH, "")
        if (refused := _not_to_be_had(context, seat)) is not None:
            return refused
        if not context.codes.may_knock(request.remote_addr or ""):
            return jsonify(error="too many tries"), 429
        token = context.token(request)
        context.knocked = known_by(token)
        context.phones.table.post(Knock(seat, context.knocked, name))
        return with_cookie(jsonify(ok=True), token)

    @talk.post("/leave")
    def leave() -> ResponseReturnValue:
        seat = request_fields.text("seat")
        if seat not in context.seats(request) and not context.may_manage(request):
            return jsonify(error="seat"), 403
        if seat not in context.phones.latest.game.seats:
            return jsonify(error="no such seat"), 404
        context.phones.table.post(Seated(seat, ""))
        return jsonify(ok=True), 200

    # What only the table may.

    @talk.post("/table/open")
    def unlock() -> ResponseReturnValue:
        right = context.codes.try_table(request_fields.code(), request.remote_addr or "")
        if right is None:
            return jsonify(error="too many tries"), 429
        if not right:
            return jsonify(error="code"), 403
        token = context.token(request)
        context.codes.trust(token)
        return with_cookie(jsonify(ok=True), token)

    @talk.post("/table/player")
    def player() -> ResponseReturnValue:
        seat, who = request_fields.text("seat"), request_fields.text("player")
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        now = context.phones.latest
        if seat not in now.game.seats or who not in (PERSON, *LEVELS):
            raise BadRequest
        # It is meant whatever has happened meanwhile: a game of bots goes on all the time.
        in_time: bool | None = False
        for _ in range(AGAIN):
            in_time = _tell(context, seat, f"player {seat} {who}", now.board.version)
            if in_time is not False:
                break
            now = context.phones.after(now.number, LOOK_S) or now
        return _answer(context, SHARED, in_time)

    @talk.post("/table/new")
    def another() -> ResponseReturnValue:
        """Another game with the same players, when this one is over."""
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        if not context.phones.latest.game.over:
            return jsonify(error="not over"), 409
        context.begin_another()
        return jsonify(ok=True), 200

    @talk.post("/table/say")
    def table_says() -> ResponseReturnValue:
        """The table screen: real cards that were turned up, `confirm`, and what anybody may say."""
        line, version = request_fields.line(), request_fields.number("version")
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        now = context.phones.latest
        allowed = line == "confirm" or line.startswith(f"{TABLE} ") or line in {o.line for o in now.board.offers}
        persons = [seat for seat in now.game.seats if now.options.player(seat) == PERSON]
        if not allowed or not persons:
            raise BadRequest
        acting = next((seat for seat in now.game.to_act if seat in persons), persons[0])
        return _answer(context, SHARED, _tell(context, acting, line, version))

    return talk


def language_asked(context: WebContext) -> str:
    """The language that a page wants: as it says, as it said before, as its browser prefers, or the table's."""
    asked = request.args.get("language") or request.cookies.get("language") or ""
    if asked in LANGUAGES:
        return asked
    return request.accept_languages.best_match(list(LANGUAGES)) or context.language


def seat_down(context: WebContext, seat: str, token: str, name: str = "") -> bool:
    """Has a phone hold a seat, and waits a while until it does; whether it does by then."""
    known, until_s = known_by(token), time.monotonic() + ANSWER_S
    context.phones.table.post(Seated(seat, known, name))
    now = context.phones.latest
    while now.board.holders.get(seat) != known:
        newer = context.phones.after(now.number, max(0.0, until_s - time.monotonic()))
        if newer is None or time.monotonic() > until_s:
            return False
        now = newer
    return True


def with_cookie(response: Response, token: str) -> Response:
    """The answer, with the token that the phone keeps."""
    response.set_cookie(COOKIE, token, max_age=YEAR_S, httponly=True, samesite="Lax")
    return response


def _tell(context: WebContext, seat: str, line: str, version: int) -> bool | None:
    """Says something to the table; whether it was in time. None: the table has not come to it yet."""
    heard = threading.Event()
    in_time: list[bool] = []

    def reply(was_in_time: bool) -> None:
        in_time.append(was_in_time)
        heard.set()

    context.phones.table.post(Said(seat, line, version, reply))
    return in_time[0] if heard.wait(ANSWER_S) else None


def _answer(context: WebContext, seat: str, in_time: bool | None) -> ResponseReturnValue:
    """What a page is answered that said something: if it was late, what is the case now."""
    if in_time is None:
        return jsonify(ok=True), 202
    if not in_time:
        response, status = _fresh(context, seat)
        return response, 409 if status == 200 else status
    return jsonify(ok=True), 200


def _stream(
    context: WebContext, seat: str, language: str, token: str | None, manages: bool, gone: Callable[[], bool]
) -> Iterator[str]:
    """All that a page is told; ends with the seat that it is for, with its page, and with the server.

    :param manages: whether it may be told the code that lets phones in, if it holds no seat.
    """
    number, looks, code = -1, 0, ""
    yield "retry: 1000\n\n"
    while not context.phones.closed and not gone():
        if manages and not seat and code != context.codes.join_code:
            code = context.codes.join_code
            yield f"event: code\ndata: {json.dumps({'code': code})}\n\n"
        now = context.phones.after(number, LOOK_S)
        if context.phones.closed:
            return
        if now is None:
            looks += 1
            if looks % KEEP_ALIVE_LOOKS == 0:
                # By this a page knows that the connection is not dead; a comment it would not see.
                yield "event: here\ndata: {}\n\n"
        elif seat and seat not in seats_of(token, now.board.holders):
            yield "event: gone\ndata: {}\n\n"
            return
        else:
            number, looks = now.number, 0
            yield f"id: {number}\ndata: {now.text(seat, language)}\n\n"


def as_stream(told: Iterator[str], leave: Callable[[], None]) -> Response:
    """What is told as an answer that goes on; at its end the room that it took is given back."""
    response = Response(_tell_safely(told), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave)
    return response


def _tell_safely(told: Iterator[str]) -> Iterator[str]:
    """A stream that ends if it fails: the server would write the error's words into the log.

    They might tell what only one seat may know.
    """
    try:
        yield from told
    except Exception as error:
        _LOG.error("a stream failed: %s", in_short(error))


def _fresh(context: WebContext, seat: str) -> tuple[Response, int]:
    """What is the case now; of a seat only to the phone that holds it now."""
    now = context.phones.latest
    if seat and seat not in seats_of(request.cookies.get(COOKIE), now.board.holders):
        return jsonify(error="seat"), 403
    return Response(now.text(seat, language_asked(context)), mimetype="application/json"), 200


def _not_to_be_had(context: WebContext, seat: str) -> ResponseReturnValue | None:
    """Why a seat cannot be taken."""
    now = context.phones.latest
    if seat not in now.game.seats or now.options.player(seat) != PERSON:
        return jsonify(error="no such seat"), 404
    held = now.board.holders.get(seat)
    if held and held != known_by(request.cookies.get(COOKIE, "")) and not now.board.seats_open:
        return jsonify(error="taken"), 409
    return None
