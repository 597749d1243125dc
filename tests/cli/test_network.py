"""`companion network`, as systemd starts it: with a socket of its own, until it is told to stop."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.network import NetworkClient, NetworkLink
from tests.network.simulated_air import HOME, SimulatedAir, sender
from tests.support import nmcli_stand_in

PROGRAM = Path(sys.executable).with_name("companion")
LONG_S = 60.0
# As systemd does: the socket as number 3, and who it is for.
START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_only_systemd_starts_it() -> None:
    result = CliRunner().invoke(main, ["network"])
    assert result.exit_code == 1
    assert "sudo systemctl start el-grande-network" in result.stderr
    assert "network" not in CliRunner().invoke(main, ["--help"]).output


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED") or os.geteuid() != 0, reason="it answers root alone")
def test_it_answers_the_table_and_stops_when_it_is_told_to(tmp_path: Path) -> None:
    state = {**SimulatedAir(tmp_path, air=[sender(HOME)], ethernet="connected").whole}
    (tmp_path / "nmcli.json").write_text(json.dumps(state))
    program = tmp_path / "nmcli"
    stand_in = f"{sys.executable} -S -E {nmcli_stand_in.__file__}"
    program.write_text(f'#!/bin/sh\nNMCLI_STAND_IN={tmp_path}/nmcli.json exec {stand_in} "$@"\n')
    program.chmod(0o755)
    path = tmp_path / "network.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen()
        fd = listening.fileno()
        service = subprocess.Popen(
            [sys.executable, "-c", START, str(fd), str(PROGRAM), "network", "--kept", str(tmp_path)],
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            pass_fds=[fd],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            client, end_s = NetworkClient(path), time.monotonic() + LONG_S
            while (now := client.state) is None or now.link is not NetworkLink.WIRED:
                assert service.poll() is None
                assert time.monotonic() < end_s
            assert now.hotspot.password in (tmp_path / "hotspot.txt").read_text()
            service.send_signal(signal.SIGTERM)
            said, _ = service.communicate(timeout=LONG_S)
        finally:
            service.kill()
            service.wait()
    assert service.returncode == 0
    assert "network: wired" in said
    assert now.hotspot.password not in said
