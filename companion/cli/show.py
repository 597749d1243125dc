"""`companion show`: prints a record or a saved game round by round."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import click

from companion.cli.kept_games import database_option, kept_game
from companion.cli.story import story
from companion.engine import Game


def read_text(file: BinaryIO) -> str:
    """Returns the text of a file. Fails with a clear message when it is not text."""
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.ClickException(f"{file.name} is not a record: it is not text.") from None


def _meant(ctx: click.Context, param: click.Parameter, value: str) -> Any:
    """Returns the number of a saved game, or an open file."""
    return int(value) if value.isdecimal() else click.File("rb").convert(value, param, ctx)


@click.command()
@click.argument("game", callback=_meant, metavar="NUMBER|RECORD")
@database_option
def show(game: int | BinaryIO, database: Path) -> None:
    """Print a game as readable rounds: who did what, and what every scoring brought.

    NUMBER is that of a kept game: `companion games` lists them.

    RECORD is the file of a game, as `companion export` makes it and `companion play` keeps it: a few lines on what was
    agreed (edition, seats, rounds, house), an empty line, and then a move a line. With - it is read from a pipe. A
    file that is called like a number is meant by ./12.
    """
    told = kept_game(database, game).game if isinstance(game, int) else Game.from_record(read_text(game))
    for line in story(told):
        click.echo(line)
