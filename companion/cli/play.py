"""`companion play`: a game at the table, on a real or a simulated board, with web pages or in the terminal."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import click
from click.core import ParameterSource

from companion.bots import LEVELS
from companion.cli.kept_games import database_option, played_by_one, warn
from companion.cli.options import board_as_typed, board_name, board_option, game_options
from companion.cli.service_manager import ServiceManager, socket_given
from companion.cli.signals import stopping, terminal_as_it_was
from companion.cli.table_setup import Devices, begin, begin_another, lobby, on_a_pi, opened, seated
from companion.cli.terminal import TerminalFront
from companion.engine import SEATS, phrase
from companion.speech import Espeak, Voice, find_espeak, spoken_aloud
from companion.storage.database import open_database
from companion.storage.errors import BadJournal
from companion.storage.journal import Journal, Kept
from companion.storage.tags import TagRegistry, Tags, simulated_tags
from companion.table import game_wish
from companion.table.fair_deal import Fairness, new_seed
from companion.table.game_result import GameResult
from companion.table.game_wish import DEFAULT_LEVEL, DEFAULT_SEATS, BadWish, GameWish
from companion.table.lobby import LobbyDisplay
from companion.table.moment import Display
from companion.table.options import FIRST_GAME, PACES, Options
from companion.table.runner import NextGame, Runner
from companion.table.session import Session
from companion.translations import LANGUAGES, Translator, language_of
from hardware.board import Board

if TYPE_CHECKING:
    from companion.cli.web_ports import ServedAt
    from web_remote.tls import SecurePort

PORT: Final = 8000
HTTPS_PORT: Final = 8443
NOT_ALL_SAVED: Final = phrase(
    "The end of game {game} could not be saved. `companion play` continues it from what was saved."
)
ANNOUNCED: Final = phrase(
    "The cards follow from a seed with this hash: {hash}. After the game, `companion verify {game}` checks them."
)
NOT_SECRET: Final = phrase(
    "--seed {seed}: this game is not secret. Whoever knows the number can compute every card and every bot's dial. "
    "The game is marked as not secret; leave out --seed for a fair one."
)


def _names(_ctx: click.Context, _option: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    names = {}
    for value in values:
        seat, given, name = value.partition("=")
        if not given or not name.strip():
            raise click.BadParameter(f"'{value}' should look like red=NAME.")
        names[seat.strip().lower()] = name.strip()
    return names


def _proxies(_ctx: click.Context, _option: click.Parameter, values: Sequence[str]) -> frozenset[str]:
    from web_remote.senders import plain_address

    for value in values:
        if not plain_address(value):
            raise click.BadParameter(f"'{value}' is not an IP address, such as 127.0.0.1.")
    return frozenset(map(plain_address, values))


@click.command()
@game_options(default_seats=DEFAULT_SEATS)
@click.option(
    "--people", type=click.IntRange(0, 5), default=1, show_default=True, help="How many of the players are people."
)
@click.option(
    "--bots", "level", type=click.Choice(LEVELS), default=DEFAULT_LEVEL, show_default=True,
    help="How well the bots play.",
)  # fmt: skip
@click.option(
    "--name",
    "names",
    multiple=True,
    callback=_names,
    metavar="COLOUR=NAME",
    help="A player's name; repeat it for others.",
)
@click.option(
    "--veto-time", "veto_s", type=click.FloatRange(0), default=0.0, metavar="SECONDS",
    help="How long people have to answer a veto question; after that, it is allowed.  [default: until they answer]",
)  # fmt: skip
@click.option("--leader-lights", is_flag=True, help="Light each region dimly in its leader's colour.")
@click.option("--real-cards", is_flag=True, help="Use your own cards, and enter the ones you turn up.")
@click.option(
    "--pace", type=click.Choice(list(PACES)), default="normal", show_default=True,
    help="How fast bots play; with `step` they wait until you press Next.",
)  # fmt: skip
@click.option("--teach", is_flag=True, help="A guided first game: everything is explained when it first happens.")
@click.option("--hints/--no-hints", default=True, help="Whether people may ask what a bot would do.  [default: yes]")
@click.option(
    "--language", type=click.Choice(list(LANGUAGES)), default=lambda: language_of(os.environ),
    help="The language of the table.  [default: the game's, or else your system's]",
)  # fmt: skip
@click.option("--speak", is_flag=True, help="Say aloud what everybody may know (needs espeak-ng).")
@click.option(
    "--seed", type=int, help="For tests: a number that decides all the cards. Such a game is not secret, and is marked."
)
@click.option("--new", is_flag=True, help="Start another game. The unfinished one stays saved.")
@board_option
@click.option(
    "--simulated/--real", default=None, help="Which board.  [default: real on a Raspberry Pi, simulated elsewhere]"
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port of the web pages."
)
@click.option("--https", is_flag=True, help="Serve HTTPS too, which lets phones keep their screens on (needs openssl).")
@click.option(
    "--https-port", type=click.IntRange(0, 65535), metavar="PORT", help=f"The port for HTTPS.  [default: {HTTPS_PORT}]"
)
@click.option(
    "--host", default="", metavar="ADDRESS",
    help="The address to serve the web pages on, such as 127.0.0.1 for this machine alone.  [default: all]",
)  # fmt: skip
@click.option(
    "--proxy", "proxies", multiple=True, callback=_proxies, metavar="ADDRESS",
    help="The address of a reverse proxy whose X-Forwarded-For is believed; repeat it for others.",
)  # fmt: skip
@click.option("--terminal", "in_terminal", is_flag=True, help="Play here in the terminal, without web pages.")
@click.option("--service", is_flag=True, hidden=True, help="Without a terminal, until the machine stops.")
@database_option
@click.pass_context
def play(ctx: click.Context, /, **typed: Any) -> None:
    """Play El Grande, on your board or a simulated one.

    Without options for the game, a page in the browser lets you set it up. With any of them (seats, people, bots,
    names, edition, ...) or in the terminal, the game starts at once: the first seats are people, the others are bots.
    Every move is saved before anybody sees it: stop whenever you like, or pull the plug, and `companion play` continues
    the game.
    """
    wish = PlayWish(**_guided(ctx, typed))
    wish.check()
    voice = _voice(wish.language) if wish.speak else None
    manager = ServiceManager() if wish.service else None
    runner = Runner(manager)
    with (
        open_database(wish.database) as database,
        played_by_one(wish.database),
        ExitStack() as stack,
    ):
        warn(database)
        enrolled = Tags(database).snapshot() or (simulated_tags() if wish.on_simulated_board else {})
        # A port in use, or a board that cannot be opened, is reported before a game is begun and kept.
        served = None if wish.in_terminal else _open_ports(wish)
        stack.enter_context(stopping(partial(_stop, runner, manager)))
        stack.enter_context(terminal_as_it_was())
        devices = stack.enter_context(opened(wish.board, wish.on_simulated_board, TagRegistry(enrolled)))
        web = None if served is None else _web_front(ctx, wish, runner, devices, served)
        front: FrontEnd = web or TerminalFront(runner, devices, keyboard=not wish.service)
        stack.enter_context(closing(front))
        journal = Journal(database)
        displays = [*front.displays]
        if voice is not None:
            displays.append(stack.enter_context(spoken_aloud(voice, runner.post)))
        session: Session | None = None
        playing = _first_game(ctx, wish, journal)
        if web is not None:
            web.remember(_latest_result(journal))
            if playing is None:
                playing = _set_up(ctx, wish, journal, runner, devices, web)
        while playing is not None:
            kept, options, resumed = playing
            with seated(kept, options, database, devices, displays, runner.post, resumed) as table:
                session = table.session
                front.begin(session, resumed)
                if not resumed:
                    _announce(kept, options)
                wanted = runner.run(table)
                # Another game only begins when everything of this one is saved.
                while wanted is not None and not session.save_now(time.monotonic()):
                    wanted = runner.run(table)
            if web is not None:
                web.remember(_latest_result(journal))
            playing = None if wanted is None else _another_game(journal, session, wanted)
    if session is not None and not session.game.over:
        words = Translator(session.options.language, session.game.edition)
        saved = phrase("Game {game} is saved. `companion play` continues it.")
        click.echo()
        click.echo(words.in_words(NOT_ALL_SAVED if session.trouble else saved, game=session.id))


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
    pace: str
    teach: bool
    hints: bool
    language: str
    speak: bool
    seed: int | None
    new: bool
    board: Board
    simulated: bool | None
    port: int
    https: bool
    https_port: int | None
    host: str
    proxies: frozenset[str]
    in_terminal: bool
    service: bool
    database: Path

    def check(self) -> None:
        """Refuses what does not fit together."""
        if self.people > len(self.seats):
            raise click.UsageError(f"There are only {len(self.seats)} seats, so there cannot be {self.people} people.")
        for seat in self.names:
            if seat not in self.seats:
                raise click.UsageError(f"Nobody plays {seat}. The players are {', '.join(self.seats)}.")
        if self.https_port is not None and not self.https:
            raise click.UsageError("--https-port is of use only with --https.")
        self.game()

    @cached_property
    def on_simulated_board(self) -> bool:
        """Whether to play on a simulated board: by default, everywhere except on a Raspberry Pi."""
        return not on_a_pi() if self.simulated is None else self.simulated

    def game(self) -> GameWish:
        """Returns the game that is wished for."""
        try:
            return GameWish(
                players=game_wish.seated(self.seats, self.people, self.level),
                names=self.names,
                edition=self.edition,
                rounds=self.rounds or 9,
                house=self.house,
                real_cards=self.real_cards,
                leader_lights=self.leader_lights,
                veto_s=self.veto_s,
                language=self.language,
                pace=self.pace,
                teach=self.teach,
                hints=self.hints,
            )
        except BadWish as error:
            raise click.UsageError(str(error)) from None


class Playing(NamedTuple):
    """A game to play, its options, and whether it was begun before."""

    kept: Kept
    options: Options
    resumed: bool = False


def _guided(ctx: click.Context, typed: dict[str, Any]) -> dict[str, Any]:
    """Returns what was typed; for a guided game, what was not typed is chosen for a first game."""
    if not typed["teach"]:
        return typed
    first = {**FIRST_GAME, "seats": SEATS[: FIRST_GAME["seats"]]}
    return {**typed, **{name: value for name, value in first.items() if not _given(ctx, name)}}


class FrontEnd(Protocol):
    """Where people see the game and enter what they do: the web pages, or a terminal."""

    @property
    def displays(self) -> Sequence[Display]: ...

    def begin(self, session: Session, resumed: bool) -> None: ...

    def close(self) -> None: ...


def _voice(language: str) -> Voice:
    """Returns the voice of the table, or says what to install."""
    program = find_espeak()
    if program is None:
        words = Translator(language)
        raise click.ClickException(
            words.in_words("--speak needs espeak-ng. On Debian and Raspberry Pi OS: sudo apt install espeak-ng")
        )
    return Espeak(program)


class SetUpFront(FrontEnd, Protocol):
    """A front end on which people can say what they want to play, and see the last result: the web pages."""

    @property
    def lobby_displays(self) -> Sequence[LobbyDisplay]: ...

    def set_up(self, wish: GameWish) -> None: ...

    def remember(self, finished: GameResult | None) -> None: ...


def _web_front(ctx: click.Context, wish: PlayWish, runner: Runner, devices: Devices, served: ServedAt) -> SetUpFront:
    # Imported only here: the other commands start faster without a web server.
    from companion.cli.web_front import BoardAndFile, WebFront

    board_option = "".join(f" {shlex.quote(word)}" for word in board_as_typed(ctx))
    place = BoardAndFile(board_name(ctx), board_option, wish.database)
    return WebFront(runner, served, devices, place, logged=wish.service)


GAME_OPTIONS: Final = (
    "seats", "edition", "rounds", "house", "people", "level", "names", "real_cards", "seed", "new", "teach",
)  # fmt: skip
"""The options that say which game to begin. If none of them is typed, people are asked in the browser."""


TABLE_OPTIONS: Final = ("language", "veto_s", "leader_lights", "pace", "teach", "hints")
"""The options that say how the table behaves; they can be typed for any game."""


def _first_game(ctx: click.Context, wish: PlayWish, journal: Journal) -> Playing | None:
    """Returns the game to play first, or `None` when people are to be asked what they want to play."""
    unfinished = _unfinished(journal, wish.new, wish.language)
    if unfinished is not None:
        return Playing(unfinished, _as_before(ctx, unfinished, wish), resumed=True)
    if not wish.in_terminal and not any(_given(ctx, name) for name in GAME_OPTIONS):
        return None
    return _begin(wish, journal, wish.game())


def _begin(wish: PlayWish, journal: Journal, game: GameWish) -> Playing:
    options = game.options(guided=not wish.on_simulated_board)
    if wish.seed is not None:
        click.echo(Translator(wish.language).in_words(NOT_SECRET, seed=wish.seed), err=True)
    kept = begin(journal, game.game(), options, new_seed() if wish.seed is None else wish.seed)
    return Playing(kept, options)


def _set_up(
    ctx: click.Context, wish: PlayWish, journal: Journal, runner: Runner, devices: Devices, web: SetUpFront
) -> Playing | None:
    """Waits in the lobby until people have said what they want to play. Returns `None` when they stop instead."""
    with lobby(devices, web.lobby_displays) as waiting:
        web.set_up(_suggested(ctx, wish, journal))
        wanted = runner.run(waiting)
    return _begin(wish, journal, wanted) if isinstance(wanted, GameWish) else None


def _suggested(ctx: click.Context, wish: PlayWish, journal: Journal) -> GameWish:
    """Returns what the set-up page suggests: the last game once more, except for what was typed now."""
    game, last = wish.game(), _latest_result(journal)
    if last is None:
        return game
    typed = {name: getattr(game, name) for name in TABLE_OPTIONS if _given(ctx, name)}
    return replace(GameWish.like(last.view["setup"], last.options), **{"language": wish.language, **typed})


def _another_game(journal: Journal, before: Session, wanted: NextGame) -> Playing:
    kept = begin_another(journal, before, wanted, new_seed())
    return Playing(kept, Options.from_json(kept.options))


def _announce(kept: Kept, options: Options) -> None:
    """Prints the hash of the seed, before anything is dealt."""
    commitment = Fairness.of_kept(kept).commitment
    if commitment and not options.real_cards:
        words = Translator(options.language, kept.game.edition)
        click.echo(words.in_words(ANNOUNCED, hash=commitment, game=kept.id))


def _latest_result(journal: Journal) -> GameResult | None:
    kept = journal.latest_finished()
    return None if kept is None else GameResult.of(kept)


def _open_ports(wish: PlayWish) -> ServedAt:
    """Opens the ports of the web pages, except the one that the service manager may have opened for us."""
    from companion.cli.web_ports import ServedAt, open_port

    secure = _open_https_port(wish) if wish.https else None
    try:
        listening = (socket_given() if wish.service else None) or open_port(wish.port, wish.host)
        return ServedAt(listening, wish.host, wish.proxies, secure)
    except click.ClickException:
        if secure is not None:
            secure.listening.close()
        raise


def _open_https_port(wish: PlayWish) -> SecurePort | None:
    """Opens the port for HTTPS. Returns `None` when a service cannot serve it: nothing of the game depends on it."""
    from companion.cli.web_ports import open_https_port

    words, port = Translator(wish.language), HTTPS_PORT if wish.https_port is None else wish.https_port
    try:
        return open_https_port(port, wish.host, wish.database, words)
    except click.ClickException as error:
        if not wish.service:
            raise
        click.echo(words.in_words("The pages are served without HTTPS: {why}", why=error.message), err=True)
        return None


def _stop(runner: Runner, manager: ServiceManager | None) -> None:
    if manager is not None:
        manager.stopping()
    runner.stop()


def _unfinished(journal: Journal, new: bool, language: str) -> Kept | None:
    """Returns the game to go on with, or `None` when every game is finished or `new` sets it aside."""
    try:
        unfinished = journal.unfinished()
    except BadJournal as problem:
        if not new:
            raise
        journal.set_aside(problem.game)
        click.echo(Translator(language).in_words("Game {game} stays saved, although it is damaged.", game=problem.game))
        return _unfinished(journal, new, language)
    if unfinished is None:
        return None
    if unfinished.game.over:
        # The power went out after its last move was saved.
        journal.finish(unfinished.id)
        return None
    if new:
        journal.set_aside(unfinished.id)
        words = Translator(language, unfinished.game.edition)
        click.echo(words.in_words("Game {game} stays saved. To read it: companion show {game}", game=unfinished.id))
        return None
    return unfinished


def _as_before(ctx: click.Context, kept: Kept, wish: PlayWish) -> Options:
    """Returns the options of a game that goes on: as before, except for what was typed now."""
    game, before = kept.game, Options.from_json(kept.options).after(kept.notes)
    guided, given = not wish.on_simulated_board, wish.game()
    changed = {name: getattr(given, name) for name in TABLE_OPTIONS if _given(ctx, name)}
    words = Translator(changed.get("language", before.language), game.edition)
    click.echo(words.in_words("Continuing game {game} (--new starts another).", game=kept.id))
    if any(_given(ctx, name) for name in ("seats", "edition", "rounds", "house", "people", "level")):
        click.echo(
            words.in_words(
                "It keeps the rules it was started with: {edition}, {count} seats, {rounds} rounds.",
                edition=game.edition,
                count=len(game.seats),
                rounds=game.rounds,
            )
        )
    return replace(before, guided=guided, names={**before.names, **given.names}, **changed)


def _given(ctx: click.Context, option: str) -> bool:
    """Returns whether an option was typed."""
    return ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE
