"""A table in a process of its own, to be killed: `python -m tests.sim.killed DATABASE SEED` plays to the end.

After every gesture it prints how many moves people have been shown. Its robot chooses by the position alone, so that a
killed game continues as if nothing had happened.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.table.journal_writer import JournalWriter
from companion.table.options import Options
from companion.table.session import Session
from companion.table.table import Table
from companion.table.turns import vetoing
from hardware.board import find_board
from hardware.simulated.board import SimulatedBoard
from tests.sim.robot import Robot, Screen


class ByPosition(Random):
    """Randomness that depends only on the position and on what can be done, not on what else is being shown."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__()
        self._game, self._seed = game, seed

    def choice(self, seq):  # type: ignore[no-untyped-def]
        """Returns one of the items, always the same in the same position."""
        if vetoing(self._game):
            # A press is held until nobody can object, and saved only then: a kill would take it back.
            seq = [item for item in seq if not isinstance(item, str)] or seq
        # A notice may be beside a question, and is gone after a restart.
        lines = [item if isinstance(item, str) else f"{item[0].seat} {item[1].line}" for item in seq]
        return Random(f"{self._seed} {len(self._game.moves)} {lines}").choice(seq)


def play(file: Path, seed: int) -> None:
    """Resumes the game in a file, or begins it, and plays it to its end."""
    with (
        SimulatedBoard(find_board("buttons-only"), by_hand=True) as board,
        open_database(file) as database,
    ):
        journal = Journal(database)
        kept = journal.unfinished()
        if kept is None and journal.games():
            # It was killed after the end.
            print(f"opened {len(journal.load(1).game.moves)}\nover", flush=True)
            return
        if kept is None:
            options = Options(pace="instant")
            kept = journal.load(journal.begin(Game(("red", "blue", "green"), rounds=6), options.as_json(), seed))
        screen = Screen()
        session = Session(kept, JournalWriter(journal, kept.id, kept.entries), Options.from_json(kept.options))
        table = Table(session, board.lights, (screen,), resumed=bool(kept.game.moves), clock=board.clock)
        board.listen(table.post)
        robot = Robot(table, board, screen, {}, "buttons", ByPosition(kept.game, seed))
        print(f"opened {len(kept.game.moves)}", flush=True)
        while not kept.game.over:
            # While a scoring is shown no place is lit, and after a restart it is not shown again.
            robot.rest()
            robot.act()
            robot.settle()
            print(f"shown {len(kept.game.moves)}", flush=True)
        journal.finish(kept.id)
        print("over", flush=True)


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
