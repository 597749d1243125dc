"""A display of your own: it prints every moment that the table shows it.

From the top folder of the project, after `make test` or `make play`:

    .venv/bin/python -m examples.print_moments

Two bots play a short game on a simulated board without readers. A display is any object with a method `show`.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from companion.cli.table_setup import begin, opened, seated
from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.tags import TagRegistry
from companion.table.moment import Moment, PublicMoment, news
from companion.table.options import Options
from companion.table.runner import Runner
from hardware.board import find_board


class PrintMoments:
    """Prints the moves since the moment before with their journal numbers, and stops when the game is over."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._before: PublicMoment | None = None

    def show(self, moment: Moment) -> None:
        happened = news(self._before, moment.public)
        self._before = moment.public
        for number, line in zip(moment.public.numbers[happened.first :], happened.lines, strict=True):
            print(f"{number:4} {line}")
        if moment.public.view["over"]:
            self._runner.stop()
            print(f"over after {moment.version} entries; winners: {', '.join(moment.public.view['winners'])}")


def main() -> None:
    """Puts a table together as `companion play` does, with this display instead of web pages."""
    options = Options(players={"red": "random", "blue": "random"}, guided=False, pace="instant")
    runner = Runner()
    with (
        TemporaryDirectory() as folder,
        open_database(Path(folder, "table.db")) as database,
        opened(find_board("buttons-only"), simulated=True, tags=TagRegistry()) as devices,
    ):
        kept = begin(Journal(database), Game(("red", "blue"), rounds=6), options, seed=7)
        with seated(kept, options, database, devices, [PrintMoments(runner)], runner.post, resumed=False) as table:
            runner.run(table)


if __name__ == "__main__":
    main()
