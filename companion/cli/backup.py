"""`companion backup`: a copy of everything the table has saved."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from companion.cli.kept_games import database_option
from companion.storage.database import Database, look_into
from companion.storage.errors import DiskFull

LARGE_PAGES: Final = 2048
"""From this size, 8 MB, progress is shown."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@database_option
def backup(file: Path, database: Path) -> None:
    """Copy all games and tags into a new file, also while a game is played.

    The copy is looked over before it gets its name. To use it, put it in the place of the first, or name it with
    --database. It holds also what players have not shown yet, so only you may read it.
    """
    if file.is_dir():
        raise click.ClickException(f"{file} is a folder. Name a file in it: {file / 'table-copy.db'}")
    if os.path.lexists(file):
        raise _there_already(file)
    if not file.absolute().parent.is_dir():
        raise click.ClickException(f"There is no folder {file.parent}. Make it, or name another place.")
    with look_into(database) as source:
        if source is None:
            raise click.ClickException(
                f"There is nothing to copy: {database} does not exist. Name the file with --database."
            )
        with _beside(file) as copy:
            _copy(source, copy, file)
            with look_into(copy) as looked_over:
                contents = _contents(looked_over) if looked_over else ""
            _name(copy, file)
    click.echo(f"Copied to {file}: {contents}.")


def _there_already(file: Path) -> click.ClickException:
    return click.ClickException(f"{file} is there already, and was left as it is. Name another file.")


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Yields a temporary file in the same folder, for this user only, and deletes it afterwards."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.absolute().parent)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}. Name another place.") from None
    os.close(handle)
    try:
        yield Path(name)
    finally:
        for end in ("", "-journal"):
            Path(f"{name}{end}").unlink(missing_ok=True)


def _copy(source: Database, copy: Path, file: Path) -> None:
    bar = click.progressbar(length=0, label="Copying", file=sys.stderr)

    def progress(done: int, pages: int) -> None:
        if pages >= LARGE_PAGES:
            bar.length = pages
            bar.update(done - bar.pos)

    try:
        source.copy_to(copy, progress)
    except DiskFull:
        raise click.ClickException(
            f"There is no room for {file}: the disk is full. Nothing was copied. "
            "Free some space, or name a place on another disk."
        ) from None
    if bar.length:
        bar.render_finish()


def _contents(copy: Database) -> str:
    """Says what the copy contains, counted in the copy itself."""
    counts = []
    for table in ("games", "tags"):
        [[there]] = copy.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,))
        [[count]] = copy.execute(f"SELECT count(*) FROM {table}") if there else [[0]]
        counts.append(f"{count} {table}")
    return " and ".join(counts)


def _name(copy: Path, file: Path) -> None:
    """Gives the copy its name, without replacing another file."""
    try:
        os.link(copy, file)
    except FileExistsError:
        raise _there_already(file) from None
    except OSError:
        # Some file systems have no hard links.
        copy.rename(file)
    folder = os.open(file.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
