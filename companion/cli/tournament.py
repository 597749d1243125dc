"""`companion tournament`: lets bots play each other."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

import click

from companion.bots import LEVELS
from companion.bots.tournament import Match, Played, Results, chart, play_game, standings
from companion.cli.options import rule_options
from companion.cli.text_tables import table


def bots(value: str) -> tuple[str, ...]:
    """Returns the bots in a list such as `hard,normal,easy`."""
    names = tuple(name.strip().lower() for name in value.split(","))
    for name in names:
        if name not in LEVELS:
            raise click.BadParameter(f"there is no bot called '{name}'. The bots are {', '.join(LEVELS)}.")
    if not 2 <= len(names) <= 5:
        raise click.BadParameter(f"El Grande is for 2 to 5 players, not {len(names)}.")
    return names


@click.command()
@click.option(
    "--bots",
    "names",
    type=bots,
    metavar="BOT,BOT,…",
    default="normal,easy,easy,random",
    show_default=True,
    help=f"The players, one per seat: {', '.join(LEVELS)}.",
)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games in all.")
@rule_options
@click.option("--seed", type=int, default=1, show_default=True, help="Another number deals other cards.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    help="How long the hard bot thinks about a move.",
)
@click.option(
    "--iterations", type=click.IntRange(min=1), help="How many tries the hard bot has per move, instead of seconds."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="How many games to play at the same time."
)
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save each result in this file; the same command then continues after a stop.",
)
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw a chart of the wins as an SVG file."
)
def tournament(
    names: tuple[str, ...],
    games: int,
    edition: str,
    rounds: int | None,
    house: tuple[str, ...],
    seed: int,
    seconds: float,
    iterations: int | None,
    jobs: int,
    file: Path | None,
    plot: Path | None,
) -> None:
    """Let bots play each other and print how often each wins.

    The bots change seats after every game, and play each deal from every seat, so that luck evens out. Ctrl-C stops
    and prints the results so far.
    """
    match = Match(names, edition, rounds or 9, house, seed, seconds, iterations)
    results = Results(file, match)
    if file:
        file.open("a").close()  # a file that cannot be written is reported before anything is played
    to_play = results.to_play(games)
    if len(to_play) < games:
        click.echo(f"{games - len(to_play)} of {games} games are already in {file}.", err=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    stopped = False
    try:
        with click.progressbar(length=len(to_play), label="Playing", file=sys.stderr) as bar:
            for game in _play(match, to_play, jobs):
                results.add(game)
                bar.update(1)
    except KeyboardInterrupt:
        stopped = True
        saved = (
            f"What was played is saved in {file}: the same command continues."
            if file
            else "Nothing was saved (--file)."
        )
        click.echo(f"\nStopped. {saved}", err=True)
    played = [game for number, game in sorted(results.played.items()) if number < games]
    if not played:
        raise click.exceptions.Exit(130)
    click.echo(report(match, played))
    if plot:
        title = f"{len(played)} games, {len(names)} seats, {edition}"
        plot.write_text(chart(standings(played), title, 1 / len(names)), encoding="utf-8")
        click.echo(f"\nThe chart is in {plot}.")
    if stopped:
        raise click.exceptions.Exit(130)


def _play(match: Match, numbers: list[int], jobs: int) -> Iterator[Played]:
    """Plays games, several at a time. When it is stopped, only the games under way are lost."""
    if jobs == 1:
        for number in numbers:
            yield play_game(match, number)
        return
    with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        running: set[Future[Played]] = set()
        waiting = iter(numbers)
        try:
            while True:
                for number in waiting:
                    running.add(pool.submit(play_game, match, number))
                    if len(running) >= jobs:
                        break
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BaseException:
            for process in (pool._processes or {}).values():
                process.terminate()
            raise


def report(match: Match, played: list[Played]) -> str:
    """Returns the table of a tournament as text."""
    rows = [
        (
            f"{standing.bot} x{standing.copies}" if standing.copies > 1 else standing.bot,
            str(standing.share),
            str(standing.score),
        )
        for standing in standings(played)
    ]
    budget = f", {match.iterations} tries per move" if match.iterations else f", {match.seconds:g} s per move"
    head = (
        f"{len(played)} games, {len(match.bots)} seats, {match.edition}, {match.rounds} rounds"
        + (budget if "hard" in match.bots else "")
        + f"; {100 / len(match.bots):.0f} % would be an equal share"
    )
    return f"{head}\n\n" + table(("bot", "wins (95 %)", "mean score"), rows)
