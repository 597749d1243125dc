"""Checks whether every hub is at its port and answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.doctor.check import Case, Check, Finding
from companion.engine import Message
from companion.engine.messages import Field
from hardware.board import shipped_boards
from hardware.errors import NoSuchPort, PortBusy, PortFailed, PortNotAllowed
from hardware.link import VERSION
from hardware.pieces import HubPort


class Hubs(Check):
    """Greets the hubs."""

    name = "hubs"
    needs_board = True

    def look(self, case: Case) -> Iterator[Finding]:
        if not case.board.hubs:
            yield self.skipped("The board {board} has no hubs.", board=case.board.name)
        for port in case.equipment.hubs(case.board):
            yield self._finding_of(port, case)

    def _finding_of(self, port: HubPort, case: Case) -> Finding:
        hub = port.hub.name
        fields = {"hub": hub, "port": port.hub.port, "install": f"companion firmware install {hub}{case.board_option}"}
        if port.condition == "in step":
            return self.ok(
                "The hub {hub} answers at {port}: version {version}, serial number {serial}, {readers} readers.",
                **fields,
                version=VERSION,
                serial=port.link.serial,
                readers=port.hub.readers,
            )
        match port.error:
            case NoSuchPort(present=[]):
                return self.problem(
                    "The hub {hub} is not connected: there is no port {port}, nor any other.",
                    "Plug it in, with a cable that carries data; a new one needs its firmware: {install}",
                    **fields,
                )
            case NoSuchPort(present=present):
                return self.problem(
                    "The hub {hub} is not connected: there is no port {port}.",
                    "Plug it in. If it is one of these, write its line into {file} at [hubs.{hub}]:\n{lines}",
                    **fields,
                    file=_own_file(case),
                    lines="\n".join(port_lines(present)),
                )
            case PortNotAllowed(group=group):
                return self.problem(
                    "The hub {hub} is at {port}, which this user is not allowed to use.",
                    "sudo usermod -aG {group} $USER, then log in again.",
                    **fields,
                    group=group,
                )
            case PortBusy():
                return self.problem(
                    "The hub {hub} is at {port}, which another program uses.",
                    "Close that program; perhaps a table is running.",
                    **fields,
                )
            case PortFailed(why=reason):
                return self.problem(
                    "The hub {hub} should be at {port}, which is there, but cannot be used: {reason}.",
                    "Is that the port of the hub? If it is: unplug it, plug it in again, and try another cable.",
                    **fields,
                    reason=reason,
                )
        if port.condition == "foreign":
            return self.problem(
                "The hub {hub} speaks another version than this program, which speaks {version}.",
                "{install}",
                **fields,
                version=VERSION,
            )
        if port.misbehaves:
            return self.problem(
                "Something is wrong with the hub {hub}: {why}.",
                "Unplug it and plug it in again; if that does not help, install its firmware: {install}",
                **fields,
                why=port.misbehaves,
            )
        return self.problem(
            "Something is at {port}, but it does not answer as the hub {hub}; {bad} of its lines made no sense.",
            "Install its firmware: {install}. If that does not help, check cable and port.",
            **fields,
            bad=port.link.bad_lines,
        )


def _own_file(case: Case) -> Field:
    """Returns the board file to edit: never one that comes with the project."""
    if case.board_name not in shipped_boards():
        return case.board_name
    return Message(
        "a copy of hardware/boards/{board}.toml that you keep as {folder}/board.toml",
        {"board": case.board_name, "folder": str(case.machine.database.parent)},
    )


def port_lines(present: Sequence[str]) -> Iterator[str]:
    """Yields the lines for the board file that name the ports of this machine, by serial number where they have one.

    >>> list(port_lines(["/dev/ttyACM0 (USB VID:PID=2E8A:0005 SER=E66058388345A52A LOCATION=1-1.2)"]))
    ['port = "hwgrep://SER=E66058388345A52A"  # /dev/ttyACM0']
    >>> list(port_lines(["/dev/ttyUSB0 (USB VID:PID=1A86:7523 LOCATION=1-1.3)"]))
    ['port = "/dev/ttyUSB0"']
    """
    for port in present:
        device = port.partition(" ")[0]
        serial = re.search(r"SER=(\w+)", port)
        yield f'port = "hwgrep://SER={serial[1]}"  # {device}' if serial else f'port = "{device}"'
