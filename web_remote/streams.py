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
from web_remote.limits import Deed
from web_remote.stream_slots import StreamSlot

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
        slot = take_slot(context)
        if not isinstance(slot, StreamSlot):
            return slot
        token = request.cookies.get(COOKIE)
        leave = context.presence.opened(known_by(token), slot.leave) if seat and token else slot.leave
        return as_stream(_states(context, seat, language, token, stream_over(slot)), slot, leave)

    @streams.get("/history")
    def whole() -> ResponseReturnValue:
        """Returns the whole history. A page asks once; from then on, the latest turns come with every state."""
        return Response(context.display.latest.history(language_asked(context)), mimetype="application/json")

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


def take_slot(context: WebContext) -> StreamSlot | ResponseReturnValue:
    """Takes a slot for the stream that a page asks for, or returns the answer to a page that gets none."""
    if (refused := too_often(context, Deed.STREAM)) is not None:
        return refused
    slot = context.stream_slot(request)
    return (jsonify(error="full"), 503, {"Retry-After": "10"}) if slot is None else slot


def too_often(context: WebContext, deed: Deed) -> ResponseReturnValue | None:
    """Counts what a page does. Returns the answer to a page that does it too often, and `None` when it may."""
    wait_s = context.limits.wait_s(deed, context.sender(request))
    return (jsonify(error="too often"), 429, {"Retry-After": str(wait_s)}) if wait_s else None


def stream_over(slot: StreamSlot) -> Callable[[], bool]:
    """Returns a function that says whether a stream must end: its page has gone away, or another took its place."""
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return lambda: slot.replaced or gone()


def as_stream(events: Iterator[str], slot: StreamSlot, leave: Callable[[], None] | None = None) -> Response:
    """Returns a response that lasts as long as there are events, and then frees its slot.

    :param leave: what to call at the end, if that is more than freeing the slot.
    """
    response = Response(_safely(events, slot), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave or slot.leave)
    return response


def _safely(events: Iterator[str], slot: StreamSlot) -> Iterator[str]:
    """Ends a stream that fails; otherwise the server would write the error's message to the log.

    The message might reveal what only one seat may know.
    """
    try:
        yield from events
        if slot.replaced:
            yield "event: replaced\ndata: {}\n\n"
    except Exception as error:
        _LOG.error("a stream failed: %s", in_short(error))


def _states(
    context: WebContext, seat: str, language: str, token: str | None, over: Callable[[], bool]
) -> Iterator[str]:
    """Yields every state for a page, until the seat changes hands, the page is closed or the server stops."""
    display = context.display
    number, looks, game = -1, 0, 0
    yield "retry: 1000\n\n"
    while not display.closed and not over():
        lobby_number, lobby = display.lobby
        if lobby is not None and lobby_number != number:
            number, looks = lobby_number, 0
            yield f"event: lobby\ndata: {json.dumps({'knocking': lobby.knocking})}\n\n"
        now = display.after(number, LOOK_S, over)
        if display.closed or over():
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
