"""With real cards, any seated phone or the table screen enters what was turned up, from what can still come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Game
from companion.table.options import Options
from tests.support.web_rig import Browser, WebRig, with_pages

THREE = ("red", "blue", "green")


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRig]:
    with with_pages(tmp_path, Game(THREE), Options(real_cards=True, guided=False)) as web:
        yield web


def keeper(web: WebRig) -> Browser:
    """The table screen."""
    browser = web.browser()
    assert browser.post("/table/open", code=web.context.codes.table_code).status_code == 200
    return browser


def offered(web: WebRig) -> list[str]:
    """What the table screen offers to be entered."""
    deal = web.browser().state()["deal"]
    return [choice["line"] for choice in deal["choices"]] if deal else []


def enter(screen: Browser, line: str) -> int:
    return screen.post("/table/say", line=line, version=screen.state()["version"]).status_code


def test_a_seated_phone_enters_what_was_turned_up_by_its_map_or_by_its_choices(web: WebRig) -> None:
    entered: list[str] = []
    while web.rig.game.to_act == ("table",):
        seat = ("green", "red")[len(entered) % 2]
        phone = web.browser(seat)
        prompt = phone.state(seat)["you"]["prompt"]
        said = f"touch {prompt['touch'][0]}" if prompt["touch"] else prompt["choices"][0]["line"]
        assert phone.say(seat, said).status_code == 200
        entered.append(str(web.rig.game.moves[-1]).split()[1])
    assert entered == ["king", "home", "home", "home", "start", *["reveal"] * 4]


def test_the_table_screen_enters_it_and_offers_only_what_can_still_come(web: WebRig) -> None:
    screen = keeper(web)
    revealed: list[str] = []
    while web.rig.game.to_act == ("table",):
        choices = offered(web)
        assert choices == [str(move) for move in web.rig.game.legal_moves("table")]
        assert enter(screen, choices[0]) == 200
        assert str(web.rig.game.moves[-1]) == choices[0]
        revealed += [choices[0]] if " reveal " in choices[0] else []
    assert [line.split()[2] for line in revealed] == ["1", "2", "3", "4"]
    assert offered(web) == []


def test_what_cannot_have_been_turned_up_is_refused(web: WebRig) -> None:
    screen, stranger = keeper(web), web.browser()
    assert enter(stranger, offered(web)[0]) == 403
    moves = web.rig.game.moves
    enter(screen, "table reveal 1 king")
    enter(screen, "table king castillo")
    assert web.rig.game.moves == moves
