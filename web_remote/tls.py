"""HTTPS on a port of its own: waitress's connections, encrypted, with the same limits and deadlines.

waitress knows nothing of TLS, but a connection of it uses its socket in few places: it reads, writes and closes. Here
these go through Python's `ssl`, without blocking, in the thread that serves all connections. The handshake belongs to
the time that a client has for its first request. A client that sends plain HTTP is answered in plain HTTP.
"""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from waitress import wasyncore

from companion.table.rate_limit import RateLimit
from web_remote.connections import Connection, GuardedServer

HANDSHAKES_AT_ONCE, HANDSHAKES_EVERY_S = 96, 1 / 16
"""How often an address may connect. A handshake costs a Pi a few milliseconds; eight phones open 48 connections."""
RECORD_BYTES: Final = 16_384
"""The most that one record of TLS holds. Read as a whole, nothing of it is left where `poll` cannot see it."""
HANDSHAKE: Final = b"\x16"
"""The first byte of everything that begins a handshake, and of no HTTP request."""


class SecurePort(NamedTuple):
    """An open port for HTTPS, with what encrypts its connections."""

    listening: socket.socket
    context: ssl.SSLContext

    @property
    def number(self) -> int:
        """The number of the port."""
        return int(self.listening.getsockname()[1])


def tls_context(file: Path) -> ssl.SSLContext:
    """Returns what encrypts connections with a certificate.

    :param file: the key and the certificate.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Every browser that the pages work in has it, and nothing in it has to be switched off.
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(file)
    return context


class TlsPort(wasyncore.dispatcher):
    """The port for HTTPS of a server; the server's thread accepts its connections, too."""

    def __init__(self, server: GuardedServer, secure: SecurePort) -> None:
        self._server = server
        self._connection_class = partial(TlsConnection, context=secure.context)
        self._handshakes = RateLimit(HANDSHAKES_AT_ONCE, HANDSHAKES_EVERY_S)
        super().__init__(secure.listening, map=server._map)
        self.accepting = True

    def writable(self) -> bool:
        """Returns false: there is nothing to write to a port."""
        return False

    def handle_accept(self) -> None:
        """Accepts the connections that wait. One that may not come in is closed: no answer is encrypted for it."""
        self._server.accept_from(self, self._handshakes, self._connection_class, b"")


class TlsConnection(Connection):
    """A connection that is encrypted once its first byte has arrived."""

    socket: Any

    def __init__(self, *args: Any, context: ssl.SSLContext, **more: Any) -> None:
        self._context = context
        self._begun = False
        """Whether the first byte has arrived, which tells TLS from plain HTTP."""
        self._ready = False
        """Whether requests can be read: the handshake is over, or the client does not speak TLS."""
        self._must_write = False
        """Whether the handshake goes on when something can be written, and not when something arrives."""
        self._tls_lock = threading.Lock()
        """Held for each call of OpenSSL: one thread reads, another may write, and one connection allows only one."""
        super().__init__(*args, **more)
        self.sendbuf_len = RECORD_BYTES

    @property
    def _encrypted(self) -> bool:
        return isinstance(self.socket, ssl.SSLSocket)

    def writable(self) -> bool:
        """Returns whether there is something to write."""
        return super().writable() if self._ready else self._fileno is not None and self._must_write

    def handle_read(self) -> None:
        """Reads what has arrived."""
        if self._ready or self._shake_hands():
            data = self.recv(RECORD_BYTES)
            if data:
                self.received(data)

    def handle_write(self) -> None:
        """Writes what can be written."""
        if self._ready or self._shake_hands():
            super().handle_write()

    def _shake_hands(self) -> bool:
        """Goes on with the handshake as far as it can. Returns whether it is over."""
        self._must_write = False
        try:
            if not self._begun:
                self._begin()
            if self._encrypted:
                self.socket.do_handshake()
            self._ready = self._begun
        except (ssl.SSLWantReadError, BlockingIOError):
            return False
        except ssl.SSLWantWriteError:
            self._must_write = True
            return False
        except OSError:  # also all errors of TLS: a certificate that the browser does not like is the most frequent
            self.handle_close()
            return False
        return self._ready

    def _begin(self) -> None:
        """Looks at the first byte. Only now is memory taken for TLS: many connections never send anything."""
        first = self.socket.recv(1, socket.MSG_PEEK)
        if not first:
            raise ConnectionResetError
        if first == HANDSHAKE:
            self.scheme = "https"
            self.socket = self._context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self._begun = True

    def recv(self, buffer_size: int) -> bytes:
        """Returns what has arrived; nothing if only part of a record has. Closes a connection that has ended."""
        try:
            with self._tls_lock:
                data = bytes(self.socket.recv(buffer_size))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
            return b""
        except OSError:
            data = b""
        if not data:
            self.handle_close()
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Sends as much as it can. Returns how many bytes that was."""
        try:
            with self._tls_lock:
                return int(self.socket.send(data))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            else:
                self.will_close = True  # by the thread that serves all connections
            return 0

    def del_channel(self, map: Any = None) -> None:  # noqa: A002
        """Forgets the connection. Tells the client first that nothing was cut off; it need not answer."""
        if self._ready and self._encrypted:
            with suppress(OSError, ValueError), self._tls_lock:
                self.socket.unwrap()
        super().del_channel(map)
