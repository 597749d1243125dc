"""`companion export` and `companion import`: turn saved games into record files, and back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

import click

from companion.cli.fairness_lines import lines_of
from companion.cli.kept_games import database_option, kept_game, warn
from companion.cli.show import read_text
from companion.engine import BadRecord, Game
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.table.fair_deal import new_seed, notes_at_begin


@click.command()
@click.argument("number", type=int)
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@database_option
def export(number: int, file: str, database: Path) -> None:
    """Write a saved game to a text file.

    `companion show` and `companion import` read it. Without FILE, or with -, it is printed. An existing file is never
    overwritten.
    """
    kept = kept_game(database, number)
    if kept.finished_at is None and (secret := unshown(kept.game)):
        raise click.ClickException(
            f"Game {number} is not over, and its record would reveal {secret}. "
            f"Export it when it is over. `companion show {number}` prints it without secrets."
        )
    # Names are comments, which whoever reads the record may like to know; so is what `companion verify` needs.
    called = "".join(f"# {seat}: {name}\n" for seat, name in kept.names.items() if seat in kept.game.seats)
    dealt = "".join(f"# {line}\n" for line in lines_of(kept))
    record = called + dealt + kept.game.record()
    if file == "-":
        click.echo(record.encode(), nl=False)  # as in a file, whatever the terminal shows
    else:
        write_new(Path(file), record)
        click.echo(f"Game {number} was written to {file}.")


def unshown(game: Game) -> str:
    """Returns what secret the record of a game would give away, or an empty string when it holds none."""
    if game.over:
        return ""
    hidden = {line.split()[1] for line in game.view(None)["log"] if line.endswith(" ?")}
    if "dial" in hidden:
        return "a secret dial"
    return "which power card somebody took back" if hidden else ""


def write_new(file: Path, text: str) -> None:
    """Writes a new file, completely or not at all. Never overwrites one."""
    try:
        new = file.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise click.ClickException(f"{file} already exists, and was not changed. Name another file.") from None
    except OSError as error:
        raise click.ClickException(f"Cannot write {file}: {error.strerror}. Name another file.") from None
    try:
        with new:
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
    except OSError as error:
        file.unlink(missing_ok=True)
        raise click.ClickException(f"Cannot write {file}: {error.strerror}. Name another file.") from None


@click.command("import")
@click.argument("file", type=click.File("rb"))
@database_option
def import_(file: BinaryIO, database: Path) -> None:
    """Import a game from a record file.

    It is saved as if it had been played here; `companion play` continues one that is not over. With -, it is read from
    a pipe.
    """
    text = read_text(file)
    try:
        game = Game.from_record(text)
    except BadRecord as error:
        raise click.ClickException(
            f"{file.name}, {error}. Correct that line and try again; nothing was saved."
        ) from None
    with open_database(database) as opened:
        warn(opened)
        journal = Journal(opened)
        # A seed of its own, as for any other game: what is still to be dealt depends on it.
        seed = new_seed()
        number = journal.import_record(text, seed=seed, notes=notes_at_begin(seed, dealt_from=len(game.moves)))
        kept = journal.load(number)
    click.echo(
        f"Saved as game {number}: {len(kept.game.moves)} moves, {'finished' if kept.game.over else 'unfinished'}."
    )
    if kept.set_aside:
        click.echo("It is set aside, because another game is in progress.")
