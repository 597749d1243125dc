"""`companion show`: prints a record or a saved game round by round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from companion.cli.fairness_lines import fairness_in, fairness_lines, lines_of
from companion.cli.kept_games import database_option, kept_game
from companion.cli.story import story
from companion.engine import Game, Message
from companion.storage.journal import Kept
from companion.storage.notes import HandoverNote, HintNote
from companion.table.handovers import handover_words
from companion.table.hints import ASKED_FOR_HINT

LONGEST_RECORD: Final = 500_000
"""How many bytes a record may have; a real one has about 10,000."""
LONGEST_LINE: Final = 300


def read_text(file: BinaryIO) -> str:
    """Returns the text of a record. Fails with a clear message when it is not text, or far too long for a game."""
    content = file.read(LONGEST_RECORD + 1)
    if len(content) > LONGEST_RECORD:
        raise click.ClickException(f"{file.name} is not a game record: it has more than {LONGEST_RECORD // 1000} kB.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.ClickException(f"{file.name} is not a game record: it is not text.") from None
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise click.ClickException(
                f"{file.name} is not a game record: line {number} has more than {LONGEST_LINE} characters."
            )
    return text


def number_or_file(ctx: click.Context, param: click.Parameter, value: str) -> Any:
    """Returns the number of a saved game, or an open file."""
    return int(value) if value.isdecimal() else click.File("rb").convert(value, param, ctx)


@click.command()
@click.argument("game", callback=number_or_file, metavar="NUMBER|RECORD")
@database_option
def show(game: int | BinaryIO, database: Path) -> None:
    """Print a game round by round.

    NUMBER is a saved game; `companion games` lists them.

    RECORD is a file written by `companion export`, or - to read from a pipe. If its name is a number, put ./ in front:
    ./12.
    """
    if isinstance(game, int):
        kept = kept_game(database, game)
        lines = story(kept.game, kept.names, _asides(kept))
        dealt = list(lines_of(kept))
    else:
        text = read_text(game)
        lines = story(Game.from_record(text))
        found = fairness_in(text)
        dealt = [] if found is None else list(fairness_lines(*found))
    for line in lines:
        click.echo(line)
    if dealt:
        click.echo()
    for line in dealt:
        click.echo(line)


def _asides(kept: Kept) -> Mapping[int, Sequence[Message]]:
    """Returns who asked for a hint and which seats changed hands, by the number of moves made before."""
    asides: dict[int, list[Message]] = defaultdict(list)
    for note in kept.notes:
        match note:
            case HintNote(seat, after):
                lines: tuple[Message, ...] = (Message(ASKED_FOR_HINT, {"seat": seat}),)
            case HandoverNote(_, after):
                lines = handover_words(note)
            case _:
                continue
        asides[sum(number <= after for number in kept.numbers)] += lines
    return asides
