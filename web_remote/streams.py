"""Streams: what happens at the table, sent to a page as it happens."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Final

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.bots.worker import in_short
from companion.translations import LANGUAGES, Translator
from web_remote.access import seats_of
from web_remote.context import COOKIE, WebContext
from web_remote.display import SHARED

LOOK_S: Final = 1.0
"""How often a stream looks whether its page is still there."""
KEEP_ALIVE_LOOKS: Final = 5
"""After how many looks it sends something: only then does it show that a phone is out of reach."""

_LOG: Final = logging.getLogger(__name__)


def make(context: WebContext) -> Blueprint:
    """Returns the addresses that tell what happens: `/events` as a stream, `/state` once."""
    streams = Blueprint("streams", __name__)

    @streams.get("/events")
    def events() -> ResponseReturnValue:
        seat, language = request.args.get("seat", SHARED), language_asked(context)
        if seat and seat not in context.seats(request):
            return jsonify(error="seat"), 403
        manages = context.may_manage(request)
        leave = context.stream_slot(first=bool(context.seats(request)) or manages)
        if leave is None:
            return jsonify(error="full"), 503, {"Retry-After": "10"}
        token = request.cookies.get(COOKIE)
        return as_stream(_states(context, seat, language, token, manages, page_gone()), leave)

    @streams.get("/state")
    def state() -> ResponseReturnValue:
        return fresh_state(context, request.args.get("seat", SHARED))

    return streams


def language_asked(context: WebContext) -> str:
    """The language that a page wants: as it says, as it said before, as its browser prefers, or the table's."""
    asked = request.args.get("language") or request.cookies.get("language") or ""
    if asked in LANGUAGES:
        return asked
    return request.accept_languages.best_match(list(LANGUAGES)) or context.language


def words_of(context: WebContext) -> Translator:
    """The words of a page: in its language, in the terms of the edition, with the players' names."""
    public = context.display.now.public
    return Translator(language_asked(context), public.view["setup"]["edition"], public.options.names)


def fresh_state(context: WebContext, seat: str) -> tuple[Response, int]:
    """The current state; a seat's only for the phone that holds it now."""
    now = context.display.latest
    if seat and seat not in seats_of(request.cookies.get(COOKIE), now.moment.holders):
        return jsonify(error="seat"), 403
    return Response(now.text(seat, language_asked(context)), mimetype="application/json"), 200


def page_gone() -> Callable[[], bool]:
    """Returns what says whether the page of this request has gone away."""
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return gone


def as_stream(events: Iterator[str], leave: Callable[[], None]) -> Response:
    """A response that goes on as long as there are events; `leave` is called at its end."""
    response = Response(_safely(events), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave)
    return response


def _safely(events: Iterator[str]) -> Iterator[str]:
    """A stream that ends when it fails: the server would write the error's words into the log.

    They might tell what only one seat may know.
    """
    try:
        yield from events
    except Exception as error:
        _LOG.error("a stream failed: %s", in_short(error))


def _states(
    context: WebContext, seat: str, language: str, token: str | None, manages: bool, gone: Callable[[], bool]
) -> Iterator[str]:
    """Every state for a page. Ends when the seat changes hands, with the page, and with the server.

    :param manages: whether it may be sent the code that lets phones in, if it holds no seat.
    """
    display = context.display
    number, looks, code = -1, 0, ""
    yield "retry: 1000\n\n"
    while not display.closed and not gone():
        if manages and not seat and code != context.codes.join_code:
            code = context.codes.join_code
            yield f"event: code\ndata: {json.dumps({'code': code})}\n\n"
        now = display.after(number, LOOK_S)
        if display.closed:
            return
        if now is None:
            looks += 1
            if looks % KEEP_ALIVE_LOOKS == 0:
                # By this a page knows that the connection is not dead; it would not see a comment.
                yield "event: here\ndata: {}\n\n"
        elif seat and seat not in seats_of(token, now.moment.holders):
            yield "event: gone\ndata: {}\n\n"
            return
        else:
            number, looks = now.number, 0
            yield f"id: {number}\ndata: {now.text(seat, language)}\n\n"
