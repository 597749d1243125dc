"""Puts a table together: the game from the journal, the board, the bots, and what they are joined by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.engine import Game
from companion.storage.database import Database
from companion.storage.journal import Journal, Kept, note
from companion.storage.tags import Piece
from companion.table.bot_process import Thinkers
from companion.table.journal_writer import Keeper
from companion.table.options import Options
from companion.table.prompts import Phones
from companion.table.seat_holders import holders_after
from companion.table.table import Table
from hardware.board import Board
from hardware.models import MODEL_FILE, is_pi, read_model
from hardware.ports import Lights

if TYPE_CHECKING:
    from hardware.buttons import GpioButtons
    from hardware.lights import StripLights
    from hardware.pieces import SerialPieces
    from hardware.simulated.board import SimulatedBoard


class Devices(NamedTuple):
    """An open board: its devices, and hands if it is a simulated one."""

    buttons: GpioButtons
    lights: StripLights
    pieces: SerialPieces
    press: Callable[[str], None] | None
    hands: SimulatedBoard | None = None


def on_a_pi(file: Path = Path(MODEL_FILE)) -> bool:
    """Whether this machine is a Raspberry Pi."""
    return is_pi(read_model(file))


@contextmanager
def opened(board: Board, simulated: bool, known: Mapping[str, Piece]) -> Iterator[Devices]:
    """The devices of a board, real or simulated; closed afterwards."""
    with ExitStack() as stack:
        if simulated:
            from hardware.simulated.board import SimulatedBoard

            hands = stack.enter_context(SimulatedBoard(board, known))
            yield Devices(hands.buttons, hands.lights, hands.pieces, hands.press, hands)
            return
        from hardware.buttons import GpioButtons
        from hardware.lights import StripLights
        from hardware.pieces import SerialPieces

        yield Devices(
            stack.enter_context(GpioButtons(board)),
            stack.enter_context(StripLights(board, patient=True)),
            stack.enter_context(SerialPieces(board, known)),
            None,
        )


@contextmanager
def opened_lights(board: Board, simulated: bool) -> Iterator[Lights]:
    """The lights of a board alone; dark and closed afterwards."""
    from hardware.lights import StripLights
    from hardware.simulated.strip import SimulatedStrip

    with StripLights(board, SimulatedStrip().open) if simulated else StripLights(board) as lights:
        yield lights


def begin(journal: Journal, game: Game, options: Options, seed: int) -> Kept:
    """A game that begins, kept from its first move on."""
    return journal.load(journal.begin(game, options.as_json(), seed))


def again(journal: Journal, kept: Kept, options: Options, holders: Mapping[str, str], seed: int) -> Kept:
    """Another game with the same players; phones keep their seats."""
    old = kept.game
    number = journal.begin(Game(old.seats, old.edition, old.rounds, old.house), options.as_json(), seed)
    notes = [note({"phone": [seat, phone]}) for seat, phone in holders.items()]
    journal.append(number, notes, 0)
    return journal.load(number)


@contextmanager
def seated(
    kept: Kept,
    options: Options,
    database: Database,
    board: Board,
    devices: Devices,
    phones: Phones,
    known: Mapping[str, Piece],
    resumed: bool,
) -> Iterator[Table]:
    """A table with everything around it; the bots are sent home afterwards."""
    readers = {place.name: place.reader for place in board.places.values() if place.reader}
    journal = Journal(database)
    thoughts: list[Table] = []
    with Thinkers(lambda thought: thoughts[0].post(thought), kept.seed) as thinkers:
        table = Table(
            kept.game,
            Keeper(journal, kept.id, kept.entries),
            options,
            kept.seed,
            devices.lights,
            phones,
            thinkers,
            modes={place: board.hubs[reader.hub].mode for place, reader in readers.items()},
            hubs={place: reader.hub for place, reader in readers.items()},
            known=known,
            made_by=kept.made_by,
            fixed=kept.fixed,
            holders=holders_after(kept.notes),
            resumed=resumed and bool(kept.game.moves),
        )
        thoughts.append(table)
        if any(options.player(seat) != "person" for seat in kept.game.seats):
            thinkers.prepare()
        parts = (devices.buttons, devices.lights, devices.pieces)
        for device in parts:
            device.listen(table.post)
        try:
            yield table
        finally:
            # Another game may follow at the same board.
            for device in parts:
                device.ignore(table.post)
        if kept.game.over:
            journal.finish(kept.id)
