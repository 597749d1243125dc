"""The table's side of the network service: asks it for the state, and for a change of network."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from companion.network.errors import NetworkOutOfReach, RequestRefused
from companion.network.wifi_state import NetworkState

SOCKET: Final = Path("/run/el-grande-network.sock")
"""Where the network service answers."""
ANSWER_S: Final = 2.0
FRESH_S: Final = 1.0
"""How long a state is used again: many pages may ask at once."""


class NetworkClient:
    """Asks the network service. May be used from any thread.

    :param path: where it answers.
    :param clock: seconds that only go forward.
    """

    def __init__(self, path: Path = SOCKET, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._latest: NetworkState | None = None
        self._asked_s = 0.0

    @property
    def state(self) -> NetworkState | None:
        """The state of the network, or `None` when the network service does not answer."""
        with self._lock:
            if self._latest is None or self._clock() - self._asked_s >= FRESH_S:
                try:
                    self._latest = NetworkState.from_plain(self._ask({"do": "state"})["state"])
                except (NetworkOutOfReach, RequestRefused, KeyError, TypeError, ValueError):
                    self._latest = None
                self._asked_s = self._clock()
            return self._latest

    def scan(self) -> None:
        """Has it look for networks. Raises `RequestRefused` or `NetworkOutOfReach`."""
        self._request({"do": "scan"})

    def join(self, ssid: str, password: str, hidden: bool) -> None:
        """Has it join a network in a moment. Raises `RequestRefused` or `NetworkOutOfReach`.

        :param ssid: the network's name, in hexadecimal digits.
        """
        self._request({"do": "join", "ssid": ssid, "password": password, "hidden": hidden})

    def forget(self) -> None:
        """Has it forget the networks that were chosen. Raises `RequestRefused` or `NetworkOutOfReach`."""
        self._request({"do": "forget"})

    def _request(self, question: dict[str, Any]) -> None:
        self._ask(question)
        with self._lock:
            self._latest = None

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.settimeout(ANSWER_S)
                line.connect(str(self._path))
                line.sendall(json.dumps(question).encode() + b"\n")
                with line.makefile("rb") as answers:
                    answer = json.loads(answers.readline())
        except (OSError, ValueError):
            raise NetworkOutOfReach("The network service does not answer.") from None
        if "refused" in answer:
            raise RequestRefused(str(answer["refused"]))
        return dict(answer)


def find_network(path: Path = SOCKET) -> NetworkClient | None:
    """Returns the network service of this machine, or `None` when this user may not ask it, or it is not installed."""
    there = hasattr(socket, "AF_UNIX") and os.access(path, os.R_OK | os.W_OK)
    return NetworkClient(path) if there else None
