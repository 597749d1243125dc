"""The Flask application: the pages and the addresses they call, behind the checks that every request must pass."""

from __future__ import annotations

import logging
from typing import Final

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from companion.bots.worker import in_short
from web_remote import (
    enrolment_api,
    files,
    moves_api,
    pages,
    seats_api,
    streams,
    table_api,
    virtual_board,
    workshop_api,
)
from web_remote.assets import Assets
from web_remote.context import WebContext
from web_remote.request_checks import HEADERS, MOST_BYTES, from_elsewhere, host_name, our_name, same_origin

_LOG: Final = logging.getLogger(__name__)


def make_app(context: WebContext) -> Flask:
    """Returns the application."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    # A page compares the state it came with to the one from the stream as text, so the keys must keep their order.
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}
    assets = Assets()
    app.register_blueprint(files.make(assets))
    app.register_blueprint(pages.make(context, assets))
    for module in (streams, moves_api, seats_api, table_api, virtual_board, workshop_api, enrolment_api):
        app.register_blueprint(module.make(context))

    @app.before_request
    def check() -> tuple[Response, int] | None:
        if not our_name(host_name(request.host)):
            return jsonify(error="host"), 421
        # GET requests too: a stream opened by a page from another site would take up somebody's slot.
        if not same_origin(request.headers.get("Origin"), request.host) or from_elsewhere(request.headers):
            return jsonify(error="origin"), 403
        return None

    @app.after_request
    def protect(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> tuple[Response, int]:
        return jsonify(error=(error.name or "error").lower()), error.code or 500

    @app.errorhandler(Exception)
    def fail(error: Exception) -> tuple[Response, int]:
        # Only its type and where it was raised: its message might reveal what only one seat may know.
        _LOG.error("a request failed: %s", in_short(error))
        return jsonify(error="our mistake"), 500

    return app
