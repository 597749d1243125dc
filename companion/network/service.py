"""The socket of the network service: the table asks here, one line of JSON for a question and one for the answer.

Only root and the table's own user are answered. The table can ask for four things and nothing else: the state, to look
for networks, to join one, and to forget those that were chosen.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import select
import socket
import struct
import threading
import time
from collections.abc import Collection
from typing import Any, Final

from companion.network.control import ForgetWifi, JoinWifi, NetworkControl, ScanWifi, WifiRequest
from companion.network.errors import NetworkError, RequestRefused
from companion.network.wifi_state import Refusal

MOST_BYTES: Final = 2048
"""The longest question."""
QUESTION_S: Final = 2.0
"""How long a question may take to arrive."""
_LOG: Final = logging.getLogger(__name__)


class NetworkService:
    """Answers the table's questions about the network in a thread of its own, until it is closed.

    :param control: what the questions are about.
    :param listening: the socket; the service closes it.
    :param allowed: the numbers of the users who may ask.
    """

    def __init__(self, control: NetworkControl, listening: socket.socket, allowed: Collection[int]) -> None:
        self._control = control
        self._listening = listening
        self._allowed = frozenset(allowed)
        self._closed = False
        # systemd keeps the socket open for the next start, so it must not be shut down to wake the thread.
        self._waking, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="network service", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops answering."""
        self._closed = True
        self._waking.send(b"\0")
        self._thread.join(QUESTION_S + 1)
        self._listening.close()
        self._waking.close()
        self._woken.close()

    def _serve(self) -> None:
        while not self._closed:
            ready, _, _ = select.select([self._listening, self._woken], [], [])
            if self._listening not in ready:
                continue
            # Whoever asked may be gone.
            with contextlib.suppress(OSError), self._listening.accept()[0] as line:
                if peer_user(line) in self._allowed:
                    line.sendall(json.dumps(self._answer(_question(line))).encode() + b"\n")

    def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            match question.get("do"):
                case "state":
                    return {"state": self._control.state.plain()}
                case "scan":
                    request: WifiRequest = ScanWifi()
                case "forget":
                    request = ForgetWifi()
                case "join":
                    request = _join(question)
                case _:
                    raise RequestRefused(Refusal.NOT_UNDERSTOOD)
            self._control.request(request)
        except RequestRefused as refused:
            return {"refused": refused.why}
        except NetworkError as error:
            _LOG.warning("%s", error)
            return {"refused": Refusal.BUSY}
        return {"ok": True}


def _join(question: dict[str, Any]) -> JoinWifi:
    ssid, password, hidden = question.get("ssid"), question.get("password", ""), question.get("hidden", False)
    right = isinstance(ssid, str) and re.fullmatch("([0-9a-f]{2})*", ssid)
    if not right or not isinstance(password, str) or not isinstance(hidden, bool):
        raise RequestRefused(Refusal.NOT_UNDERSTOOD)
    return JoinWifi(bytes.fromhex(str(ssid)), password, hidden)


def peer_user(line: socket.socket) -> int:
    """Returns the number of the user at the other end of a local connection, as the kernel knows it."""
    credentials = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[1])


def _question(line: socket.socket) -> dict[str, Any]:
    """Returns what is asked; nothing when it does not arrive in time, or makes no sense."""
    end_s, said = time.monotonic() + QUESTION_S, b""
    while not said.endswith(b"\n") and len(said) <= MOST_BYTES and (left_s := end_s - time.monotonic()) > 0:
        line.settimeout(left_s)
        more = line.recv(MOST_BYTES)
        if not more:
            break
        said += more
    try:
        question = json.loads(said)
    except (ValueError, RecursionError):
        return {}
    return question if isinstance(question, dict) else {}
