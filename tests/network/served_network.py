"""A network service on a real socket, with simulated air around it."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from companion.network import NetworkClient, NetworkService
from companion.network.control import FIRST_WAIT_S
from tests.network.simulated_air import HOME, PASSWORD, SimulatedAir, sender


class ServedNetwork:
    """A network service on a real socket."""

    def __init__(self, folder: Path, allowed: set[int], **state: Any) -> None:
        self.air = SimulatedAir(folder, **{"air": [sender(HOME, password=PASSWORD)], **state})
        self.air.pass_time(FIRST_WAIT_S)
        self.path = folder / "network.sock"
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listening.bind(str(self.path))
        self.listening.listen()
        self.service = NetworkService(self.air.control, self.listening, allowed)
        self.client = NetworkClient(self.path, clock=self._later)
        self._now_s = 0.0

    def _later(self) -> float:
        self._now_s += 10.0
        return self._now_s

    def say(self, line: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.settimeout(10.0)
            asking.connect(str(self.path))
            asking.sendall(line)
            asking.shutdown(socket.SHUT_WR)
            try:
                return asking.makefile("rb").read()
            except ConnectionResetError:  # hung up without reading the rest
                return b""
