"""Setting up a game: what the set-up page suggests and sends, and how a phone without a code is let in to use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.engine import SEATS
from companion.table.game_wish import BadWish, GameWish
from companion.table.names import NAME_LENGTH
from companion.table.seat_requests import KnockToManage
from companion.translations import LANGUAGES, Translator
from web_remote import request_fields
from web_remote.access import known_by
from web_remote.context import WebContext
from web_remote.display import WebDisplay
from web_remote.limits import Deed
from web_remote.new_texts import EDITION_WORDS, HOUSE_WORDS
from web_remote.page_types import PageSetUp, PageWish
from web_remote.seats_api import with_cookie
from web_remote.streams import too_often, words_of


def make(context: WebContext) -> Blueprint:
    """Returns the addresses at which a game is set up."""
    set_up = Blueprint("set_up", __name__, url_prefix="/table")

    @set_up.post("/begin")
    def begin() -> ResponseReturnValue:
        """Begins a game. One that is under way is set aside only if the page says so."""
        given = request_fields.given()
        if not context.may_manage(request):
            return jsonify(error="table"), 403
        if is_playing(context.display) and not request_fields.flag("aside"):
            return jsonify(error="not over"), 409
        try:
            wish = wish_from(given)
        except BadWish as error:
            return jsonify(ok=False, why=words_of(context).say(error.message)), 200
        if (refused := too_often(context, Deed.GAME)) is not None:
            return refused
        context.begin(wish)
        return jsonify(ok=True), 200

    @set_up.post("/knock")
    def knock() -> ResponseReturnValue:
        """Lights a button of a real board; whoever presses it lets the phone manage the table."""
        if context.simulated is not None:
            # Anybody with a seat could press the button themselves.
            return jsonify(error="the board is simulated"), 404
        if not context.codes.may_knock(context.address(request)):
            return jsonify(error="too many tries"), 429, {"Retry-After": "10"}
        token = context.token(request)
        context.knocked = known_by(token)
        context.ask(KnockToManage(context.knocked))
        return with_cookie(jsonify(ok=True), token)

    return set_up


def is_playing(display: WebDisplay) -> bool:
    """Returns whether a game is under way."""
    return not display.in_lobby and not display.now.public.view["over"]


def set_up_of(display: WebDisplay, words: Translator) -> PageSetUp:
    """Returns what the set-up page needs to know.

    :param words: of the page; the table will speak the same language.
    """
    return {
        "wish": {**page_wish(display.wish), "language": words.language},
        "first_game": page_wish(GameWish.first_game(words.language)),
        "colours": {seat: words.colour(seat).capitalize() for seat in SEATS},
        "editions": {edition: words.text(text) for edition, text in EDITION_WORDS.items()},
        "house": {rule: words.text(text) for rule, text in HOUSE_WORDS.items()},
        "playing": is_playing(display),
        "in_game": 0 if display.in_lobby else display.now.game_id,
    }


def page_wish(wish: GameWish) -> PageWish:
    """Returns a wish as the page shows it."""
    return {
        "seats": [
            {"colour": seat, "player": player, "name": wish.names.get(seat, "")}
            for seat, player in wish.players.items()
        ],
        "edition": wish.edition,
        "rounds": wish.rounds,
        "house": list(wish.house),
        "real_cards": wish.real_cards,
        "leader_lights": wish.leader_lights,
        "veto_s": wish.veto_s,
        "language": wish.language,
        "pace": wish.pace,
        "teach": wish.teach,
        "hints": wish.hints,
    }


def wish_from(data: Mapping[str, Any]) -> GameWish:
    """Returns the wish that a page sent. Raises `BadWish` when it cannot be played."""
    match data:
        case {
            "seats": list(seats),
            "edition": str(edition),
            "rounds": int(rounds),
            "house": list(house),
            "real_cards": bool(real_cards),
            "leader_lights": bool(leader_lights),
            "veto_s": int() | float() as veto_s,
            "language": str(language),
            "pace": str(pace),
            "teach": bool(teach),
            "hints": bool(hints),
        } if language in LANGUAGES and 0 <= veto_s < 1e6 and all(isinstance(rule, str) for rule in house):
            players, names = _seats_from(seats)
            return GameWish(
                players=players,
                names=names,
                edition=edition,
                rounds=rounds,
                house=tuple(house),
                real_cards=real_cards,
                leader_lights=leader_lights,
                veto_s=float(veto_s),
                language=language,
                pace=pace,
                teach=teach,
                hints=hints,
            )
    raise BadRequest


def _seats_from(seats: list[Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Returns who plays each seat, and what they are called."""
    players: dict[str, str] = {}
    names: dict[str, str] = {}
    for each in seats:
        match each:
            case {"colour": str(colour), "player": str(player), "name": str(name)} if colour not in players:
                players[colour] = player
                names[colour] = request_fields.checked_text(name, NAME_LENGTH)
            case _:
                raise BadRequest
    return players, names
