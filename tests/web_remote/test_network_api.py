"""The Wi-Fi section of the workshop and the Wi-Fi code of the table screen: who may, and what is never told."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.network import NetworkClient, NetworkLink, NetworkProblem, Refusal, Security
from companion.network.control import NOTICE_S
from hardware.board import find_board
from hardware.simulated.board import SimulatedBoard
from tests.network.served_network import ServedNetwork
from tests.network.simulated_air import HOME, HOTSPOT, PASSWORD, sender
from tests.support.table_rig import placing
from tests.support.web_rig import WebRig, with_pages
from tests.web_remote.test_workshop_api import keeper, open_workshop
from web_remote.network_api import hotspot_is_open
from web_remote.network_words import LINKS, PROBLEMS, REFUSALS, SECURITIES
from web_remote.probes import PROBES

GETS = ("/table/wifi", "/qr/wifi.svg", "/workshop/wifi")
POSTS = ("scan", "join", "forget")
SSID = HOME.encode().hex()


@pytest.fixture
def network(tmp_path: Path) -> Iterator[ServedNetwork]:
    folder = tmp_path / "network"
    folder.mkdir()
    others = [sender("Café", 30, ""), sender("Uni", 20, "WPA2 802.1X")]
    network = ServedNetwork(folder, {os.getuid()}, air=[sender(HOME, password=PASSWORD), *others])
    yield network
    network.service.close()


@pytest.fixture
def web(tmp_path: Path, network: ServedNetwork) -> Iterator[WebRig]:
    with SimulatedBoard(find_board("standard"), by_hand=True) as board, with_pages(tmp_path, placing()) as web:
        board.advance(1.0)
        workshop = open_workshop(web, board, tmp_path)
        web.context.network = network.client
        yield web
        workshop.close()


def test_only_those_who_manage_the_table_are_told_and_may_change_it(web: WebRig) -> None:
    for browser in (web.browser(), web.browser("red")):
        assert [browser.get(path).status_code for path in GETS] == [403] * len(GETS)
        assert [browser.post(f"/workshop/wifi/{path}").status_code for path in POSTS] == [403] * len(POSTS)
        for page in ("/table", "/workshop", "/join"):
            assert HOTSPOT.password not in browser.get(page).text


def test_where_nothing_looks_after_the_network_there_is_no_section(web: WebRig) -> None:
    browser = keeper(web)
    assert 'id="wifi"' in browser.get("/workshop").text
    web.context.network = None
    assert 'id="wifi"' not in browser.get("/workshop").text
    assert [browser.get(path).status_code for path in GETS] == [404] * len(GETS)
    assert browser.post("/workshop/wifi/scan").status_code == 404


def test_the_page_is_told_the_state_and_the_networks(web: WebRig) -> None:
    told = keeper(web).get("/workshop/wifi").json
    assert told is not None
    assert (told["link"], told["hotspot"]) == ("hotspot", {"name": HOTSPOT.name, "password": HOTSPOT.password})
    assert told["words"].startswith(f"The table has its own Wi-Fi: {HOTSPOT.name}")
    listed = [(each["name"], each["words"], each["is_open"], each["can_be_joined"]) for each in told["networks"]]
    assert listed == [
        (HOME, "Signal 70 % · Password", False, True),
        ("Café", "Signal 30 % · No password", True, True),
        ("Uni", "Signal 20 % · Needs a user name: not supported", False, False),
    ]
    assert told["address"].endswith(".local")


def test_a_network_is_joined_and_its_password_is_nowhere_afterwards(web: WebRig, network: ServedNetwork) -> None:
    browser = keeper(web)
    assert browser.post("/workshop/wifi/join", ssid=SSID, password=PASSWORD).status_code == 200
    network.air.pass_time(NOTICE_S + 1)
    told = browser.get("/workshop/wifi")
    assert told.json is not None
    assert (told.json["link"], told.json["network"]) == ("wifi", HOME)
    bundle = zipfile.ZipFile(io.BytesIO(browser.get("/workshop/bundle").data))
    bundled = "".join(bundle.read(name).decode() for name in bundle.namelist())
    everything = told.text + browser.get("/workshop").text + browser.get("/table").text + bundled
    everything += "".join(web.context.log.lines)
    assert PASSWORD not in everything.replace("\\\\", "\\")
    assert HOTSPOT.password not in bundled
    assert browser.get("/table/wifi").json == {"hotspot": None}
    assert browser.post("/workshop/wifi/forget").status_code == 200


def test_a_hidden_network_is_joined_by_its_name(web: WebRig, network: ServedNetwork) -> None:
    network.air.change(air=[sender("Verstopt ☕", hidden=True, password=PASSWORD)])
    assert keeper(web).post("/workshop/wifi/join", name="Verstopt ☕", password=PASSWORD).status_code == 200
    network.air.pass_time(NOTICE_S + 1)
    assert network.air.control.state.network == "Verstopt ☕"


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"ssid": SSID, "password": "short"}, 409, "password"),
        ({"ssid": "556e69", "password": PASSWORD}, 409, "security"),
        ({"ssid": "4e6f", "password": PASSWORD}, 409, "unknown"),
        ({"name": "ü" * 20, "password": PASSWORD}, 409, "name"),
        ({"ssid": "../x", "password": PASSWORD}, 400, "bad request"),
        ({"ssid": SSID, "password": "x" * 65}, 400, "bad request"),
        ({"ssid": SSID, "password": 1}, 400, "bad request"),
        ({}, 400, "bad request"),
    ],
)
def test_what_cannot_work_is_refused_with_a_reason(
    web: WebRig, fields: dict[str, object], status: int, error: str
) -> None:
    answer = keeper(web).post("/workshop/wifi/join", **fields)
    assert (answer.status_code, (answer.json or {}).get("error")) == (status, error)
    assert bool((answer.json or {}).get("why")) is (status == 409)


def test_everything_that_can_be_the_case_has_words() -> None:
    assert LINKS.keys() == set(NetworkLink)
    assert PROBLEMS.keys() == set(NetworkProblem) - {NetworkProblem.NONE}
    assert REFUSALS.keys() == set(Refusal)
    assert SECURITIES.keys() == set(Security)


def test_a_second_request_waits_its_turn(web: WebRig) -> None:
    browser = keeper(web)
    assert browser.post("/workshop/wifi/scan").status_code == 200
    assert browser.post("/workshop/wifi/scan").status_code == 409


def test_a_network_service_that_is_silent_is_said_to_be(web: WebRig, tmp_path: Path) -> None:
    web.context.network = NetworkClient(tmp_path / "nothing.sock")
    browser = keeper(web)
    assert [browser.get(path).status_code for path in GETS] == [503] * len(GETS)
    assert browser.post("/workshop/wifi/forget").status_code == 503
    assert browser.get("/table").status_code == browser.get("/join").status_code == 200


def test_the_table_screen_has_a_code_for_the_wifi(web: WebRig) -> None:
    browser = keeper(web)
    assert browser.get("/table/wifi").json == {"hotspot": {"name": HOTSPOT.name, "password": HOTSPOT.password}}
    picture = browser.get("/qr/wifi.svg")
    assert picture.mimetype == "image/svg+xml"
    assert HOTSPOT.password not in picture.text


def test_who_joins_is_told_to_stay_though_there_is_no_internet(web: WebRig, network: ServedNetwork) -> None:
    assert hotspot_is_open(web.context)
    assert 'id="no-internet"' in web.browser().get("/join").text
    network.air.change(ethernet="connected")
    network.air.pass_time(6)
    assert 'id="no-internet"' not in web.browser().get("/join").text


@pytest.mark.parametrize(("host", "path"), PROBES)
def test_a_phone_that_looks_for_internet_is_told_what_it_expects(web: WebRig, host: str, path: str) -> None:
    status, text = PROBES[host, path]
    answer = web.browser().get(path, headers={"Host": host})
    assert (answer.status_code, answer.text) == (status, text)
    assert web.browser().get("/join", headers={"Host": host}).status_code == 421
    web.context.network = None
    assert web.browser().get(path, headers={"Host": host}).status_code == 421


def test_the_names_that_lead_to_the_table_are_those_it_answers_for() -> None:
    conf = Path(__file__).parents[2] / "packaging" / "el-grande-network.dnsmasq.conf"
    named = {line.split("/")[1] for line in conf.read_text().splitlines() if line.startswith("address=/")}
    assert named == {"local", *(host for host, _ in PROBES)}
