"""What the workshop page requests: the doctor's findings, the serial log, and parts to try. Only for the table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.translations import Translator
from web_remote import request_fields
from web_remote.context import WebContext
from web_remote.stream_slots import StreamSlot
from web_remote.streams import KEEP_ALIVE_LOOKS, LOOK_S, as_stream, stream_over, take_slot, words_of

if TYPE_CHECKING:
    from companion.workshop import Workshop


def make(context: WebContext) -> Blueprint:
    """Returns the addresses for checking the board and trying its parts."""
    workshop = blueprint("workshop", context)

    def shop() -> Workshop:
        return open_workshop(context)

    def words() -> Translator:
        return words_of(context)

    @workshop.get("/events")
    def events() -> ResponseReturnValue:
        slot = take_slot(context)
        if not isinstance(slot, StreamSlot):
            return slot
        return as_stream(_told(context, shop(), words(), stream_over(slot)), slot)

    # Looking.

    @workshop.post("/look")
    def look() -> ResponseReturnValue:
        shop().look()
        return jsonify(ok=True)

    @workshop.get("/serial")
    def serial() -> ResponseReturnValue:
        """Returns the lines between hubs and table that the page does not have yet."""
        after = {hub: int(number) for hub, number in request.args.items() if re.fullmatch("[0-9]{1,12}", number)}
        return jsonify(lines=shop().serial(after))

    @workshop.get("/bundle")
    def bundle() -> ResponseReturnValue:
        """Returns everything that a helper needs; the game only as everybody sees it."""
        from companion.workshop import support_bundle

        game: dict[str, Any] = {}
        if not context.display.in_lobby:
            game = {**context.display.now.public.view}
            # Anybody could work out the hands, but nobody should find them here.
            game["seats"] = {name: {**seat, "hand": None} for name, seat in game["seats"].items()}
        packed = support_bundle(shop().case, shop().findings(), shop().serial({}), context.log.lines, game)
        response = Response(packed, mimetype="application/zip")
        response.headers["Content-Disposition"] = 'attachment; filename="el-grande-support.zip"'
        return response

    # Trying.

    @workshop.post("/take")
    def take() -> ResponseReturnValue:
        shop().take()
        return jsonify(ok=True)

    @workshop.post("/light")
    def light() -> ResponseReturnValue:
        step = request_fields.number("step")
        if step >= shop().steps:
            raise BadRequest
        shop().light(step)
        return jsonify(ok=True)

    @workshop.post("/stay")
    def stay() -> ResponseReturnValue:
        shop().stay()
        return jsonify(ok=True)

    @workshop.post("/give-back")
    def give_back() -> ResponseReturnValue:
        shop().give_back()
        return jsonify(ok=True)

    return workshop


def blueprint(name: str, context: WebContext) -> Blueprint:
    """Returns a blueprint below `/workshop` that only those who manage the table may use."""
    below = Blueprint(name, __name__, url_prefix="/workshop")

    @below.before_request
    def check() -> ResponseReturnValue | None:
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        if context.workshop is None:
            return jsonify(error="no workshop"), 404
        return None

    return below


def open_workshop(context: WebContext) -> Workshop:
    """Returns the workshop; the blueprint has checked that there is one."""
    assert context.workshop is not None
    return context.workshop


def _told(context: WebContext, shop: Workshop, words: Translator, over: Callable[[], bool]) -> Iterator[str]:
    """Yields everything the page is sent, until the page is closed or the server stops."""
    number, shown, looks = -1, "", 0
    yield "retry: 1000\n\n"
    with shop.watched():
        while not context.display.closed and not over():
            number = shop.after(number, LOOK_S)
            text = json.dumps(shop.state(words), ensure_ascii=False, separators=(",", ":"))
            looks = looks + 1 if text == shown else 0
            if text != shown:
                shown = text
                yield f"data: {text}\n\n"
            elif looks % KEEP_ALIVE_LOOKS == 0:
                yield "event: here\ndata: {}\n\n"
