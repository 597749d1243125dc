"""`companion play`: a game in the terminal."""

from __future__ import annotations

import contextlib
from pathlib import Path
from random import randrange

import click
from click.core import ParameterSource

from companion.bots import LEVELS
from companion.cli.options import game_options
from companion.cli.save import SavedGame
from companion.cli.terminal import Terminal
from companion.engine import Game


@click.command()
@game_options(default_seats=4)
@click.option("--people", type=click.IntRange(0, 5), default=1, show_default=True, help="How many seats are people.")
@click.option(
    "--bots", "level", type=click.Choice(LEVELS), default="normal", show_default=True, help="How the others play."
)
@click.option("--seed", type=int, help="For the same cards again.")
@click.option("--new", is_flag=True, help="Begin another game; the last one is kept beside it.")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the game is kept.  [default: last-game.txt in your own data folder]",
)
@click.pass_context
def play(
    ctx: click.Context,
    seats: tuple[str, ...],
    edition: str,
    rounds: int | None,
    house: tuple[str, ...],
    people: int,
    level: str,
    seed: int | None,
    new: bool,
    file: Path | None,
) -> None:
    """Play El Grande in the terminal.

    The first seats are people, who take turns at the keyboard; the others are bots. Every move is saved at once:
    stop whenever you like, and `companion play` goes on where you stopped, with the same people.
    """
    saved = SavedGame(file or Path(click.get_app_dir("el-grande")) / "last-game.txt")
    unfinished = None if new else saved.unfinished()
    game = unfinished.game if unfinished else Game(seats, edition, rounds or 9, house)
    players = unfinished.people if unfinished and not _given(ctx, "people") else game.seats[:people]
    if people > len(game.seats):
        raise click.UsageError(f"There are {len(game.seats)} seats, so at most as many people.")
    if unfinished:
        ignored = [name for name in ("seats", "edition", "rounds", "house") if _given(ctx, name)]
        click.echo(f"Going on with the game in {saved.path} (--new begins another).")
        if ignored:
            click.echo(f"It was begun with {game.edition}, {len(game.seats)} seats, {game.rounds} rounds: that stays.")
    elif kept := saved.set_aside():
        click.echo(f"The game before is kept in {kept}.")
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # arrow keys and history at the prompt, where the system has them
    if seed is None:
        seed = unfinished.seed if unfinished else None
    Terminal(game, players, randrange(10**6) if seed is None else seed, saved, level).run()


def _given(ctx: click.Context, option: str) -> bool:
    """Whether an option was typed, and not left to its default."""
    return ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE
