"""The running table of a machine, as an update sees it: a systemd service with its pages and its file."""

from __future__ import annotations

import os
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.installation.updater import Health

UNIT: Final = "el-grande-table.service"
USER: Final = "el-grande"
_JUDGE_S: Final = 300.0
_INSTALL_S: Final = 1800.0


@dataclass(frozen=True)
class SystemdTable:
    """The table that systemd runs."""

    port: int = 80

    def stop(self) -> None:
        """Stops it."""
        _run("systemctl", "stop", UNIT)

    def restart(self) -> None:
        """Starts the current version. Crashes are counted from here on."""
        _run("systemctl", "reset-failed", UNIT)
        _run("systemctl", "restart", "--no-block", UNIT)

    def health(self) -> Health:
        """Returns how it is."""
        shown = _run("systemctl", "show", "--property=ActiveState,NRestarts", UNIT).stdout
        found = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
        works = found.get("ActiveState") == "active" and answers(self.port)
        return Health(works, int(found.get("NRestarts") or 0))

    def judge(self, program: Path, database: Path) -> str:
        """Lets a version check itself, as the table's own user."""
        command = ["runuser", "--user", USER, "--", str(program), "self-check", "--database", str(database)]
        environment = {**os.environ, "EL_GRANDE_HOME": str(database.parent)}
        return _failure(_run(*command, timeout_s=_JUDGE_S, environment=environment))

    def install(self, release: Path) -> str:
        """Has the release's own script put its program in place."""
        return _failure(_run(str(release / "install.sh"), "--program-only", "--yes", timeout_s=_INSTALL_S))


def answers(port: int) -> bool:
    """Returns whether a web server answers: a port that systemd holds open for it is not enough."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5.0) as line:
            line.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return line.recv(5) == b"HTTP/"
    except OSError:
        return False


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
    """Returns the last words of a program that failed; nothing when it did not."""
    if done.returncode == 0:
        return ""
    words = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return words[-1] if words else f"exit code {done.returncode}"
