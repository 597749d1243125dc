"""`companion where`: waits for the table of this machine, and says where its pages are."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from companion.cli import main
from tests.network.served_network import ServedNetwork
from tests.network.simulated_air import HOTSPOT
from web_remote.server import WebServer


def where(*args: str) -> Result:
    return CliRunner().invoke(main, ["where", *args], catch_exceptions=False)


def test_the_addresses_of_a_running_table_are_printed_with_a_code_to_scan() -> None:
    with WebServer(Flask("table"), lambda: None, host="127.0.0.1", port=0) as server:
        result = where("--port", str(server.port))
    assert result.exit_code == 0, result.output
    assert f":{server.port}" in result.output.splitlines()[0]
    assert socket.gethostname().split(".")[0].lower() in result.output
    assert "█" in result.output


def test_while_the_table_s_own_wifi_is_open_it_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = ServedNetwork(tmp_path, {os.getuid()})
    monkeypatch.setattr(sys.modules["companion.cli.where"], "find_network", lambda: network.client)
    try:
        with WebServer(Flask("table"), lambda: None, host="127.0.0.1", port=0) as server:
            result = where("--port", str(server.port))
            network.air.change(ethernet="connected")
            network.air.pass_time(6)
            wired = where("--port", str(server.port))
    finally:
        network.service.close()
    assert f"First join its Wi-Fi: {HOTSPOT.name}, password {HOTSPOT.password}" in result.output
    assert HOTSPOT.name not in wired.output


def test_a_table_that_is_still_starting_is_waited_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    servers: list[WebServer] = []

    def start() -> None:
        servers.append(WebServer(Flask("table"), lambda: None, host="127.0.0.1", port=port))

    starting = threading.Timer(0.5, start)
    starting.start()
    try:
        result = where("--port", str(port))
    finally:
        starting.join()
        servers[0].close()
    assert result.exit_code == 0
    assert "Waiting for the table" in result.output


def test_a_table_that_does_not_answer_in_time_is_reported_with_where_to_look(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    result = where("--port", str(port), "--wait", "0.1")
    assert result.exit_code == 1
    assert "journalctl -u el-grande-table" in result.output


@pytest.mark.parametrize("port", ["0", "70000", "eighty"])
def test_what_is_not_a_port_is_refused(port: str) -> None:
    assert where("--port", port).exit_code == 2
