"""The talk between pages and table: phones sit down, are told what happens, and say what their players do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.bots import LEVELS
from companion.engine import TABLE
from companion.table.joining import NAME_LENGTH, Knock, Seated
from companion.table.options import PERSON
from companion.table.table import Said
from companion.translations import LANGUAGES
from web_remote.door import known_by, new_token
from web_remote.house import COOKIE, House
from web_remote.published import SHARED

KEEP_ALIVE_S: Final = 10.0
ANSWER_S: Final = 3.0
"""How long a request waits for the table; after that the stream tells what came of it."""
LINE_LENGTH: Final = 100
YEAR_S: Final = 365 * 24 * 3600


class _BadWords(Exception):
    """A request that no page of ours sends."""


def make(house: House) -> Blueprint:
    """The addresses of the talk."""
    talk = Blueprint("talk", __name__)

    @talk.errorhandler(_BadWords)
    def bad(_error: _BadWords) -> ResponseReturnValue:
        return jsonify(error="bad request"), 400

    # What happens.

    @talk.get("/events")
    def events() -> ResponseReturnValue:
        seat, language = request.args.get("seat", SHARED), language_asked(house)
        if seat and seat not in house.seats(request):
            return jsonify(error="seat"), 403
        if not house.streams.acquire(blocking=False):
            return jsonify(error="full"), 503, {"Retry-After": "10"}
        token = request.cookies.get(COOKIE)
        response = Response(_stream(house, seat, language, token), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(house.streams.release)
        return response

    @talk.get("/state")
    def state() -> ResponseReturnValue:
        seat = request.args.get("seat", SHARED)
        if seat and seat not in house.seats(request):
            return jsonify(error="seat"), 403
        return _fresh(house, seat)

    # What players do.

    @talk.post("/say")
    def say() -> ResponseReturnValue:
        seat, line = _text("seat"), _text("line", LINE_LENGTH)
        version, number = _number("version"), _number("number")
        if seat not in house.seats(request):
            return jsonify(error="seat"), 403
        if line.split()[:1] == ["player"]:
            return jsonify(error="table"), 403
        if not house.first_time(request.cookies[COOKIE], number, f"{seat} {line}"):
            return jsonify(ok=True), 200
        heard = threading.Event()
        in_time: list[bool] = []

        def reply(was_in_time: bool) -> None:
            in_time.append(was_in_time)
            heard.set()

        house.phones.table.post(Said(seat, line, version, reply))
        if not heard.wait(ANSWER_S):
            return jsonify(ok=True), 202
        if not in_time[0]:
            return _fresh(house, seat)[0], 409
        return jsonify(ok=True), 200

    # Seats.

    @talk.get("/me")
    def me() -> ResponseReturnValue:
        return jsonify(seats=house.seats(request), table=house.may_manage(request))

    @talk.post("/join")
    def join() -> ResponseReturnValue:
        seat, name, code = _text("seat"), _text("name", NAME_LENGTH, ""), _text("code", 16, "")
        if (refused := _not_to_be_had(house, seat)) is not None:
            return refused
        if not house.may_manage(request):
            right = house.door.try_join(code, request.remote_addr or "")
            if right is None:
                return jsonify(error="too many tries"), 429
            if not right:
                return jsonify(error="code"), 403
        token = request.cookies.get(COOKIE) or new_token()
        seat_down(house, seat, token, name)
        return _with_cookie(jsonify(ok=True, seat=seat), token)

    @talk.post("/knock")
    def knock() -> ResponseReturnValue:
        seat, name = _text("seat"), _text("name", NAME_LENGTH, "")
        if (refused := _not_to_be_had(house, seat)) is not None:
            return refused
        token = request.cookies.get(COOKIE) or new_token()
        house.phones.table.post(Knock(seat, known_by(token), name))
        return _with_cookie(jsonify(ok=True), token)

    @talk.post("/leave")
    def leave() -> ResponseReturnValue:
        seat = _text("seat")
        if seat not in house.seats(request) and not house.may_manage(request):
            return jsonify(error="seat"), 403
        house.phones.table.post(Seated(seat, ""))
        return jsonify(ok=True), 200

    # What only the table may.

    @talk.post("/table/open")
    def unlock() -> ResponseReturnValue:
        right = house.door.try_table(_text("code", 16), request.remote_addr or "")
        if right is None:
            return jsonify(error="too many tries"), 429
        if not right:
            return jsonify(error="code"), 403
        token = request.cookies.get(COOKIE) or new_token()
        house.door.trust(token)
        return _with_cookie(jsonify(ok=True), token)

    @talk.post("/table/player")
    def player() -> ResponseReturnValue:
        seat, who = _text("seat"), _text("player")
        if not house.may_manage(request):
            return jsonify(error="table"), 403
        if seat not in house.phones.latest.game.seats or who not in (PERSON, *LEVELS):
            raise _BadWords
        house.phones.table.post(Said(seat, f"player {seat} {who}", house.phones.latest.board.version))
        return jsonify(ok=True), 200

    @talk.post("/table/new")
    def another() -> ResponseReturnValue:
        """Another game with the same players, when this one is over."""
        if not house.may_manage(request):
            return jsonify(error="table"), 403
        if not house.phones.latest.game.over:
            return jsonify(error="not over"), 409
        house.begin_another()
        return jsonify(ok=True), 200

    @talk.post("/table/say")
    def table_says() -> ResponseReturnValue:
        """The table screen: real cards that were turned up, `confirm`, and what anybody may say."""
        line, version = _text("line", LINE_LENGTH), _number("version")
        if not house.may_manage(request):
            return jsonify(error="table"), 403
        now = house.phones.latest
        allowed = line == "confirm" or line.startswith(f"{TABLE} ") or line in {o.line for o in now.board.offers}
        persons = [seat for seat in now.game.seats if now.options.player(seat) == PERSON]
        if not allowed or not persons:
            raise _BadWords
        acting = next((seat for seat in now.game.to_act if seat in persons), persons[0])
        house.phones.table.post(Said(acting, line, version))
        return jsonify(ok=True), 200

    return talk


def language_asked(house: House) -> str:
    """The language that a page wants: as it says, as it said before, as its browser prefers, or the table's."""
    asked = request.args.get("language") or request.cookies.get("language") or ""
    if asked in LANGUAGES:
        return asked
    return request.accept_languages.best_match(list(LANGUAGES)) or house.language


def seat_down(house: House, seat: str, token: str, name: str = "") -> None:
    """Has a phone hold a seat, and waits until it does."""
    known = known_by(token)
    house.phones.table.post(Seated(seat, known, name))
    now = house.phones.latest
    while now is not None and now.board.holders.get(seat) != known:
        now = house.phones.after(now.number, ANSWER_S)  # type: ignore[assignment]


def with_cookie(response: Response, token: str) -> Response:
    """The answer, with the token that the phone keeps."""
    response.set_cookie(COOKIE, token, max_age=YEAR_S, httponly=True, samesite="Lax")
    return response


def _with_cookie(response: Response, token: str) -> ResponseReturnValue:
    return with_cookie(response, token)


def _stream(house: House, seat: str, language: str, token: str | None) -> Iterator[str]:
    number = -1
    yield "retry: 1000\n\n"
    while not house.phones.closed:
        now = house.phones.after(number, KEEP_ALIVE_S)
        if house.phones.closed:
            return
        if seat and now is not None and (not token or now.board.holders.get(seat) != known_by(token)):
            yield "event: gone\ndata: {}\n\n"
            return
        if now is None:
            yield ": still here\n\n"
        else:
            number = now.number
            yield f"id: {number}\ndata: {now.text(seat, language)}\n\n"


def _fresh(house: House, seat: str) -> tuple[Response, int]:
    return Response(house.phones.latest.text(seat, language_asked(house)), mimetype="application/json"), 200


def _not_to_be_had(house: House, seat: str) -> ResponseReturnValue | None:
    """Why a seat cannot be taken."""
    now = house.phones.latest
    if seat not in now.game.seats or now.options.player(seat) != PERSON:
        return jsonify(error="no such seat"), 404
    held = now.board.holders.get(seat)
    if held and held != known_by(request.cookies.get(COOKIE, "")) and not now.board.seats_open:
        return jsonify(error="taken"), 409
    return None


# --- What requests carry ---------------------------------------------------------------------------------------------


def _given() -> dict[str, Any]:
    data = request.get_json(silent=True)
    if not isinstance(data, dict):
        raise _BadWords
    return data


def _text(name: str, most: int = 32, default: str | None = None) -> str:
    value = _given().get(name, default)
    if not isinstance(value, str) or len(value) > most or any(ord(letter) < 32 for letter in value):
        raise _BadWords
    if default is None and not value.strip():
        raise _BadWords
    return value


def _number(name: str) -> int:
    value = _given().get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise _BadWords
    return value
