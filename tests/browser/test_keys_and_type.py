"""Everything works by keyboard alone, and in letters twice as large on a small phone."""

from __future__ import annotations

import pytest

from tests.browser.phones import SMALL, Device, Phones
from tests.browser.positions import KINDS, THREE, Kind, ask, ids
from tests.browser.served import Serve
from tests.support.arrange import opening

BY_NAME = {kind.name: kind for kind in KINDS}

# What sticks out to the side: of the page, or of the box it is cut off by.
_CUT = """() => {
  const wide = document.documentElement.clientWidth;
  const seen = [...document.querySelectorAll("body *")].filter((each) => each.checkVisibility());
  const html = (each) => each.outerHTML.slice(0, 160);
  const outside = seen.filter((each) => !each.closest("svg, .unseen") || each.matches("svg:not(svg svg)"))
    .filter((each) => { const at = each.getBoundingClientRect(); return at.left < -1 || at.right > wide + 1; });
  const clipped = seen.filter((each) => each instanceof HTMLElement && !each.closest(".unseen, select, input"))
    .filter((each) => getComputedStyle(each).overflow !== "visible")
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1);
  return [document.documentElement.scrollWidth - wide, outside.map(html), clipped.map(html)];
}"""


def reach(phone: Device, selector: str) -> None:
    """Presses Tab until an element has the focus, and checks that the focus is visible."""
    for _ in range(60):
        phone.page.keyboard.press("Tab")
        if phone.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            assert phone.page.evaluate("() => document.activeElement.matches(':focus-visible')")
            return
    raise AssertionError(f"{selector} is not reached by Tab")


@pytest.mark.parametrize(
    ("name", "selector", "key"),
    [
        ("power", '[data-key="power7"]', "Enter"),
        ("recruit", '[data-key="recruit 3"]', "Space"),
        ("card", '[data-key="card 5"]', "Enter"),
        ("place", '.map [data-place="castillo"]', "Enter"),
        ("move-from", '.map [data-place="sevilla"]', "Space"),
        ("veto", '[data-key="veto"]', "Enter"),
        ("guide", '[data-key="done"]', "Enter"),
    ],
)
def test_a_question_is_answered_by_keys_alone(name: str, selector: str, key: str, serve: Serve, phones: Phones) -> None:
    kind = BY_NAME[name]
    table = serve(kind.game(), kind.options)
    phone = phones.new(table)
    ask(kind, phone)
    before = table.latest.number
    reach(phone, selector)
    with phone.answered():
        phone.page.keyboard.press(key)
    assert phone.number > before


def test_the_dial_is_turned_set_and_looked_at_by_keys(serve: Serve, phones: Phones) -> None:
    kind = BY_NAME["dial"]
    table = serve(kind.game(), kind.options)
    phone = phones.new(table)
    ask(kind, phone)
    reach(phone, ".dial")
    keys = phone.page.keyboard
    keys.press("ArrowRight")
    keys.press("ArrowUp")
    keys.press("ArrowLeft")
    assert phone.page.locator(".dial").get_attribute("aria-valuetext") == "País Vasco"
    phone.picture("phone-dial-focus")
    keys.press("Tab")
    keys.press("Enter")
    keys.press("Enter")
    phone.read("Your dial is set.")
    assert str(table.game.moves[-1]) == "red dial pais-vasco"
    reach(phone, ".peek")
    keys.down("Enter")
    assert phone.page.locator(".peeked").inner_text() == "País Vasco"
    keys.up("Enter")
    assert phone.page.locator(".peeked").inner_text() == "•••"


def test_the_focus_stays_on_a_place_that_can_be_chosen_again(serve: Serve, phones: Phones) -> None:
    kind = BY_NAME["place"]
    table = serve(kind.game(), kind.options)
    phone = phones.new(table)
    ask(kind, phone)
    reach(phone, '.map [data-place="castillo"]')
    for placed in (1, 2):
        with phone.answered():
            phone.page.keyboard.press("Enter")
        assert [move.verb for move in table.game.moves].count("place") == placed


def test_a_phone_sits_down_by_keys_alone(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.open("/join")
    phone.see(".seat-red")
    keys = phone.page.keyboard
    reach(phone, "input[name=seat]")
    keys.press("Space")
    keys.press("ArrowDown")
    reach(phone, "#code")
    keys.type(table.codes.join_code)
    keys.press("Enter")
    phone.page.wait_for_url("**/phone")
    table.shown()
    assert table.now.holders.keys() == {"blue"}


def cut(phone: Device) -> tuple[int, list[str], list[str]]:
    """Returns by how much the page is too wide, what sticks out of it, and what is cut off by its own box."""
    wider, outside, clipped = phone.page.evaluate(_CUT)
    return wider, outside, clipped


def twice_as_large(phone: Device) -> None:
    phone.page.add_style_tag(content="html { font-size: 200% !important; }")


@pytest.mark.parametrize("kind", KINDS, ids=ids)
def test_in_letters_twice_as_large_nothing_is_cut_on_a_small_phone(kind: Kind, serve: Serve, phones: Phones) -> None:
    table = serve(kind.game(), kind.options)
    phone = phones.new(table, SMALL, injects=True)
    ask(kind, phone)
    phone.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
    twice_as_large(phone)
    if kind.name in ("card", "dial"):
        phone.picture(f"phone-{kind.name}-large")
    assert cut(phone) == (0, [], [])


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_to_join_and_a_cover_fit_in_letters_twice_as_large(
    language: str, serve: Serve, phones: Phones
) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table, SMALL, injects=True, language=language)
    phone.open("/join?gone")
    phone.see(".seat-red")
    twice_as_large(phone)
    phone.picture(f"join-large-{language}")
    assert cut(phone) == (0, [], [])
    phone.sit("red", "blue")
    phone.see('[data-key="power7"]')
    phone.tap('[data-key="power7"]')
    phone.see(".cover")
    twice_as_large(phone)
    assert cut(phone) == (0, [], [])


# The words of names that are broken over two lines.
_BROKEN = """() => [...document.querySelectorAll(".called")].flatMap((called) => {
  const text = called.firstChild;
  return [...text.data.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((box) => box.top)).size > 1;
  }).map((word) => word[0]);
})"""


def test_names_on_the_page_to_join_stay_whole_in_letters_twice_as_large(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    taken, phone = phones.new(table), phones.new(table, SMALL, injects=True)
    taken.join("red", "Maximiliane")
    taken.post("/join", seat="blue", name="Anna Lena", code=table.codes.join_code)
    phone.open("/join")
    phone.read("Maximiliane", "#seats")
    phone.read("Anna Lena", "#seats")
    twice_as_large(phone)
    assert phone.page.evaluate(_BROKEN) == []
    assert cut(phone) == (0, [], [])
    phone.picture("join-large-names")
