"""The network service keeps the machine reachable: by cable, by a known Wi-Fi, and otherwise by the table's own."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.network import NetworkLink, NetworkProblem, NmcliFailed, Refusal, RequestRefused, Security
from companion.network.control import (
    AGAIN_S,
    FIRST_WAIT_S,
    JOIN_S,
    LOST_WAIT_S,
    NOTICE_S,
    RETRY_S,
    RETRY_WAIT_S,
    ForgetWifi,
    JoinWifi,
    ScanWifi,
)
from companion.network.nmcli import Nmcli, terse_fields
from companion.network.profiles import HOTSPOT_FILE, HOTSPOT_UUID, chosen_uuid
from tests.network.simulated_air import HOME, HOTSPOT, PASSWORD, SimulatedAir, sender
from tests.support import nmcli_stand_in

STAND_IN = Path(nmcli_stand_in.__file__)
Machine = Callable[..., SimulatedAir]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return lambda **state: SimulatedAir(tmp_path, **state)


def at_the_hotspot(machine: Machine, **state: Any) -> SimulatedAir:
    air = machine(**{"air": [sender(HOME, password=PASSWORD)], **state})
    air.pass_time(FIRST_WAIT_S)
    assert air.hotspot_is_open
    return air


# --- Without a known network -----------------------------------------------------------------------------------------


def test_without_a_known_network_the_table_opens_its_own_after_45_s(machine: Machine) -> None:
    air = machine(air=[sender(HOME, password=PASSWORD)])
    air.pass_time(FIRST_WAIT_S - 1)
    assert air.control.state.link is NetworkLink.STARTING
    assert not air.hotspot_is_open
    air.pass_time(2)
    assert air.hotspot_is_open
    state = air.control.state
    assert (state.link, state.problem, state.hotspot) == (NetworkLink.HOTSPOT, NetworkProblem.NONE, HOTSPOT)
    # It looked for networks first, because it cannot while its own Wi-Fi is open.
    assert [network.name for network in state.networks] == [HOME]
    assert state.looked_s_ago in (0, 1)


def test_its_own_network_is_wpa2_with_a_fixed_address_and_joined_by_nobody_itself(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    file = air.profiles / HOTSPOT_FILE
    assert oct(file.stat().st_mode)[-3:] == "600"
    lines = file.read_text().splitlines()
    for line in ("mode=ap", "key-mgmt=wpa-psk", "proto=rsn;", "pmf=1", "address1=10.42.0.1/24", "autoconnect=false"):
        assert line in lines
    (profile,) = air["profiles"]
    assert (bytes.fromhex(profile["ssid"]).decode(), profile["psk"]) == (HOTSPOT.name, HOTSPOT.password)


def test_a_known_network_is_used_and_named(machine: Machine) -> None:
    air = machine(air=[sender(HOME, password=PASSWORD)])
    air.know(HOME)
    air.pass_time(FIRST_WAIT_S * 2)
    assert (air.control.state.link, air.control.state.network) == (NetworkLink.WIFI, HOME)
    assert not air.ran("up")


def test_a_cable_closes_the_table_s_own_network_and_pulling_it_opens_it_again(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    air.change(ethernet="connected")
    air.pass_time(6)
    assert air.control.state.link is NetworkLink.WIRED
    assert not air.hotspot_is_open
    air.change(ethernet="unavailable")
    air.pass_time(LOST_WAIT_S - 10)
    assert not air.hotspot_is_open
    air.pass_time(20)
    assert air.hotspot_is_open


def test_a_network_that_is_being_joined_gets_more_time(machine: Machine) -> None:
    air = machine(wifi="connecting (getting IP configuration)")
    air.pass_time(FIRST_WAIT_S + 30)
    assert not air.hotspot_is_open
    air.pass_time(30)
    assert air.hotspot_is_open


def test_a_radio_that_is_off_is_switched_on(machine: Machine) -> None:
    air = machine(radio=False)
    air.pass_time(FIRST_WAIT_S + 1)
    assert air.hotspot_is_open


def test_a_machine_without_wifi_says_so(machine: Machine) -> None:
    air = machine(wifi=None)
    air.pass_time(FIRST_WAIT_S + 1)
    assert (air.control.state.link, air.control.state.problem) == (NetworkLink.OFFLINE, NetworkProblem.NO_WIFI)
    air.change(ethernet="connected")
    air.pass_time(6)
    assert (air.control.state.link, air.control.state.problem) == (NetworkLink.WIRED, NetworkProblem.NONE)


def test_a_hotspot_that_does_not_open_is_tried_again(machine: Machine) -> None:
    air = machine(no_hotspot=True)
    air.pass_time(FIRST_WAIT_S + 1)
    assert (air.control.state.link, air.control.state.problem) == (NetworkLink.OFFLINE, NetworkProblem.NO_HOTSPOT)
    air.change(no_hotspot=False)
    air.pass_time(AGAIN_S)
    assert air.hotspot_is_open
    assert air.control.state.problem is NetworkProblem.NONE


def test_without_networkmanager_it_waits_for_it(machine: Machine) -> None:
    air = machine(running=False)
    air.pass_time(10)
    assert (air.control.state.link, air.control.state.problem) == (NetworkLink.OFFLINE, NetworkProblem.NO_MANAGER)
    air.change(running=True)
    air.pass_time(FIRST_WAIT_S)
    assert air.hotspot_is_open
    assert air.control.state.problem is NetworkProblem.NONE


def test_a_start_beside_an_open_hotspot_leaves_it_open(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    ups = len(air.ran("up"))
    air.control = air.started()
    air.pass_time(FIRST_WAIT_S * 2)
    assert air.control.state.link is NetworkLink.HOTSPOT
    assert len(air.ran("up")) == ups


# --- A known network comes back --------------------------------------------------------------------------------------


def test_a_known_network_that_is_back_is_used_while_no_phone_would_lose_the_table(machine: Machine) -> None:
    air = at_the_hotspot(machine, air=[])
    air.know(HOME)
    air.change(air=[sender(HOME, password=PASSWORD)])
    air.phones = 1
    air.pass_time(RETRY_S + 10)
    assert air.hotspot_is_open
    air.phones = None  # not known
    air.pass_time(RETRY_S + 10)
    assert air.hotspot_is_open
    air.phones = 0
    air.pass_time(RETRY_S + 10)
    assert air.control.state.link is NetworkLink.WIFI


def test_if_it_is_not_back_the_table_s_own_opens_again(machine: Machine) -> None:
    air = at_the_hotspot(machine, air=[])
    air.know(HOME)
    air.pass_time(RETRY_S - 10)
    assert not air.ran("down")
    air.pass_time(20)
    assert not air.hotspot_is_open
    air.pass_time(RETRY_WAIT_S + 5)
    assert air.hotspot_is_open


def test_where_no_network_is_known_it_stays_open(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    air.pass_time(RETRY_S * 2)
    assert not air.ran("down")


# --- Joining ---------------------------------------------------------------------------------------------------------


def join(air: SimulatedAir, name: str = HOME, password: str = PASSWORD, hidden: bool = False) -> None:
    air.control.request(JoinWifi(name.encode(), password, hidden))
    assert (air.control.state.link, air.control.state.network) == (NetworkLink.JOINING, name)
    ups = air.ran("up")
    air.pass_time(NOTICE_S - 1)
    assert air.ran("up") == ups
    air.pass_time(2)


def test_a_network_is_joined_and_known_from_then_on(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    join(air)
    state = air.control.state
    assert (state.link, state.network, state.chosen) == (NetworkLink.WIFI, HOME, (HOME,))
    (profile,) = (each for each in air["profiles"] if each["uuid"] != HOTSPOT_UUID)
    assert (profile["psk"], profile["autoconnect"], profile["key-mgmt"]) == (PASSWORD, True, "wpa-psk")
    # After a power cut it is joined without anybody.
    air.change(active=None)
    air.control = air.started()
    air.pass_time(1)
    assert air.control.state.link is NetworkLink.WIFI


@pytest.mark.parametrize(
    ("heard", "problem"),
    [
        ([sender(HOME, password="another one")], NetworkProblem.PASSWORD),
        ([], NetworkProblem.OUT_OF_RANGE),
        ([sender(HOME, failure="timeout")], NetworkProblem.TOO_SLOW),
        ([sender(HOME, failure="802.1X supplicant took too long to authenticate")], NetworkProblem.PASSWORD),
        (
            [sender(HOME, failure="IP configuration could not be reserved (no available address, timeout, etc.)")],
            NetworkProblem.NO_ADDRESS,
        ),
        ([sender(HOME, failure="Unknown error")], NetworkProblem.FAILED),
    ],
)
def test_if_that_fails_the_table_s_own_comes_back_and_the_state_says_why(
    machine: Machine, heard: list[dict[str, Any]], problem: NetworkProblem
) -> None:
    air = at_the_hotspot(machine)
    air.change(air=heard)
    join(air)
    assert air.hotspot_is_open
    state = air.control.state
    assert (state.link, state.problem, state.tried, state.chosen) == (NetworkLink.HOTSPOT, problem, HOME, ())
    assert air.files() == [HOTSPOT_FILE]
    # It stays to be read, until a network is joined.
    air.pass_time(60)
    assert air.control.state.problem is problem
    air.change(air=[sender(HOME, password=PASSWORD)])
    join(air)
    assert (air.control.state.problem, air.control.state.tried) == (NetworkProblem.NONE, "")


def test_joining_takes_at_most_30_s(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    join(air)
    (call,) = (call for call in air.ran("up") if HOTSPOT_UUID not in call)
    assert call[:2] == ["--wait", str(JOIN_S)] == ["--wait", "30"]


def test_a_wrong_password_for_another_network_returns_to_the_one_of_before(machine: Machine) -> None:
    air = machine(air=[sender(HOME, password=PASSWORD), sender("Cabin", password="not this one")])
    known = air.know(HOME)
    air.pass_time(10)
    air.control.request(ScanWifi())
    air.pass_time(NOTICE_S + 1)
    join(air, "Cabin")
    state = air.control.state
    assert (state.link, state.network, state.problem, state.tried) == (
        NetworkLink.WIFI, HOME, NetworkProblem.PASSWORD, "Cabin",
    )  # fmt: skip
    assert air["active"] == known
    assert not air.files()


def test_with_a_cable_a_failed_attempt_opens_nothing(machine: Machine) -> None:
    air = machine(ethernet="connected", air=[sender(HOME, password="another one")])
    air.control.request(ScanWifi())
    air.pass_time(NOTICE_S + 1)
    join(air)
    assert (air.control.state.link, air.control.state.problem) == (NetworkLink.WIRED, NetworkProblem.PASSWORD)
    assert not air.hotspot_is_open


def test_a_new_password_takes_the_place_of_the_old_one_only_if_it_works(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    join(air)
    good = air["active"]
    join(air, password="a wrong password")
    assert air["active"] == good
    air.change(air=[sender(HOME, password="the new password")])
    air.control.request(JoinWifi(HOME.encode(), "the new password"))
    air.pass_time(NOTICE_S + 1)
    chosen = [each["psk"] for each in air["profiles"] if each["uuid"] != HOTSPOT_UUID]
    assert chosen == ["the new password"]


@pytest.mark.parametrize(("security", "key"), [("WPA3", "sae"), ("WPA2 WPA3", "wpa-psk"), ("WPA1", "wpa-psk")])
def test_kinds_of_passwords(machine: Machine, security: str, key: str) -> None:
    air = at_the_hotspot(machine, air=[sender(HOME, password=PASSWORD, security=security)])
    join(air)
    (profile,) = (each for each in air["profiles"] if each["uuid"] != HOTSPOT_UUID)
    assert profile["key-mgmt"] == key


def test_an_open_network_needs_no_password(machine: Machine) -> None:
    air = at_the_hotspot(machine, air=[sender("Café", security="")])
    assert air.control.state.networks[0].security is Security.OPEN
    join(air, "Café", "")
    assert air.control.state.link is NetworkLink.WIFI


@pytest.mark.parametrize("password", [PASSWORD, ""])
def test_a_hidden_network_is_joined_by_its_name(machine: Machine, password: str) -> None:
    security = "WPA2" if password else ""
    air = at_the_hotspot(machine, air=[sender("Secret", hidden=True, password=password, security=security)])
    assert air.control.state.networks == ()
    join(air, "Secret", password, hidden=True)
    assert air.control.state.link is NetworkLink.WIFI


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (JoinWifi(b"", PASSWORD, True), Refusal.NAME),
        (JoinWifi(b"x" * 33, PASSWORD, True), Refusal.NAME),
        (JoinWifi(HOME.encode(), "short"), Refusal.PASSWORD),
        (JoinWifi(HOME.encode(), ""), Refusal.PASSWORD),
        (JoinWifi(HOME.encode(), "p" * 64), Refusal.PASSWORD),
        (JoinWifi(HOME.encode(), "with\nnewline"), Refusal.PASSWORD),
        (JoinWifi(b"Nowhere", PASSWORD), Refusal.UNKNOWN),
        (JoinWifi(b"Uni", PASSWORD), Refusal.SECURITY),
        (JoinWifi(b"Old", PASSWORD), Refusal.SECURITY),
    ],
)
def test_what_cannot_work_is_refused_before_anybody_loses_the_table(
    machine: Machine, request_: JoinWifi, why: Refusal
) -> None:
    others = [sender("Uni", security="WPA2 802.1X"), sender("Old", security="WEP")]
    air = at_the_hotspot(machine, air=[sender(HOME, password=PASSWORD), *others])
    with pytest.raises(RequestRefused) as refused:
        air.control.request(request_)
    assert refused.value.why == why
    air.pass_time(10)
    assert not air.ran("down")


def test_one_request_at_a_time(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    air.control.request(ScanWifi())
    with pytest.raises(RequestRefused) as refused:
        air.control.request(ForgetWifi())
    assert refused.value.why == Refusal.BUSY
    air.pass_time(NOTICE_S + 1)
    air.control.request(ForgetWifi())


def test_what_a_power_cut_in_the_middle_of_joining_left_is_deleted(machine: Machine) -> None:
    air = machine()
    air.know("Office")
    uuid = air.know(HOME, uuid=chosen_uuid())
    air.change(profiles=[{**each, "autoconnect": False} for each in air["profiles"]])
    air.pass_time(1)
    assert [call[-1] for call in air.ran("delete")] == [uuid]


def test_a_profile_is_never_changed_but_by_its_file(machine: Machine) -> None:
    # `nmcli connection modify` has NetworkManager write the profile again, on Raspberry Pi OS 13 by way of netplan.
    air = at_the_hotspot(machine)
    join(air)
    assert not air.ran("modify")
    (file,) = (air.profiles / name for name in air.files() if name != HOTSPOT_FILE)
    assert "autoconnect=true" in file.read_text().splitlines()
    assert oct(file.stat().st_mode)[-3:] == "600"


def test_a_network_that_worked_but_is_not_kept_counts_as_failed(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    air.change(loads_once=True)
    join(air)
    assert air.hotspot_is_open
    assert (air.control.state.problem, air.control.state.chosen) == (NetworkProblem.FAILED, ())
    assert air.files() == [HOTSPOT_FILE]


def test_a_chosen_network_is_known_wherever_its_profile_is_kept(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    join(air)
    moved = "/run/NetworkManager/system-connections/netplan-NM-1234-Home.nmconnection"
    air.change(profiles=[{**each, "file": moved} for each in air["profiles"]])
    air.control = air.started()
    air.pass_time(1)
    assert air.control.state.chosen == (HOME,)
    air.control.request(ForgetWifi())
    air.pass_time(NOTICE_S + 6)
    assert air.hotspot_is_open
    assert not air.control.state.chosen


# --- Looking and forgetting ------------------------------------------------------------------------------------------


def test_to_look_again_the_table_s_own_closes_for_a_moment(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    air.change(air=[sender(HOME, 40), sender("Cabin", 90), sender("Cabin", 50), sender("", 30)])
    air.control.request(ScanWifi())
    assert air.control.state.link is NetworkLink.SCANNING
    air.pass_time(NOTICE_S + 1)
    assert air.hotspot_is_open
    assert [(network.name, network.signal) for network in air.control.state.networks] == [("Cabin", 90), (HOME, 40)]


def test_its_own_name_is_not_in_the_list(machine: Machine) -> None:
    air = at_the_hotspot(machine, air=[sender(HOTSPOT.name), sender(HOME)])
    assert [network.name for network in air.control.state.networks] == [HOME]


def test_forgetting_opens_the_table_s_own_again_and_leaves_networks_of_others_alone(machine: Machine) -> None:
    air = at_the_hotspot(machine)
    join(air)
    air.know("Office")
    air.control.request(ForgetWifi())
    air.pass_time(NOTICE_S + 6)
    assert air.hotspot_is_open
    assert not air.control.state.chosen
    assert [each["name"] for each in air["profiles"] if each["uuid"] != HOTSPOT_UUID] == ["Office"]


# --- Secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("right", [True, False])
def test_a_password_is_in_no_command_line_no_log_and_no_state(
    machine: Machine, caplog: pytest.LogCaptureFixture, right: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    air = at_the_hotspot(machine)
    password = PASSWORD if right else "a wrong password"
    request = JoinWifi(HOME.encode(), password)
    join(air, password=password)
    everything = f"{air['calls']} {caplog.text} {air.control.state} {air.control.state.plain()} {request}"
    assert password not in everything
    assert password.replace("\\", "\\\\") not in everything
    # Its own password is for those who may ask for the state, and in no log.
    assert HOTSPOT.password not in f"{air['calls']} {caplog.text} {air.control.state}"


# --- What nmcli says -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a:b", "a\\b", "\\:", ":", "☕ 🏰", "", "a\\\\:\\", " x "])
def test_the_fields_of_a_line_are_what_was_put_in(name: str) -> None:
    escaped = name.replace("\\", "\\\\").replace(":", "\\:")
    assert terse_fields(f"wlan0:{escaped}:{escaped}") == ["wlan0", name, name]


def test_the_program_is_run_without_a_shell_and_in_no_language(tmp_path: Path) -> None:
    file, program = tmp_path / "nmcli.json", tmp_path / "nmcli"
    program.write_text(f'#!/bin/sh\nNMCLI_STAND_IN={file} exec {sys.executable} -S -E {STAND_IN} "$@"\n')
    program.chmod(0o755)
    file.write_text(json.dumps(SimulatedAir(tmp_path, air=[sender(HOME)]).whole))
    manager = Nmcli(str(program))
    assert [device.name for device in manager.devices()] == ["eth0", "wlan0", "lo"]
    assert [network.name for network in manager.networks("wlan0")] == [HOME]
    with pytest.raises(NmcliFailed, match="'x; reboot' is not an active connection"):
        manager.down("x; reboot")


def test_a_program_that_is_missing_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NmcliFailed, match="not installed"):
        Nmcli(str(tmp_path / "nmcli")).devices()


def test_names_of_any_bytes_can_be_joined(machine: Machine) -> None:
    odd = {"ssid": "ff00c30a", "signal": 50, "security": ""}
    air = at_the_hotspot(machine, air=[odd])
    assert air.control.state.networks[0].name == "????"
    air.control.request(JoinWifi(bytes.fromhex("ff00c30a")))
    air.pass_time(NOTICE_S + 1)
    assert air.control.state.link is NetworkLink.WIFI
