"""Puts a table together from the game in the journal, the board, the bots and the displays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.engine import Game
from companion.storage.database import Database
from companion.storage.journal import Journal, Kept
from companion.storage.notes import PhoneNote
from companion.storage.tags import TagRegistry
from companion.table.board_input import TagReaders
from companion.table.bot_process import Advice, BotProcess, Thought
from companion.table.fair_deal import bots_seed, notes_at_begin
from companion.table.game_wish import GameWish
from companion.table.journal_writer import JournalWriter
from companion.table.lobby import Lobby, LobbyDisplay
from companion.table.moment import Display
from companion.table.options import PERSON, Options
from companion.table.runner import NextGame
from companion.table.session import Session
from companion.table.table import Table
from hardware.board import Board
from hardware.models import MODEL_FILE, is_pi, read_model
from hardware.ports import GestureListener, Lights

if TYPE_CHECKING:
    from hardware.buttons import GpioButtons
    from hardware.lights import StripLights
    from hardware.pieces import SerialPieces
    from hardware.simulated.board import SimulatedBoard


class Devices(NamedTuple):
    """An open board with its devices."""

    board: Board
    buttons: GpioButtons
    lights: StripLights
    pieces: SerialPieces
    tags: TagRegistry
    simulated: SimulatedBoard | None = None
    """The simulated board, or `None` when the board is real."""


def on_a_pi(file: Path = Path(MODEL_FILE)) -> bool:
    """Returns whether this machine is a Raspberry Pi."""
    return is_pi(read_model(file))


@contextmanager
def opened(board: Board, simulated: bool, tags: TagRegistry) -> Iterator[Devices]:
    """Opens the devices of a board, real or simulated, and closes them afterwards."""
    with ExitStack() as stack:
        if simulated:
            from hardware.simulated.board import SimulatedBoard

            simulation = stack.enter_context(SimulatedBoard(board, tags))
            yield Devices(board, simulation.buttons, simulation.lights, simulation.pieces, tags, simulation)
            return
        from hardware.buttons import GpioButtons
        from hardware.lights import StripLights
        from hardware.pieces import SerialPieces

        yield Devices(
            board,
            stack.enter_context(GpioButtons(board)),
            stack.enter_context(StripLights(board, patient=True)),
            stack.enter_context(SerialPieces(board, tags)),
            tags,
        )


@contextmanager
def opened_lights(board: Board, simulated: bool) -> Iterator[Lights]:
    """Opens only the lights of a board, and leaves them dark and closed afterwards."""
    from hardware.lights import StripLights
    from hardware.simulated.strip import SimulatedStrip

    with StripLights(board, SimulatedStrip().open) if simulated else StripLights(board) as lights:
        yield lights


def begin(journal: Journal, game: Game, options: Options, seed: str | int) -> Kept:
    """Begins a game, which is saved from its first move on.

    :param seed: what `fair_deal.new_seed` returns, or a plain number for a game that is not secret.
    """
    return journal.load(journal.begin(game, options.as_json(), seed, notes_at_begin(str(seed))))


def begin_another(journal: Journal, before: Session, wanted: NextGame, seed: str) -> Kept:
    """Begins another game after one that is over or set aside. Phones keep the seats that people still play.

    Whoever has played a guided game has had the lessons.
    """
    old, options = before.game, replace(before.options, teach=False)
    game = Game(old.seats, old.edition, old.rounds, old.house)
    if isinstance(wanted, GameWish):
        game, options = wanted.game(), wanted.options(options.guided)
    if not old.over:
        journal.set_aside(before.id)
    kept_seats = [
        PhoneNote(seat, phone)
        for seat, phone in before.holders.items()
        if seat in game.seats and options.player(seat) == PERSON
    ]
    return journal.load(journal.begin(game, options.as_json(), seed, [*notes_at_begin(seed), *kept_seats]))


@contextmanager
def _reporting(devices: Devices, listener: GestureListener) -> Iterator[None]:
    """Has the board's devices report to a listener meanwhile; another may follow at the same board."""
    parts = (devices.buttons, devices.lights, devices.pieces)
    for device in parts:
        device.listen(listener)
    try:
        yield
    finally:
        for device in parts:
            device.ignore(listener)


@contextmanager
def lobby(devices: Devices, displays: Sequence[LobbyDisplay]) -> Iterator[Lobby]:
    """Yields the lobby at a board. Afterwards, the board's devices no longer report to it."""
    waiting = Lobby(devices.lights, displays)
    with _reporting(devices, waiting.post):
        yield waiting


@contextmanager
def seated(
    kept: Kept,
    options: Options,
    database: Database,
    devices: Devices,
    displays: Sequence[Display],
    post: Callable[[Thought | Advice], None],
    resumed: bool,
) -> Iterator[Table]:
    """Yields a table with everything around it. Afterwards, its bots stop and its devices no longer report to it.

    :param post: takes what bots decide; the runner's `post`.
    :param resumed: whether the game was begun before.
    """
    journal = Journal(database)
    with BotProcess(post, bots_seed(kept.seed)) as bots:
        table = Table(
            Session(kept, JournalWriter(journal, kept.id, kept.entries), options),
            devices.lights,
            displays,
            bots,
            TagReaders.of(devices.board, devices.tags),
            resumed=resumed and bool(kept.game.moves),
            notices=database.warnings if resumed else (),
        )
        if any(options.player(seat) != PERSON for seat in kept.game.seats):
            bots.prepare()
        with _reporting(devices, table.post):
            yield table
        # What is only in memory would be lost, and a game that is finished takes no more moves.
        if table.session.save_now(time.monotonic()) and kept.game.over:
            journal.finish(kept.id)
