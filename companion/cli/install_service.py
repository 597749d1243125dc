"""`companion install-service`: makes systemd start the table at boot."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import click

import companion
from companion.doctor.machine import Machine, is_root
from companion.installation import (
    DATA,
    PROGRAMS,
    USER,
    Host,
    HostProgramFailed,
    SystemFile,
    installed_program,
    is_ours,
    marked,
    settings,
    with_board,
    without_board,
)
from companion.network.profiles import HOTSPOT_FILE, HOTSPOT_UUID

GROUPS: Final = ("gpio", "spi", "dialout")
"""The groups for pins and PIO, for lights on SPI, and for hubs."""
HOMES: Final = ("/home", "/root", "/run/user")
"""Folders that the service does not see, except the parts it needs."""
FIRST_BOARD: Final = "buttons-only"
"""The board of a fresh installation, until somebody brings their own file."""

UNIT: Final = "el-grande-table.service"
_SOCKET: Final = "el-grande-table.socket"
_UPDATE: Final = "el-grande-update.service"
_NETWORK: Final = ("el-grande-network.socket", "el-grande-network.service")
_HOTSPOT: Final = (
    f"etc/NetworkManager/system-connections/{HOTSPOT_FILE}",
    f"etc/netplan/90-NM-{HOTSPOT_UUID}.yaml",
)
"""The profile of the table's own Wi-Fi: where the network service writes it, and where netplan may have moved it."""
_NETWORK_FILES: Final = (SystemFile.NETWORK_SOCKET, SystemFile.NETWORK, SystemFile.HOTSPOT_NAMES)


@click.command(name="install-service")
@click.option("--no-start", is_flag=True, help="Do not start the table now, only when the machine starts.")
@click.option("--remove", is_flag=True, help="Remove the service. Games, tags and their user stay.")
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@click.option("--yes", is_flag=True, help="Replace files that were edited by hand without asking.")
@click.option("--root", type=click.Path(path_type=Path), default=Path("/"), hidden=True)
def install_service(no_start: bool, remove: bool, dry_run: bool, yes: bool, root: Path) -> None:
    """Start the table whenever the machine starts.

    The table becomes a systemd service. It runs as its own user, el-grande, saves its games in /var/lib/el-grande, and
    serves its pages on port 80. On a Raspberry Pi, SPI is switched on for the lights, and the table opens its own Wi-Fi
    if the Pi knows none. Run the command again to update everything and restart the table.
    """
    host = Host(root, dry_run, click.echo)
    if not host.has_systemd:
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
    try:
        if remove:
            _remove(host, yes)
        else:
            _install(host, yes, no_start)
    except HostProgramFailed as problem:
        raise click.ClickException(
            f"{problem}.\nThe steps before it were done. Fix this, then run the command again."
        ) from None


# --- Installing and removing -----------------------------------------------------------------------------------------


def _install(host: Host, yes: bool, no_start: bool) -> None:
    groups = host.members("group")
    present = [group for group in GROUPS if group in groups]
    files = _files(host, present)
    _ask(host, files, yes)

    if USER not in host.members("passwd"):
        group = ["--gid", USER] if USER in groups else ["--user-group"]
        place = ["--home-dir", str(DATA), "--no-create-home", "--shell", "/usr/sbin/nologin"]
        host.run("useradd", "--system", *group, *place, USER)
    if missing := [group for group in present if USER not in groups[group]]:
        host.run("usermod", "--append", "--groups", ",".join(missing), USER)
    _give_a_board(host)
    restart_needed = _set_up_pi(host)

    if SystemFile.RULES in files:
        host.write(SystemFile.RULES.path, marked(files[SystemFile.RULES]))
        host.run("udevadm", "control", "--reload")
        host.run("udevadm", "trigger", "--subsystem-match=*-pio")
    if SystemFile.NAME in files:
        host.write(SystemFile.NAME.path, marked(files[SystemFile.NAME]))

    is_new = not host.file(SystemFile.UNIT.path).exists()
    for file in (SystemFile.SOCKET, SystemFile.UNIT, SystemFile.UPDATE, *_NETWORK_FILES):
        if file in files:
            host.write(file.path, marked(files[file]))
    # The network first: the table asks it.
    units = [*(_NETWORK if SystemFile.NETWORK in files else ()), _SOCKET, UNIT]
    host.run("systemctl", "daemon-reload")
    if SystemFile.UPDATE in files:
        host.run("systemctl", "enable", _UPDATE)
    if is_new and not no_start:
        host.run("systemctl", "enable", "--now", *units)
    else:
        host.run("systemctl", "enable", *units)
        if not no_start:
            # The old version may be running.
            host.run("systemctl", "restart", *units)
    if not host.dry_run:
        click.echo(f"The table {'starts' if no_start else 'is running, and starts again'} when the machine starts.")
        click.echo(f"Status:  systemctl status {UNIT}\nLog:     journalctl -u {UNIT}\nGames:   {DATA}")
        if restart_needed:
            click.echo("Restart the Pi once, so that its lights get SPI:  sudo reboot")


def _files(host: Host, groups: Sequence[str]) -> dict[SystemFile, str]:
    """Returns the files for this machine, with their texts."""
    files = {
        SystemFile.SOCKET: SystemFile.SOCKET.template,
        SystemFile.UNIT: _filled(SystemFile.UNIT.template, _program(), groups, _seen_homes()),
    }
    if _program().is_relative_to(PROGRAMS):  # only what install.sh has installed can be updated
        files[SystemFile.UPDATE] = _filled(SystemFile.UPDATE.template, _program(), groups, [])
    if "gpio" in groups:  # udev refuses a rule for a group that does not exist
        files[SystemFile.RULES] = SystemFile.RULES.template
    if host.file(SystemFile.NAME.path).parent.is_dir():  # without avahi, nobody would read it
        files[SystemFile.NAME] = SystemFile.NAME.template
    # Only a Pi is made for the table. A laptop would get its radio switched on, and a Wi-Fi that nobody asked for.
    if host.has_network_manager and Machine(root=host.root).is_pi:
        files |= {file: _filled(file.template, _program(), groups, _seen_homes()) for file in _NETWORK_FILES}
    return files


def _give_a_board(host: Host) -> None:
    """Gives a fresh installation the board that is easiest to build. A board file that is there stays."""
    file = DATA / "board.toml"
    if host.file(file).exists():
        return
    text = Path(companion.__file__).parents[1] / "hardware" / "boards" / f"{FIRST_BOARD}.toml"
    host.run("install", "--directory", "--owner", USER, "--group", USER, "--mode", "0700", str(host.file(DATA)))
    host.run("install", "--owner", USER, "--group", USER, "--mode", "0600", str(text), str(host.file(file)))


def _set_up_pi(host: Host) -> bool:
    """Switches on what a board needs of a Raspberry Pi. Returns whether the Pi must be restarted for it."""
    machine = Machine(root=host.root)
    if not machine.is_pi:
        return False
    file = machine.boot_file("config.txt")
    before = host.read(file)
    after = with_board(before)
    if after != before:
        host.write(file, after)
    return after != before


def _remove(host: Host, yes: bool) -> None:
    present = [file for file in SystemFile if host.file(file.path).exists()]
    if not present:
        click.echo("There is nothing to remove: the service is not installed.")
        return
    _ask(host, dict.fromkeys(present, ""), yes)
    names = {SystemFile.UNIT: UNIT, SystemFile.SOCKET: _SOCKET, SystemFile.UPDATE: _UPDATE}
    units = [name for file, name in names.items() if file in present]
    if SystemFile.NETWORK in present:
        units += reversed(_NETWORK)
    if units:
        host.run("systemctl", "disable", "--now", *units)
    for file in present:
        host.delete(file.path)
    if units:
        host.run("systemctl", "daemon-reload")
    if SystemFile.RULES in present:
        host.run("udevadm", "control", "--reload")
    # Networks that people chose stay: the machine may be reached by one of them.
    if profiles := [path for path in _HOTSPOT if host.file(path).exists()]:
        for profile in profiles:
            host.delete(profile)
        host.run("nmcli", "connection", "reload")
    config = Machine(root=host.root).boot_file("config.txt")
    if (before := host.read(config)) != (after := without_board(before)):
        host.write(config, after)
    if not host.dry_run:
        click.echo(
            f"The table no longer starts with the machine. Its games in {DATA} and its user {USER} are still there."
        )
        click.echo(f"To delete those too:  sudo userdel {USER} && sudo rm -r {DATA} {DATA}-network")


def _ask(host: Host, files: dict[SystemFile, str], yes: bool) -> None:
    """Asks about every file that was changed by hand, before anything is done."""
    for file, text in files.items():
        path, found = host.file(file.path), host.read(file.path)
        if not found or is_ours(found) or settings(found) == settings(text):
            continue
        if host.dry_run:
            click.echo(f"would ask: {path} was edited by hand")
        elif not yes:
            what = "Replace it" if text else "Delete it"
            click.confirm(f"{path} was edited by hand. {what}?", abort=True)


# --- The program -----------------------------------------------------------------------------------------------------


def _filled(template: str, program: Path, groups: Iterable[str], visible: Iterable[str]) -> str:
    """Returns the unit file for this machine."""
    values = {"program": str(program), "groups": " ".join(groups), "visible": " ".join(visible)}
    return re.sub("@(program|groups|visible)@", lambda match: values[match[1]], template)


def _program() -> Path:
    """Returns the program that the service runs: the one in this environment."""
    program = Path(sys.executable).with_name("companion")
    if not program.is_file():
        raise click.ClickException(f"There is no {program}. Install the project first: make play, or pip install.")
    return _plain(installed_program(program.parents[1]))


def _plain(path: Path) -> Path:
    if not re.fullmatch(r"[\w./+-]+", str(path)):
        raise click.ClickException(f"{path}: a service needs a path without spaces and other special characters.")
    return path


def _seen_homes() -> list[str]:
    """Returns the folders the program needs in somebody's home: the service sees these and nothing else there."""
    needed = {Path(sys.prefix), Path(sys.base_prefix), Path(companion.__file__).parents[1]}
    in_homes = {path for path in needed if any(path.is_relative_to(home) for home in HOMES)}
    outermost = sorted(str(_plain(path)) for path in in_homes if not in_homes & set(path.parents))
    for path in outermost:
        if os.stat(path).st_mode & 0o005 != 0o005:
            raise click.ClickException(
                f"Other users cannot read {path}, so the service could not either. Run:  chmod -R o+rX {path}"
            )
    return outermost
