"""An address that does not exist: a page for people, JSON for scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.arrange import opening
from tests.support.web_rig import with_pages

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


@pytest.mark.parametrize(
    ("language", "words", "home"),
    [("en", "There is no such page.", "Go to the table"), ("de", "Diese Seite gibt es nicht.", "Zum Tisch")],
)
def test_a_browser_at_a_wrong_address_gets_a_page_in_its_language(
    tmp_path: Path, language: str, words: str, home: str
) -> None:
    with with_pages(tmp_path, opening()) as web:
        answer = web.browser().get("/nope", headers={"Accept": BROWSER, "Accept-Language": language})
        assert answer.status_code == 404
        assert answer.mimetype == "text/html"
        assert words in answer.text
        assert f'<a href="/">{home}</a>' in answer.text
        assert f'<html lang="{language}">' in answer.text
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("accept", ["*/*", "application/json", ""])
def test_a_script_at_a_wrong_address_gets_json(tmp_path: Path, accept: str) -> None:
    with with_pages(tmp_path, opening()) as web:
        answer = web.browser().get("/nope", headers={"Accept": accept})
        assert (answer.status_code, answer.json) == (404, {"error": "not found"})


def test_what_is_sent_in_the_wrong_way_is_answered_in_json_even_to_a_browser(tmp_path: Path) -> None:
    with with_pages(tmp_path, opening()) as web:
        for method, path in (("POST", "/nope"), ("GET", "/say")):
            answer = web.browser().ask(method, path, headers={"Accept": BROWSER})
            assert answer.mimetype == "application/json"
            assert answer.status_code in (404, 405)


def test_a_page_that_fails_says_so_without_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with with_pages(tmp_path, opening()) as web:

        def fails(*_: object, **__: object) -> None:
            raise KeyError("a secret dial")

        monkeypatch.setattr("web_remote.pages.page_words", fails)
        answer = web.browser().get("/table", headers={"Accept": BROWSER})
        assert answer.status_code == 500
        assert "Something went wrong. Load the page again." in answer.text
        assert "secret" not in answer.text
