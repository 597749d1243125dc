"""The virtual board in the browser: its buttons, pieces that are dragged, and the phone beside it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.phones import LARGE, SCREEN, Device, Phones
from tests.browser.positions import BOARD, THREE, dials
from tests.browser.served import Serve
from tests.support.arrange import opening, put, turn_of


def middle(device: Device, selector: str) -> tuple[float, float]:
    box = device.page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(device: Device, piece: str, place: str) -> None:
    """Drags a piece to a place with the mouse."""
    mouse = device.page.mouse
    mouse.move(*middle(device, piece))
    mouse.down()
    mouse.move(*middle(device, f'[data-button="{place}"]'), steps=5)
    mouse.up()


def test_each_of_two_quick_presses_of_a_button_counts(serve: Serve, phones: Phones) -> None:
    table = serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3}))
    screen = phones.new(table, SCREEN)
    screen.sit("red", path="/board")
    screen.see("#question.mine")
    screen.click('[data-button="castillo"]')
    screen.click('[data-button="castillo"]')
    table.played(*["red place castillo"] * 2)
    assert [move.verb for move in table.game.moves].count("place") == 2


def test_dragging_the_king_begins_the_special_action(serve: Serve, phones: Phones) -> None:
    table = serve(put(turn_of("king", THREE, board=BOARD), king="valencia"))
    screen = phones.new(table, SCREEN)
    screen.sit("red", path="/board")
    screen.see("#question.mine")
    drag(screen, '.map [data-piece="king"]', "granada")
    table.played("red special", "red king granada")


def test_a_region_or_its_button_turns_the_dial_that_is_asked_for(serve: Serve, phones: Phones) -> None:
    table = serve(dials())
    screen = phones.new(table, SCREEN)
    screen.sit("red", path="/board")
    screen.see(".dial")
    screen.page.mouse.click(*middle(screen, '.map [data-place="granada"] .name'))
    screen.read("Granada", ".reading")
    screen.click('[data-button="sevilla"]')
    screen.read("Sevilla", ".reading")
    assert table.board.gestures == []
    assert "red" in table.now.public.waiting_for


def test_a_piece_on_the_map_is_not_seen_in_the_tray_too(serve: Serve, phones: Phones) -> None:
    table = serve(put(turn_of("score-4s", THREE, board=BOARD), tiles={"8": "aragon"}))
    screen = phones.new(table, SCREEN)
    screen.sit("red", path="/board")
    screen.see("#question.mine")
    out = screen.page.locator(".chip.out").evaluate_all("(chips) => chips.map((chip) => chip.dataset.piece)")
    assert out == ["red-grande", "king", "tile-8"]
    label = screen.page.locator('[data-piece="tile-8"].chip').get_attribute("aria-label") or ""
    assert "On the board: Aragón" in label
    screen.picture("board-tray")


def test_the_players_points_stay_in_view_where_there_is_room(serve: Serve, phones: Phones) -> None:
    for size, path in ((SCREEN, "/board"), (LARGE, "/phone")):
        device = phones.new(serve(opening(THREE)), size)
        device.sit("red", path=path)
        device.see('[data-key="power7"]')
        device.page.locator(".menu summary").scroll_into_view_if_needed()
        device.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
        device.page.locator(".menu :is(label, button)").last.evaluate("(last) => last.scrollIntoView({block: 'end'})")
        expect(device.page.locator("#question")).not_to_be_in_viewport()
        for part in (".points", ".round", ".supply"):
            expect(device.page.locator(f"#phone header {part}")).to_be_in_viewport(ratio=1)
        device.picture(f"header{path[1:]}", whole=False)
