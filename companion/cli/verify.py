"""`companion verify`: checks that every card of a finished game followed from the seed that was announced."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from companion.cli.fairness_lines import fairness_in
from companion.cli.kept_games import database_option, kept_game
from companion.cli.show import number_or_file, read_text
from companion.engine import Game
from companion.table.fair_deal import Fairness, deals_in, is_number, keeps_commitment, wrong_deals
from companion.table.options import Options


@click.command()
@click.argument("game", callback=number_or_file, metavar="NUMBER|RECORD")
@database_option
def verify(game: int | BinaryIO, database: Path) -> None:
    """Check that nobody chose the cards of a game.

    Before its first deal a table shows the hash of a secret seed, and when the game is over it publishes the seed. This
    command recomputes every deal from the seed and from the numbers that phones have added. Compare the commitment it
    prints with the one that you were shown when the game began.

    NUMBER is a saved game, RECORD a file written by `companion export`. The exit code is 1 when the game cannot be
    shown to be fair.
    """
    if isinstance(game, int):
        kept = kept_game(database, game)
        real_cards = Options.from_json(kept.options).real_cards
        fair = _check(f"Game {game}", kept.game, Fairness.of_kept(kept), real_cards)
    else:
        text = read_text(game)
        found = fairness_in(text)
        if found is None:
            raise click.ClickException(
                f"{game.name} does not say how its game was dealt, so there is nothing to check."
            )
        fair = _check(game.name, Game.from_record(text), *found)
    if not fair:
        raise SystemExit(1)


def _check(name: str, game: Game, fairness: Fairness, real_cards: bool) -> bool:
    """Prints what was found. Returns whether nothing speaks against the game."""
    if real_cards:
        click.echo(f"{name}: played with real cards. The table dealt nothing, so there is nothing to check.")
        return True
    if not game.over and not fairness.seed:
        click.echo(f"{name}: not over yet. Its seed is published at the end; check it then.")
        if fairness.commitment:
            click.echo(f"commitment: {fairness.commitment}")
        return False
    wrong = list(wrong_deals(game, fairness)) if _readable(fairness) else []
    deals = deals_in(game, fairness.dealt_from)
    for line in _evidence(fairness):
        click.echo(line)
    for each in wrong:
        click.echo(f"move {each.number}: '{each.dealt}' was dealt, but '{each.expected}' follows from the seed.")
    verdict, fair = _verdict(fairness, deals, len(wrong))
    click.echo(f"{name}: {verdict}")
    return fair


def _readable(fairness: Fairness) -> bool:
    if fairness.secret:
        return is_number(fairness.seed)
    return fairness.seed.removeprefix("-").isdecimal()


def _evidence(fairness: Fairness) -> list[str]:
    lines = [f"commitment: {fairness.commitment or 'none'}", f"seed: {fairness.seed or 'none'}"]
    for mix in fairness.mixes:
        lines.append(f"numbers of phones, from move {mix.first + 1} on:")
        lines += [f"  {seat}: {number}" for seat, number in sorted(mix.numbers.items())]
    return lines if fairness.mixes else [*lines, "numbers of phones: none"]


def _verdict(fairness: Fairness, deals: int, wrong: int) -> tuple[str, bool]:
    """Returns what was found in a sentence, and whether the game was fair."""
    if not _readable(fairness):
        return "NOT SHOWN TO BE FAIR. There is no seed to check the deals with.", False
    if wrong:
        return f"NOT FAIR. {wrong} of {deals} deals do not follow from the seed and the phones' numbers.", False
    if not fairness.secret:
        return (
            f"NOT SECRET. All {deals} deals follow from the seed, but it is a plain number: others can find it.",
            False,
        )
    if not keeps_commitment(fairness):
        return "NOT FAIR. The seed is not the one whose hash was announced before the first deal.", False
    if not deals:
        return "NOT SHOWN TO BE FAIR. Nothing was dealt from this seed: check the record it was imported from.", False
    before = f" The first {fairness.dealt_from} moves were imported." if fairness.dealt_from else ""
    return f"fair. All {deals} deals follow from the announced seed and the phones' numbers.{before}", True
