"""The serial line of a simulated hub: what pyserial opens at one end, and the hub reads and writes at the other."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path
from typing import Protocol

from hardware.pieces import AT_ONCE, LOOPBACK


class HubLine(Protocol):
    """A cable that can be pulled out and plugged in again. Nothing that is called here ever waits."""

    @property
    def port(self) -> str:
        """What pyserial opens; the same for as long as the line is used."""
        ...

    @property
    def plugged(self) -> bool: ...

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    def read(self) -> bytes:
        """Returns what has arrived from the host."""
        ...

    def write(self, data: bytes) -> int:
        """Sends to the host as much as fits, and returns how much that was. The rest is lost, as with a real hub."""
        ...

    def fileno(self) -> int | None:
        """Returns what to wait for until there may be something to read; `None` while it is unplugged."""
        ...


def hub_line(link: Path) -> HubLine:
    """Returns a line that is plugged in: a pty where the system has them, else a socket.

    :param link: where the port of a pty is to be found: a link, so that it can be unplugged and plugged in again.
    """
    line: HubLine = PtyLine(link) if hasattr(os, "openpty") else SocketLine()
    line.plug()
    return line


class PtyLine:
    """A pty, which pyserial and the kernel treat as a serial port."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._fds: tuple[int, int] | None = None

    @property
    def port(self) -> str:
        """The path of the link to the pty."""
        return str(self._link)

    @property
    def plugged(self) -> bool:
        """Whether there is a pty."""
        return self._fds is not None

    def plug(self) -> None:
        """Makes a pty, unless there is one."""
        import tty

        if self._fds is None:
            ours, theirs = os.openpty()
            tty.setraw(theirs)
            os.set_blocking(ours, False)
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(os.ttyname(theirs))
            self._fds = ours, theirs

    def unplug(self) -> None:
        """Closes the pty."""
        if self._fds is not None:
            self._link.unlink(missing_ok=True)
            fds, self._fds = self._fds, None
            for fd in fds:
                os.close(fd)

    def read(self) -> bytes:
        """Returns what has arrived."""
        if self._fds is not None:
            with contextlib.suppress(BlockingIOError):
                return os.read(self._fds[0], AT_ONCE)
        return b""

    def write(self, data: bytes) -> int:
        """Sends what fits. With nobody at the other end the buffer fills up."""
        if self._fds is not None:
            with contextlib.suppress(BlockingIOError):
                return os.write(self._fds[0], data)
        return 0

    def fileno(self) -> int | None:
        """Returns our end of the pty."""
        return None if self._fds is None else self._fds[0]


class SocketLine:
    """A TCP connection on this machine, which pyserial opens with `socket://`. One host at a time."""

    def __init__(self) -> None:
        self._number = 0
        """The TCP port: any free one at first, and then always the same."""
        self._listening: socket.socket | None = None
        self._host: socket.socket | None = None

    @property
    def port(self) -> str:
        """The address of the TCP port."""
        return f"{LOOPBACK}{self._number}"

    @property
    def plugged(self) -> bool:
        """Whether a host can connect."""
        return self._listening is not None

    def plug(self) -> None:
        """Lets a host connect."""
        if self._listening is None:
            self._listening = socket.create_server(("127.0.0.1", self._number), backlog=1)
            self._listening.setblocking(False)
            self._number = self._listening.getsockname()[1]

    def unplug(self) -> None:
        """Closes the connection, and lets nobody connect."""
        self._hang_up()
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def read(self) -> bytes:
        """Returns what has arrived. A host that has gone makes room for the next."""
        if (host := self._connected()) is None:
            return b""
        try:
            data = host.recv(AT_ONCE)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def write(self, data: bytes) -> int:
        """Sends what fits; nothing when no host is connected."""
        if (host := self._connected()) is not None:
            try:
                return host.send(data)
            except BlockingIOError:
                return 0
            except OSError:
                self._hang_up()
        return 0

    def fileno(self) -> int | None:
        """Returns the connection, or the socket that waits for one."""
        end = self._connected() or self._listening
        return None if end is None else end.fileno()

    def _connected(self) -> socket.socket | None:
        if self._host is None and self._listening is not None:
            with contextlib.suppress(BlockingIOError):
                self._host, _ = self._listening.accept()
                self._host.setblocking(False)
                self._host.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._host

    def _hang_up(self) -> None:
        if self._host is not None:
            self._host.close()
            self._host = None
