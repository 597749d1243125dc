"""The pages in five languages: their words are the translator's, and nothing is left in English."""

from __future__ import annotations

import pytest

from companion.translations import LANGUAGES, Translator
from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.positions import THREE, dials
from tests.browser.served import Serve
from tests.support.arrange import opening
from web_remote.texts import TEXTS

# Every text of the page, seen or heard.
_TEXTS = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [document.title];
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest("option")) found.push(walk.currentNode.data);
  for (const name of ["aria-label", "title", "alt", "placeholder", "aria-valuetext"]) {
    for (const each of document.querySelectorAll(`[${name}]`)) found.push(each.getAttribute(name));
  }
  return found.filter(Boolean).map((text) => text.trim()).filter(Boolean);
}"""


def texts(device: Device) -> set[str]:
    return set(device.page.evaluate(_TEXTS))


def check(device: Device, words: Translator) -> None:
    """Checks that the page says in the language what it would say in English, and nothing in English."""
    assert device.page.evaluate("document.documentElement.lang") == words.language
    found = texts(device)
    english = {text for text in TEXTS.values() if words.text(text) != text and "{" not in text}
    assert found & english == set()
    assert found & {words.text(text) for text in english}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_the_language_of_the_phone(language: str, serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    words = Translator(language, table.game.edition)
    join = phones.new(table, language=language)
    join.open("/join")
    join.see(".seat-red")
    assert words.text(TEXTS["choose-colour"]) in texts(join)
    phone = phones.new(table, language=language)
    phone.sit("red")
    phone.see('[data-key="power7"]')
    phone.picture(f"phone-{language}")
    assert phone.question == words.say(next(iter(table.game.questions)).yours)
    screen = phones.new(table, SCREEN, language=language)
    screen.open("/table")
    screen.after(0)
    screen.picture(f"table-{language}")
    board = phones.new(table, SCREEN, language=language)
    board.share(phone)
    board.open("/board")
    board.after(0)
    for device in (join, phone, screen, board):
        if language != "en":
            check(device, words)
        assert device.page.evaluate("document.documentElement.lang") == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dial_and_the_names_of_places_are_the_translators(language: str, serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    words = Translator(language, table.game.edition)
    phone = phones.new(table, language=language)
    phone.sit("red")
    phone.see(".dial")
    assert words.text(TEXTS["dial-set"]) in texts(phone)
    for place in ("galicia", "castilla-la-vieja", "castillo"):
        label = phone.page.locator(f'.map [data-place="{place}"]').get_attribute("aria-label") or ""
        assert label.lower().startswith(words.place(place).lower())
    if language != "en":
        check(phone, words)


def test_a_language_that_is_chosen_is_kept(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.open("/join")
    phone.see(".seat-red")
    phone.page.locator("#language").select_option("nl")
    phone.page.wait_for_url("**language=nl")
    phone.read(Translator("nl", table.game.edition).text(TEXTS["choose-colour"]))
    phone.sit("red")
    phone.see('[data-key="power7"]')
    assert phone.page.evaluate("document.documentElement.lang") == "nl"
    phone.tap(".menu summary")
    phone.page.get_by_label("Taal").select_option("fr")
    phone.page.wait_for_url("**language=fr")
    phone.see('[data-key="power7"]')
    assert phone.page.evaluate("document.documentElement.lang") == "fr"
