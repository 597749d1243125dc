"""An answer that never comes is given up: the player is told, and the next tap counts."""

from __future__ import annotations

from playwright.sync_api import Route

from tests.browser.phones import SCREEN, Device, Phones
from tests.browser.positions import BOARD, THREE
from tests.browser.served import Serve
from tests.support.arrange import opening, turn_of

LATE_MS = 7_000


def leave_unanswered(device: Device, path: str) -> None:
    """Has the first request to a path never answered; the others are."""
    held: list[Route] = []

    def handle(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    device.page.route(path, handle)


def test_a_tap_whose_answer_never_comes_does_not_swallow_the_next(serve: Serve, phones: Phones) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.page.clock.install()
    phone.sit("red")
    phone.see('[data-key="power7"]')
    leave_unanswered(phone, "**/say")
    with phone.page.expect_request("**/say"):
        phone.tap('[data-key="power7"]')
    phone.page.clock.fast_forward(LATE_MS)
    phone.read("The table isn't responding. Try again.", ".problem")
    phone.tap('[data-key="power7"]')
    phone.see('[data-key="power7"]', "detached")
    assert str(table.game.moves[-1]) == "red power 7"


def test_a_button_of_the_virtual_board_whose_answer_never_comes_does_not_block_the_others(
    serve: Serve, phones: Phones
) -> None:
    table = serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3}))
    screen = phones.new(table, SCREEN)
    screen.page.clock.install()
    screen.sit("red", path="/board")
    screen.see("#question.mine")
    leave_unanswered(screen, "**/board/button")
    with screen.page.expect_request("**/board/button"):
        screen.click('[data-button="castillo"]')
    screen.page.clock.run_for(2 * LATE_MS)
    screen.click('[data-button="castillo"]')
    screen.page.clock.run_for(1_000)
    table.played("red place castillo")
    assert [move.verb for move in table.game.moves].count("place") == 1


def test_a_page_connects_again_though_the_question_whose_seat_it_is_stays_unanswered(
    serve: Serve, phones: Phones
) -> None:
    table = serve(opening(THREE))
    phone = phones.new(table)
    phone.allowed.append("ERR_FAILED")
    phone.page.clock.install()
    phone.sit("red")
    phone.see('[data-key="power7"]')
    phone.page.route("**/me", lambda route: None)
    phone.page.route("**/events*", lambda route: route.abort())
    with phone.page.expect_request("**/me"):
        phone.page.evaluate("() => window.dispatchEvent(new Event('online'))")
        phone.see("#connection")
        phone.page.clock.run_for(1_000)
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.page.clock.run_for(LATE_MS)
    phone.see("#connection", "hidden")
