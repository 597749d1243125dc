"""The Flask application: the pages and the addresses they call, behind the checks that every request must pass."""

from __future__ import annotations

import logging
from typing import Final

from flask import Flask, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.bots.worker import in_short
from web_remote import (
    enrolment_api,
    fair_play_api,
    files,
    moves_api,
    network_api,
    pages,
    rules_page,
    seats_api,
    set_up_api,
    streams,
    table_api,
    virtual_board,
    workshop_api,
)
from web_remote.access import WaitForCode
from web_remote.assets import Assets
from web_remote.context import WebContext
from web_remote.error_pages import error_page, wants_page
from web_remote.probes import probe_answer
from web_remote.request_checks import HEADERS, MOST_BYTES, from_elsewhere, host_name, our_name, same_origin
from web_remote.senders import is_forwarded, plain_address

_LOG: Final = logging.getLogger(__name__)


WITHOUT_A_GAME: Final = (
    "files", "pages.home", "pages.new", "pages.result", "pages.workshop", "rules", "seats.me", "set_up",
    "streams.events", "table.unlock", "workshop", "enrolment", "network",
)  # fmt: skip
"""What is answered before there is a game: addresses, or all those of a module."""


def works_without_a_game(endpoint: str) -> bool:
    """Returns whether an address is answered before there is a game. An unknown one is, with an error of its own."""
    return not endpoint or endpoint in WITHOUT_A_GAME or endpoint.partition(".")[0] in WITHOUT_A_GAME


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
    app.register_blueprint(rules_page.make(context, assets))
    for module in (
        streams, moves_api, fair_play_api, seats_api, set_up_api, table_api, virtual_board, workshop_api, enrolment_api,
        network_api,
    ):  # fmt: skip
        app.register_blueprint(module.make(context))

    warned: set[str] = set()

    def warn_of_proxy(peer: str) -> None:
        """Says once how to name a proxy: until then, all its clients count as one."""
        if peer not in context.proxies and not warned and is_forwarded(request.headers.get):
            warned.add(peer)
            _LOG.warning("requests come through a proxy; if it is yours, name it: --proxy %s", peer)

    @app.before_request
    def check() -> ResponseReturnValue | None:
        name = host_name(request.host)
        if context.network is not None and (probe := probe_answer(name, request.path)) is not None:
            return probe
        if not our_name(name):
            return jsonify(error="host"), 421
        if context.ports.missed_https(request):
            # Somebody typed the address without https:// in front of it.
            return redirect(request.url.replace("http:", "https:", 1))
        warn_of_proxy(plain_address(request.remote_addr or ""))
        # GET requests too: a stream opened by a page from another site would take up somebody's slot.
        if not same_origin(request.headers.get("Origin"), request.host) or from_elsewhere(request.headers):
            return jsonify(error="origin"), 403
        if request.blueprint == "pages" and "t" in request.args:
            return pages.arrived_with_token(context)
        if context.display.in_lobby and not works_without_a_game(request.endpoint or ""):
            # Before there is a game, every page leads to where one is set up.
            return redirect("/new") if request.blueprint == "pages" else (jsonify(error="no game"), 409)
        return None

    @app.after_request
    def protect(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    def answer(status: int, error: str) -> tuple[Response | str, int]:
        page = error_page(context, assets, status) if wants_page(request) else None
        return (page, status) if page is not None else (jsonify(error=error), status)

    @app.errorhandler(WaitForCode)
    def wait(error: WaitForCode) -> tuple[Response, int, dict[str, str]]:
        return jsonify(error="too many tries", wait_s=error.wait_s), 429, {"Retry-After": str(error.wait_s)}

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> tuple[Response | str, int]:
        return answer(error.code or 500, (error.name or "error").lower())

    @app.errorhandler(Exception)
    def fail(error: Exception) -> tuple[Response | str, int]:
        # Only its type and where it was raised: its message might reveal what only one seat may know.
        _LOG.error("a request failed: %s", in_short(error))
        return answer(500, "our mistake")

    return app
