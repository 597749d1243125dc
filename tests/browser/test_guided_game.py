"""A guided first game in the browser, followed lesson by lesson to the end of the first scoring; and hints."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import ViewportSize

from companion.engine import Game, deal
from companion.table.lessons import LESSONS, NAMES
from companion.table.options import Options
from tests.browser.phones import SCREEN, SMALL, Device, Phones
from tests.browser.served import Serve, Served
from tests.browser.thumb import Thumb
from tests.support.arrange import opening, turn_of

TOPIC_OF = {lesson.name: lesson.topic for lesson in LESSONS}
SIX = {"majorities", "king", "castillo", "dial", "power", "special"}
"""What a player knows at the end of the first scoring."""
TAUGHT = Options(players={"blue": "easy", "green": "easy"}, pace="step", guided=False, teach=True)
"""Step by step, so that a scoring is shown until the pupil has read about it, however slow the machine is."""

_READ = """() => {
  const callout = document.querySelector("#phone .lesson:not([hidden])");
  return {
    name: callout?.dataset.name ?? "",
    words: callout?.querySelector("p").textContent ?? "",
    pointed: document.querySelector("#phone .map .pointed")?.dataset.place ?? "",
    above: callout?.nextElementSibling?.className ?? "",
    choice: document.querySelector("#phone .answers .pointed")?.dataset.line ?? "",
    next: document.querySelector('#phone .offers [data-key="next"]') !== null,
  };
}"""


# Others may play on meanwhile, so that the lesson is gone before it can be touched.
_GET = """(name) => {
  const callout = document.querySelector("#phone .lesson:not([hidden])");
  if (callout?.dataset.name === name) callout.querySelector('[data-key="got-it"]').click();
}"""
_GOT = """(name) => document.querySelector("#phone .lesson:not([hidden])")?.dataset.name !== name
  && !document.querySelector("#phone [data-settling]")"""

# Whether the whole of an element can be seen, where the page shows the phone.
_IN_VIEW = """(element) => {
  const [at, phone] = [element.getBoundingClientRect(), document.querySelector("#phone").getBoundingClientRect()];
  return at.top >= Math.max(0, phone.top) && at.bottom <= Math.min(innerHeight, phone.bottom);
}"""
_AT = """([x, y]) => document.elementFromPoint(x, y)?.closest("[data-line]")?.dataset.line ?? "\""""
# What a tap would hit where power card 7 is, as soon as the lesson is gone.
_WATCH = """() => {
  const callout = document.querySelector("#phone .lesson");
  window.hitAtOnce = new Promise((tell) => new MutationObserver(() => {
    if (!callout.hidden) return;
    const at = document.querySelector('#phone [data-line="power 7"]').getBoundingClientRect();
    const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
    tell([x, y, document.elementFromPoint(x, y)?.closest("[data-line]")?.dataset.line ?? ""]);
  }).observe(callout, {attributes: true}));
}"""


_NEXT = """() => document.querySelector('#phone .offers [data-key="next"]')?.click()"""


class Pupil:
    """Reads every lesson and does what it suggests; otherwise plays on, and never stops halfway."""

    def __init__(self, phone: Device, table: Served, board: Device) -> None:
        self.phone, self.table, self.board = phone, table, board
        self.thumb = Thumb(phone, Random(7))
        self.had: dict[str, dict[str, str]] = {}

    def go_on(self) -> None:
        """Does one thing."""
        look, lesson = self.thumb.look(), self.phone.page.evaluate(_READ)
        name, pointed = lesson["name"], lesson["pointed"]
        if name and name not in self.had:
            self.had[name] = lesson
            self.phone.picture(f"phone-lesson-{name}")
            if name in ("you", "home", "aim", "card", "empty", "special", "dial-try"):
                self.board.after(look.number - 1)
                self.board.picture(f"board-lesson-{name}")
        suggested = re.search(r"Try (\d+)", lesson["words"])
        if name == "power" and suggested:
            self.phone.tap(f'#phone [data-key="power{suggested[1]}"]')
        elif name in ("empty", "castillo", "tie", "second") and pointed in look.places:
            self.phone.place(pointed)
        elif name:
            self.phone.page.evaluate(_GET, name)
            self.phone.page.wait_for_function(_GOT, arg=name)
            return
        elif lesson["next"]:
            self.phone.page.evaluate(_NEXT)
        elif look.places:
            self.phone.place(look.places[0])
        elif "special" in look.words:
            self.phone.tap('#phone [data-key="special"]')
        elif look.asked:
            self.thumb.act(look)
            return
        self.phone.after(look.number)

    @property
    def done(self) -> bool:
        """Whether the first scoring is over and everything about it has been read."""
        return "after" in self.had


def test_who_follows_the_lessons_knows_the_game_at_the_end_of_the_first_scoring(serve: Serve, phones: Phones) -> None:
    table = serve(Game(("red", "blue", "green"), rounds=6), TAUGHT)
    phone, board = phones.new(table, SMALL), phones.new(table, SCREEN)
    phone.sit("red")
    board.share(phone)
    board.open("/board")
    phone.after(0)
    pupil = Pupil(phone, table, board)
    for _ in range(400):
        if pupil.done:
            break
        pupil.go_on()
    assert pupil.done, pupil.had.keys()
    assert {TOPIC_OF[name] for name in pupil.had} >= SIX
    assert list(pupil.had)[:4] == ["you", "home", "aim", "power"]
    # Each stands above the thing it is about.
    assert pupil.had["you"]["above"] == ""
    assert pupil.had["aim"]["above"] == "mapped layered"
    assert pupil.had["aim"]["pointed"] == "castilla-la-nueva"
    assert pupil.had["power"]["above"] == "answers"
    assert (pupil.had["power"]["choice"], pupil.had["special"]["choice"]) == ("power 7", "special")
    assert pupil.had["scoring"]["above"] == "scored"
    assert pupil.had["dial"]["above"] == "answers"
    assert table.game.round > 3


LAPTOP: ViewportSize = {"width": 1280, "height": 800}


def seen_with(phone: Device, lesson: str, selector: str) -> None:
    """Waits for a lesson, and checks that it and what it is about can be seen together."""
    phone.see(f'#phone .lesson[data-name="{lesson}"]')
    phone.picture(f"lesson-{lesson}-{phone.page.evaluate('() => innerWidth')}", whole=False)
    for each in (".lesson", selector):
        assert phone.page.locator(f"#phone {each}").evaluate(_IN_VIEW), each


@pytest.mark.parametrize(("size", "path"), [(SMALL, "/phone"), (LAPTOP, "/board")], ids=["phone", "laptop"])
def test_a_lesson_that_names_an_answer_is_seen_together_with_it(
    size: ViewportSize, path: str, serve: Serve, phones: Phones
) -> None:
    table = serve(opening(("red", "blue", "green")), replace(TAUGHT, players={}))
    phone = phones.new(table, size)
    phone.sit("red", path=path)
    phone.see("#phone .lesson")
    for lesson in ("you", "home", "aim"):
        table.say("red", f"lesson seen {lesson}")
    seen_with(phone, "power", '.answers .pointed[data-line="power 7"]')
    for line in ("red power 7", "blue power 6", "green power 5"):
        table.say(*line.split(" ", 1))
    seen_with(phone, "recruit", '.answers .pointed[data-line="recruit 3"]')
    table.say("red", "recruit 3")
    seen_with(phone, "card", '.answers .pointed[data-line="card 5"]')
    # It stands right above the card.
    assert phone.page.locator("#phone .lesson + [data-line]").get_attribute("data-line") == "card 5"


def test_the_lesson_about_hints_is_seen_together_with_the_button_for_them(serve: Serve, phones: Phones) -> None:
    game, rng = opening(("red", "blue", "green")), Random(4)
    while game.round == 1 or game.view("red")["asked"][0]["kind"] != "card":
        if game.to_act == ("table",):
            deal(game, rng)
        else:
            game.play([move for move in game.legal_moves() if move.verb not in ("special", "place")][-1])
    seat = game.to_act[0]
    table = serve(game, replace(TAUGHT, players={}))
    for name in NAMES - {"hint"}:
        table.say(seat, f"lesson seen {name}")
    phone = phones.new(table, LAPTOP)
    phone.sit(seat, path="/board")
    seen_with(phone, "hint", '.advice [data-key="hint"]')


def test_a_second_tap_on_got_it_plays_nothing(serve: Serve, phones: Phones) -> None:
    table = serve(opening(("red", "blue", "green")), replace(TAUGHT, players={}))
    for lesson in ("you", "home", "aim"):
        table.say("red", f"lesson seen {lesson}")
    phone = phones.new(table, SMALL)
    phone.sit("red")
    phone.see('#phone .lesson[data-name="power"]')
    phone.page.evaluate(_WATCH)
    phone.tap('#phone [data-key="got-it"]')
    x, y, hit = phone.page.evaluate("() => window.hitAtOnce")
    assert hit == ""
    phone.see("#phone [data-settling]", "detached")
    assert phone.page.evaluate(_AT, [x, y]) == "power 7"
    assert not table.game.view(None)["turn"]["power"]
    phone.page.touchscreen.tap(x, y)
    table.shown("blue")


def test_lessons_can_be_ended_and_come_back_from_the_menu(serve: Serve, phones: Phones) -> None:
    table = serve(Game(("red", "blue", "green"), rounds=6), replace(TAUGHT, pace="instant"))
    phone = phones.new(table, SMALL)
    phone.sit("red")
    phone.see("#phone .lesson")
    phone.tap('#phone [data-key="no-lessons"]')
    phone.see("#phone .lesson", "hidden")
    phone.see("#phone [data-settling]", "detached")
    phone.tap("#phone .menu summary")
    phone.page.get_by_label("Explain the game while we play").check()
    phone.see("#phone .lesson")


def test_a_hint_is_shown_to_who_asked_and_to_nobody_else(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-4s", ("red", "blue")), Options(pace="instant", guided=False))
    red, blue = phones.new(table, SMALL), phones.new(table, SMALL)
    red.sit("red")
    blue.sit("blue")
    blue.see("#phone .players")
    red.tap('#phone [data-key="hint"]')
    red.read("I'd choose")
    red.picture("phone-hint")
    blue.up_to_date()
    assert blue.page.locator('[data-key="hint"]').count() == 0
    assert "I'd choose" not in (blue.page.text_content("body") or "")
    blue.read("Red asked for a hint", "#phone .story")
    # It is gone when the game goes on.
    red.place("castillo")
    red.page.locator("#phone .advice p").filter(has_text="I'd choose").wait_for(state="detached")
