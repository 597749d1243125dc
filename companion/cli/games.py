"""`companion games`: lists the saved games."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.kept_games import database_option, journal_in, local_time
from companion.cli.text_tables import table
from companion.storage.journal import GameSummary


@click.command()
@database_option
def games(database: Path) -> None:
    """List the games that are kept.

    Each has a number: `companion show NUMBER` tells it, `replay` plays it again, `export` makes a file of it.
    """
    with journal_in(database) as journal:
        kept = [] if journal is None else journal.games()
    if not kept:
        click.echo(f"No game is kept in {database} yet.")
        return
    click.echo(table(("number", "begun", "edition", "seats", "round", "moves", "result"), map(_row, kept)))


def _row(game: GameSummary) -> tuple[str, ...]:
    number, begun = str(game.id), local_time(game.begun_at)
    if game.problem:
        return number, begun, "?", "?", "?", "?", f"damaged: companion show {number} says where"
    return number, begun, game.edition, " ".join(game.seats), str(game.round), str(game.moves), _result(game)


def _result(game: GameSummary) -> str:
    if not game.winners and not game.finished_at:
        return "unfinished, set aside" if game.set_aside else "unfinished"
    points = ", ".join(f"{seat} {score}" for seat, score in game.scores.items())
    if not game.winners:
        return f"{points}: ended early"
    return f"{points}: {' and '.join(game.winners)} {'wins' if len(game.winners) == 1 else 'share the win'}"
