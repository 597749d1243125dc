"""docs/pages.md has every address that the server answers, no other, and every field of a state."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.table_rig import placing
from tests.support.web_rig import with_pages
from web_remote.app import make_app
from web_remote.context import WebContext
from web_remote.display import WebDisplay

DOCUMENT = (Path(__file__).parents[2] / "docs/pages.md").read_text("utf-8")


def addresses() -> set[tuple[str, str]]:
    app = make_app(WebContext(WebDisplay(), lambda gesture, reply=None: None))
    return {
        (method, re.sub(r"<\w+:", "<", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_every_address_is_described_and_every_one_that_is_described_exists() -> None:
    assert set(re.findall(r"`(GET|POST) (/\S*)`", DOCUMENT)) == addresses()


def test_every_address_has_a_line_of_its_own() -> None:
    assert set(re.findall(r"^\| `(GET|POST) (/\S*)` \|", DOCUMENT, re.MULTILINE)) == addresses()


def test_every_error_is_explained() -> None:
    sources = (Path(__file__).parents[2] / "web_remote").glob("*.py")
    errors = {error for file in sources for error in re.findall(r'jsonify\(error="([^"]+)"', file.read_text("utf-8"))}
    assert len(errors) > 10
    assert not [error for error in errors if f"`{error}`" not in DOCUMENT]


def test_every_field_of_a_state_is_described(tmp_path: Path) -> None:
    with with_pages(tmp_path, placing()) as pages:
        state = pages.browser("red").state("red")
    fields = {*state, *state["you"], *state["you"]["prompt"], *state["turn"], *state["seats"][0]}
    assert not [field for field in sorted(fields) if f"`{field}`" not in DOCUMENT]
