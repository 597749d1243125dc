"""`companion export` and `companion import`: turn saved games into record files, and back."""

from __future__ import annotations

import os
from pathlib import Path
from random import randrange
from typing import BinaryIO

import click

from companion.cli.kept_games import database_option, kept_game
from companion.cli.show import read_text
from companion.engine import BadRecord, Game
from companion.storage.database import open_database
from companion.storage.journal import Journal


@click.command()
@click.argument("number", type=int)
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@database_option
def export(number: int, file: str, database: Path) -> None:
    """Write a kept game as a record: a text that `companion show` and `companion import` read.

    Without FILE, or with -, it is printed. A file that is there is never overwritten.
    """
    kept = kept_game(database, number)
    if kept.finished_at is None and (secret := unshown(kept.game)):
        raise click.ClickException(
            f"Game {number} is not over, and its record would show {secret}. "
            f"Export it later; `companion show {number}` tells it without secrets."
        )
    record = kept.game.record()
    if file == "-":
        click.echo(record, nl=False)
    else:
        write_new(Path(file), record)
        click.echo(f"Game {number} is in {file}.")


def unshown(game: Game) -> str:
    """Returns what secret the record of a game would give away, or an empty string when it holds none."""
    if game.over:
        return ""
    hidden = {line.split()[1] for line in game.view(None)["log"] if line.endswith(" ?")}
    if "dial" in hidden:
        return "a dial that is not turned over yet"
    return "which power card was taken back" if hidden else ""


def write_new(file: Path, text: str) -> None:
    """Writes a new file, completely or not at all. Never overwrites one."""
    try:
        new = file.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise click.ClickException(f"{file} is there already, and was left as it is. Name another file.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}. Name another file.") from None
    try:
        with new:
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
    except OSError as error:
        file.unlink(missing_ok=True)
        raise click.ClickException(f"{file} cannot be written: {error.strerror}. Name another file.") from None


@click.command("import")
@click.argument("file", type=click.File("rb"))
@database_option
def import_(file: BinaryIO, database: Path) -> None:
    """Keep the game of a record file, as if it had been played here.

    A game that is not over can be gone on with. With - it is read from a pipe.
    """
    text = read_text(file)
    try:
        Game.from_record(text)
    except BadRecord as error:
        raise click.ClickException(f"{file.name}, {error}. Mend that line; nothing was kept.") from None
    with open_database(database) as opened:
        journal = Journal(opened)
        # A random seed, as for any other game: what is still to be dealt depends on it.
        number = journal.import_record(text, seed=randrange(10**6))
        kept = journal.load(number)
    click.echo(f"Kept as game {number}: {len(kept.game.moves)} moves, {'over' if kept.game.over else 'not over'}.")
    if kept.set_aside:
        click.echo("It is set aside, for another game is under way.")
