"""The socket of the network service: who may ask, what can be asked, and what is made of nonsense."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.network import (
    NetworkClient,
    NetworkLink,
    NetworkOutOfReach,
    NetworkService,
    Refusal,
    RequestRefused,
    find_network,
)
from companion.network.control import NOTICE_S
from tests.network.served_network import ServedNetwork
from tests.network.simulated_air import HOME, HOTSPOT, PASSWORD


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedNetwork]:
    served = ServedNetwork(tmp_path, {os.getuid()})
    yield served
    served.service.close()


def test_the_table_is_told_the_state(served: ServedNetwork) -> None:
    state = served.client.state
    assert state is not None
    assert state == served.air.control.state
    assert (state.link, state.hotspot.password) == (NetworkLink.HOTSPOT, HOTSPOT.password)


def test_it_can_have_a_network_joined_and_forgotten(served: ServedNetwork) -> None:
    served.client.join(HOME.encode().hex(), PASSWORD, hidden=False)
    state = served.client.state
    assert state is not None
    assert (state.link, state.network) == (NetworkLink.JOINING, HOME)
    with pytest.raises(RequestRefused, match=Refusal.BUSY):
        served.client.scan()
    served.air.pass_time(NOTICE_S + 1)
    state = served.client.state
    assert state is not None
    assert (state.link, state.chosen) == (NetworkLink.WIFI, (HOME,))
    served.client.forget()
    served.air.pass_time(NOTICE_S + 6)
    assert served.air.hotspot_is_open
    served.client.scan()


def test_a_refusal_says_why(served: ServedNetwork) -> None:
    with pytest.raises(RequestRefused, match=Refusal.PASSWORD):
        served.client.join(HOME.encode().hex(), "short", hidden=False)


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\n", b"null\n", b"[]\n", b"{\n", b"[" * 2000, b"\xff\xfe\n", b'{"do":"reboot"}\n', b'{"do":["join"]}\n',
        b'{"do":"join"}\n', b'{"do":"join","ssid":"zz"}\n', b'{"do":"join","ssid":"../.."}\n',
        b'{"do":"join","ssid":"41","password":1}\n', b'{"do":"join","ssid":"41","hidden":"yes"}\n',
        b"x" * 100_000,
    ],
)  # fmt: skip
def test_nonsense_changes_nothing(served: ServedNetwork, line: bytes) -> None:
    answer = served.say(line)
    assert not answer or json.loads(answer) == {"refused": Refusal.NOT_UNDERSTOOD}
    assert served.client.state is not None
    assert served.air.control.state.link is NetworkLink.HOTSPOT


def test_another_user_is_not_answered_whatever_the_rights_of_the_file(tmp_path: Path) -> None:
    served = ServedNetwork(tmp_path, {os.getuid() + 1})
    try:
        assert served.say(b'{"do":"state"}\n') == b""
        assert served.client.state is None
        with pytest.raises(NetworkOutOfReach):
            served.client.forget()
    finally:
        served.service.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_the_kernel_says_who_asks_and_nobody_else_can(served: ServedNetwork) -> None:
    served.path.chmod(0o777)
    for folder in served.path.parents:
        if oct(folder.stat().st_mode)[-1] == "0":
            folder.chmod(folder.stat().st_mode | 0o005)
    program = (
        f"import os, socket; os.setuid(65534); s = socket.socket(socket.AF_UNIX); s.connect({str(served.path)!r});"
        """s.sendall(b'{"do":"state"}\\n'); print(s.makefile().read())"""
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert "hotspot" not in said.stdout
    assert served.client.state is not None


def test_the_socket_stays_open_for_the_next_start(tmp_path: Path) -> None:
    served = ServedNetwork(tmp_path, {os.getuid()})
    kept_by_systemd = socket.socket(fileno=os.dup(served.listening.fileno()))
    served.service.close()
    again = NetworkService(served.air.control, kept_by_systemd, {os.getuid()})
    assert served.client.state is not None
    again.close()


def test_where_there_is_no_service_there_is_no_network_to_ask(tmp_path: Path) -> None:
    assert find_network(tmp_path / "nothing.sock") is None
    assert NetworkClient(tmp_path / "nothing.sock").state is None
