"""`companion play`: a game at the table, on a real or a simulated board, with web pages or in the terminal."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import SystemRandom
from socket import socket
from typing import Any, Final, Protocol

import click
from click.core import ParameterSource

from companion.bots import LEVELS
from companion.cli.kept_games import database_option, played_by_one
from companion.cli.options import board_as_typed, board_name, board_option, game_options
from companion.cli.signals import stopping, terminal_as_it_was
from companion.cli.table_setup import Devices, begin, begin_another, on_a_pi, opened, seated
from companion.cli.terminal import TerminalFront
from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Journal, Kept
from companion.storage.tags import TagRegistry, Tags, simulated_tags
from companion.table.moment import Display
from companion.table.options import PERSON, Options
from companion.table.runner import Runner
from companion.table.session import Session
from companion.translations import LANGUAGES, Translator, language_of
from hardware.board import Board

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
def play(ctx: click.Context, /, **typed: Any) -> None:
    """Play El Grande at the table.

    The first seats are people, the others are bots. Every move is kept before it is shown: stop whenever you like, or
    pull the plug, and `companion play` goes on where the game was. Without a board, a simulated one takes its place.
    """
    wish = PlayWish(**typed)
    wish.check()
    runner = Runner()
    with (
        open_database(wish.database) as database,
        played_by_one(wish.database),
        ExitStack() as stack,
    ):
        enrolled = Tags(database).snapshot() or (simulated_tags() if wish.on_simulated_board else {})
        # A port in use, or a board that cannot be opened, is reported before a game is begun and kept.
        listening = None if wish.in_terminal else open_port(wish.port)
        stack.enter_context(stopping(runner.stop))
        stack.enter_context(terminal_as_it_was())
        devices = stack.enter_context(opened(wish.board, wish.on_simulated_board, TagRegistry(enrolled)))
        front = stack.enter_context(closing(_front(ctx, wish, runner, devices, listening)))
        journal = Journal(database)
        kept, options, resumed = _game(ctx, wish, journal)
        while True:
            with seated(kept, options, database, devices, front.displays, runner.post, resumed) as table:
                front.begin(table.session, resumed)
                again = runner.run(table)
            options = table.session.options
            if not again:
                break
            kept, resumed = begin_another(journal, table.session, SystemRandom().randrange(10**9)), False
    if not kept.game.over:
        words = Translator(options.language, kept.game.edition)
        click.echo()
        click.echo(words.in_words("Game {game} is kept. `companion play` goes on with it.", game=kept.id))


@dataclass(frozen=True)
class PlayWish:
    """What was typed after `companion play`; each field is an option."""

    seats: tuple[str, ...]
    edition: str
    rounds: int | None
    house: tuple[str, ...]
    people: int
    level: str
    names: dict[str, str]
    veto_s: float
    leader_lights: bool
    real_cards: bool
    bot_pause_s: float
    language: str
    seed: int | None
    new: bool
    board: Board
    simulated: bool | None
    port: int
    in_terminal: bool
    service: bool
    database: Path

    def check(self) -> None:
        """Refuses what does not fit together."""
        if self.people > len(self.seats):
            raise click.UsageError(f"There are {len(self.seats)} seats, so at most as many people.")
        for seat in self.names:
            if seat not in self.seats:
                raise click.UsageError(f"Nobody sits at {seat}: there are {', '.join(self.seats)}.")

    @cached_property
    def on_simulated_board(self) -> bool:
        """Whether to play on a simulated board: by default, everywhere except on a Raspberry Pi."""
        return not on_a_pi() if self.simulated is None else self.simulated

    @property
    def options(self) -> Options:
        """The options of a new game."""
        return Options(
            players={seat: PERSON if index < self.people else self.level for index, seat in enumerate(self.seats)},
            names=self.names,
            language=self.language,
            veto_s=self.veto_s,
            leader_lights=self.leader_lights,
            real_cards=self.real_cards,
            guided=not self.on_simulated_board,
            bot_pause_s=self.bot_pause_s,
        )


class FrontEnd(Protocol):
    """Where people see the game and enter what they do: the web pages, or a terminal."""

    @property
    def displays(self) -> Sequence[Display]: ...

    def begin(self, session: Session, resumed: bool) -> None: ...

    def close(self) -> None: ...


def _front(ctx: click.Context, wish: PlayWish, runner: Runner, devices: Devices, listening: socket | None) -> FrontEnd:
    if listening is None:
        return TerminalFront(runner, devices, keyboard=not wish.service)
    # Imported only here: the other commands start faster without a web server.
    from companion.cli.web_front import BoardAndFile, WebFront

    board_option = "".join(f" {shlex.quote(word)}" for word in board_as_typed(ctx))
    place = BoardAndFile(board_name(ctx), board_option, wish.database)
    return WebFront(runner, listening.getsockname()[1], listening, devices, place)


def _game(ctx: click.Context, wish: PlayWish, journal: Journal) -> tuple[Kept, Options, bool]:
    """Returns the game to play, its options, and whether it was begun before."""
    unfinished = _unfinished(journal, wish.new, wish.language)
    if unfinished is not None:
        return unfinished, _as_before(ctx, unfinished, wish.options, not wish.on_simulated_board), True
    seed = SystemRandom().randrange(10**9) if wish.seed is None else wish.seed
    game = Game(wish.seats, wish.edition, wish.rounds or 9, wish.house)
    return begin(journal, game, wish.options, seed), wish.options, False


def open_port(port: int) -> socket:
    """Opens the port of the web pages."""
    from companion.cli.web_front import open_port

    return open_port(port)


def _unfinished(journal: Journal, new: bool, language: str) -> Kept | None:
    """Returns the game to go on with, or `None` when there is none or `new` sets it aside."""
    unfinished = journal.unfinished()
    if unfinished is None:
        return None
    if unfinished.game.over:
        # The power went out after its last move was saved.
        journal.finish(unfinished.id)
        return None
    if new:
        journal.set_aside(unfinished.id)
        words = Translator(language, unfinished.game.edition)
        click.echo(words.in_words("Game {game} is kept as it is: companion show {game}", game=unfinished.id))
        return None
    return unfinished


def _as_before(ctx: click.Context, kept: Kept, given: Options, guided: bool) -> Options:
    """Returns the options of a game that goes on: as before, except for what was typed now."""
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
    """Returns whether an option was typed."""
    return ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE
