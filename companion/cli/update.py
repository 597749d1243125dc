"""`companion update`, `versions` and `rollback`: which version of the program the installed table runs."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import click

from companion.doctor.machine import is_root
from companion.installation.errors import BadRelease
from companion.installation.layout import CURRENT, DATA
from companion.installation.running_table import SystemdTable
from companion.installation.updater import STATE, UpdateOutcome, Updater
from companion.installation.versions import Versions
from companion.storage.file_versions import VersionedFile

UPDATING: Final = "el-grande-updating"
"""The unit that an update runs in."""
_LOOK_S: Final = 0.3


def _updater() -> Updater:
    return Updater(SystemdTable(), VersionedFile(DATA / "table.db"), say=click.echo)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--resume", is_flag=True, hidden=True, help="Go on with a trial that was interrupted.")
@click.option("--in-unit", is_flag=True, hidden=True, help="This is the unit that does the work.")
def update(file: Path | None, resume: bool, in_unit: bool) -> None:
    """Update the installed table to a release.

    The new version is installed beside the running one and checks itself on a copy of the games. Then the table starts
    again with it, between two moves, and the game goes on. If it does not work within a minute, the old version comes
    back by itself.
    """
    if not resume and file is None:
        raise click.UsageError("Name the file of the release: companion update el-grande-table-VERSION.tar")
    _only_root("update", *([str(file)] if file else []))
    if file is not None and not in_unit:
        _in_a_unit("update", "--in-unit", str(file.resolve()))
        return
    try:
        outcome = _updater().resume() if file is None else _updater().update(file)
    except BadRelease as problem:
        raise click.ClickException(str(problem)) from None
    if outcome is not None:
        _tell(outcome)


@click.command()
@click.option("--in-unit", is_flag=True, hidden=True, help="This is the unit that does the work.")
def rollback(in_unit: bool) -> None:
    """Go back to the version before this one."""
    _only_root("rollback")
    if not in_unit:
        _in_a_unit("rollback", "--in-unit")
        return
    try:
        _tell(_updater().roll_back())
    except BadRelease as problem:
        raise click.ClickException(str(problem)) from None


@click.command()
def versions() -> None:
    """List the installed versions and the last updates."""
    installed = Versions()
    if installed.current is None:
        click.echo("Nothing was installed by install.sh on this machine.")
        return
    for version in installed.installed():
        runs = "  (current)" if version == installed.current else ""
        back = "  (companion rollback goes back to it)" if version == installed.previous else ""
        click.echo(f"{version}{runs}{back}")
    for outcome in _updater().outcomes() if STATE.exists() else []:
        words = "works" if outcome["works"] else outcome["why"]
        click.echo(f"{outcome['at']}  {outcome['before']} to {outcome['version']}: {words}")


def _tell(outcome: UpdateOutcome) -> None:
    if not outcome["works"]:
        raise click.ClickException(f"Version {outcome['version']} is not in use: {outcome['why']}.")
    click.echo(f"The table runs version {outcome['version']}. To go back: sudo companion rollback")


def _in_a_unit(*command: str) -> None:
    """Runs a command in a unit of its own, which goes on if this terminal is closed, and repeats what it says."""
    if Versions().current is None:
        raise click.ClickException("Only a table that install.sh has installed can be updated. Run install.sh first.")
    STATE.mkdir(mode=0o755, parents=True, exist_ok=True)
    log = STATE / "progress.log"
    log.write_text("")
    words = [f"--property=Standard{stream}=append:{log}" for stream in ("Output", "Error")]
    program = [str(CURRENT / "bin" / "companion"), *command]
    try:
        unit = subprocess.Popen(["systemd-run", "--quiet", "--collect", "--wait", "--unit", UPDATING, *words, *program])
    except OSError:
        raise click.ClickException("An update needs systemd, which this machine does not run.") from None
    with log.open() as said:
        while unit.poll() is None:
            click.echo(said.read(), nl=False)
            time.sleep(_LOOK_S)
        click.echo(said.read(), nl=False)
    if unit.returncode:
        raise click.exceptions.Exit(1)


def _only_root(*command: str) -> None:
    if not is_root():
        program = shlex.join(["sudo", os.path.abspath(sys.argv[0]), *command])
        raise click.ClickException(f"Only root can do this. Run:  {program}")
