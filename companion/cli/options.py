"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import click

from companion.engine import DEFAULT_EDITION, EDITIONS, HOUSE_RULES, SEATS

P = ParamSpec("P")
R = TypeVar("R")


def colours(value: str) -> tuple[str, ...]:
    """The seats meant by a number, such as `4`, or by colours in the order they sit, such as `red,green,blue`."""
    if value.isdecimal():
        seats = SEATS[: int(value)] if value in ("2", "3", "4", "5") else ()
    else:
        seats = tuple(colour.strip().lower() for colour in value.split(","))
    for seat in seats:
        if seat not in SEATS:
            raise click.BadParameter(f"there is no seat called '{seat}'; there are {', '.join(SEATS)}.")
    if len(set(seats)) < len(seats):
        raise click.BadParameter("each colour sits once.")
    if len(seats) < 2:
        raise click.BadParameter(f"El Grande is for 2 to 5 seats, not {value}.")
    return seats


def rule_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options that say by which rules is played: edition, rounds, house rules."""
    for option in (
        click.option(
            "--house", multiple=True, type=click.Choice(HOUSE_RULES), help="A house rule; may be given twice."
        ),
        click.option(
            "--short", "rounds", flag_value=6, type=int, default=None, help="The short game of 6 rounds, not 9."
        ),
        click.option(
            "--edition",
            type=click.Choice(list(EDITIONS)),
            default=DEFAULT_EDITION,
            show_default=True,
            help="Whose rules.",
        ),
    ):
        command = option(command)
    return command


def game_options(default_seats: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The options that say what game is played: seats, and by which rules."""
    seats = click.option(
        "--seats",
        type=colours,
        metavar="N|COLOURS",
        default=str(default_seats),
        show_default=True,
        help="How many play, or their colours in the order they sit.",
    )
    return lambda command: seats(rule_options(command))
