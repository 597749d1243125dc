"""The machine that the table is installed on: its files and its programs."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# `su` leaves these out of root's path.
SYSTEM_PROGRAMS: Final = "/usr/local/sbin:/usr/sbin:/sbin"
PATIENCE_S: Final = 240.0
"""How long a program may take. systemd may have to stop and start our services, each within its own time."""


class HostProgramFailed(Exception):
    """Something that had to be done on the machine failed; the message says what and why."""


@dataclass(frozen=True)
class Host:
    """The machine that the table is installed on. Reports everything it does.

    :param root: where the machine's files begin; a test has a folder for it.
    :param dry_run: whether it only says what it would do.
    :param say: takes each line of the report.
    """

    root: Path
    dry_run: bool
    say: Callable[[str], None] = print

    @property
    def has_systemd(self) -> bool:
        """Whether the machine was started by systemd."""
        return (self.root / "run/systemd/system").is_dir()

    @property
    def has_network_manager(self) -> bool:
        """Whether NetworkManager looks after the network."""
        return self.file("run/NetworkManager").is_dir() or self.file("usr/bin/nmcli").exists()

    def file(self, path: str | Path) -> Path:
        """Returns where a file of the machine is."""
        return self.root / str(path).lstrip("/")

    def read(self, path: str | Path) -> str:
        """Returns the text of a file; an empty one when there is no such file."""
        file = self.file(path)
        return file.read_text(errors="replace") if file.exists() else ""

    def members(self, database: str) -> dict[str, list[str]]:
        """Returns the users in /etc/passwd or the groups in /etc/group, with the last field: a group's members."""
        lines = self.read(f"etc/{database}").splitlines()
        return {line.split(":")[0]: line.split(":")[-1].split(",") for line in lines}

    def run(self, *command: str) -> None:
        """Runs a program of the system. If it fails, everything stops."""
        self.say(f"{'would run' if self.dry_run else 'run'}: {shlex.join(command)}")
        if self.dry_run:
            return
        path = f"{os.environ.get('PATH', os.defpath)}:{SYSTEM_PROGRAMS}"
        try:
            done = subprocess.run(
                command, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=PATIENCE_S
            )
        except FileNotFoundError:
            raise HostProgramFailed(f"{command[0]} is not installed on this machine") from None
        except subprocess.TimeoutExpired:
            raise HostProgramFailed(f"{command[0]} did not finish in time") from None
        if done.returncode:
            why = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
            raise HostProgramFailed(f"{command[0]} failed: {why}")

    def write(self, path: str | Path, text: str) -> None:
        """Writes a file completely or not at all."""
        file = self.file(path)
        if self.dry_run:
            self.say(f"would write: {file}\n" + "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines()))
            return
        self.say(f"write: {file}")
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_name(f".{file.name}.new")
        new.write_text(text)
        # A boot partition knows no rights, and refuses other ones than it shows.
        new.chmod(file.stat().st_mode & 0o777 if file.exists() else 0o644)
        new.replace(file)

    def delete(self, path: str | Path) -> None:
        """Deletes a file."""
        file = self.file(path)
        self.say(f"{'would delete' if self.dry_run else 'delete'}: {file}")
        if not self.dry_run:
            file.unlink()
