"""A table with its pages in a process of its own, to be killed: `python -m tests.sim.history_table FOLDER PORT SEED`.

It resumes the game in the folder, or begins one: two people and a bot. Now and then its strip is lost or its disk
refuses every write for a moment. It prints its join code when it can be reached.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

from companion.engine import Game
from companion.table import journal_writer
from companion.table.options import Options
from tests.browser.served import Served, served

SEATS: Final = ("red", "blue", "green")
OPTIONS: Final = Options(players={"green": "easy"}, pace="instant", guided=False, veto_s=0.0)
RETRY_S: Final = 0.2
"""How often this table tries again to save, so that a history does not consist of waiting."""
SMALLEST: Final = 1024
"""No file may grow beyond this many bytes while the disk refuses to write."""


def disturb(table: Served, rng: Random) -> None:
    """Goes on making trouble until the process ends."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    while True:
        time.sleep(rng.uniform(0.05, 0.4))
        if rng.random() < 0.5:
            table.board.strip.lost = not table.board.strip.lost
            continue
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALLEST, most))
        time.sleep(rng.uniform(0.02, 0.3))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def main(folder: Path, port: int, seed: int) -> None:
    """Serves until it is killed."""
    journal_writer.RETRY_S = RETRY_S  # type: ignore[misc]
    resumed = (folder / "table.db").exists()
    with served(folder, Game(SEATS, rounds=6), OPTIONS, port=port, resumed=resumed) as table:
        print(table.codes.join_code, flush=True)
        disturb(table, Random(seed))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
