"""Errors as people see them in a browser: a small page instead of JSON, for whoever typed an address."""

from __future__ import annotations

from typing import Final

from flask import Request, render_template

from companion.engine import phrase
from companion.translations import Translator
from web_remote.assets import Assets
from web_remote.context import WebContext
from web_remote.streams import language_asked

NO_PAGE: Final = phrase("There is no such page.")
OUR_MISTAKE: Final = phrase("Something went wrong. Load the page again.")
TO_THE_TABLE: Final = phrase("Go to the table")
TITLE: Final = phrase("The El Grande table")

_WORDS: Final = {404: NO_PAGE, 500: OUR_MISTAKE}
_KINDS: Final = ("application/json", "text/html")


def wants_page(request: Request) -> bool:
    """Returns whether a request comes from an address that somebody opened; scripts take anything, and get JSON."""
    return request.method == "GET" and request.accept_mimetypes.best_match(_KINDS) == "text/html"


def error_page(context: WebContext, assets: Assets, status: int) -> str | None:
    """Returns the page for an error, or `None` when that status has no page."""
    if status not in _WORDS:
        return None
    words = Translator(language_asked(context))
    return render_template(
        "error.html",
        files=f"/static/{assets.version}",
        language=words.language,
        title=words.in_words(TITLE),
        what=words.in_words(_WORDS[status]),
        home=words.in_words(TO_THE_TABLE),
    )
