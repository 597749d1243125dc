"""Serves the pages themselves, each with the list of files it loads."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Final, Unpack

from flask import Blueprint, Response, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.translations import Translator
from web_remote.access import seats_of, shown_code
from web_remote.assets import Assets
from web_remote.context import COOKIE, WebContext
from web_remote.files import unpacks
from web_remote.game_facts import game_facts
from web_remote.network_api import hotspot_is_open
from web_remote.new_texts import NEW_TEXTS
from web_remote.page_state import page_result
from web_remote.page_types import PageData, PageExtras
from web_remote.request_checks import own_wish
from web_remote.seats_api import YEAR_S, phone_address, take_seat, with_cookie
from web_remote.set_up_api import set_up_of
from web_remote.streams import language_asked, words_of
from web_remote.texts import page_words
from web_remote.workshop_texts import WORKSHOP_TEXTS

NAMES: Final = ("new", "join", "phone", "table", "board", "result", "workshop")
"""The pages; each has a template and a script of the same name."""
MORE_TEXTS: Final[Mapping[str, Mapping[str, str]]] = {"new": NEW_TEXTS, "workshop": WORKSHOP_TEXTS}
"""The texts that only one page needs."""


def page_response(text: str, language: str) -> Response:
    """Returns a page as it is sent: compressed where the browser accepts it, and with the language it asked for."""
    response = make_response(text)
    response.headers["Vary"] = "Accept-Encoding"
    if unpacks(request):
        response.set_data(gzip.compress(text.encode(), 6))
        response.headers["Content-Encoding"] = "gzip"
    if "language" in request.args:
        response.set_cookie("language", language, max_age=YEAR_S, samesite="Lax")
    return response


def make(context: WebContext, assets: Assets) -> Blueprint:
    """Returns the addresses of the pages."""
    pages = Blueprint("pages", __name__, template_folder="templates")
    needed = {name: assets.needed_by(name) for name in NAMES}

    def page(name: str, seat: str = "", **more: Unpack[PageExtras]) -> Response:
        """Returns a page. The page of a seat comes with the current state, so that nobody waits for the stream."""
        display, words = context.display, words_of(context)
        data: PageData = {
            **page_words(words, MORE_TEXTS.get(name)),
            **game_facts(),
            "page": name,
            "seats": context.seats(request),
            "table": context.may_manage(request),
            "virtual": context.simulated is not None,
            "has_result": display.result is not None,
            **more,
        }
        if seat:
            now = display.latest
            if seat in seats_of(request.cookies.get(COOKIE), now.moment.holders):
                data["state"] = now.state(seat, words.language)
        text = render_template(
            f"{name}.html",
            files=f"/static/{assets.version}",
            needed=needed[name],
            data=data,
            texts=data["texts"],
            language=words.language,
        )
        return page_response(text, words.language)

    @pages.get("/")
    def home() -> ResponseReturnValue:
        if context.display.in_lobby:
            return redirect("/new")
        if not context.seats(request):
            free = context.free_seats()
            if not any(map(context.display.now.public.options.is_person, context.display.now.public.view["seats"])):
                return redirect("/table")
            alone = context.at_the_machine(request) and context.simulated is not None and len(free) == 1
            if not alone or not own_wish(request.headers):
                return redirect("/join")
            # A single player at this machine need not be asked for a seat.
            token = context.token(request)
            take_seat(context, free[0], token)
            return with_cookie(make_response(redirect("/board")), token)
        return redirect("/board" if context.simulated is not None and context.at_the_machine(request) else "/phone")

    @pages.get("/new")
    def new() -> ResponseReturnValue:
        """Returns the set-up page. Whoever may not manage the table is told who can, and waits there for a game."""
        return page("new", set_up=set_up_of(context.display, words_of(context)))

    @pages.get("/result")
    def result() -> ResponseReturnValue:
        """Returns the result of the latest finished game, which everybody may see."""
        finished = context.display.result
        if finished is None:
            return redirect("/")
        setup, names = finished.view["setup"], finished.options.names
        words = Translator(language_asked(context), setup["edition"], names)
        return page("result", result=page_result(finished, words))

    @pages.get("/join")
    def join() -> ResponseReturnValue:
        return page("join", https_port=context.ports.https_offered(request), hotspot=hotspot_is_open(context))

    @pages.get("/phone")
    def phone() -> ResponseReturnValue:
        seats = context.seats(request)
        if not seats:
            return redirect("/join")
        # When several players share a phone, each is shown their own hand only after they say who they are.
        one = seats[0] if len(seats) == 1 else ""
        return page("phone", one, https_port=context.ports.https_offered(request))

    @pages.get("/table")
    def table() -> ResponseReturnValue:
        if not context.may_manage(request):
            return page("table")
        return page(
            "table",
            code=shown_code(context.codes.join_code),
            address=phone_address(context, request),
            network=context.network is not None,
        )

    @pages.get("/board")
    def board() -> ResponseReturnValue:
        if context.simulated is None or not (context.seats(request) or context.may_manage(request)):
            return redirect("/join")
        return page("board")

    @pages.get("/workshop")
    def workshop() -> ResponseReturnValue:
        """Returns the workshop, which only asks for the table code until it has been given."""
        if context.workshop is None or not context.may_manage(request):
            return page("workshop")
        plan = context.workshop.plan(words_of(context))
        return page("workshop", plan=plan, network=context.network is not None)

    return pages


def arrived_with_token(context: WebContext) -> ResponseReturnValue:
    """Lets a browser in that opened a printed address, and sends it on to the same page without the token."""
    response = make_response(redirect(request.path))
    if not context.codes.is_machine_token(request.args["t"]):
        return response
    token = context.token(request)
    context.codes.trust(token, at_the_machine=True)
    return with_cookie(response, token)
