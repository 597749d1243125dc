"""The rules page: for anybody, whole without scripts, in every language, with the edition of the game marked."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from companion.engine import CARDS, EDITIONS, Game
from companion.engine.editions import STRICT_DIAL
from companion.engine.regions import PLACES
from companion.rulebook import DIFFERENCES, SECTIONS, TERMS
from companion.rulebook.entries import Picture
from companion.translations import LANGUAGES, Translator
from tests.support.table_rig import placing
from tests.support.web_rig import WebRig, with_pages
from tests.web_remote.test_scripts import SCRIPTS


class Document(HTMLParser):
    """What is on a page: the addresses within it, the links, and the text of parts by their class."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.language = ""
        self.ours = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))
        if tag == "html":
            self.language = str(given["lang"])
        if "ours" in (given.get("class") or "").split():
            self.ours += 1


def read(web: WebRig, path: str = "/rules") -> str:
    answer = web.browser().get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_every_section_card_place_and_term_has_an_address(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        page = Document(read(web))
    wanted = [
        *(section.name for section in SECTIONS), *(f"card-{card}" for card in CARDS),
        *(f"place-{place}" for place in PLACES), *(f"term-{term}" for term in TERMS),
    ]  # fmt: skip
    assert {*wanted} <= {*page.ids}
    assert len(page.ids) == len({*page.ids})


def test_every_link_within_the_page_leads_somewhere(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        page = Document(read(web))
    inside = [link[1:] for link in page.links if link.startswith("#")]
    assert len(inside) > 100
    assert {*inside} <= {*page.ids}
    assert {link for link in page.links if not link.startswith("#")} == {
        "/", *(f"/rules?language={language}" for language in LANGUAGES),
    }  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_in_every_language_without_any_script(language: str, tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        text = read(web, f"/rules?language={language}")
    assert Document(text).language == language
    body = text[text.index("<body") :].replace("&#39;", "'").replace("&#34;", '"')
    words = Translator(language)
    for card in CARDS:
        title, says = words.card(card)
        assert title in body
        assert says in body
    for place in PLACES:
        assert words.place(place).removeprefix("the ") in body or words.place(place).capitalize() in body
    assert not re.search(r"[{}]|&lt;", body)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rules_of_the_edition_being_played_are_marked(edition: str, tmp_path: Path) -> None:
    with with_pages(tmp_path, Game(("red", "blue"), edition)) as web:
        page = Document(read(web))
    # In the notes one variant of each: «score one» is in two stacks. In the table a heading and a column.
    assert page.ours == (len(DIFFERENCES) + 1) + 1 + len(DIFFERENCES)


def test_a_house_rule_that_is_played_with_is_marked(tmp_path: Path) -> None:
    with with_pages(tmp_path, Game(("red", "blue"), house=[STRICT_DIAL])) as web:
        text = read(web)
    (rule,) = re.findall(r'<li class="ours">(Strict dial.*?)</li>', text)
    assert "Your game" in rule


def test_a_language_that_was_chosen_is_kept(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        answer = web.browser().get("/rules?language=fr")
    assert any(line.startswith("language=fr;") for line in answer.headers.getlist("Set-Cookie"))


def test_the_page_says_nothing_about_the_game_but_its_edition(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as web:
        before = read(web)
        assert web.browser("red").say("red", "place castillo").status_code == 200
        assert read(web) == before


def test_every_picture_is_drawn_by_the_script() -> None:
    (drawn,) = re.findall(r"const pictures = \{(.*?)\};", SCRIPTS["rules/figures.js"], re.DOTALL)
    assert {*re.findall(r'^ +"?([\w-]+)"?(?::|,)', drawn, re.MULTILINE)} == {each.value for each in Picture}


def test_no_other_page_loads_what_belongs_to_the_rules() -> None:
    for name, source in SCRIPTS.items():
        if not name.startswith("rules/"):
            assert "/rules/" not in source
