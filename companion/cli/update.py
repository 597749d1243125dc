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
from companion.installation.update_records import STATE, UpdateOutcome, UpdateRecords, last_outcome
from companion.installation.updater import Updater
from companion.installation.versions import Versions
from companion.storage.file_versions import VersionedFile

UPDATING: Final = "el-grande-updating.service"
"""The unit that an update runs in."""
RESUMING: Final = "el-grande-update.service"
"""The unit that goes on with it after a power cut."""
_LOOK_S: Final = 0.3


def _records() -> UpdateRecords:
    return UpdateRecords(STATE)


def _updater() -> Updater:
    return Updater(SystemdTable(), VersionedFile(DATA / "table.db"), records=_records(), say=click.echo)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--resume", is_flag=True, hidden=True, help="Go on with a trial that was interrupted.")
@click.option("--in-unit", is_flag=True, hidden=True, help="This is the unit that does the work.")
def update(file: Path | None, resume: bool, in_unit: bool) -> None:
    """Update the installed table to a release.

    The new version is installed beside the running one and checks itself on a copy of the games. Then the table starts
    again with it, between two moves, and the game goes on. If it does not work within a minute, or crashes three times
    within the five minutes after that, the old version comes back by itself.
    """
    if not resume and file is None:
        raise click.UsageError("Name the file of the release: companion update el-grande-table-VERSION.tar")
    _only_root("update", *([str(file)] if file else []))
    try:
        if file is not None and not in_unit:
            _in_a_unit("update", "--in-unit", str(file.resolve()))
            return
        outcome = _updater().resume() if file is None else _updater().update(file)
    except BadRelease as problem:
        raise click.ClickException(str(problem)) from None
    if outcome is not None:
        _tell(outcome)


@click.command()
@click.option("--in-unit", is_flag=True, hidden=True, help="This is the unit that does the work.")
def rollback(in_unit: bool) -> None:
    """Go back to the version before this one.

    If that version cannot read the games as they are now, it gets them as they were before this one was installed. What
    was played since then is kept in a file, which is named.
    """
    _only_root("rollback")
    try:
        if not in_unit:
            _end_watch()
            _in_a_unit("rollback", "--in-unit")
            return
        outcome = _updater().roll_back()
    except BadRelease as problem:
        raise click.ClickException(str(problem)) from None
    _tell(outcome)


@click.command()
def versions() -> None:
    """List the installed versions and the last updates."""
    installed, records = Versions(), _records()
    if installed.current is None:
        click.echo("Nothing was installed by install.sh on this machine.")
        return
    for version in installed.installed():
        runs = "  (current)" if version == installed.current else ""
        back = "  (companion rollback goes back to it)" if version == installed.previous else ""
        click.echo(f"{version}{runs}{back}")
    for outcome in records.outcomes:
        words = "works" if outcome["works"] else outcome["why"]
        kept_as = outcome.get("kept_as", "")
        kept = f" (later games are kept in {kept_as})" if kept_as else ""
        click.echo(f"{outcome['at']}  {outcome['before']} to {outcome['version']}: {words}{kept}")
    if (trial := records.trial) is not None:
        click.echo(f"Version {trial.version} is on trial: if it does not work, version {trial.before} comes back.")


def _tell(outcome: UpdateOutcome) -> None:
    version, kept_as = outcome["version"], outcome.get("kept_as", "")
    if not outcome["works"]:
        kept = f" What was played with it is kept in {kept_as}." if kept_as else ""
        raise click.ClickException(f"Version {version} is not in use: {outcome['why']}.{kept}")
    games = f" with older games. What was played since then is kept in {kept_as}" if kept_as else ""
    click.echo(f"The table runs version {version}{games}. To go back: sudo companion rollback")


def _end_watch() -> None:
    """Ends the watch over a version that works so far: people who go back do not have to wait for its end."""
    trial = _records().trial
    if trial is not None and trial.works:
        subprocess.run(["systemctl", "stop", UPDATING, RESUMING], capture_output=True, timeout=60, check=False)


def _in_a_unit(*command: str) -> None:
    """Runs a command in a unit of its own, which goes on if this terminal is closed, and repeats what it says.

    Returns as soon as the new version works. The unit goes on watching it.
    """
    if Versions().current is None:
        raise BadRelease("Only a table that install.sh has installed can be updated. Run install.sh first.")
    records = _records()
    with records.one_update():
        earlier = records.trial
        log = records.folder / "progress.log"
        log.write_text("")
    words = [f"--property=Standard{stream}=append:{log}" for stream in ("Output", "Error")]
    program = [str(CURRENT / "bin" / "companion"), *command]
    try:
        unit = subprocess.Popen(["systemd-run", "--quiet", "--collect", "--wait", "--unit", UPDATING, *words, *program])
    except OSError:
        raise click.ClickException("An update needs systemd, which this machine does not run.") from None
    with unit, log.open() as said:
        is_watching = False
        while unit.poll() is None and not is_watching:
            click.echo(said.read(), nl=False)
            time.sleep(_LOOK_S)
            trial = records.trial
            is_watching = trial is not None and trial.works and trial != earlier
        if is_watching:
            # This ends only the waiting.
            unit.terminate()
        unit.wait()
        click.echo(said.read(), nl=False)
    if is_watching:
        if (outcome := last_outcome(records.folder)) is not None:
            _tell(outcome)
    elif unit.returncode:
        raise click.exceptions.Exit(1)


def _only_root(*command: str) -> None:
    if not is_root():
        program = shlex.join(["sudo", os.path.abspath(sys.argv[0]), *command])
        raise click.ClickException(f"Only root can do this. Run:  {program}")
