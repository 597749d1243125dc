"""The web server: waitress in threads beside the table, with a thread for every stream and a quick shutdown."""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
import threading
import time
from collections.abc import Callable, Collection
from typing import Any, Final, Self

from flask import Flask
from waitress.adjustments import Adjustments

from companion.network import HOTSPOT_ADDRESS
from web_remote.connections import GuardedServer, Known
from web_remote.stream_slots import STREAMS
from web_remote.tls import SecurePort, TlsPort

ASSUMED: Final = {"http": 80, "https": 443}
"""The ports that browsers assume."""
OTHERS: Final = 24
"""How many other requests are answered at the same time. A seat has at most four lines waiting for the table."""
VANISHED_MS: Final = 8_000
"""How long data sent to a phone may go unacknowledged. With the time until something is sent and until its stream
looks again, the thread of a phone that lost its Wi-Fi is free within 15 s."""
MOST_UNSENT: Final = 1_000_000
"""How many bytes may wait for a client that receives slowly before its stream waits too."""
EVERYWHERE: Final = ("0.0.0.0", "::")
"""Addresses that mean all of the machine's own."""
TABLE_NAME: Final = "elgrande.local"
"""The name that people may give the table in their network."""


class PortInUse(Exception):
    """The port cannot be used; the message says why, and what to do."""

    def __init__(self, port: int, denied: bool = False, option: str = "--port") -> None:
        if denied:
            super().__init__(f"You need more rights to use port {port}. Choose one above 1023, such as {option} 8000.")
        else:
            another = f"{option} {port + 1}"
            super().__init__(f"Port {port} is in use. Is the table already running? Or use another: {another}")


class NoSuchAddress(Exception):
    """The pages cannot be served on an address; the message says what to do."""

    def __init__(self, host: str) -> None:
        super().__init__(f"This machine has no address '{host}'. Choose one that it has, such as --host 127.0.0.1.")


class WebServer:
    """Serves the pages until it is closed.

    >>> with WebServer(Flask("example"), lambda: None, port=0) as server:
    ...     server.port > 0
    True

    :param end_streams: ends every stream, so that its thread is free.
    :param port: the port; 0 takes any free one.
    :param listening: a socket that already listens, instead of the host and the port.
    :param secure: the port for HTTPS; by default, there is none.
    :param known: whether a token belongs to a phone that was let in; such phones come first.
    :param proxies: the addresses of named proxies; see `web_remote.senders`.
    :param clock: seconds that only go forward, for deadlines and limits.
    """

    def __init__(
        self,
        app: Flask,
        end_streams: Any,
        host: str = "",
        port: int = 8000,
        listening: socket.socket | None = None,
        known: Known = lambda token: False,
        proxies: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
        secure: SecurePort | None = None,
    ) -> None:
        self._end_streams = end_streams
        listening = listening or listen(host, port)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Every connection that is accepted here inherits it.
            for each in (listening, *([] if secure is None else [secure.listening])):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED_MS)
        self.port: int = listening.getsockname()[1]
        adjustments = Adjustments(
            sockets=[listening],
            threads=STREAMS + OTHERS,
            channel_request_lookahead=1,
            asyncore_use_poll=True,
            outbuf_high_watermark=MOST_UNSENT,
            max_request_header_size=16384,
            max_request_body_size=65536,
            clear_untrusted_proxy_headers=False,  # they show that a request was forwarded
            ident=None,
        )
        self._server: Any = GuardedServer(app, listening, adjustments, known, proxies, clock)
        self._listening = listening
        if secure is not None:
            TlsPort(self._server, secure)
        # Requests wait for a thread now and then; people at the terminal can do nothing about it.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        # The server ends with an error when its socket is closed.
        with contextlib.suppress(OSError, ValueError):
            self._server.run()

    def close(self) -> None:
        """Stops the server. Ends every stream first; otherwise it would wait for their threads."""
        self._end_streams()
        self._server.task_dispatcher.shutdown(timeout=1)
        # Close connections too, or browsers would wait on them. The thread that serves them does it, and then ends.
        with contextlib.suppress(OSError):
            self._server.trigger.pull_trigger(self._hang_up)
        self._thread.join(1.0)

    def _hang_up(self) -> None:
        """Closes every connection, those that still have an answer to send as soon as it is sent."""
        for each in list(self._server._map.values()):
            if getattr(each, "total_outbufs_len", 0):
                each.close_when_flushed = True
            else:
                each.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<WebServer on port {self.port}>"


def listen(host: str = "", port: int = 0, option: str = "--port") -> socket.socket:
    """Returns a socket for IPv4 and, where the machine has it, IPv6.

    :param host: one of the machine's own addresses or names; by default, all of them.
    :param option: the option with which people choose the port.
    """
    family = socket.AF_INET6 if not host and socket.has_dualstack_ipv6() else socket.AF_INET
    if host:
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        except OSError:
            raise NoSuchAddress(host) from None
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Elsewhere than on Windows a port can be used again at once; there, this would let two programs share it.
        reuse = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listening.setsockopt(socket.SOL_SOCKET, reuse, 1)
        if family == socket.AF_INET6 and not host:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise NoSuchAddress(host) from error
        # On Windows, a port that another program has for itself is refused in the same way.
        raise PortInUse(port, denied=error.errno == errno.EACCES and 0 < port < 1024, option=option) from error
    return listening


def url(host: str, port: int, scheme: str = "http") -> str:
    """Returns where a browser finds a machine's pages, without the port where browsers assume it.

    >>> url("::1", 8000), url("elgrande.local", 80)
    ('http://[::1]:8000', 'http://elgrande.local')
    """
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}" if port == ASSUMED[scheme] else f"{scheme}://{name}:{port}"


def addresses(port: int, host: str = "", scheme: str = "http") -> list[str]:
    """Returns where phones on the same network find this machine, the likeliest address first.

    :param host: the only address on which the pages are served; by default, they are served on all of them.
    """
    if host and host not in EVERYWHERE:
        return [url(host, port, scheme)]
    return [url(name, port, scheme) for name in (*_network_address(), f"{_machine_name()}.local")]


def certificate_names(host: str = "") -> tuple[str, ...]:
    """Returns the names and addresses under which browsers find this machine, for its certificate.

    :param host: the only address on which the pages are served; by default, they are served on all of them.
    """
    own = _machine_name()
    chosen = (host,) if host and host not in EVERYWHERE else _network_address()
    return ("localhost", "127.0.0.1", "::1", own, f"{own}.local", TABLE_NAME, *chosen)


def _machine_name() -> str:
    return socket.gethostname().split(".")[0].lower()


def _network_address() -> tuple[str, ...]:
    """Returns the machine's address in its network, if it is in one."""
    # No packet is sent: the kernel only says which address it would use. The table's own Wi-Fi leads nowhere else.
    for there in ("192.0.2.1", HOTSPOT_ADDRESS):
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((there, 9))
            return (str(probe.getsockname()[0]),)
    return ()
