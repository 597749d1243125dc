"""Serves the rules: one page for everybody on the network, with nothing on it that is secret."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from companion.translations import LANGUAGES, Translator
from web_remote.assets import Assets
from web_remote.context import WebContext
from web_remote.game_facts import game_facts
from web_remote.page_types import PageData, PageExtras
from web_remote.pages import page_response
from web_remote.rules_view import RulesView
from web_remote.streams import language_asked
from web_remote.texts import page_words

NAME: Final = "rules"
IN_SCRIPT: Final = ("found", "found-none", "reconnecting")
"""The texts that the script needs; the others are in the page already."""


def make(context: WebContext, assets: Assets) -> Blueprint:
    """Returns the address of the rules."""
    pages = Blueprint(NAME, __name__, template_folder="templates")
    needed = assets.needed_by(NAME)

    @pages.get(f"/{NAME}")
    def rules() -> ResponseReturnValue:
        played = context.display.wish
        words = Translator(language_asked(context), played.edition)
        book = RulesView(words, played.edition, played.house)
        said = page_words(words)
        said["texts"] = {name: book.texts[name] for name in IN_SCRIPT}
        nothing_more: PageExtras = {}
        data: PageData = {
            **said,
            **game_facts(),
            **nothing_more,
            "page": NAME,
            "seats": [],
            "table": False,
            "virtual": False,
            "has_result": False,
        }
        text = render_template(
            f"{NAME}.html",
            files=f"/static/{assets.version}",
            needed=needed,
            data=data,
            texts=book.texts,
            language=words.language,
            languages=dict(sorted(LANGUAGES.items())),
            book=book,
        )
        return page_response(text, words.language)

    return pages
