"""A slow disk in real time: the light confirms a press while the move is still being written."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Entry, Journal
from companion.table.journal_writer import JournalWriter
from companion.table.options import Options
from companion.table.session import Session
from companion.table.table import Table
from hardware.board import find_board
from hardware.ports import Pattern
from hardware.simulated.board import SimulatedBoard
from tests.sim.robot import Screen
from tests.support.arrange import turn_of
from tests.support.table_rig import kept_as


class Patient:
    """A disk that finishes only after the strip has shown something; if the light waited for it, it never would."""

    def __init__(self, journal: Journal, board: SimulatedBoard) -> None:
        self._journal = journal
        self._board = board
        self._white = threading.Event()
        self.place = ""
        self.lit_meanwhile: list[bool] = []
        write = board.strip.write

        def note(data: bytes) -> None:
            write(data)
            if self.place and all(red == green == blue > 0 for red, green, blue in board.colours(self.place)):
                self._white.set()

        board.strip.write = note  # type: ignore[method-assign]

    def append(self, game_id: int, entries: Sequence[Entry], after: int) -> object:
        if self.place:
            self.lit_meanwhile.append(self._white.wait(20))
        return self._journal.append(game_id, entries, after)


def test_a_press_is_acknowledged_by_the_strip_while_its_move_is_still_being_written(tmp_path: Path) -> None:
    game = turn_of("score-4s", ("red", "blue"))
    with SimulatedBoard(find_board("buttons-only")) as board, open_database(tmp_path / "table.db") as database:
        journal, options = Journal(database), Options(guided=False)
        empty = Game(game.seats, game.edition, game.rounds, game.house)
        number = journal.begin(empty, options.as_json(), 1)
        journal.append(number, [Entry("move", str(move)) for move in game.moves], 0)
        disk = Patient(journal, board)
        kept = kept_as(game, number, ["person"] * len(game.moves))
        table = Table(Session(kept, JournalWriter(disk, number, kept.entries), options), board.lights, (Screen(),))
        board.listen(table.post)
        table.poll()
        place = next(name for name, show in board.lights.scene.places.items() if show.pattern is Pattern.BREATHE)
        disk.place, before = place, table.session.version
        board.press(place, seconds=None)
        while table.session.version == before:
            table.wait(20)
        board.release(place)
        assert disk.lit_meanwhile == [True]
        assert str(game.moves[-1]) == f"red place {place}"
