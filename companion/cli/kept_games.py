"""What the commands for saved games share: the file, and finding a game by its number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from companion.storage.database import Database, default_path, look_into
from companion.storage.file_lock import Locked, file_lock
from companion.storage.journal import Journal, Kept
from companion.storage.kept_copies import beside
from companion.storage.private_files import LOCK_END

P = ParamSpec("P")
R = TypeVar("R")


def database_option(command: Callable[P, R]) -> Callable[P, R]:
    """Adds the option for the file that games are saved in."""
    return click.option(
        "--database",
        type=click.Path(path_type=Path),
        default=default_path,
        help="The file games are saved in.  [default: table.db in your data folder]",
    )(command)


@contextmanager
def journal_in(file: Path) -> Iterator[Journal | None]:
    """Yields the games in a file, which is only read; `None` when the file is missing or too old to hold games."""
    with look_into(file) as database:
        if database is None or not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entries'"):
            yield None
        else:
            warn(database)
            yield Journal(database)


def kept_game(file: Path, number: int) -> Kept:
    """Returns the saved game with this number. Fails with a clear message when no game has it."""
    with journal_in(file) as journal:
        if journal is None:
            raise click.ClickException(
                f"There is no game {number}: {file} has no saved games yet. Name another file with --database."
            )
        return journal.load(number)


def local_time(at: str) -> str:
    """Returns a time from the journal in local time, or `?` when it is damaged."""
    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return "?"


def warn(database: Database) -> None:
    """Prints what people should know about a file, although it can be used."""
    for warning in database.warnings:
        click.echo(f"Warning: {warning}", err=True)


@contextmanager
def played_by_one(file: Path) -> Iterator[None]:
    """Lets only one program play with a file: two would continue the same game in different ways."""
    # A separate file, because closing the database file anywhere in this process would drop SQLite's locks on it.
    with ExitStack() as stack:
        try:
            stack.enter_context(file_lock(beside(file, LOCK_END)))
        except Locked:
            raise click.ClickException(
                f"Another program is playing the game saved in {file}. Stop it first (if it is the service: sudo "
                "systemctl stop el-grande-table.socket el-grande-table), or name another file with --database."
            ) from None
        yield
