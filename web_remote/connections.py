"""The connections of the web server: waitress with limits per address and per phone, and with absolute deadlines.

waitress on its own counts connections only all together, stops accepting when there are too many, and restarts its
timeout with every byte. Here somebody who opens too many loses the oldest of their own, nothing takes longer than its
deadline however slowly its bytes come, and whoever sends too many requests is read more slowly, nobody else is.
Phones that were let in come first: their requests are served before others, and their connections are never closed to
make room.
"""

from __future__ import annotations

import socket
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher
from waitress.wasyncore import dispatcher

from companion.table.rate_limit import ROUNDING_S, RateLimit
from web_remote.senders import address_sender, client_address, network_of, phone_sender, token_in

CONNECTIONS: Final = 512
"""How many connections may be open at the same time."""
FROM_ONE_ADDRESS: Final = 48
"""How many of them may come from one address: a browser opens six, and eight phones may share an address."""
OF_ONE_PHONE: Final = 16
"""How many of them one phone may have that was let in: those of a few pages."""
NEW_AT_ONCE, NEW_EVERY_S = 192, 1 / 64
"""How often an address may connect. Browsers keep connections, so pages need far fewer."""
ADDRESS_AT_ONCE, ADDRESS_EVERY_S = 256, 1 / 64
"""How many requests everybody at an address may send who was not let in: a page needs about ten files."""
PHONE_AT_ONCE, PHONE_EVERY_S = 128, 1 / 32
"""How many requests one phone may send that was let in: in play, one or two a second."""
RECEIVE_S: Final = 10.0
"""How long a request may take to arrive, from its first byte to the last of its body; after connecting, to begin."""
IDLE_S: Final = 30.0
"""How long a connection is kept open between two requests."""
TAKE_S: Final = 30.0
"""How long a client may take to receive what was sent to it."""
LOOK_S: Final = 1.0
"""How often deadlines are checked."""
ACCEPTS: Final = 32
"""How many connections are accepted before others are served again."""
FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    b"Too many connections come from here. Try again in a few seconds.\n"
)

Known = Callable[[str | None], bool]
"""Returns whether a token belongs to a phone that was let in. It is asked for every request, and must be quick."""


class CountedRequest(HTTPRequestParser):
    """A request that tells its connection when all of it has arrived."""

    def __init__(self, adj: Any, connection: Connection) -> None:
        super().__init__(adj)
        self._connection: Connection | None = connection

    def received(self, data: bytes) -> int:
        """Takes more of the request. Returns how many bytes of it were part of the request."""
        taken = super().received(data)
        if self.completed and not self.empty and self._connection is not None:
            connection, self._connection = self._connection, None
            self.url_scheme = connection.scheme
            connection.complete(self)
        return int(taken)


class Connection(HTTPChannel):
    """A connection that knows whose it is, and since when it waits for what."""

    server: GuardedServer
    scheme = "http"
    """How its requests came."""
    _fileno: int | None

    def __init__(self, server: GuardedServer, sock: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002
        self.network = network_of(str(addr[0]))
        self.sender = address_sender(str(addr[0]))
        self.known = False
        """Whether the latest request came from a phone that was let in."""
        self.is_new = True
        """Whether its first request has not arrived yet, so that nobody knows yet who sends it."""
        self._receiving_since_s: float | None = server.clock()
        """Since when a request is arriving; `None` between two requests."""
        self._idle_since_s = server.clock()
        self._in_service = False
        """Whether a thread is answering a request."""
        self._behind_since_s: float | None = None
        """Since when there is something that the client has not received; `None` when there is nothing."""
        super().__init__(server, sock, addr, adj, map=map)
        self.parser_class: Any = lambda adj: CountedRequest(adj, self)

    @property
    def idle(self) -> bool:
        """Whether it may be closed to make room: nothing that it asked for is being done."""
        return not self._in_service and not self.requests and not self.total_outbufs_len

    def readable(self) -> bool:
        """Returns whether to read more: not from a sender that has sent too much."""
        if self._fileno is None:  # it was closed while the others were looked at
            return False
        return bool(super().readable()) and self.server.may_send(self)

    def writable(self) -> bool:
        """Returns whether there is something to write."""
        return self._fileno is not None and bool(super().writable())

    def received(self, data: bytes) -> bool:
        """Takes what has arrived; the first byte of a request starts its clock."""
        if self._receiving_since_s is None:
            self._receiving_since_s = self.server.clock()
        taken = super().received(data)
        if self.request is None:
            self._receiving_since_s = None
        return bool(taken)

    def complete(self, request: CountedRequest) -> None:
        """Notes who sent a request, now that all of it has arrived, and counts it."""
        self.is_new = False
        self.server.count(self, request)

    def service(self) -> None:
        """Answers a request, in a thread of its own."""
        self._in_service = True
        try:
            super().service()
        finally:
            # In this order: a connection that looks idle knows since when.
            self._idle_since_s = self.server.clock()
            self._in_service = False

    def overdue(self, now_s: float) -> bool:
        """Returns whether the client has taken too long."""
        if not self.total_outbufs_len:
            self._behind_since_s = None
        elif self._behind_since_s is None:
            self._behind_since_s = now_s
        if self._behind_since_s is not None and now_s - self._behind_since_s > TAKE_S:
            return True
        if self._receiving_since_s is not None and not self.requests:
            return now_s - self._receiving_since_s > RECEIVE_S
        return self.idle and now_s - self._idle_since_s > IDLE_S

    def del_channel(self, map: Any = None) -> None:  # noqa: A002
        """Forgets the connection."""
        self.server.forget(self)
        super().del_channel(map)


class FairTasks:
    """The requests that wait for a thread: phones that were let in first, and then one of each sender in turn."""

    def __init__(self) -> None:
        self._turns: tuple[OrderedDict[str, deque[Connection]], ...] = (OrderedDict(), OrderedDict())
        self._count = 0

    def append(self, connection: Connection) -> None:
        """Adds a request, the last of its sender's."""
        self._turns[0 if connection.known else 1].setdefault(connection.sender, deque()).append(connection)
        self._count += 1

    def popleft(self) -> Connection:
        """Takes the request that comes next."""
        turns = self._turns[0] or self._turns[1]
        sender, waiting = turns.popitem(last=False)
        connection = waiting.popleft()
        if waiting:
            turns[sender] = waiting
        self._count -= 1
        return connection

    def __len__(self) -> int:
        return self._count


class GuardedServer(TcpWSGIServer):
    """waitress, with limits.

    :param known: whether a token belongs to a phone that was let in.
    :param proxies: the addresses of named proxies, to which the limits of one address do not apply.
    :param clock: seconds that only go forward.
    """

    channel_class = Connection
    active_channels: dict[int, Connection]  # type: ignore[assignment]  # the stubs are mistaken
    _map: dict[int, Any]

    def __init__(
        self,
        app: Any,
        listening: socket.socket,
        adj: Any,
        known: Known,
        proxies: Collection[str],
        clock: Callable[[], float],
    ) -> None:
        self.clock = clock
        self.looked_s = clock()
        """When deadlines were last checked."""
        self._known = known
        self._proxies = frozenset(proxies)
        self._by_address: dict[str, dict[int, Connection]] = {}
        self._of_phone: dict[str, dict[int, Connection]] = {}
        self._closing: list[Connection] = []
        """The connections that made room for others."""
        self._lock = threading.Lock()
        self._new = RateLimit(NEW_AT_ONCE, NEW_EVERY_S)
        self._strangers = RateLimit(ADDRESS_AT_ONCE, ADDRESS_EVERY_S)
        self._phones = RateLimit(PHONE_AT_ONCE, PHONE_EVERY_S)
        tasks: Any = ThreadedTaskDispatcher()
        tasks.queue = FairTasks()
        tasks.set_thread_count(adj.threads)
        where = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(app, {}, True, listening, dispatcher=tasks, adj=adj, bind_socket=False, sockinfo=where)

    # Connecting.

    def handle_accept(self) -> None:
        """Accepts the connections that wait."""
        self.accept_from(self, self._new, Connection, FULL)

    def accept_from(
        self, port: dispatcher, limit: RateLimit, connection_class: Callable[..., Connection], full: bytes
    ) -> None:
        """Accepts the connections that wait at a port. What an address may take up, it may at all ports together.

        :param limit: how often an address may connect to this port.
        :param full: what a client is sent that may not connect now.
        """
        for _ in range(ACCEPTS):
            try:
                accepted = port.accept()
                if accepted is None:
                    return
                line, address = accepted
                self.set_socket_options(line)
            except OSError:
                return
            if self._admit(str(address[0]), limit):
                connection = connection_class(self, line, self.fix_addr(address), self.adj, map=self._map)
                self._by_address.setdefault(connection.network, {})[id(connection)] = connection
            else:
                with suppress(OSError):
                    line.setblocking(False)
                    line.send(full)
                line.close()

    def _admit(self, address: str, limit: RateLimit) -> bool:
        """Returns whether an address may have one more connection, and closes an older one if need be."""
        network, proxied = network_of(address), network_of(address) in self._proxies
        if not proxied and not limit.take(network, self.clock()):
            return False
        here = self._by_address.get(network, {})
        if len(here) >= FROM_ONE_ADDRESS and not proxied:
            return self._close_oldest(here)
        if len(self.active_channels) - len(self._closing) < CONNECTIONS:
            return True
        fullest = max(self._by_address.values(), key=len)
        return self._close_oldest(fullest) or any(self._close_oldest(each) for each in [*self._by_address.values()])

    def _close_oldest(self, connections: dict[int, Connection]) -> bool:
        """Closes the oldest connection that nothing is being done for. Returns whether there was one."""
        for connection in connections.values():
            if connection.idle and not connection.known:
                # Not at once: another connection could get its number, and be taken for it by what is still to be read.
                self._closing.append(connection)
                self.forget(connection)
                return True
        return False

    def forget(self, connection: Connection) -> None:
        """Forgets a connection that is closed."""
        with self._lock:
            for kept, key in ((self._by_address, connection.network), (self._of_phone, connection.sender)):
                if id(connection) in kept.get(key, ()):
                    del kept[key][id(connection)]
                    if not kept[key]:
                        del kept[key]

    # Requests.

    def may_send(self, connection: Connection) -> bool:
        """Returns whether more is read from a connection: its sender has not sent too many requests.

        The first request is always read. It may be a player's, at the address of somebody who sends too many.
        """
        limit = self._phones if connection.known else self._strangers
        return connection.is_new or limit.wait_s(connection.sender, self.clock()) <= ROUNDING_S

    def count(self, connection: Connection, request: CountedRequest) -> None:
        """Notes who sent a request, and counts it."""
        headers = request.headers

        def header(name: str) -> str | None:
            value = headers.get(name.upper().replace("-", "_"))
            return None if value is None else str(value)

        token = token_in(header("Cookie") or "")
        known = self._known(token)
        address = client_address(str(connection.addr[0]), header, self._proxies)
        sender = phone_sender(str(token)) if known else address_sender(address)
        (self._phones if known else self._strangers).count(sender, self.clock())
        if sender != connection.sender or known != connection.known:
            self._belongs(connection, sender, known)

    def _belongs(self, connection: Connection, sender: str, known: bool) -> None:
        """Notes whose a connection is. Of a phone that has too many, the oldest is closed that nothing is done for."""
        with self._lock:
            self._of_phone.get(connection.sender, {}).pop(id(connection), None)
            connection.sender, connection.known = sender, known
            if not known or network_of(str(connection.addr[0])) in self._proxies:
                return
            mine = self._of_phone.setdefault(sender, {})
            mine[id(connection)] = connection
            idle = [each for each in mine.values() if each.idle and each is not connection]
            close = idle[:1] if len(mine) > OF_ONE_PHONE else []
        for each in close:
            each.handle_close()

    # Time.

    def readable(self) -> bool:
        """Returns whether to accept connections, and checks deadlines now and then."""
        while self._closing:
            self._closing.pop().handle_close()
        now_s = self.clock()
        if now_s >= self.looked_s + LOOK_S:
            self.maintenance(now_s)
            self.looked_s = now_s
        return bool(self.accepting)

    def maintenance(self, now_s: float) -> None:
        """Closes the connections whose clients have taken too long."""
        for connection in list(self.active_channels.values()):
            if connection.overdue(now_s):
                connection.handle_close()
