"""A phone takes a seat in the browser, by code or by the button that lights up, or is shown why it cannot."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route

from companion.cli.install_service import UNIT
from companion.engine import Game
from companion.translations import LANGUAGES
from tests.browser.phones import LARGE, SCREEN, Device, Phones
from tests.browser.served import Serve, Served
from tests.support.arrange import opening
from web_remote.access import FREE_TRIES
from web_remote.seats_api import take_seat

THREE = ("red", "blue", "green")
REFUSED = "status of 4(03|09|29)"
"""What the browser itself reports for an expected refusal."""


def game() -> Game:
    return opening(THREE)


def fill(phone: Device, seat: str, code: str, name: str = "") -> None:
    phone.see(f".seat-{seat}")
    phone.tap(f".seat-{seat}")
    phone.page.fill("#name", name)
    if phone.page.locator("#code").is_visible():
        phone.page.fill("#code", code)
    phone.tap("button[type=submit]")


def wrong(table: Served) -> str:
    """Returns a code that lets nobody in."""
    return table.codes.join_code[::-1] + "2"


def test_a_phone_sits_down_by_the_code_and_under_its_name(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table)
    phone.open("/")
    assert phone.page.url == f"{table.address}/join"
    phone.see(".seat-red")
    phone.picture("join")
    fill(phone, "red", table.codes.join_code, "Ann")
    phone.page.wait_for_url("**/phone")
    phone.read("Play a power card")
    assert table.now.holders.keys() == {"red"}
    cookies = phone.context.cookies()
    assert [(each.get("httpOnly"), each.get("sameSite")) for each in cookies] == [(True, "Lax")]
    assert phone.page.evaluate("document.cookie") == ""


def test_a_wrong_code_is_refused_in_words_and_after_many_the_right_one_too(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table)
    phone.allowed.append(REFUSED)
    phone.open("/join")
    for _ in range(FREE_TRIES):
        fill(phone, "red", wrong(table))
        phone.read("Wrong code. Look on the table screen.")
        phone.page.locator("#answer").evaluate("(answer) => (answer.textContent = '')")
    phone.picture("join-wrong-code")
    fill(phone, "red", table.codes.join_code)
    phone.read("Too many tries. Try again in 10 s.")
    assert not table.now.holders


def test_the_picture_on_the_table_screen_leads_to_a_seat_with_its_code(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table, LARGE)
    phone.open(f"/join?seat=blue&code={table.codes.join_code}")
    phone.see(".seat-blue")
    assert not phone.page.locator("#code").is_visible()
    assert phone.page.locator("input[value=blue]").is_checked()
    phone.tap("button[type=submit]")
    phone.page.wait_for_url("**/phone")


def test_an_old_picture_asks_for_the_code(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table)
    phone.allowed.append(REFUSED)
    phone.open(f"/join?seat=blue&code={wrong(table)}")
    phone.see(".seat-blue")
    phone.tap("button[type=submit]")
    phone.read("Wrong code. Look on the table screen.")
    fill(phone, "blue", table.codes.join_code)
    phone.page.wait_for_url("**/phone")


def test_without_a_screen_somebody_presses_the_button_that_lights_up(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table)
    phone.open("/join")
    phone.see(".seat-green")
    phone.tap("#knock")
    assert phone.page.locator("#seats input:invalid").count() > 0
    assert table.now.public.knocking is None
    phone.tap(".seat-green")
    phone.page.fill("#name", "Bo")
    phone.tap("#knock")
    phone.read("Have somebody press the button that is lit in your colour.")
    phone.picture("join-knocked")
    table.shown(knocking="green")
    table.board.press(table.lit_for_a_phone)
    phone.page.wait_for_url("**/phone")
    phone.read("Bo")
    assert table.now.holders.keys() == {"green"}


def test_a_seat_that_is_taken_cannot_be_chosen_until_somebody_at_the_board_opens_it(
    serve: Serve, phones: Phones
) -> None:
    table = serve(game())
    first, second = phones.new(table), phones.new(table)
    second.open("/join")
    second.see(".seat-red")
    first.sit("red")
    second.see(".seat-red .note")
    assert second.page.locator("input[value=red]").is_disabled()
    second.picture("join-taken")
    first.up_to_date()
    # Red is to play a power card: no place is lit, and each button is a dark one.
    table.board.press("aragon", seconds=None)
    table.shown(seats_open=True)
    table.board.release("aragon")
    second.see(".seat-red .note", "detached")
    fill(second, "red", table.codes.join_code)
    second.page.wait_for_url("**/phone")
    first.page.wait_for_url("**/join?gone=*")
    first.read("This seat is now played on another screen.")
    first.picture("join-gone")


def test_a_seat_that_was_taken_meanwhile_is_refused_in_words(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    late = phones.new(table)
    late.allowed.append(REFUSED)

    def be_late(route: Route) -> None:
        if route.request.method == "POST":
            take_seat(table.context, "red", "the token of another phone")
        route.continue_()

    late.page.route("**/join", be_late)
    late.open("/join")
    fill(late, "red", table.codes.join_code)
    late.read("That seat is taken. To take it over, hold down a dark button on the board.")
    late.see(".seat-red .note")


def test_all_seats_are_taken_and_one_may_watch(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phones.new(table).sit(*THREE)
    late = phones.new(table)
    late.open("/join")
    late.read("All seats are taken.")
    late.tap("a[href='/table']")
    late.page.wait_for_url("**/table")
    late.after(0)


def test_who_leaves_is_asked_twice_and_the_seat_is_free(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table)
    phone.sit("red")
    phone.see("#question")
    phone.tap(".menu summary")
    phone.tap(".menu button")
    phone.read("Tap again to leave")
    phone.picture("phone-help")
    phone.tap(".menu button")
    # And not where it is said that another may have taken the seat.
    phone.page.wait_for_url("**/join")
    table.shown(held_seats=())


def test_who_leaves_several_seats_leaves_them_all(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table)
    phone.sit("red", "blue")
    phone.see("#question")
    phone.tap(".menu summary")
    phone.tap(".menu button")
    phone.tap(".menu button")
    phone.page.wait_for_url("**/join")
    table.shown(held_seats=())


def test_nobody_at_a_name_of_the_network_is_trusted_for_being_here(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    screen = phones.new(table, SCREEN)
    screen.open("/board")
    assert screen.page.url == f"{table.address}/join"
    screen.open("/table")
    screen.after(0)
    assert table.codes.join_code not in screen.page.content()
    assert screen.page.evaluate("isSecureContext") is False


def test_the_phone_of_a_seat_that_is_given_to_a_bot_is_told_so_and_may_watch(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone, screen = phones.new(table), phones.new(table, SCREEN)
    phone.sit("red")
    phone.up_to_date()
    phones.new(table).sit("blue", "green")
    screen.open("/table")
    assert screen.post("/table/open", code=table.codes.table_code) == 200
    screen.page.reload()
    screen.page.click("#manage summary")
    screen.page.select_option('[data-key="player-red"]', "easy")
    screen.page.click('[data-key="change-red"]')
    phone.page.wait_for_url("**/join?gone=red")
    phone.read("A bot plays red now, so no phone can have that seat. You may take another, or watch.")
    screen.read("A bot plays red now.")
    phone.picture("join-bot-plays")
    phone.tap("a[href='/table']")
    phone.after(0)


def test_who_knocks_learns_that_another_phone_was_faster(serve: Serve, phones: Phones) -> None:
    table = serve(game())
    phone = phones.new(table)
    phone.open("/join")
    phone.see(".seat-green")
    phone.tap(".seat-green")
    phone.tap("#knock")
    table.shown(knocking="green")
    take_seat(table.context, "green", "the token of another phone")
    phone.see(".seat-green .note")
    table.board.press(table.lit_for_a_phone)
    phone.read("That seat is taken. To take it over, hold down a dark button on the board.")


def test_a_phone_that_scans_the_qr_code_types_nothing_and_its_address_keeps_no_token(
    serve: Serve, phones: Phones
) -> None:
    table = serve(game())
    phone = phones.new(table, LARGE)
    phone.open(f"/join?seat=red&key={table.codes.join_token}")
    phone.see(".seat-red")
    assert not phone.page.locator("#code").is_visible()
    assert phone.page.url == f"{table.address}/join?seat=red"
    phone.tap("button[type=submit]")
    phone.page.wait_for_url("**/phone")
    assert table.now.holders.keys() == {"red"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_table_code_says_where_the_right_one_stands(serve: Serve, phones: Phones, language: str) -> None:
    table = serve(game())
    screen = phones.new(table, SCREEN, language)
    screen.allowed.append(REFUSED)
    screen.open("/table")
    screen.after(0)
    screen.page.click("#unlock summary")
    screen.page.fill("#unlock input", "no")
    screen.page.click("#unlock button")
    screen.read(f"journalctl -u {UNIT.removesuffix('.service')}", "#unlock")
