"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import click
from click.core import ParameterSource

from companion.doctor.machine import is_root
from companion.engine import DEFAULT_EDITION, EDITIONS, HOUSE_RULES, SEATS
from companion.installation.layout import DATA
from companion.storage.database import default_path
from companion.table.board_check import EL_GRANDE
from hardware.board import Board, find_board

OWN_BOARD: Final = "board.toml"
"""The board file in the data folder, beside the database."""
STANDARD: Final = "standard"
_NAME: Final = "companion.board"

P = ParamSpec("P")
R = TypeVar("R")


def colours(value: str) -> tuple[str, ...]:
    """Returns the seats for a number, such as `4`, or for colours in the order they sit, such as `red,green,blue`."""
    if value.isdecimal():
        seats = SEATS[: int(value)] if value in ("2", "3", "4", "5") else ()
    else:
        seats = tuple(colour.strip().lower() for colour in value.split(","))
    for seat in seats:
        if seat not in SEATS:
            raise click.BadParameter(f"there is no colour '{seat}'. The colours are {', '.join(SEATS)}.")
    if len(set(seats)) < len(seats):
        raise click.BadParameter("each colour can play only once.")
    if len(seats) < 2:
        raise click.BadParameter(f"El Grande is for 2 to 5 players, not {value}.")
    return seats


def rule_options(command: Callable[P, R]) -> Callable[P, R]:
    """Adds the options for the rules of the game: edition, rounds, house rules."""
    for option in (
        click.option(
            "--house", multiple=True, type=click.Choice(HOUSE_RULES), help="A house rule; repeat it for more."
        ),
        click.option(
            "--short",
            "rounds",
            flag_value=6,
            type=int,
            default=None,
            help="Play the short game: 6 rounds instead of 9.",
        ),
        click.option(
            "--edition",
            type=click.Choice(list(EDITIONS)),
            default=DEFAULT_EDITION,
            show_default=True,
            help="The edition whose rules you play by.",
        ),
    ):
        command = option(command)
    return command


def game_options(default_seats: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Returns a decorator that adds the options for the game to play: its seats and its rules."""
    seats = click.option(
        "--seats",
        type=colours,
        metavar="N|COLOURS",
        default=str(default_seats),
        show_default=True,
        help="How many players, or their colours in seating order.",
    )
    return lambda command: seats(rule_options(command))


def own_board_file() -> Path:
    """Returns the board file of the data folder; for root, that of the installed table if there is one."""
    installed = DATA / OWN_BOARD
    named = "EL_GRANDE_HOME" in os.environ
    return installed if not named and is_root() and installed.exists() else default_path().with_name(OWN_BOARD)


def default_board() -> str:
    """Returns the default board: that of $EL_GRANDE_BOARD, else the user's own, else `standard`."""
    if named := os.environ.get("EL_GRANDE_BOARD"):
        return os.path.expanduser(named)
    try:
        own = own_board_file()
    except RuntimeError:
        # The user has no home folder.
        return STANDARD
    if os.path.lexists(own):
        return str(own)
    if "EL_GRANDE_HOME" not in os.environ and DATA.is_dir() and not os.access(DATA, os.R_OK | os.X_OK):
        click.echo(
            "Note: only root can read the board file of the installed table. Run this with sudo to use its board; this "
            f"is the board {STANDARD}.",
            err=True,
        )
    return STANDARD


BOARD_HELP: Final = (
    "The board: a name from `companion board list`, or a file. For root, the installed table's data folder counts.  "
    f"[default: $EL_GRANDE_BOARD, or {OWN_BOARD} in your data folder, or {STANDARD}]"
)


def board_option(command: Callable[P, R]) -> Callable[P, R]:
    """Adds the option for the board: one that comes with the project, or one of your own."""
    return click.option(
        "--board", metavar="NAME|FILE", default=default_board, callback=_board_of_option, help=BOARD_HELP
    )(command)


def _board_of_option(ctx: click.Context, _option: click.Parameter, value: str) -> Board:
    ctx.meta[_NAME] = value
    return find_board(value, EL_GRANDE)


def board_name(ctx: click.Context) -> str:
    """Returns how the board was named: its name, or the path of its file."""
    return str(ctx.meta[_NAME])


def board_as_typed(ctx: click.Context) -> tuple[str, ...]:
    """Returns the board option as typed, for a command shown to people. Empty when it was not typed."""
    typed = ctx.get_parameter_source("board") is ParameterSource.COMMANDLINE
    return ("--board", board_name(ctx)) if typed else ()
