"""`companion install-service`: makes systemd start the table at boot."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

import companion
from companion.doctor.machine import is_root

UNIT: Final = "el-grande-table.service"
RULES: Final = "99-el-grande.rules"
USER: Final = "el-grande"
GROUPS: Final = ("gpio", "spi", "dialout")
"""The groups for pins and PIO, for lights on SPI, and for hubs."""
DATA: Final = "/var/lib/el-grande"
HOMES: Final = ("/home", "/root", "/run/user")
"""Folders that the service does not see, except the parts it needs."""

_PLACES: Final = {UNIT: "etc/systemd/system", RULES: "etc/udev/rules.d"}
# `su` leaves these out of root's path.
_SYSTEM_PROGRAMS: Final = "/usr/local/sbin:/usr/sbin:/sbin"
_PATIENCE_S: Final = 60.0


@click.command(name="install-service")
@click.option("--no-start", is_flag=True, help="Do not start the table now, only when the machine starts.")
@click.option("--remove", is_flag=True, help="Remove the service. Games, tags and their user stay.")
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@click.option("--yes", is_flag=True, help="Replace files that were edited by hand without asking.")
@click.option("--root", type=click.Path(path_type=Path), default=Path("/"), hidden=True)
def install_service(no_start: bool, remove: bool, dry_run: bool, yes: bool, root: Path) -> None:
    """Start the table whenever the machine starts.

    The table becomes a systemd service. It runs as its own user, el-grande, and saves its games in /var/lib/el-grande.
    Run the command again to update everything and restart the table.
    """
    machine = ServiceHost(root, dry_run)
    if not machine.has_systemd:
        words = (
            "This machine does not run systemd, so no service can be installed. Start the table with `companion play`."
        )
        if not dry_run:
            raise click.ClickException(words)
        click.echo(f"{words} This is what would be done on one that does:", err=True)
    if not dry_run and root == Path("/") and not is_root():
        options = [f"--{name}" for name, given in (("no-start", no_start), ("remove", remove), ("yes", yes)) if given]
        command = shlex.join(["sudo", str(_program()), "install-service", *options])
        raise click.ClickException(f"Only root can do this. Run:  {command}\n(--dry-run shows what it would do.)")
    if remove:
        _remove(machine, yes)
    else:
        _install(machine, yes, no_start)


# --- Installing and removing -----------------------------------------------------------------------------------------


def _install(machine: ServiceHost, yes: bool, no_start: bool) -> None:
    groups = machine.members("group")
    present = [group for group in GROUPS if group in groups]
    files = {UNIT: _filled(_template(UNIT), _program(), present, _seen_homes())}
    if "gpio" in present:  # udev refuses a rule for a group that does not exist
        files[RULES] = _template(RULES)
    _ask(machine, files, yes)

    if USER not in machine.members("passwd"):
        group = ["--gid", USER] if USER in groups else ["--user-group"]
        place = ["--home-dir", DATA, "--no-create-home", "--shell", "/usr/sbin/nologin"]
        machine.run("useradd", "--system", *group, *place, USER)
    if missing := [group for group in present if USER not in groups[group]]:
        machine.run("usermod", "--append", "--groups", ",".join(missing), USER)

    if RULES in files:
        machine.write(RULES, files[RULES])
        machine.run("udevadm", "control", "--reload")
        machine.run("udevadm", "trigger", "--subsystem-match=*-pio")

    is_new = not machine.file(UNIT).exists()
    machine.write(UNIT, files[UNIT])
    machine.run("systemctl", "daemon-reload")
    if is_new and not no_start:
        machine.run("systemctl", "enable", "--now", UNIT)
    else:
        machine.run("systemctl", "enable", UNIT)
        if not no_start:
            # The old version may be running.
            machine.run("systemctl", "restart", UNIT)
    if not machine.dry_run:
        click.echo(f"The table {'starts' if no_start else 'is running, and starts again'} when the machine starts.")
        click.echo(f"Status:  systemctl status {UNIT}\nLog:     journalctl -u {UNIT}\nGames:   {DATA}")


def _remove(machine: ServiceHost, yes: bool) -> None:
    present = [name for name in _PLACES if machine.file(name).exists()]
    if not present:
        click.echo("There is nothing to remove: the service is not installed.")
        return
    _ask(machine, dict.fromkeys(present, ""), yes)
    if UNIT in present:
        machine.run("systemctl", "disable", "--now", UNIT)
        machine.delete(UNIT)
        machine.run("systemctl", "daemon-reload")
    if RULES in present:
        machine.delete(RULES)
        machine.run("udevadm", "control", "--reload")
    if not machine.dry_run:
        click.echo(
            f"The table no longer starts with the machine. Its games in {DATA} and its user {USER} are still there."
        )
        click.echo(f"To delete those too:  sudo userdel {USER} && sudo rm -r {DATA}")


def _ask(machine: ServiceHost, files: dict[str, str], yes: bool) -> None:
    """Asks about every file that was changed by hand, before anything is done."""
    for name, text in files.items():
        path = machine.file(name)
        found = path.read_text(errors="replace") if path.exists() else ""
        if not found or _is_ours(found) or _settings(found) == _settings(text):
            continue
        if machine.dry_run:
            click.echo(f"would ask: {path} was edited by hand")
        elif not yes:
            what = "Replace it" if text else "Delete it"
            click.confirm(f"{path} was edited by hand. {what}?", abort=True)


# --- The machine -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ServiceHost:
    """The machine that the service is installed on: its files and programs. Prints everything it does."""

    root: Path
    dry_run: bool

    @property
    def has_systemd(self) -> bool:
        """Whether the machine was started by systemd."""
        return (self.root / "run/systemd/system").is_dir()

    def file(self, name: str) -> Path:
        """Returns where a file of the service belongs."""
        return self.root / _PLACES[name] / name

    def members(self, database: str) -> dict[str, list[str]]:
        """Returns the users in /etc/passwd or the groups in /etc/group, with the last field: a group's members."""
        try:
            lines = (self.root / "etc" / database).read_text(errors="replace").splitlines()
        except OSError:
            return {}
        return {line.split(":")[0]: line.split(":")[-1].split(",") for line in lines}

    def run(self, *command: str) -> None:
        """Runs a system program. If it fails, the command stops."""
        click.echo(f"{'would run' if self.dry_run else 'run'}: {shlex.join(command)}")
        if self.dry_run:
            return
        path = f"{os.environ.get('PATH', os.defpath)}:{_SYSTEM_PROGRAMS}"
        try:
            done = subprocess.run(
                command, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=_PATIENCE_S
            )
        except FileNotFoundError:
            raise _stopped(f"{command[0]} is not installed on this machine") from None
        except subprocess.TimeoutExpired:
            raise _stopped(f"{command[0]} did not finish in time") from None
        if done.returncode:
            why = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
            raise _stopped(f"{command[0]} failed: {why}")

    def write(self, name: str, text: str) -> None:
        """Writes a file completely or not at all, with a checksum that reveals changes by hand."""
        path, text = self.file(name), _marked(text)
        if self.dry_run:
            click.echo(f"would write: {path}\n" + "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines()))
            return
        click.echo(f"write: {path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{name}.new")
        new.write_text(text)
        new.chmod(0o644)
        new.replace(path)

    def delete(self, name: str) -> None:
        """Deletes a file."""
        click.echo(f"{'would delete' if self.dry_run else 'delete'}: {self.file(name)}")
        if not self.dry_run:
            self.file(name).unlink()


def _stopped(why: str) -> click.ClickException:
    return click.ClickException(f"{why}.\nThe steps before it were done. Fix this, then run the command again.")


# --- The files -------------------------------------------------------------------------------------------------------


def _template(name: str) -> str:
    for folder in (_source() / "packaging", Path(sysconfig.get_path("data"), "share", "el-grande-table")):
        if (folder / name).is_file():
            return (folder / name).read_text()
    raise click.ClickException(f"{name} did not come with this installation. Install from the project's own folder.")


def _filled(template: str, program: Path, groups: Iterable[str], visible: Iterable[str]) -> str:
    """Returns the unit file for this machine."""
    values = {"program": str(program), "groups": " ".join(groups), "visible": " ".join(visible)}
    return re.sub("@(program|groups|visible)@", lambda match: values[match[1]], template)


def _marked(text: str) -> str:
    """Returns a text with a first line that shows whether the rest was changed later."""
    return f"# Sum {hashlib.sha256(text.encode()).hexdigest()[:16]}: by it a change by hand is known.\n{text}"


def _settings(text: str) -> list[str]:
    """Returns the lines of a file that count: neither empty nor comments."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _is_ours(text: str) -> bool:
    """Returns whether a file is as it was written, by any version.

    >>> _is_ours(_marked("[Unit]")), _is_ours(_marked("[Unit]") + "  # mine"), _is_ours("[Unit]")
    (True, False, False)
    """
    return text == _marked(text.partition("\n")[2])


# --- The program -----------------------------------------------------------------------------------------------------


def _source() -> Path:
    """Returns the folder that our packages are in."""
    return Path(companion.__file__).parents[1]


def _program() -> Path:
    """Returns the program that the service runs: the one in this environment."""
    program = Path(sys.executable).with_name("companion")
    if not program.is_file():
        raise click.ClickException(f"There is no {program}. Install the project first: make play, or pip install.")
    return _plain(program)


def _plain(path: Path) -> Path:
    if not re.fullmatch(r"[\w./+-]+", str(path)):
        raise click.ClickException(f"{path}: a service needs a path without spaces and other special characters.")
    return path


def _seen_homes() -> list[str]:
    """Returns the folders the program needs in somebody's home: the service sees these and nothing else there."""
    needed = {Path(sys.prefix), Path(sys.base_prefix), _source()}
    in_homes = {path for path in needed if any(path.is_relative_to(home) for home in HOMES)}
    outermost = sorted(str(_plain(path)) for path in in_homes if not in_homes & set(path.parents))
    for path in outermost:
        if os.stat(path).st_mode & 0o005 != 0o005:
            raise click.ClickException(
                f"Other users cannot read {path}, so the service could not either. Run:  chmod -R o+rX {path}"
            )
    return outermost
