"""`companion play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path
from random import randrange

import click

from companion.cli.options import game_options
from companion.cli.save import SavedGame
from companion.cli.terminal import Terminal
from companion.engine import Game


@click.command()
@game_options(default_seats=4)
@click.option("--people", type=click.IntRange(0, 5), default=1, show_default=True, help="How many seats are people.")
@click.option("--seed", type=int, help="For the same cards again.")
@click.option("--new", is_flag=True, help="Begin another game; the last one is kept beside it.")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the game is kept.  [default: last-game.txt in your own data folder]",
)
def play(
    seats: tuple[str, ...],
    edition: str,
    rounds: int | None,
    house: tuple[str, ...],
    people: int,
    seed: int | None,
    new: bool,
    file: Path | None,
) -> None:
    """Play El Grande in the terminal.

    The first seats are people, who take turns at the keyboard; the others play at random. Every move is saved at once:
    stop whenever you like, and `companion play` goes on where you stopped.
    """
    saved = SavedGame(file or Path(click.get_app_dir("el-grande")) / "last-game.txt")
    game = None if new else saved.unfinished()
    if game is None:
        kept = saved.set_aside()
        if kept:
            click.echo(f"The game before is kept in {kept}.")
        game = Game(seats, edition, rounds or 9, house)
    elif game.moves:
        click.echo(f"Going on with the game in {saved.path} (--new begins another).")
    if people > len(game.seats):
        raise click.UsageError(f"There are {len(game.seats)} seats, so at most as many people.")
    terminal = Terminal(game, game.seats[:people], seed if seed is not None else randrange(10**6), saved)
    terminal.run()
