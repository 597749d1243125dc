"""The talk of the workshop page: the board is looked over and tried, and pieces are enrolled. Only for the table."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.engine.pieces import Piece
from companion.translations import Translator
from web_remote import request_fields
from web_remote.context import WebContext
from web_remote.streams import KEEP_ALIVE_LOOKS, LOOK_S, as_stream, language_asked, page_gone

if TYPE_CHECKING:
    from companion.workshop import Workshop

NEW_TAG_PLACE: Final = "castillo"
"""Where a made-up piece is held to a reader of the simulated board, if it has one there."""


def make(context: WebContext) -> Blueprint:
    """The addresses of the workshop; only who may manage the table has any."""
    bench = Blueprint("workshop", __name__, url_prefix="/workshop")

    @bench.before_request
    def check() -> ResponseReturnValue | None:
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        if context.workshop is None:
            return jsonify(error="no workshop"), 404
        return None

    def shop() -> Workshop:
        assert context.workshop is not None
        return context.workshop

    def words() -> Translator:
        return Translator(language_asked(context), context.display.now.public.view["setup"]["edition"])

    @bench.get("/events")
    def events() -> ResponseReturnValue:
        leave = context.room(first=True)
        if leave is None:
            return jsonify(error="full"), 503, {"Retry-After": "10"}
        return as_stream(_told(context, shop(), words(), page_gone()), leave)

    # What is looked at.

    @bench.post("/look")
    def look() -> ResponseReturnValue:
        shop().look()
        return jsonify(ok=True)

    @bench.get("/serial")
    def serial() -> ResponseReturnValue:
        """What hubs and table said to each other, after the lines that the page has."""
        after = {hub: int(number) for hub, number in request.args.items() if re.fullmatch("[0-9]{1,12}", number)}
        return jsonify(lines=shop().serial(after))

    @bench.get("/bundle")
    def bundle() -> ResponseReturnValue:
        """All that somebody needs who helps; the game only as everybody sees it."""
        from companion.workshop import support_bundle

        game: dict[str, Any] = {**context.display.now.public.view}
        # What anybody could reckon, but would rather not find in there.
        game["seats"] = {name: {**seat, "hand": None} for name, seat in game["seats"].items()}
        packed = support_bundle(shop().case, shop().findings(), shop().serial({}), context.log.lines, game)
        response = Response(packed, mimetype="application/zip")
        response.headers["Content-Disposition"] = 'attachment; filename="el-grande-support.zip"'
        return response

    # What is tried.

    @bench.post("/take")
    def take() -> ResponseReturnValue:
        shop().take()
        return jsonify(ok=True)

    @bench.post("/light")
    def light() -> ResponseReturnValue:
        step = request_fields.number("step")
        if step >= shop().steps:
            raise BadRequest
        shop().light(step)
        return jsonify(ok=True)

    @bench.post("/stay")
    def stay() -> ResponseReturnValue:
        shop().stay()
        return jsonify(ok=True)

    @bench.post("/give-back")
    def give_back() -> ResponseReturnValue:
        shop().give_back()
        return jsonify(ok=True)

    # What is enrolled.

    @bench.post("/enrol")
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

    @bench.post("/finish")
    def finish() -> ResponseReturnValue:
        shop().enrolment.finish()
        return jsonify(ok=True)

    @bench.post("/forget")
    def forget() -> ResponseReturnValue:
        tag = request_fields.text("tag", 14).strip().upper()
        if not re.fullmatch("[0-9A-F]{8}|[0-9A-F]{14}", tag):
            return jsonify(error="no tag"), 400
        shop().enrolment.forget(tag)
        return jsonify(ok=True)

    @bench.post("/new-piece")
    def new_piece() -> ResponseReturnValue:
        """Taps a piece with a tag that nobody has seen, on a simulated board."""
        if context.simulated is None:
            return jsonify(error="the board is real"), 404
        places = context.simulated.board.places
        with_reader = [name for name, place in places.items() if place.reader is not None]
        if not with_reader:
            return jsonify(error="no readers"), 404
        place = NEW_TAG_PLACE if NEW_TAG_PLACE in with_reader else with_reader[0]
        context.simulated.tap(f"08{secrets.token_hex(3).upper()}", place)
        return jsonify(ok=True)

    return bench


def _told(context: WebContext, shop: Workshop, words: Translator, gone: Callable[[], bool]) -> Iterator[str]:
    """All that the page is told; ends with the page and with the server."""
    number, shown, looks = -1, "", 0
    yield "retry: 1000\n\n"
    with shop.watched():
        while not context.display.closed and not gone():
            number = shop.after(number, LOOK_S)
            text = json.dumps(shop.state(words), ensure_ascii=False, separators=(",", ":"))
            looks = looks + 1 if text == shown else 0
            if text != shown:
                shown = text
                yield f"data: {text}\n\n"
            elif looks % KEEP_ALIVE_LOOKS == 0:
                yield "event: here\ndata: {}\n\n"
