"""Takes pictures of the pages with Chromium: `python -m tools.screenshots` for the README, `… every` for all scenes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, NamedTuple

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from companion.engine import Game
from companion.table.options import Options
from tests.browser.conftest import CHROMIUM, OPTIONS
from tests.browser.phones import Device, Phones
from tests.browser.positions import ALONE, KINDS, THREE, Kind, dials, set_dial
from tests.browser.served import Served, served
from tests.support.arrange import opening, put, turn_of
from tests.support.random_games import finished

README: Final = Path(__file__).parent.parent / "docs" / "pictures"
FIVE: Final = ("red", "blue", "green", "yellow", "brown")
BUSY: Final = {
    "galicia": {"red": 3, "blue": 1}, "pais-vasco": {"yellow": 2, "brown": 2, "green": 1},
    "aragon": {"blue": 4, "red": 2}, "cataluna": {"green": 3, "brown": 1}, "castilla-la-vieja": dict.fromkeys(FIVE, 1),
    "castilla-la-nueva": {"red": 5, "yellow": 4}, "valencia": {"brown": 3, "blue": 2}, "sevilla": {"yellow": 6},
    "granada": {"green": 2, "red": 2, "blue": 2}, "castillo": {"red": 2, "green": 1, "yellow": 3},
}  # fmt: skip
"""Pieces nearly everywhere."""
STEPS: Final = replace(ALONE, pace="step")
TAUGHT: Final = replace(ALONE, teach=True)


class Look(NamedTuple):
    """How a page is viewed."""

    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    language: str = "en"


PHONE: Final = (
    Look(360, 740),
    Look(412, 915, "dark"),
    *(Look(360, 740, language=language) for language in ("nl", "de", "fr", "es")),
)
WIDE: Final = (
    Look(1920, 1080),
    Look(1920, 1080, "dark"),
    Look(1280, 720),
    Look(820, 1180),
    *(Look(1280, 720, "dark", language) for language in ("nl", "de", "fr", "es")),
)


class Scene(NamedTuple):
    """A page in a state, and how to get a device at the table there."""

    name: str
    game: Callable[[], Game]
    show: Callable[[Device], None]
    looks: tuple[Look, ...] = PHONE
    options: Options = ALONE
    board: str = "buttons-only"


def _busy() -> Game:
    game = turn_of("move-5-from-one", FIVE, board=BUSY, court=dict.fromkeys(FIVE, 3))
    grandes = {"blue": "castilla-la-nueva", "green": "castilla-la-nueva"}
    scores = dict(zip(FIVE, (23, 23, 41, 102, 8), strict=True))
    return put(game, king="sevilla", tiles={"8": "sevilla", "4": None}, grandes=grandes, scores=scores, vetoes=["blue"])


def _opened(path: str, *seats: str) -> Callable[[Device], None]:
    def show(device: Device) -> None:
        if seats:
            device.sit(*seats, path=path)
        else:
            device.open(path)
        device.after(0)

    return show


def _asked(kind: Kind) -> Callable[[Device], None]:
    """Returns a function that opens the phone that is asked something, in any language."""

    def show(device: Device) -> None:
        device.sit(kind.seat)
        device.see("#question.mine")
        for step in kind.first:
            with device.answered():
                step(device)

    return show


def _details(device: Device) -> None:
    _opened("/phone", "red")(device)
    device.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")


def _result(device: Device) -> None:
    _opened("/phone", device.served.table.game.seats[0])(device)


def _manager(device: Device) -> None:
    """Opens the table screen in a browser that has the table code."""
    device.open("/table")
    assert device.post("/table/open", code=device.served.codes.table_code) == 200
    device.open("/table")
    device.after(0)


def _at_table(device: Device) -> None:
    """Opens the table screen, with everybody seated."""
    for seat in device.served.table.game.seats:
        device.sit(seat)
    _manager(device)


def _scoring(device: Device) -> None:
    _at_table(device)
    device.served.say("red", "special")
    device.see("#scoring .last")


def _totals(device: Device) -> None:
    """Opens a phone that shows the totals of a scoring, and keeps them."""
    device.sit("red")
    device.served.say("red", "special")
    while not device.served.now.public.shows_totals:
        device.served.say("red", "next")
    device.see("#phone .scored tfoot .last")


def _undo(device: Device) -> None:
    """Opens a phone whose player is asked whether another may undo a move."""
    device.sit("blue")
    device.served.say("red", "power 7")
    device.served.say("green", "undo")
    device.see('[data-key="agree"]')


def _hint(device: Device) -> None:
    device.sit("red")
    device.tap('[data-key="hint"]')
    device.see("#phone .advice p")


def _managed(path: str) -> Callable[[Device], None]:
    """Returns a function that opens a page for whoever manages the table."""

    def show(device: Device) -> None:
        _manager(device)
        device.open(path)
        device.page.wait_for_load_state("networkidle")

    return show


def _rules(device: Device) -> None:
    device.open("/rules")
    device.see("[data-picture] svg")
    device.see(".example svg")


def _set_dial(device: Device) -> None:
    _opened("/phone", "red")(device)
    set_dial(device)
    device.see(".peek")


def _joining(device: Device) -> None:
    device.open("/join?gone")
    device.page.locator(".seat-blue").first.click()


def _scenes() -> Iterator[Scene]:
    yield Scene("join", lambda: opening(FIVE), _joining)
    for kind in KINDS:
        yield Scene(f"phone-{kind.name}", kind.game, _asked(kind), options=kind.options)
    yield Scene("phone-busy", _busy, _opened("/phone", "red"))
    yield Scene("phone-waiting", lambda: opening(THREE), _opened("/phone", "blue"))
    yield Scene("phone-dial-set", dials, _set_dial)
    yield Scene("phone-everything", _busy, _details)
    yield Scene("phone-hand-on", lambda: opening(THREE), _opened("/phone", "blue", "red"))
    yield Scene("phone-scoring", lambda: turn_of("score-4s", FIVE, board=BUSY), _totals, options=STEPS)
    yield Scene("phone-lesson", lambda: opening(THREE), _opened("/phone", "red"), options=TAUGHT)
    yield Scene("phone-hint", lambda: opening(THREE), _hint)
    yield Scene("phone-undo", lambda: opening(THREE), _undo)
    yield Scene("phone-result", lambda: finished(3), _result)
    yield Scene("new", lambda: opening(THREE), _managed("/new"), (*PHONE, *WIDE))
    yield Scene("result", lambda: finished(3), _managed("/result"), (*PHONE, *WIDE))
    yield Scene("workshop", lambda: opening(THREE), _managed("/workshop"), (*PHONE, *WIDE), board="standard")
    yield Scene("table-seats", lambda: opening(FIVE), _manager, WIDE)
    yield Scene("table-play", _busy, _at_table, WIDE)
    yield Scene("table-guide", _busy, _at_table, WIDE, Options(guided=True, veto_s=0.0))
    yield Scene("table-scoring", lambda: turn_of("score-4s", FIVE, board=BUSY), _scoring, WIDE)
    yield Scene("table-result", lambda: finished(3), _at_table, WIDE)
    yield Scene("table-real-cards", lambda: Game(THREE), _manager, WIDE, Options(real_cards=True, guided=False))
    yield Scene("rules", lambda: opening(THREE), _rules, (*PHONE, *WIDE))
    yield Scene("board", _busy, _opened("/board", "red"), WIDE, board="standard")
    yield Scene("board-seats", lambda: opening(THREE), _opened("/board", "blue", "red"), WIDE, board="standard")
    yield Scene("board-lesson", lambda: opening(THREE), _opened("/board", "red"), WIDE, TAUGHT, board="standard")
    yield Scene("board-nobody", _busy, _opened("/board"), WIDE, board="standard")


def _size(look: Look) -> ViewportSize:
    return {"width": look.width, "height": look.height}


def _every(browser: Browser, wanted: list[str]) -> None:
    for scene in _scenes():
        if wanted and not any(scene.name.startswith(each) for each in wanted):
            continue
        # A separate table for each language, because some states do not last.
        for language in dict.fromkeys(look.language for look in scene.looks):
            with _at(scene) as table, Phones(browser) as phones:
                looks = [look for look in scene.looks if look.language == language]
                device = phones.new(table, _size(looks[0]), language)
                scene.show(device)
                for look in looks:
                    device.page.set_viewport_size(_size(look))
                    device.page.emulate_media(color_scheme=look.scheme, reduced_motion="reduce")
                    device.page.wait_for_timeout(400)
                    device.picture(f"{scene.name}-{language}-{look.width}-{look.scheme}")
        print(scene.name, flush=True)


@contextmanager
def _at(scene: Scene) -> Iterator[Served]:
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), scene.game(), scene.options, board=scene.board) as table,
    ):
        yield table


def _best(browser: Browser) -> None:
    """Takes the pictures for the README: a busy table on the board, on the table screen and on a phone."""
    pictures = {
        "board": (Look(1280, 800), "standard", _opened("/board", "red")),
        "table": (Look(1280, 720), "buttons-only", _at_table),
        "phone": (Look(390, 844, "dark"), "buttons-only", _opened("/phone", "red")),
    }
    for name, (look, board, show) in pictures.items():
        with _at(Scene(name, _busy, show, (look,), board=board)) as table, Phones(browser) as phones:
            device = phones.new(table, _size(look), dark=look.scheme == "dark")
            show(device)
            device.page.wait_for_timeout(1500)
            device.page.screenshot(path=README / f"{name}.png")


def main() -> None:
    """Takes the pictures; words after `every` limit them to scenes whose names begin with one of them."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        if sys.argv[1:2] == ["every"]:
            _every(browser, sys.argv[2:])
        else:
            _best(browser)
        browser.close()


if __name__ == "__main__":
    main()
