"""The table with its web pages: serves them beside the table, and tells where they are found."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from companion.cli.table_setup import Devices
from companion.doctor import Case, Machine
from companion.doctor.equipment import PlayingEquipment
from companion.storage.tags import Piece
from companion.table.options import PERSON
from companion.table.table import Table
from companion.translations import Translator
from companion.workshop import Drawer, Parts, RecentLog, Workshop
from hardware.board import Board
from web_remote.access import AccessCodes
from web_remote.app import make_app
from web_remote.context import WebContext
from web_remote.display import WebPhones
from web_remote.server import PortInUse, WebServer, addresses, listen


@dataclass(frozen=True)
class BoardAndFile:
    """Which board is played on, and where games and tags are kept: what the workshop has to know."""

    board: Board
    board_name: str
    board_option: str
    """What a command needs to mean the same board."""
    database: Path


class Pages:
    """The web pages, to the command that starts the table; to the table they are the phones.

    :param port: where they are served.
    :param known: what each tag stands for; the workshop adds to it what is enrolled.
    :param clock: seconds that only go forward.
    """

    def __init__(
        self,
        port: int,
        known: dict[str, Piece],
        kept: BoardAndFile,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.phones = WebPhones()
        # The same for one game after the other: who was let in stays in, and the codes on a screen stay true.
        self.codes = AccessCodes(clock, self._codes_changed)
        try:
            # At once: so a port that is in use is told before a game is begun.
            self._listening: socket.socket | None = listen(port=port)
        except PortInUse as error:
            raise click.ClickException(str(error)) from None
        self._port: int = self._listening.getsockname()[1]
        self._known, self._kept = known, kept
        self._tags = {piece: tag for tag, piece in known.items()}
        self._workshop: Workshop | None = None
        self._log = RecentLog()
        logging.getLogger().addHandler(self._log)
        self._table: Table | None = None
        self._stopped = False
        self._phones_sit_down = False
        """Whether anybody is to come with a phone."""
        self.again = False
        """Whether another game is wanted after this one."""

    def stop(self) -> None:
        """Has `run` end soon; from any thread, also before it has begun."""
        self._stopped = True
        if self._table is not None:
            self._table.wake()

    def run(self, table: Table, devices: Devices) -> None:
        """Serves the pages, and plays until somebody stops: the result is there to be seen after the game."""
        self._table, self.again = table, False
        self.phones.open()
        self.phones.attach(table)
        # There is one workshop for all games, whichever table is played at.
        self._workshop = self._workshop or open_workshop(devices, self._kept, self.phones, self._known, self._port)
        context = WebContext(
            self.phones, self.codes, devices.hands, self._tags, table.options.language, self._begin_another,
            self._workshop, self._log,
        )  # fmt: skip
        table.poll()
        listening, self._listening = self._listening or listen(port=self._port), None
        with WebServer(make_app(context), self.phones.close, listening=listening):
            self._tell(table, context, self._port)
            while not (self._stopped or self.again):
                due_s = table.poll()
                # Asked last: the wake-up of a stop may have been taken by `poll`.
                if not (self._stopped or self.again):
                    table.wait(due_s)

    def close(self) -> None:
        """Lets go of everything."""
        logging.getLogger().removeHandler(self._log)
        if self._workshop is not None:
            self._workshop.close()

    def _begin_another(self) -> None:
        self.again = True
        if self._table is not None:
            self._table.wake()

    def _tell(self, table: Table, context: WebContext, port: int) -> None:
        """Says where the pages are found, with a picture of it for phones."""
        words, here = _words(table), f"http://localhost:{port}"
        if context.hands is not None:
            click.echo(words.in_words("Play here: {address}", address=here))
        people = [seat for seat in table.game.seats if table.options.player(seat) == PERSON]
        self._phones_sit_down = bool(people)
        self._tell_join_code(words)
        click.echo(words.in_words("Table screen: {address}", address=f"{here}/table"))
        click.echo(words.in_words("Workshop, to look the board over: {address}", address=f"{here}/workshop"))
        self._tell_table_code(words)
        click.echo(words.in_words("Ctrl-C stops; the game is kept."))

    def _codes_changed(self) -> None:
        """Says the new codes: those that were told before let nobody in any more."""
        if self._table is not None:
            words = _words(self._table)
            click.echo(words.in_words("Somebody tried many wrong codes. These are the new ones:"))
            self._tell_join_code(words)
            self._tell_table_code(words)

    def _tell_join_code(self, words: Translator) -> None:
        import segno

        if self._phones_sit_down:
            there = addresses(self._port)[0]
            click.echo(words.in_words("Phones: {address}", address=there))
            click.echo(words.in_words("Code to sit down: {code}", code=self.codes.join_code))
            segno.make(f"{there}/join?code={self.codes.join_code}", error="m").terminal(compact=True, border=1)

    def _tell_table_code(self, words: Translator) -> None:
        click.echo(words.in_words("Table code, for the table screen elsewhere: {code}", code=self.codes.table_code))


def _words(table: Table) -> Translator:
    return Translator(table.options.language, table.game.edition, table.options.names)


def open_workshop(
    devices: Devices, kept: BoardAndFile, phones: WebPhones, known: dict[str, Piece], port: int
) -> Workshop:
    """The workshop of a board that is open. Tags of a simulated one are enrolled for practice only."""
    simulated = devices.hands is not None
    parts = Parts(devices.buttons, devices.lights, devices.pieces)
    machine = Machine(database=kept.database)
    case = Case(machine, PlayingEquipment(*parts), kept.board_name, kept.board, simulated, port, kept.board_option)
    return Workshop(
        parts,
        case,
        lambda wish: phones.table.post(wish),
        lambda: phones.table.tried,
        Drawer(None if simulated else kept.database, known),
        known,
    )
