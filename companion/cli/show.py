"""`companion show`: a record as readable rounds."""

from __future__ import annotations

from typing import BinaryIO

import click

from companion.engine import Game
from companion.story import story


def read_game(file: BinaryIO) -> Game:
    """The game in a file, or a clear word about what is wrong with it."""
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.ClickException(f"{file.name} is not a record: it is not text.") from None
    return Game.from_record(text)


@click.command()
@click.argument("record", type=click.File("rb"))
def show(record: BinaryIO) -> None:
    """Print a game as readable rounds: who did what, and what every scoring brought.

    RECORD is the file of a game, as `companion play` keeps it: a few lines on what was agreed (edition, seats, rounds,
    house), an empty line, and then a move a line. With - it is read from a pipe.
    """
    for line in story(read_game(record)):
        click.echo(line)
