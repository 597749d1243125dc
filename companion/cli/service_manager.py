"""The service manager, systemd: what the table reports to it, and the socket it may hand over.

systemd waits until the table is ready, restarts one that no longer answers, and opens the port of the web pages, which
only root could. All of it is plain text over sockets; see the manual pages `sd_notify(3)` and `sd_listen_fds(3)`.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping, MutableMapping
from typing import Final

FIRST_SOCKET: Final = 3
"""The number of the first socket that systemd hands over."""
BEATS: Final = 3
"""How often the table reports within the time after which it counts as hung."""


class ServiceManager:
    """Tells systemd that the table is ready, works, and stops. Without systemd it does nothing.

    A runner calls `beat` from the table's own thread, so a table that hangs falls silent and is restarted.

    >>> ServiceManager({}).beat_s is None
    True

    :param environment: where systemd says how to reach it; by default, the program's own.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._ready = False
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        patience_s = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 if ours else 0.0
        self.beat_s = patience_s / BEATS or None
        """How many seconds may pass between two beats; `None` when nobody waits for them."""

    def beat(self) -> None:
        """Reports that the table works."""
        words = [*([] if self._ready else ["READY=1"]), *(["WATCHDOG=1"] if self.beat_s else [])]
        self._ready = True
        if words:
            self._say("\n".join(words))

    def stopping(self) -> None:
        """Reports that the table has begun to stop."""
        self._say("STOPPING=1")

    def _say(self, words: str) -> None:
        if not self._address:
            return
        # A report that does not arrive changes nothing here: systemd will act on its absence.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(words.encode(), self._address)


def socket_given(environment: MutableMapping[str, str] = os.environ, first: int = FIRST_SOCKET) -> socket.socket | None:
    """Returns the listening socket that systemd opened for the web pages, or `None` when it opened no socket for us.

    The variables that announce it are removed, so that no program started from here takes it for its own.
    """
    for_us = environment.get("LISTEN_PID") == str(os.getpid()) and int(environment.get("LISTEN_FDS", "0")) > 0
    if not for_us:
        return None
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        environment.pop(name, None)
    given = socket.socket(fileno=first)
    given.set_inheritable(False)
    return given
