"""A whole table with its pages in this process: simulated board, journal on disk, bots, and the web server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from companion.cli.table_setup import opened, seated
from companion.cli.web_front import BoardAndFile, open_workshop
from companion.engine import Game
from companion.storage.database import Database, open_database
from companion.storage.journal import Entry, Journal, Kept
from companion.storage.tags import TagRegistry, simulated_tags
from companion.table.bot_process import Advice, Thought
from companion.table.moment import Moment
from companion.table.options import Options
from companion.table.phone_input import ChangePlayer, SeatLine
from companion.table.runner import Runner
from companion.table.seat_requests import TakeSeat
from companion.table.table import Table
from hardware.board import find_board
from hardware.ports import Pattern
from hardware.simulated.board import SimulatedBoard
from web_remote.access import AccessCodes
from web_remote.app import make_app
from web_remote.certificate import keep_certificate
from web_remote.context import WebContext
from web_remote.display import NumberedMoment, WebDisplay
from web_remote.ports import Ports
from web_remote.server import WebServer, listen
from web_remote.tls import SecurePort, tls_context

NAME: Final = "table.local"
"""Resolves to this machine without being its own name: no page is a secure context or trusted for being local."""
PATIENCE_S: Final = 20.0


@dataclass
class Served:
    """A table in play, with hands for its board."""

    port: int
    table: Table
    board: SimulatedBoard
    context: WebContext
    stop: Callable[[], None]
    """Stops it now; otherwise it stops with the test."""
    codes: AccessCodes = field(init=False)

    def __post_init__(self) -> None:
        self.codes = self.context.codes

    @property
    def address(self) -> str:
        """The address of its pages."""
        return f"http://{NAME}:{self.port}"

    @property
    def secure_address(self) -> str:
        """The address of its pages by HTTPS."""
        return f"https://{NAME}:{self.context.ports.https}"

    @property
    def now(self) -> Moment:
        """What is shown now."""
        return self.context.display.now

    @property
    def latest(self) -> NumberedMoment:
        """What is shown now, with its number."""
        return self.context.display.latest

    @property
    def game(self) -> Game:
        """The game so far; only compare with it while nobody is playing."""
        return self.table.game

    def shown(self, wanted: str = "", **what: object) -> Moment:
        """Waits until people are shown something: a question to a seat, or values of what is public."""
        number = -1
        while True:
            now = self.context.display.after(number, PATIENCE_S)
            assert now is not None, f"never shown: {wanted} {what}, but {self.now}"
            prompt = now.moment.prompts.get(wanted)
            asked = not wanted or (prompt is not None and prompt.asked is not None)
            if asked and all(getattr(now.moment.public, name) == value for name, value in what.items()):
                return now.moment
            number = now.number

    def played(self, *lines: str) -> None:
        """Waits until these are the last moves that people have been shown."""
        number = -1
        while True:
            now = self.context.display.after(number, PATIENCE_S)
            assert now is not None, f"never played: {lines}, but {self.now.public.view['log'][-5:]}"
            if tuple(now.moment.public.view["log"][-len(lines) :]) == lines:
                return
            number = now.number

    def say(self, seat: str, line: str) -> None:
        """Sends a line for a seat, as if from another phone. Returns once the table has received it."""
        heard = threading.Event()
        self.table.post(SeatLine(seat, line, self.now.version), lambda _: heard.set())
        assert heard.wait(PATIENCE_S)

    def change_player(self, seat: str, player: str) -> None:
        """Gives a seat to a bot or to a person, as the table screen does."""
        self.table.post(ChangePlayer(seat, player))

    def free(self, seat: str) -> None:
        """Sends a seat's phone away."""
        self.table.post(TakeSeat(seat, ""))

    @property
    def lit_for_a_phone(self) -> str:
        """The place whose button is lit for a phone that wants to join."""
        (place,) = (place for place, show in self.board.lights.scene.places.items() if show.pattern is Pattern.CHASE)
        return place


@contextmanager
def served(
    folder: Path,
    game: Game,
    options: Options | None = None,
    board: str = "buttons-only",
    port: int = 0,
    resumed: bool = False,
    seed: str = "7",
    https: bool = False,
) -> Iterator[Served]:
    """Yields a table whose game was played up to here by people, in a thread of its own as in `companion play`.

    :param resumed: whether to resume the game in the folder's journal; `game` is ignored then.
    :param seed: what the cards to come follow from; with a plain number, phones are not asked for numbers of their own.
    :param https: whether the pages are served by HTTPS too.
    """
    options = options or Options(pace="instant", guided=False, veto_s=0.0)
    ready, runner = threading.Event(), Runner()

    def stop() -> None:
        runner.stop()
        thread.join(PATIENCE_S)

    found: list[Served] = []
    tables: list[Table] = []

    def decided(thought: Thought | Advice) -> None:
        # Not by the runner, which does not run yet when the first bot is asked.
        tables[0].post(thought)

    failed: list[BaseException] = []

    def run() -> None:
        tags, file, display = TagRegistry(simulated_tags()), find_board(board), WebDisplay()
        try:
            with ExitStack() as stack:
                database = stack.enter_context(open_database(folder / "table.db"))
                devices = stack.enter_context(opened(file, True, tags))
                kept = _load(database) if resumed else _keep(database, game, options, seed)
                agreed = replace(options.after(kept.notes), guided=options.guided)
                listening = listen(port=port)
                where = BoardAndFile(board, "", folder / "table.db")
                workshop = open_workshop(devices, where, runner.post, listening.getsockname()[1])
                stack.callback(workshop.close)
                displays = (display, workshop)
                table = stack.enter_context(
                    seated(kept, agreed, database, devices, displays, decided, resumed=options.guided)
                )
                tables.append(table)
                table.poll()
                assert devices.simulated is not None
                context = WebContext(
                    display, runner.post, AccessCodes(), devices.simulated, tags.one_of_each(), workshop=workshop
                )
                secure = _secure(folder) if https else None
                context.ports = Ports(listening.getsockname()[1], 0 if secure is None else secure.number)
                app = make_app(context)
                server = WebServer(app, display.close, listening=listening, known=context.is_known, secure=secure)
                stack.callback(_hang_up, server)
                stack.enter_context(server)
                found.append(Served(server.port, table, devices.simulated, context, stop))
                ready.set()
                runner.run(table)
        except BaseException as error:
            failed.append(error)
            ready.set()

    thread = threading.Thread(target=run, name="table")
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        if failed:
            raise failed[0]
        yield found[0]
    finally:
        stop()
    if failed:
        raise failed[0]


class Serve(Protocol):
    """A function that serves a table until the test is over."""

    def __call__(
        self,
        game: Game,
        options: Options | None = None,
        *,
        board: str = "buttons-only",
        port: int = 0,
        resumed: bool = False,
        seed: str = "7",
        https: bool = False,
    ) -> Served: ...


def _secure(folder: Path) -> SecurePort:
    """Opens a port for HTTPS, with a certificate that no browser knows."""
    return SecurePort(listen(), tls_context(keep_certificate(folder / "table.db", (NAME,), time.time()).file))


def _hang_up(server: WebServer) -> None:
    """Closes the connections that browsers keep open to a closed server, as the end of its process would."""
    for channel in list(server._server.active_channels.values()):
        channel.close()


def _keep(database: Database, game: Game, options: Options, seed: str) -> Kept:
    """Stores and returns a game that begins in the middle; the test may have put pieces where no moves lead."""
    journal = Journal(database)
    number = journal.begin(Game(game.seats, game.edition, game.rounds, game.house), options.as_json(), seed)
    kept = journal.load(number)
    made_by = tuple("table" if move.seat == "table" else "person" for move in game.moves)
    entries = [Entry("move", str(move), by) for move, by in zip(game.moves, made_by, strict=True)]
    numbers = tuple(range(1, len(entries) + 1))
    count = journal.append(number, entries, 0)
    return replace(kept, game=game, made_by=made_by, numbers=numbers, entries=count)


def _load(database: Database) -> Kept:
    kept = Journal(database).unfinished()
    assert kept is not None
    return kept
