"""What pages request about the network: the workshop's Wi-Fi section, and the Wi-Fi code of the table screen."""

from __future__ import annotations

import io
import re
import socket
from typing import Any, Final, TypedDict

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.network import NetworkClient, NetworkLink, NetworkOutOfReach, NetworkState, RequestRefused, Security
from companion.translations import Translator
from web_remote import request_fields
from web_remote.context import WebContext
from web_remote.network_words import link_words, network_words, problem_words, refusal_words
from web_remote.streams import words_of

PASSWORD_LENGTH: Final = 64
NAME_LENGTH: Final = 32


class PageNetwork(TypedDict):
    """A Wi-Fi network in range, for the page."""

    ssid: str
    name: str
    words: str
    """How strong it is, and what it asks for."""
    is_open: bool
    can_be_joined: bool


def make(context: WebContext) -> Blueprint:
    """Returns the addresses of the network, for those who manage the table."""
    network = Blueprint("network", __name__)

    @network.before_request
    def check() -> ResponseReturnValue | None:
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        if context.network is None:
            return jsonify(error="no network service"), 404
        return None

    @network.errorhandler(NetworkOutOfReach)
    def out_of_reach(_error: NetworkOutOfReach) -> ResponseReturnValue:
        return jsonify(error="out of reach"), 503

    @network.errorhandler(RequestRefused)
    def refused(error: RequestRefused) -> ResponseReturnValue:
        return jsonify(error=error.why, why=refusal_words(error.why, words_of(context))), 409

    @network.get("/table/wifi")
    def hotspot() -> ResponseReturnValue:
        """Returns the table's own Wi-Fi while it is open."""
        state = _state(context)
        is_open = state.link is NetworkLink.HOTSPOT
        return jsonify(hotspot=_hotspot(state) if is_open else None)

    @network.get("/qr/wifi.svg")
    def code() -> ResponseReturnValue:
        """Returns a QR code with which a phone joins the table's own Wi-Fi."""
        import segno

        picture = io.BytesIO()
        segno.make(_state(context).hotspot.code, error="m").save(
            picture, kind="svg", border=2, dark="#000", light="#fff", xmldecl=False
        )
        return Response(picture.getvalue(), mimetype="image/svg+xml")

    @network.get("/workshop/wifi")
    def wifi() -> ResponseReturnValue:
        return jsonify(_page_state(_state(context), words_of(context)))

    @network.post("/workshop/wifi/scan")
    def scan() -> ResponseReturnValue:
        _client(context).scan()
        return jsonify(ok=True)

    @network.post("/workshop/wifi/join")
    def join() -> ResponseReturnValue:
        """Joins a network of the list by its `ssid`, or a hidden one by its `name`."""
        given = request_fields.given()
        password = request_fields.text("password", PASSWORD_LENGTH, "")
        if "ssid" in given:
            ssid = request_fields.line("ssid")
            if not re.fullmatch("([0-9a-f]{2}){1,32}", ssid):
                raise BadRequest
        else:
            ssid = request_fields.text("name", NAME_LENGTH).encode().hex()
        _client(context).join(ssid, password, hidden="ssid" not in given)
        return jsonify(ok=True)

    @network.post("/workshop/wifi/forget")
    def forget() -> ResponseReturnValue:
        _client(context).forget()
        return jsonify(ok=True)

    return network


def hotspot_is_open(context: WebContext) -> bool:
    """Returns whether phones reach the table by its own Wi-Fi, which has no internet."""
    state = context.network.state if context.network is not None else None
    return state is not None and state.link is NetworkLink.HOTSPOT


def _client(context: WebContext) -> NetworkClient:
    assert context.network is not None
    return context.network


def _state(context: WebContext) -> NetworkState:
    state = _client(context).state
    if state is None:
        raise NetworkOutOfReach
    return state


def _hotspot(state: NetworkState) -> dict[str, str]:
    return {"name": state.hotspot.name, "password": state.hotspot.password}


def _page_state(state: NetworkState, words: Translator) -> dict[str, Any]:
    return {
        "link": state.link,
        "words": link_words(state, words),
        "trouble": problem_words(state, words),
        "network": state.network,
        "networks": [
            PageNetwork(
                ssid=each.ssid,
                name=each.name,
                words=network_words(each, words),
                is_open=each.security is Security.OPEN,
                can_be_joined=each.security.can_be_joined,
            )
            for each in state.networks
        ],
        "looked": state.looked_s_ago is not None,
        "chosen": list(state.chosen),
        "hotspot": _hotspot(state),
        "address": f"http://{socket.gethostname().split('.')[0].lower()}.local",
    }
