"""The running table of a machine, as an update sees it: a systemd service with its pages and its file."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.installation.errors import ServiceFailed
from companion.installation.update_ports import Health

UNIT: Final = "el-grande-table.service"
SOCKET: Final = "el-grande-table.socket"
"""Its port, which systemd keeps open: a phone that asks for a page there starts a table that was stopped alone."""
NETWORK_UNIT: Final = "el-grande-network.service"
USER: Final = "el-grande"
_JUDGE_S: Final = 300.0
_INSTALL_S: Final = 1800.0
_SET_UP_S: Final = 300.0
_ANSWER_S: Final = 5.0
_LONGEST_STATUS: Final = 200
SERVER_ERROR: Final = 500
"""From this status on, an answer says that the server has failed."""
BEFORE_REASONS: Final = ("It stopped here: ", "Error: ")
"""What install.sh and our own commands say before the reason; their advice follows."""


@dataclass(frozen=True)
class SystemdTable:
    """The table that systemd runs."""

    port: int = 80

    def stop(self) -> None:
        """Stops it together with its port. Raises `ServiceFailed` if it goes on."""
        if why := _failure(_run("systemctl", "stop", SOCKET, UNIT)):
            raise ServiceFailed(f"the table could not be stopped: {why}")

    def start(self) -> None:
        """Starts the current version. Crashes are counted from here on."""
        _run("systemctl", "reset-failed", SOCKET, UNIT)
        _run("systemctl", "start", "--no-block", SOCKET, UNIT)

    def health(self) -> Health:
        """Returns how it is."""
        shown = _run("systemctl", "show", "--property=ActiveState,NRestarts", UNIT).stdout
        found = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
        state = found.get("ActiveState")
        works = state == "active" and answers(self.port)
        return Health(works, int(found.get("NRestarts") or 0), failed=state == "failed")

    def set_up(self, program: Path) -> str:
        """Has a version write the files of the system for itself."""
        return _failure(_run(str(program), "install-service", "--yes", "--no-start", timeout_s=_SET_UP_S))

    def restart_network(self) -> None:
        """Restarts the network service if there is one: until then it runs the version it was started with."""
        _run("systemctl", "try-restart", NETWORK_UNIT)

    def judge(self, program: Path, database: Path) -> str:
        """Lets a version check itself, as the table's own user."""
        command = ["runuser", "--user", USER, "--", str(program), "self-check", "--database", str(database)]
        environment = {**os.environ, "EL_GRANDE_HOME": str(database.parent)}
        return _failure(_run(*command, timeout_s=_JUDGE_S, environment=environment))

    def install(self, release: Path) -> str:
        """Has the release's own script put its program in place."""
        return _failure(_run(str(release / "install.sh"), "--program-only", "--yes", timeout_s=_INSTALL_S))


def answers(port: int) -> bool:
    """Returns whether a web server answers, and not only with an error of its own.

    A port that systemd holds open for it is not enough. A redirection is: the program that answers with it works.
    """
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_ANSWER_S) as line:
            line.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            with line.makefile("rb") as answer:
                status = re.match(rb"HTTP/\d\.\d (\d{3})\b", answer.readline(_LONGEST_STATUS))
    except OSError:
        return False
    return status is not None and int(status[1]) < SERVER_ERROR


def _run(
    *command: str, timeout_s: float = 60.0, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"{command[0]} took longer than {timeout_s:.0f} s")
    except OSError as error:
        return subprocess.CompletedProcess(command, 1, "", f"{command[0]}: {error.strerror}")


def _failure(done: subprocess.CompletedProcess[str]) -> str:
    """Returns why a program failed, without a full stop; nothing when it did not."""
    if done.returncode == 0:
        return ""
    lines = [*done.stdout.strip().splitlines(), *done.stderr.strip().splitlines()]
    reasons = [line.removeprefix(words) for words in BEFORE_REASONS for line in lines if line.startswith(words)]
    return (reasons[:1] or lines or [f"exit code {done.returncode}"])[-1].removesuffix(".")
