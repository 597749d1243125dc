"""The table with its web pages: serves them alongside the table, and prints where to find them."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

import click

from companion.cli.table_setup import Devices
from companion.cli.web_ports import ServedAt
from companion.doctor import Case, Machine
from companion.doctor.equipment import PlayingEquipment
from companion.engine import phrase
from companion.network import find_network
from companion.table.game_result import GameResult
from companion.table.game_wish import GameWish
from companion.table.lobby import LobbyDisplay
from companion.table.moment import Display
from companion.table.replies import SendReply
from companion.table.runner import Runner
from companion.table.session import Session
from companion.table.workshop_hold import TryBoard
from companion.translations import Translator
from companion.workshop import Enrolment, Parts, RecentLog, Workshop
from web_remote.access import AccessCodes, shown_code
from web_remote.app import make_app
from web_remote.context import WebContext
from web_remote.display import WebDisplay
from web_remote.ports import Ports
from web_remote.server import WebServer, addresses, url

SCREENS_ON: Final = phrase(
    "Phones that keep their screens on: {address} (the browser will warn about the certificate; go on anyway)"
)


@dataclass(frozen=True)
class BoardAndFile:
    """The name of a board, and the file for games and tags, for the workshop."""

    board_name: str
    board_option: str
    """The option a command needs to mean the same board."""
    database: Path


class WebFront:
    """The web pages, served alongside one table after another.

    :param runner: runs the tables; takes what people do, and begins another game.
    :param served: where the pages are served.
    :param devices: the board that is played on.
    :param place: which board that is, and where games are saved.
    :param logged: whether what is printed ends up in a log, which must not contain the token of the machine.
    :param clock: seconds that only go forward.
    """

    def __init__(
        self,
        runner: Runner,
        served: ServedAt,
        devices: Devices,
        place: BoardAndFile,
        clock: Callable[[], float] = time.monotonic,
        logged: bool = False,
    ) -> None:
        self.display = WebDisplay()
        self.codes = AccessCodes(clock)
        self.port = served.port
        self._runner = runner
        self._at = served
        self._devices = devices
        self._log = RecentLog()
        logging.getLogger().addHandler(self._log)
        self._workshop = open_workshop(devices, place, runner.post, self.port)
        self._server: WebServer | None = None
        self._words = Translator()
        self._logged = logged
        self._phones_join = False
        """Whether anybody is expected to join with a phone."""

    @property
    def displays(self) -> tuple[Display, ...]:
        """The displays that the table shows its moments to."""
        return (self.display, self._workshop)

    @property
    def lobby_displays(self) -> tuple[LobbyDisplay, ...]:
        """The displays that the lobby shows what happens before there is a game."""
        return (self.display, self._workshop)

    def remember(self, finished: GameResult | None) -> None:
        """Shows this as the last result from now on."""
        self.display.remember(finished)

    def set_up(self, wish: GameWish) -> None:
        """Serves the pages while there is no game yet, and prints where to set one up.

        :param wish: what the set-up page suggests.
        """
        self._words = Translator(wish.language)
        self.display.open_lobby(wish)
        self._serve()
        if self._devices.simulated is None:
            address = self._with_token(f"{addresses(self.port, self._at.host)[0]}/")
            click.echo(self._words.in_words("Set up the game here: {address}", address=address))
        self._say_addresses()

    def begin(self, session: Session, resumed: bool) -> None:
        """Serves the pages when a game begins or goes on, and prints where to find them.

        The server stays the same from game to game: people who were let in stay in, and codes stay valid.
        """
        options = session.options
        self._words = Translator(options.language, session.game.edition, options.names)
        self._phones_join = bool(session.persons)
        self._serve()
        self._say_addresses()

    def close(self) -> None:
        """Stops serving."""
        logging.getLogger().removeHandler(self._log)
        self._workshop.close()
        if self._server is None:
            self._at.close()
        else:
            self._server.close()

    def _serve(self) -> None:
        """Starts the server, unless it runs already."""
        if self._server is not None:
            return
        context = WebContext(
            self.display,
            self._runner.post,
            self.codes,
            self._devices.simulated,
            self._devices.tags.one_of_each(),
            self._runner.play_again,
            self._runner.begin,
            self._workshop,
            self._log,
            proxies=self._at.proxies,
            network=find_network(),
            host=self._at.host,
            ports=Ports(self.port, self._at.https_port),
        )
        self._server = WebServer(
            make_app(context),
            self.display.close,
            listening=self._at.listening,
            known=context.is_known,
            proxies=self._at.proxies,
            secure=self._at.secure,
        )

    def _with_token(self, address: str) -> str:
        """Returns an address that proves that somebody can read what is printed here."""
        return address if self._logged else f"{address}?t={self.codes.machine_token}"

    def _say_addresses(self) -> None:
        """Prints where to find the pages, with a QR code for phones."""
        words, here = self._words, url(self._at.host or "localhost", self.port)
        if self._devices.simulated is not None:
            click.echo(words.in_words("Play here: {address}", address=self._with_token(f"{here}/")))
        self._say_join_code()
        click.echo(words.in_words("Table screen: {address}", address=self._with_token(f"{here}/table")))
        workshop = self._with_token(f"{here}/workshop")
        click.echo(words.in_words("Workshop, to check the board: {address}", address=workshop))
        self._say_table_code()
        click.echo(words.in_words("Ctrl-C stops; the game is saved."))

    def _say_join_code(self) -> None:
        import segno

        if self._phones_join:
            there = addresses(self.port, self._at.host)[0]
            click.echo(self._words.in_words("Phones: {address}", address=there))
            if self._at.https_port:
                secure = addresses(self._at.https_port, self._at.host, "https")[0]
                click.echo(self._words.in_words(SCREENS_ON, address=secure))
            click.echo(self._words.in_words("Code to join: {code}", code=shown_code(self.codes.join_code)))
            if shows_qr_codes(sys.stdout):
                segno.make(f"{there}/join?key={self.codes.join_token}", error="m").terminal(compact=True, border=1)

    def _say_table_code(self) -> None:
        words = self._words
        click.echo(
            words.in_words(
                "Table code, for a table screen on another device: {code}", code=shown_code(self.codes.table_code)
            )
        )


def shows_qr_codes(stream: TextIO | None) -> bool:
    """Returns whether the blocks that QR codes are printed with can be written."""
    try:
        "█▀▄".encode(getattr(stream, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def open_workshop(
    devices: Devices, place: BoardAndFile, post: Callable[[TryBoard, SendReply], None], port: int
) -> Workshop:
    """Returns the workshop of an open board. On a simulated board, tags are enrolled for practice only."""
    simulated = devices.simulated is not None
    parts = Parts(devices.buttons, devices.lights, devices.pieces)
    machine = Machine(database=place.database)
    equipment = PlayingEquipment(*parts)
    case = Case(machine, equipment, place.board_name, devices.board, simulated, port, place.board_option)
    enrolment = Enrolment(None if simulated else place.database, devices.tags)
    return Workshop(parts, case, post, enrolment, devices.tags)
