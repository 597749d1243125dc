"""`companion play`: a game at the table, on the board or a simulated one, with prompts in the terminal."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from companion.bots import LEVELS
from companion.cli.kept_games import database_option, played_by_one
from companion.cli.options import board_as_typed, board_name, board_option, game_options
from companion.cli.signals import stopping, terminal_as_it_was
from companion.cli.table_setup import again, begin, on_a_pi, opened, seated
from companion.cli.terminal import Terminal
from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Journal, Kept
from companion.storage.tags import Piece, Tags, simulated_tags
from companion.table.options import PERSON, Options
from companion.translations import LANGUAGES, Translator, language_of
from hardware.board import Board

if TYPE_CHECKING:
    from companion.cli.web_front import Pages

PORT: Final = 8000


def _names(_ctx: click.Context, _option: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    names = {}
    for value in values:
        seat, given, name = value.partition("=")
        if not given or not name.strip():
            raise click.BadParameter(f"'{value}' is not of the form red=NAME.")
        names[seat.strip().lower()] = name.strip()
    return names


@click.command()
@game_options(default_seats=4)
@click.option("--people", type=click.IntRange(0, 5), default=1, show_default=True, help="How many seats are people.")
@click.option(
    "--bots", "level", type=click.Choice(LEVELS), default="normal", show_default=True, help="How the others play."
)
@click.option("--name", "names", multiple=True, callback=_names, metavar="COLOUR=NAME", help="What a player is called.")
@click.option(
    "--veto-time", "veto_s", type=click.FloatRange(0), default=10.0, show_default=True, metavar="SECONDS",
    help="How long to wait for a veto; 0: until it is answered.",
)  # fmt: skip
@click.option("--leader-lights", is_flag=True, help="Light each region dimly in the colour that leads there.")
@click.option("--real-cards", is_flag=True, help="Deal real cards and enter what was turned up; else the table deals.")
@click.option(
    "--pause", "bot_pause_s", type=click.FloatRange(0), default=0.8, show_default=True, metavar="SECONDS",
    help="How long a bot waits before each gesture.",
)  # fmt: skip
@click.option(
    "--language", type=click.Choice(list(LANGUAGES)), default=lambda: language_of(os.environ),
    help="What the table speaks.  [default: that of the game, else of the system]",
)  # fmt: skip
@click.option("--seed", type=int, help="For the same cards again.")
@click.option("--new", is_flag=True, help="Begin another game; the unfinished one is kept.")
@board_option
@click.option("--simulated/--real", default=None, help="Which board.  [default: the real one on a Raspberry Pi]")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Where the web pages are.")
@click.option("--terminal", "in_terminal", is_flag=True, help="Play here in the terminal, without web pages.")
@click.option("--service", is_flag=True, hidden=True, help="Without a terminal, until the machine stops.")
@database_option
@click.pass_context
def play(
    ctx: click.Context,
    seats: tuple[str, ...],
    edition: str,
    rounds: int | None,
    house: tuple[str, ...],
    people: int,
    level: str,
    names: dict[str, str],
    veto_s: float,
    leader_lights: bool,
    real_cards: bool,
    bot_pause_s: float,
    language: str,
    seed: int | None,
    new: bool,
    board: Board,
    simulated: bool | None,
    port: int,
    in_terminal: bool,
    service: bool,
    database: Path,
) -> None:
    """Play El Grande at the table.

    The first seats are people, the others are bots. Every move is kept before it is shown: stop whenever you like, or
    pull the plug, and `companion play` goes on where the game was. Without a board, a simulated one takes its place.
    """
    if people > len(seats):
        raise click.UsageError(f"There are {len(seats)} seats, so at most as many people.")
    for seat in names:
        if seat not in seats:
            raise click.UsageError(f"Nobody sits at {seat}: there are {', '.join(seats)}.")
    simulate = not on_a_pi() if simulated is None else simulated
    players = {seat: PERSON if number < people else level for number, seat in enumerate(seats)}
    options = Options(
        players, names, language, veto_s=veto_s, leader_lights=leader_lights, real_cards=real_cards,
        guided=not simulate, bot_pause_s=bot_pause_s,
    )  # fmt: skip
    with open_database(database) as kept_in, played_by_one(database):
        known = Tags(kept_in).snapshot() or (simulated_tags() if simulate else {})
        front = Terminal(keyboard=not service) if in_terminal else _pages(ctx, port, known, board, database)
        # A game begins when its board is open: one that cannot be played is not kept.
        with (
            stopping(front.stop),
            terminal_as_it_was(),
            opened(board, simulate, known) as devices,
            closing(front),
        ):
            journal = Journal(kept_in)
            unfinished = _unfinished(journal, new, language)
            if unfinished is not None:
                kept, options = unfinished, _as_before(ctx, unfinished, options, guided=not simulate)
            else:
                seed = SystemRandom().randrange(10**9) if seed is None else seed
                kept = begin(journal, Game(seats, edition, rounds or 9, house), options, seed)
            resumed = unfinished is not None
            while True:
                with seated(kept, options, kept_in, board, devices, front.phones, known, resumed) as table:
                    front.run(table, devices)
                    options, holders = table.options, table.holders
                if not front.again:
                    break
                kept = again(journal, kept, options, holders, SystemRandom().randrange(10**9))
                resumed = False
            if not kept.game.over:
                words = Translator(options.language, kept.game.edition)
                click.echo()
                click.echo(words.in_words("Game {game} is kept. `companion play` goes on with it.", game=kept.id))


def _pages(ctx: click.Context, port: int, known: dict[str, Piece], board: Board, database: Path) -> Pages:
    # Only here: the other commands start sooner without a web server.
    from companion.cli.web_front import BoardAndFile, Pages

    typed = "".join(f" {shlex.quote(word)}" for word in board_as_typed(ctx))
    return Pages(port, known, BoardAndFile(board, board_name(ctx), typed, database))


def _unfinished(journal: Journal, new: bool, language: str) -> Kept | None:
    """The game to go on with, if there is one; another that is begun now sets it aside."""
    unfinished = journal.unfinished()
    if unfinished is None:
        return None
    if unfinished.game.over:
        # Its last move was kept, and then the power went.
        journal.finish(unfinished.id)
        return None
    if new:
        journal.set_aside(unfinished.id)
        words = Translator(language, unfinished.game.edition)
        click.echo(words.in_words("Game {game} is kept as it is: companion show {game}", game=unfinished.id))
        return None
    return unfinished


def _as_before(ctx: click.Context, kept: Kept, given: Options, guided: bool) -> Options:
    """The options of a game that goes on: as it was begun, but for what was typed now."""
    game, before = kept.game, Options.from_json(kept.options).after(kept.notes)
    changed = {
        name: getattr(given, name)
        for name in ("language", "veto_s", "leader_lights", "bot_pause_s")
        if _given(ctx, name)
    }
    words = Translator(changed.get("language", before.language), game.edition)
    click.echo(words.in_words("Going on with game {game} (--new begins another).", game=kept.id))
    if any(_given(ctx, name) for name in ("seats", "edition", "rounds", "house", "people", "level")):
        click.echo(
            words.in_words(
                "It was begun with {edition}, {count} seats, {rounds} rounds: that stays.",
                edition=game.edition,
                count=len(game.seats),
                rounds=game.rounds,
            )
        )
    return replace(before, guided=guided, names={**before.names, **given.names}, **changed)


def _given(ctx: click.Context, option: str) -> bool:
    """Whether an option was typed, and not left to its default."""
    return ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE
