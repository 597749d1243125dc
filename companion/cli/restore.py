"""`companion restore`: puts a backup in the place of everything the table has saved."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from companion.cli.backup import copying
from companion.cli.kept_games import database_option, played_by_one
from companion.storage.errors import DiskFull
from companion.storage.restore import restore as put_in_place


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@database_option
def restore(file: Path, database: Path) -> None:
    """Replace all games and tags with those of a backup.

    FILE was written by `companion backup`; it is checked first and stays as it is. What was there before is kept beside
    it, under a name with the date. Stop the table first: this refuses while one is running.
    """
    database.absolute().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with played_by_one(database), copying() as progress:
            done = put_in_place(file, database, progress, datetime.now())
    except DiskFull:
        raise click.ClickException(
            f"There is no room for a copy of {file} beside {database}: the disk is full. Nothing was changed. "
            "Free some space, then try again."
        ) from None
    for problem in done.contents.damaged:
        click.echo(f"Warning: {problem.cause}", err=True)
    click.echo(f"Restored {database} from {file}: {done.contents}.")
    if done.kept_as is not None:
        click.echo(
            f"What was there before is kept in {done.kept_as}. `companion restore {done.kept_as}` brings it back."
        )
