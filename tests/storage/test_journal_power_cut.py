"""The journal after the power went, or the program was killed: whole moves from the beginning, and none promised lost.

While a database is in use, what was written last is in the file `-wal`: a header, then frames of one page each. The
last frame of a change carries the size of the database; without it the change did not happen.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import pytest

from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Entry, Journal, note_entry
from companion.storage.notes import OtherNote
from tests.support.random_games import finished

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LOG_HEADER: Final = 32
FRAME_HEADER: Final = 24
BEFORE: Final = 160
"""How many moves are in the database itself, and no longer in the log."""


class Crash(NamedTuple):
    """The files of a table at the moment the power goes, and what they hold."""

    folder: Path
    entries: list[tuple[str, str]]
    """Kind and line of all entries, in their order."""
    log: bytes
    frame: int
    """The size of a frame."""
    commits: list[tuple[int, int]]
    """Where the changes in the log end, and how many entries there are from then on."""

    def entries_after(self, size: int) -> int:
        """How many entries there must be if only so much of the log was written."""
        return max(count for end, count in self.commits if end <= size)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: thousands of files are made and opened."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def crash(folder: Path) -> Crash:
    game = finished(3)
    database = open_database(folder / "table.db")
    journal = Journal(database)
    journal.begin(Game(game.seats, game.edition, game.rounds, game.house), {}, 7)
    entries: list[tuple[str, str]] = []
    ends: list[tuple[int, int]] = []

    def append(*new: Entry) -> None:
        journal.append(1, new, after=len(entries))
        entries.extend((entry.kind, entry.line) for entry in new)
        ends.append((log.stat().st_size, len(entries)))

    log = folder / "table.db-wal"
    moves = [Entry("move", move.text) for move in game.moves]
    for move in moves[:BEFORE]:
        append(move)
    # From here on the log is short, so that it can be cut many times.
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ends[:] = [(0, len(entries))]
    append(moves[BEFORE])
    append(Entry("undo", "2"))
    append(*moves[BEFORE - 1 : BEFORE + 2])
    # Several entries on several pages, and yet one change.
    append(moves[BEFORE + 2], note_entry(OtherNote({"long": "x" * 3000})), note_entry(OtherNote({"seat": "red"})))
    append(moves[BEFORE + 3])
    whole = Crash(
        folder / "crash", entries, log.read_bytes(), FRAME_HEADER + database.execute("PRAGMA page_size")[0][0], ends
    )
    whole.folder.mkdir()
    for end in ("", "-shm"):
        shutil.copy(folder / f"table.db{end}", whole.folder)
    database.close()
    return whole


def test_each_change_ends_with_the_frame_that_makes_it_so(crash: Crash) -> None:
    """What the other tests rest on: the log is as it is described."""
    assert (len(crash.log) - LOG_HEADER) % crash.frame == 0
    ends = []
    for start in range(LOG_HEADER, len(crash.log), crash.frame):
        _page, size_after = struct.unpack_from(">II", crash.log, start)
        if size_after:
            ends.append(start + crash.frame)
    assert ends == [end for end, _ in crash.commits[1:]]
    # Two pages for the last move and its seal, and several for the change before it, which so is cut in its middle too.
    assert ends[-1] - ends[-2] == 2 * crash.frame
    assert ends[-2] - ends[-3] >= 2 * crash.frame
    assert crash.commits[0] == (0, BEFORE)
    assert crash.commits[-1] == (len(crash.log), len(crash.entries))


def test_a_log_cut_at_any_byte_of_its_last_three_frames_holds_a_whole_earlier_move(crash: Crash, folder: Path) -> None:
    file = folder / "cut.db"
    shutil.copy(crash.folder / "table.db", file)
    log, shared = Path(f"{file}-wal"), Path(f"{file}-shm")
    log.write_bytes(crash.log)
    seen = set()
    # From the end on, so that each cut is one of the file that is there. To read changes neither file.
    for size in range(len(crash.log), len(crash.log) - 3 * crash.frame - 1, -1):
        os.truncate(log, size)
        shared.unlink(missing_ok=True)
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
            found = database.execute("SELECT kind, line FROM entries WHERE number > ? ORDER BY number", (BEFORE,))
            assert found.fetchall() == crash.entries[BEFORE : crash.entries_after(size)]
        seen.add(crash.entries_after(size))
    assert len(seen) == 3


def cuts(crash: Crash) -> list[int]:
    """Cuts around every border of a frame and of its header, and some anywhere."""
    borders = range(LOG_HEADER, len(crash.log) + 1, crash.frame)
    near = {border + more for border in (0, *borders) for more in (-1, 0, 1, FRAME_HEADER - 1, FRAME_HEADER, 100)}
    anywhere = Random(1).sample(range(len(crash.log)), 40)
    return sorted(size for size in {*near, *anywhere} if 0 <= size <= len(crash.log))


@pytest.mark.parametrize("rest", ["gone", "zeros", "garbage"])
def test_a_log_of_which_the_end_was_never_written_replays_and_goes_on(crash: Crash, folder: Path, rest: str) -> None:
    """As `open_database` and the journal find it, with what was beside it at the time."""
    for size in cuts(crash):
        file = folder / f"{rest}.db"
        for end in ("", "-shm"):
            shutil.copy(crash.folder / f"table.db{end}", f"{file}{end}")
        missing = len(crash.log) - size
        after = {"gone": b"", "zeros": bytes(missing), "garbage": Random(size).randbytes(missing)}[rest]
        Path(f"{file}-wal").write_bytes(crash.log[:size] + after)
        # What is missing may have been zeros.
        while after and size < len(crash.log) and crash.log[size] == after[size - len(crash.log)]:
            size += 1
        count = crash.entries_after(size)
        with open_database(file) as database:
            journal = Journal(database)
            kept = journal.load(1)
            assert kept.entries == count
            assert [move.text for move in kept.game.moves] == replayed(crash.entries[:count])
            assert journal.append(1, [note_entry(OtherNote({"after": "the crash"}))], after=count) == count + 1
        with open_database(file) as database:
            assert Journal(database).load(1).notes[-1] == OtherNote({"after": "the crash"})


def replayed(entries: list[tuple[str, str]]) -> list[str]:
    """The moves that stand."""
    standing: list[str] = []
    for kind, line in entries:
        if kind == "move":
            standing.append(line)
        elif kind == "undo":
            del standing[-int(line) :]
    return standing


# --- killed ----------------------------------------------------------------------------------------------------------

# A program that appends a game, move by move, and prints each number when append has returned. It is started by
# another that starts it again whenever it was killed, because that is faster than a new interpreter.
APPEND_FOR_EVER = """
import os, sys
from pathlib import Path
from companion.storage.database import open_database
from companion.engine import Game
from companion.storage.journal import Entry, Journal, note_entry
from companion.storage.notes import OtherNote

def append_for_ever(moves):
    journal = Journal(open_database(Path(sys.argv[1])))
    count = journal.load(1).entries
    while True:
        # A fast disk may come to the end of the game.
        entry = Entry("move", moves[count].text) if count < len(moves) else note_entry(OtherNote({"entry": count}))
        journal.append(1, [entry], after=count)
        count += 1
        os.write(1, f"{count}\\n".encode())

moves = Game.from_record(Path(sys.argv[2]).read_text()).moves
for line in sys.stdin:
    child = os.fork()
    if not child:
        try:
            append_for_ever(moves)
        finally:
            os._exit(1)
    os.write(1, f"child {child}\\n".encode())
    os.waitpid(child, 0)
    os.write(1, b"dead\\n")
"""

KILLS: Final = 20


def test_what_append_promised_is_there_after_a_kill(tmp_path: Path) -> None:
    game = max((finished(seed) for seed in range(8)), key=lambda game: len(game.moves))
    file, record = tmp_path / "table.db", tmp_path / "game.txt"
    record.write_text(game.record())
    with open_database(file) as database:
        Journal(database).begin(Game(game.seats, game.edition, game.rounds, game.house), {}, 7)
    texts = [move.text for move in game.moves]
    rng = Random(1)
    before = 0
    command = [sys.executable, "-c", APPEND_FOR_EVER, str(file), str(record)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for _ in range(KILLS):
            program.stdin.write("go\n")
            program.stdin.flush()
            child, promised = 0, before
            wanted = before + rng.randint(1, 6)
            while not child or promised < wanted:
                *kind, number = program.stdout.readline().split()
                if kind:
                    child = int(number)
                else:
                    promised = int(number)
            os.kill(child, signal.SIGKILL)
            # What it printed before it died, it promised too.
            while (line := program.stdout.readline()) != "dead\n":
                promised = int(line)
            with open_database(file) as database:
                kept = Journal(database).load(1)
            assert promised <= kept.entries <= promised + 1
            assert [move.text for move in kept.game.moves] == texts[: kept.entries]
            before = kept.entries
        assert before >= KILLS
        program.stdin.close()
