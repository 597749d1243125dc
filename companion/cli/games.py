"""`companion games`: lists the saved games."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import click

from companion.cli.kept_games import database_option, journal_in, local_time
from companion.cli.text_tables import table
from companion.storage.journal import GameSummary
from companion.table.options import PERSON, Options
from companion.translations import isolated

_BELOW: Final[dict[str, Any]] = {"initial_indent": " " * 8, "subsequent_indent": " " * 8, "break_long_words": False}


@click.command()
@database_option
def games(database: Path) -> None:
    """List the saved games: who played, and who won.

    Use a game's number to read it (`companion show NUMBER`), watch it again (`replay`) or write it to a file
    (`export`).
    """
    with journal_in(database) as journal:
        kept = [] if journal is None else journal.games()
    if not kept:
        click.echo(f"There are no saved games in {database} yet.")
        return
    lines = table(("number", "started", "edition", "round", "moves", "result"), map(_row, kept), left=(0, 5))
    head, rule, *rows = lines.splitlines()
    width = shutil.get_terminal_size().columns - 1
    click.echo(f"{head}\n{rule}")
    for row, game in zip(rows, kept, strict=True):
        click.echo(row)
        if not game.problem:
            # No line ends in the middle of a player.
            players = fill(_players(game).replace(" ", "\xa0").replace(",\xa0", ", "), width, **_BELOW)
            click.echo(players.replace("\xa0", " "))


def _row(game: GameSummary) -> tuple[str, ...]:
    number, begun = str(game.id), local_time(game.begun_at)
    if game.problem:
        return number, begun, "?", "?", "?", f"damaged; for details: companion show {number}"
    marked = "" if game.secret else "; not secret"
    return number, begun, game.edition, str(game.round), str(game.moves), f"{_result(game)}{marked}"


def _players(game: GameSummary) -> str:
    """Names the players, with their points once there are any."""
    options = Options.from_json(game.options).after(game.notes)
    points = {seat: f" {score}" for seat, score in game.scores.items()} if game.winners or game.finished_at else {}
    return ", ".join(f"{_player(seat, options)}{points.get(seat, '')}" for seat in game.seats)


def _player(seat: str, options: Options) -> str:
    """Returns a player's name and colour, and whether it is a bot: `Ann (red)`, `blue (easy bot)`, `green`."""
    name, player = options.names.get(seat), options.player(seat)
    notes = [seat] * bool(name) + [f"{player} bot"] * (player != PERSON)
    return f"{isolated(name or seat)} ({', '.join(notes)})" if notes else seat


def _result(game: GameSummary) -> str:
    if not game.winners:
        return "ended early" if game.finished_at else "unfinished, set aside" if game.set_aside else "unfinished"
    names = Options.from_json(game.options).after(game.notes).names
    winners = " and ".join(isolated(names.get(seat, seat)) for seat in game.winners)
    return f"{winners} {'wins' if len(game.winners) == 1 else 'share the win'}"
