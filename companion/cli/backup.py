"""`companion backup`: a copy of everything the table has saved."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from companion.cli.kept_games import database_option
from companion.storage.database import Database, look_into
from companion.storage.errors import DiskFull
from companion.storage.kept_copies import sync_folder
from companion.storage.restore import contents_of

LARGE_PAGES: Final = 2048
"""From this size, 8 MB, progress is shown."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@database_option
def backup(file: Path, database: Path) -> None:
    """Copy all games and tags to a new file.

    You can do this during a game. The copy is checked before it gets its name. To use it, run `companion restore
    FILE`. Do not copy it over the original by hand: a part of the original is in other files beside it. The copy
    includes secrets of a game in progress, so only you can read it.
    """
    if file.is_dir():
        raise click.ClickException(f"{file} is a folder. Name a file in it, such as {file / 'table-copy.db'}.")
    if os.path.lexists(file):
        raise _there_already(file)
    if not file.absolute().parent.is_dir():
        raise click.ClickException(f"There is no folder {file.parent}. Create it, or name another.")
    with look_into(database) as source:
        if source is None:
            raise click.ClickException(
                f"There is nothing to copy: {database} does not exist. Name another file with --database."
            )
        with _beside(file) as copy:
            _copy(source, copy, file)
            with look_into(copy) as looked_over:
                contents = str(contents_of(looked_over)) if looked_over else ""
            _name(copy, file)
    click.echo(f"Copied to {file}: {contents}.")


def _there_already(file: Path) -> click.ClickException:
    return click.ClickException(f"{file} already exists, and was not changed. Name another file.")


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Yields a temporary file in the same folder, for this user only, and deletes it afterwards."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.absolute().parent)
    except OSError as error:
        raise click.ClickException(f"Cannot write {file}: {error.strerror}. Name another file.") from None
    os.close(handle)
    try:
        yield Path(name)
    finally:
        for end in ("", "-journal"):
            Path(f"{name}{end}").unlink(missing_ok=True)


def _copy(source: Database, copy: Path, file: Path) -> None:
    try:
        with copying() as progress:
            source.copy_to(copy, progress)
    except DiskFull:
        raise click.ClickException(
            f"There is no room for {file}: the disk is full. Nothing was copied. "
            "Free some space, or name a file on another disk."
        ) from None


@contextmanager
def copying() -> Iterator[Callable[[int, int], None]]:
    """Yields a function that shows the progress of a large copy, given the pages done and the pages in all."""
    bar = click.progressbar(length=0, label="Copying", file=sys.stderr)

    def progress(done: int, pages: int) -> None:
        if pages >= LARGE_PAGES:
            bar.length = pages
            bar.update(done - bar.pos)

    yield progress
    if bar.length:
        bar.render_finish()


def _name(copy: Path, file: Path) -> None:
    """Gives the copy its name, without replacing another file."""
    try:
        os.link(copy, file)
    except FileExistsError:
        raise _there_already(file) from None
    except OSError:
        # Some file systems have no hard links.
        copy.rename(file)
    sync_folder(file.absolute().parent)
