"""The workshop in a real browser: open it with the code, try every part, enrol pieces, see faults as they occur."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize

from companion.translations import LANGUAGES, Translator
from hardware.ports import DARK
from tests.browser.phones import SCREEN, SMALL, Device, Phones
from tests.browser.positions import BOARD, THREE
from tests.browser.served import Serve, Served
from tests.browser.test_accessible import faults
from tests.browser.test_keys_and_type import cut, reach, twice_as_large
from tests.browser.test_languages import texts
from tests.support.arrange import turn_of
from web_remote.texts import TEXTS
from web_remote.workshop_texts import WORKSHOP_TEXTS


@pytest.fixture
def table(serve: Serve) -> Served:
    return serve(turn_of("score-4s", THREE, board=BOARD, court={"red": 3}), board="standard")


def enter(table: Served, device: Device) -> None:
    """Opens the workshop with the table code."""
    device.open("/workshop")
    device.page.fill("[name=code]", table.codes.table_code)
    (device.click if device.page.viewport_size == SCREEN else device.tap)("#unlock button")
    device.see('#checks .look[aria-disabled="false"]')


def test_it_opens_only_with_the_code_and_shows_what_the_doctor_finds(table: Served, phones: Phones) -> None:
    phone = phones.new(table)
    phone.allowed = [r"403"]
    phone.open("/workshop")
    phone.page.fill("[name=code]", "00000000")
    phone.tap("#unlock button")
    phone.read("That is not the table code", "#unlock .answer")
    assert phone.page.locator("#checks").count() == 0
    enter(table, phone)
    phone.tap("#checks details:first-of-type summary")
    phone.read("The hub north answers", "#checks")
    phone.picture("workshop-checks")


def test_nothing_is_said_to_work_before_the_doctor_has_found_anything(table: Served, phones: Phones) -> None:
    phone = phones.new(table)
    phone.page.route("**/workshop/look", lambda route: route.fulfill(json={"ok": True}))
    phone.open("/workshop")
    phone.page.fill("[name=code]", table.codes.table_code)
    phone.tap("#unlock button")
    phone.read(WORKSHOP_TEXTS["looking"], "#checks .sum")
    phone.see('#checks .look[aria-disabled="true"]')


def test_a_cable_that_is_pulled_shows_by_itself_and_so_does_its_return(table: Served, phones: Phones) -> None:
    phone = phones.new(table)
    enter(table, phone)
    table.board.hubs["north"].unplug()
    phone.read("The hub north is not connected", "#checks .problem")
    phone.read("The hub north", "#checks .troubles")
    phone.picture("workshop-problem")
    table.board.hubs["north"].plug()
    phone.see("#checks .problem", "detached")
    phone.see("#checks .troubles", "hidden")


def test_each_part_is_tried_with_real_fingers_while_the_game_waits(table: Served, phones: Phones) -> None:
    phone, player = phones.new(table), phones.new(table)
    player.sit("red")
    moves = table.table.game.moves
    enter(table, phone)
    phone.tap("#try .hold")
    phone.see("#try .parts")
    player.read("The board is being tried out in the workshop")
    phone.tap("#try .next")
    phone.read("1 of 24: Galicia: lights 0, 1, 2, 3, 4", "#try .step")
    assert all(any(colour) for colour in table.board.colours("galicia"))
    phone.tap('[data-key="light-granada"]')
    phone.see('[data-key="light-granada"][aria-pressed="true"]')
    assert list(table.board.lights.scene.places) == ["granada"]
    # On the board itself, and by the page's own hands.
    table.board.press("granada")
    phone.read("1 of 12 buttons tried", "#try .tried")
    phone.tap('[data-key="press-sevilla"]')
    phone.read("2 of 12 buttons tried", "#try .tried")
    table.board.tap("0A0B0C0D", "aragon")
    phone.read("0A0B0C0D", "#try .places")
    phone.tap('[data-key="hold-castillo"]')
    phone.read("2 of 10 readers tried", "#try .tried")
    phone.picture("workshop-trying")
    assert table.table.game.moves == moves
    phone.tap("#try .hold")
    phone.see("#try .parts", "hidden")
    player.see(":text('being tried')", "detached")
    assert table.board.lights.scene != DARK
    with player.answered():
        player.place("castillo")
    assert len(table.table.game.moves) == len(moves) + 1


def test_pieces_are_enrolled_and_forgotten(table: Served, phones: Phones) -> None:
    phone = phones.new(table)
    enter(table, phone)
    phone.read("for practice", "#enrolment")
    phone.tap('[data-key="enrol"]')
    phone.read("Tap now: the red caballeros", "#enrolment")
    phone.tap('[data-key="tap-new"]')
    phone.read("1 of 30", ".batch")
    table.board.tap("0A0B0C0D", "granada")
    phone.read("0A0B0C0D is a red caballero now.", "#enrolment .said")
    phone.picture("workshop-enrolment")
    phone.tap('[data-key="finish"]')
    phone.read("2 of 30 enrolled", "#enrolment .said")
    phone.tap("#enrolment .counts summary")
    phone.read("the red caballeros", "#enrolment .counts")
    phone.tap("#enrolment details:last-child > summary")
    phone.page.fill("[name=tag]", "nonsense")
    phone.allowed = ["400"]
    phone.page.keyboard.press("Enter")
    phone.read("A tag number has 8 or 14", "#enrolment .answer")
    phone.page.fill("[name=tag]", "0a0b0c0d")
    phone.page.keyboard.press("Enter")
    phone.read("Forgotten: 0A0B0C0D", "#enrolment .said")


def test_the_serial_log_goes_on_and_the_bundle_is_a_file(table: Served, phones: Phones, tmp_path: Path) -> None:
    screen = phones.new(table, SCREEN)
    enter(table, screen)
    screen.click("#serial summary")
    table.board.tap("0A0B0C0D", "granada")
    screen.read("0A0B0C0D", "#serial .lines")
    assert screen.page.locator("#serial .routine").first.is_hidden()
    screen.click("#serial [name=routine]")
    screen.see("#serial .routine")
    with screen.page.expect_download() as download:
        screen.click("#bundle a")
    download.value.save_as(tmp_path / "bundle.zip")
    with zipfile.ZipFile(tmp_path / "bundle.zip") as bundle:
        assert "el-grande-support/doctor.json" in bundle.namelist()
    screen.picture("workshop-screen")


@pytest.mark.parametrize("size", [SMALL, SCREEN], ids=["phone", "screen"])
def test_axe_finds_nothing_in_the_workshop(size: ViewportSize, table: Served, phones: Phones) -> None:
    device = phones.new(table, size, injects=True)
    device.open("/workshop")
    assert faults(device) == []
    table.board.hubs["north"].unplug()
    enter(table, device)
    device.see("#checks .problem")
    device.page.click("#try .hold")
    device.see("#try .parts")
    device.page.click('[data-key="enrol"]')
    device.see(".batch")
    device.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert faults(device) == []
    assert device.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_it_speaks_every_language_and_fits_in_letters_twice_as_large(
    language: str, table: Served, phones: Phones
) -> None:
    phone = phones.new(table, SMALL, injects=True, language=language)
    enter(table, phone)
    words = Translator(language, table.game.edition)
    phone.tap("#try .hold")
    phone.see("#try .parts")
    phone.tap('[data-key="enrol"]')
    phone.see(".batch")
    phone.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
    found = texts(phone)
    english = {
        text for text in (*TEXTS.values(), *WORKSHOP_TEXTS.values()) if words.text(text) != text and "{" not in text
    }
    assert found & english == set()
    assert words.text(WORKSHOP_TEXTS["give-back"]) in found
    phone.picture(f"workshop-{language}")
    twice_as_large(phone)
    wider, outside, _ = cut(phone)
    assert (wider, outside) == (0, [])


def test_the_board_is_tried_by_keys_alone(table: Served, phones: Phones) -> None:
    phone = phones.new(table)
    phone.open("/workshop")
    reach(phone, "[name=code]")
    keys = phone.page.keyboard
    keys.type(table.codes.table_code)
    keys.press("Enter")
    phone.see('#checks .look[aria-disabled="false"]')
    reach(phone, "#try .hold")
    keys.press("Enter")
    phone.see("#try .parts")
    for place in ("galicia", "aragon"):
        reach(phone, f'[data-key="light-{place}"]')
        keys.press("Space")
        # What is shown again keeps the focus.
        phone.see(f'[data-key="light-{place}"][aria-pressed="true"]:focus')
    reach(phone, '[data-key="press-aragon"]')
    keys.press("Enter")
    phone.read("1 of 12 buttons tried", "#try .tried")
