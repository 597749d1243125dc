"""Checks whether the port of the web server is free."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.doctor.check import Case, Check, Finding
from companion.engine import phrase

_LISTENING: Final = "0A"


class Program(NamedTuple):
    """A running program."""

    name: str
    process: int


class WebPort(Check):
    """Opens the port for a moment."""

    name = "port"

    def look(self, case: Case) -> Iterator[Finding]:
        port = case.web_port
        if case.equipment.plays:
            yield self.ok("Port {port} is this table's own: its pages are served there.", port=port)
            return
        try:
            socket.create_server(("", port)).close()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                yield self.problem(
                    "Port {port} cannot be used: {why}.",
                    "Choose another with --port, above 1023.",
                    port=port,
                    why=(error.strerror or str(error)).partition(" (while")[0],
                )
                return
            program = listener(case.machine.root, port)
            yield self.problem(
                phrase("Port {port} is in use by {name}, process {process}.")
                if program
                else phrase("Port {port} is in use by another program."),
                phrase(
                    "If that is a running table, all is well: stop it before you check its board. Otherwise stop that "
                    "program, or choose another port with --port."
                ),
                port=port,
                name=program.name if program else "",
                process=program.process if program else 0,
            )
            return
        yield self.ok("Port {port} is free for the web server.", port=port)


def listener(root: Path, port: int) -> Program | None:
    """Returns the program that listens on a TCP port, or `None` when /proc does not show it."""
    sockets = {f"socket:[{inode}]" for inode in _inodes(root, port)}
    for process in (root / "proc").glob("[0-9]*"):
        try:
            if any(os.readlink(file) in sockets for file in (process / "fd").iterdir()):
                return Program((process / "comm").read_text().strip(), int(process.name))
        except OSError:
            # The process is somebody else's, or gone.
            continue
    return None


def _inodes(root: Path, port: int) -> Iterator[str]:
    """Yields the inodes of the sockets that listen on a port."""
    for table in ("tcp", "tcp6"):
        try:
            rows = (root / "proc" / "net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for columns in map(str.split, rows):
            if columns[3] == _LISTENING and int(columns[1].rpartition(":")[2], 16) == port:
                yield columns[9]
