"""The table's own Wi-Fi on the table screen, and choosing another one in the workshop, in a real browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.network.control import NOTICE_S
from tests.browser.phones import SCREEN, SMALL, Device, Phones
from tests.browser.positions import THREE
from tests.browser.served import Serve, Served
from tests.browser.test_accessible import faults
from tests.browser.test_table_screen import fits, managed
from tests.network.served_network import ServedNetwork
from tests.network.simulated_air import HOME, HOTSPOT, PASSWORD, sender
from tests.support.arrange import opening
from web_remote.texts import TEXTS


@pytest.fixture
def network(tmp_path: Path) -> Iterator[ServedNetwork]:
    folder = tmp_path / "network"
    folder.mkdir()
    others = [sender("Café Central", 45, ""), sender("Uni", 30, "WPA2 802.1X")]
    network = ServedNetwork(folder, {os.getuid()}, air=[sender(HOME, password=PASSWORD), *others])
    yield network
    network.service.close()


@pytest.fixture
def table(serve: Serve, network: ServedNetwork) -> Served:
    table = serve(opening(THREE), board="standard")
    table.context.network = network.client
    return table


def entered(table: Served, device: Device) -> Device:
    """Opens the workshop in a browser that has the table code. Returns the device."""
    device.open("/workshop")
    assert device.post("/table/open", code=table.codes.table_code) == 200
    device.open("/workshop")
    device.read(HOTSPOT.name, "#wifi .state")
    return device


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_table_screen_shows_the_wifi_before_the_seats_and_all_fits(
    language: str, table: Served, phones: Phones
) -> None:
    screen = managed(phones.new(table, SCREEN, language))
    screen.see("#sit img[src='/qr/wifi.svg']")
    screen.read(HOTSPOT.password, "#sit .wifi")
    fits(screen, f"table-wifi-{language}")


def test_a_wrong_password_is_explained_when_the_table_s_wifi_is_back(
    table: Served, phones: Phones, network: ServedNetwork
) -> None:
    phone = entered(table, phones.new(table, SMALL, injects=True))
    phone.picture("workshop-wifi")
    phone.read("not supported", "#wifi .networks li:nth-child(3)")
    assert phone.page.locator("#wifi .networks li:nth-child(3) button").count() == 0
    phone.tap("#wifi .networks li:nth-child(1) button")
    phone.page.fill("#wifi [name=password]", "wrong password")
    phone.picture("workshop-wifi-chosen")
    phone.tap("#wifi .join button")
    phone.read("Connect this phone to", "#wifi .leaving")
    phone.picture("workshop-wifi-joining")
    network.air.pass_time(NOTICE_S + 1)
    phone.read("The password is probably wrong", "#wifi .problem")
    assert faults(phone) == []
    phone.picture("workshop-wifi-failed")


def test_the_right_password_joins_and_leaves_nothing_on_the_page(
    table: Served, phones: Phones, network: ServedNetwork
) -> None:
    screen = entered(table, phones.new(table, SCREEN))
    screen.click("#wifi .networks li:nth-child(1) button")
    screen.page.fill("#wifi [name=password]", PASSWORD)
    screen.click("#wifi .join button")
    screen.see("#wifi .leaving:not([hidden])")
    network.air.pass_time(NOTICE_S + 1)
    screen.read(f"Connected to {HOME}", "#wifi .state")
    assert PASSWORD not in screen.page.content()
    screen.picture("workshop-wifi-joined")
    with screen.page.expect_response("**/workshop/wifi/forget"):
        screen.click("#wifi [data-key=forget]")
    network.air.pass_time(NOTICE_S + 6)
    screen.read(HOTSPOT.name, "#wifi .state")


def test_a_hidden_and_an_open_network_and_a_short_password(table: Served, phones: Phones) -> None:
    phone = entered(table, phones.new(table, SMALL))
    phone.allowed = [r"409"]
    phone.tap("#wifi .networks li:nth-child(2) button")
    phone.see("#wifi .join .warning")
    phone.tap("#wifi .networks li:last-child button")
    phone.page.fill("#wifi [name=name]", "Hidden one")
    phone.page.fill("#wifi [name=password]", "short")
    phone.tap("#wifi .join button")
    phone.read("8 to 63 characters", "#wifi .answer")


def test_who_joins_reads_that_the_wifi_has_no_internet(table: Served, phones: Phones) -> None:
    phone = phones.new(table, SMALL)
    phone.open("/join")
    phone.read(TEXTS["stay-connected"], "#no-internet")
    phone.picture("join-no-internet")
