"""`companion repair`: goes on with a damaged game from its last good move."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.kept_games import database_option, played_by_one, warn
from companion.storage.database import open_database
from companion.storage.errors import BadJournal
from companion.storage.journal import Journal


@click.command()
@click.argument("number", type=int)
@database_option
def repair(number: int, database: Path) -> None:
    """Continue a damaged game from its last good move.

    Everything up to that move is saved as a new game, and `companion play` continues it. The damaged game stays as it
    is, and is set aside. If you have a newer backup, `companion restore` may bring back more.
    """
    if not database.exists():
        raise click.ClickException(f"There is no game {number}: {database} does not exist.")
    with open_database(database) as opened, played_by_one(database):
        warn(opened)
        journal = Journal(opened)
        try:
            journal.load(number)
        except BadJournal as problem:
            click.echo(str(problem.cause))
            repaired = journal.repair(number)
        else:
            raise click.ClickException(f"Game {number} is not damaged. There is nothing to repair.")
    goes_on = "" if repaired.finished_at else " `companion play` continues it."
    click.echo(f"Game {repaired.id} has its first {len(repaired.game.moves)} moves.{goes_on}")
