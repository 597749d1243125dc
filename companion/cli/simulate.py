"""`companion simulate`: statistics of random games."""

from __future__ import annotations

import sys
import time
from random import Random, randrange

import click

from companion.bots.simulation import KINDS, Setting, SimulationSummary, random_game, result_of
from companion.cli.options import game_options
from companion.cli.text_tables import table


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@game_options(default_seats=4)
@click.option("--seed", type=int, help="The same number plays the same games again.")
def simulate(
    games: int, seats: tuple[str, ...], edition: str, rounds: int | None, house: tuple[str, ...], seed: int | None
) -> None:
    """Play random games and print statistics.

    Every move is chosen at random from the legal ones. The scores are a baseline for players who think, and the games
    are a test of the rules.
    """
    if seed is None:
        seed = randrange(10**6)
    summary = SimulationSummary(Setting(seats, edition, rounds or 9, house))
    begin = time.perf_counter()
    with click.progressbar(range(games), label="Playing", file=sys.stderr) as numbers:
        for number in numbers:
            # Each game has its own random numbers, so that game 17 is the same in a run of 20 and of 1000.
            summary.results.append(result_of(random_game(summary.setting, Random(f"{seed}/{number}"))))
    seconds = time.perf_counter() - begin
    click.echo(report(summary))
    click.echo(f"\n{games} games in {seconds:.1f} s ({games / seconds:.0f} games/s), --seed {seed}")


def report(summary: SimulationSummary) -> str:
    """Returns the tables of a simulation as text."""
    setting = summary.setting
    games = summary.results
    length = summary.length()
    moves = [result.moves for result in games]
    total = sum(summary.points(kind).value for kind in KINDS)
    noun = "game" if len(games) == 1 else "games"
    parts = [
        f"{len(games)} random {noun}, {setting.edition}, {setting.rounds} rounds, {len(setting.seats)} seats",
        table(
            ("seat", "mean score", "wins"),
            [(seat, str(summary.score_of(seat)), f"{summary.wins_of(seat) * 100:.1f} %") for seat in setting.seats],
        ),
        table(
            ("first power card", "mean score"),
            [(_ordinal(place), str(summary.score_by_order(place))) for place in range(len(setting.seats))],
        ),
        table(
            ("points from", "per seat and game", "share"),
            [
                (kind, str(summary.points(kind)), f"{summary.points(kind).value / total * 100:.1f} %" if total else "-")
                for kind in KINDS
            ],
        ),
        f"Game length: {length} moves, {min(moves)} to {max(moves)}",
    ]
    return "\n\n".join(parts)


def _ordinal(place: int) -> str:
    return ("first", "second", "third", "fourth", "fifth")[place]
