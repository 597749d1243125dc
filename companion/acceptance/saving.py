"""Tries how fast this card saves: many small changes, each safe before the next begins."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from companion.acceptance.bench import Bench
from companion.acceptance.figures import Spread
from companion.acceptance.part import SEE_DOCTOR, AcceptancePart, PartRecord
from companion.doctor.disk import nearest_folder
from companion.storage.database import open_database
from companion.storage.errors import DatabaseError

COMMITS: Final = 200
SLOW_MS: Final = 100.0
"""Above this, people notice that a move takes a moment."""


class SavingPart(AcceptancePart):
    """Saves to a file of its own, beside the one games are in, and deletes it."""

    name = "saving"
    title = "Saving"
    ahead = f"{COMMITS} small changes, where games are saved. Nothing to do for you."
    by_itself = True

    def walk(self, bench: Bench, record: PartRecord) -> None:
        try:
            times_s = _commits(bench)
        except (OSError, DatabaseError) as error:
            why = error.strerror if isinstance(error, OSError) else type(error).__name__
            record.problem(f"Nothing can be saved where games are saved ({why}).", SEE_DOCTOR)
            return
        spread = Spread.of(times_s)
        record.figures["commits"] = spread.figures()
        found = f"Saving takes {spread.median_ms:.1f} ms, 99 of 100 times at most {spread.p99_ms:.1f} ms."
        if spread.p99_ms > SLOW_MS:
            record.warning(found, "A card marked A1 or A2 is faster; a worn one gets slower and slower.")
        else:
            record.ok(found)


def _commits(bench: Bench) -> list[float]:
    """Returns how long each of many commits took."""
    times_s: list[float] = []
    folder = nearest_folder(bench.machine.database.absolute().parent)
    with (
        tempfile.TemporaryDirectory(prefix=".acceptance-", dir=folder) as own,
        open_database(Path(own, "table.db")) as database,
    ):
        for number in range(COMMITS):
            # Lets somebody stop in between.
            bench.pause(0.0)
            began_s = bench.clock()
            with database.transaction():
                database.execute("INSERT INTO tags VALUES (?, ?)", (f"{number:08X}", "king"))
            times_s.append(bench.clock() - began_s)
    return times_s
