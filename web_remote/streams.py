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
from web_remote.access import known_by, seats_of
from web_remote.context import COOKIE, WebContext
from web_remote.display import SHARED
from web_remote.page_history import whole_history

LOOK_S: Final = 1.0
"""How often a stream checks whether its page is still there."""
KEEP_ALIVE_LOOKS: Final = 5
"""After how many checks it sends something: only sending shows that a phone is out of reach."""

_LOG: Final = logging.getLogger(__name__)


def make(context: WebContext) -> Blueprint:
    """Returns the addresses that report what happens: `/events` as a stream, `/state` and `/history` once."""
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
        if seat and token:
            leave = context.presence.opened(known_by(token), leave)
        return as_stream(_states(context, seat, language, token, manages, page_gone()), leave)

    @streams.get("/history")
    def whole() -> ResponseReturnValue:
        """Returns the whole history. A page asks once; from then on, the latest turns come with every state."""
        return jsonify(whole_history(context.display.now.public, words_of(context)))

    @streams.get("/state")
    def state() -> ResponseReturnValue:
        return fresh_state(context, request.args.get("seat", SHARED))

    return streams


def language_asked(context: WebContext) -> str:
    """Returns the language for a page: as it asks, as it asked before, as its browser prefers, or the table's."""
    asked = request.args.get("language") or request.cookies.get("language") or ""
    if asked in LANGUAGES:
        return asked
    return request.accept_languages.best_match(list(LANGUAGES)) or context.language


def words_of(context: WebContext) -> Translator:
    """The words of the page that sent the request."""
    return context.words(language_asked(context))


def fresh_state(context: WebContext, seat: str) -> tuple[Response, int]:
    """Returns the current state; that of a seat only to the phone that holds it now."""
    now = context.display.latest
    if seat and seat not in seats_of(request.cookies.get(COOKIE), now.moment.holders):
        return jsonify(error="seat"), 403
    return Response(now.text(seat, language_asked(context)), mimetype="application/json"), 200


def page_gone() -> Callable[[], bool]:
    """Returns a function that says whether the page of this request has gone away."""
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return gone


def as_stream(events: Iterator[str], leave: Callable[[], None]) -> Response:
    """Returns a response that lasts as long as there are events; `leave` is called at its end."""
    response = Response(_safely(events), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave)
    return response


def _safely(events: Iterator[str]) -> Iterator[str]:
    """Ends a stream that fails; otherwise the server would write the error's message to the log.

    The message might reveal what only one seat may know.
    """
    try:
        yield from events
    except Exception as error:
        _LOG.error("a stream failed: %s", in_short(error))


def _states(
    context: WebContext, seat: str, language: str, token: str | None, manages: bool, gone: Callable[[], bool]
) -> Iterator[str]:
    """Yields every state for a page, until the seat changes hands, the page is closed or the server stops.

    :param manages: whether a page without a seat may be sent the code that lets phones in.
    """
    display = context.display
    number, looks, code, game = -1, 0, "", 0
    yield "retry: 1000\n\n"
    while not display.closed and not gone():
        if manages and not seat and code != context.codes.join_code:
            code = context.codes.join_code
            yield f"event: code\ndata: {json.dumps({'code': code})}\n\n"
        lobby_number, lobby = display.lobby
        if lobby is not None and lobby_number != number:
            number, looks = lobby_number, 0
            yield f"event: lobby\ndata: {json.dumps({'knocking': lobby.knocking})}\n\n"
        now = display.after(number, LOOK_S)
        if display.closed:
            return
        if now is None:
            looks += 1
            if looks % KEEP_ALIVE_LOOKS == 0:
                # Shows the page that the connection is alive; a script cannot see a comment in a stream.
                yield "event: here\ndata: {}\n\n"
        elif seat and seat not in seats_of(token, now.moment.holders):
            yield "event: gone\ndata: {}\n\n"
            return
        else:
            number, looks = now.number, 0
            if seat and token and game != now.moment.game_id:
                game = now.moment.game_id
                context.presence.shown(known_by(token))
            yield f"id: {number}\ndata: {now.text(seat, language)}\n\n"
