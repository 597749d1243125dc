"""How fast the table is: from a gesture to the lights with the journal on disk, start-up time, and memory."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.board import tell, tell_head
from companion.engine import SEATS, Game
from companion.storage.database import open_database
from companion.storage.journal import Entry, Journal
from companion.table.journal_writer import JournalWriter
from companion.table.options import Options
from companion.table.phone_input import SeatLine
from companion.table.session import Session
from companion.table.table import Table
from hardware.board import find_board
from hardware.contacts import BOUNCE_S
from hardware.lights import PRESSED_S
from hardware.ports import Pattern, Scene
from hardware.simulated.board import SimulatedBoard
from tests.sim.robot import Screen, at_a_table

GESTURES = 60
SLOW_GESTURES = 15
SLOW_S = 0.2
STARTS = 5


class SlowDisk:
    """A journal on a disk that takes its time."""

    def __init__(self, journal: Journal, seconds: float) -> None:
        self._journal = journal
        self._seconds = seconds

    def append(self, game_id: int, entries: Sequence[Entry], after: int) -> object:
        """Writes and waits."""
        time.sleep(self._seconds)
        return self._journal.append(game_id, entries, after)


def gesture_to_strip(file: Path, disk_s: float = 0.0, gestures: int = GESTURES) -> list[float]:
    """Returns the milliseconds from a press to the bytes of its result, with the move on disk, without the debouncing.

    With a slow disk, it is the time to the bytes that acknowledge the press.
    """
    took: list[float] = []
    rng = Random(1)
    with SimulatedBoard(find_board("buttons-only")) as board, open_database(file) as database:
        game, screen = Game(SEATS, rounds=9), Screen()
        journal, options = Journal(database), Options(guided=False)
        disk = SlowDisk(journal, disk_s) if disk_s else journal
        number = journal.begin(game, options.as_json(), 1)
        session = Session(replace(journal.load(number), game=game), JournalWriter(disk, number, 0), options)
        drawn = threading.Event()
        wanted: list[Scene] = []
        place = ""
        drawn_s: list[float] = []
        write, show = board.strip.write, board.lights.show

        def note_scene(scene: Scene) -> None:
            wanted[:] = [scene]
            show(scene)

        def note_bytes(data: bytes) -> None:
            write(data)
            white = place and all(red == green == blue > 0 for red, green, blue in board.colours(place))
            if white if disk_s else wanted:
                drawn_s.append(time.perf_counter())
                drawn.set()

        board.lights.show = note_scene  # type: ignore[method-assign]
        board.strip.write = note_bytes  # type: ignore[method-assign]
        table = Table(session, board.lights, (screen,))
        board.listen(table.post)
        due_s = table.poll()
        while len(took) < gestures and not game.over:
            lit = [place for place, show in board.lights.scene.places.items() if show.pattern is Pattern.BREATHE]
            if not lit:
                asked = [prompt for prompt in screen.prompts.values() if prompt.asked and prompt.choices]
                if asked:
                    prompt = rng.choice(asked)
                    table.post(SeatLine(prompt.seat, rng.choice(prompt.choices).line, screen.moment.version))
                due_s = table.poll()
                if not asked:
                    table.wait(due_s)
                continue
            place = rng.choice(lit)
            wanted.clear()
            drawn.clear()
            drawn_s.clear()
            began_s = time.perf_counter()
            before = screen.moment
            board.press(place, seconds=None)
            while screen.moment is before:
                table.wait(0.5)
            # If the next choice is among the same places, the lights stay as they are.
            if wanted or disk_s:
                if not drawn.wait(2.0):
                    raise TimeoutError(place)
                took.append((drawn_s[0] - began_s - BOUNCE_S) * 1000)
            board.release(place)
            time.sleep(max(BOUNCE_S, PRESSED_S if disk_s else 0.0) * 2)
            table.poll()
    return took


def start_to_playable(folder: Path) -> list[float]:
    """Returns the seconds from typing `companion play` to the first question."""
    took = []
    for number in range(STARTS):
        screen, theirs = pty.openpty()
        began_s = time.perf_counter()
        command = [sys.executable, "-m", "companion.cli", "play", "--terminal", "--people", "4", "--simulated", "--new"]
        program = subprocess.Popen(
            [*command, "--database", str(folder / f"start-{number}.db")], stdin=theirs, stdout=theirs, stderr=theirs
        )
        shown = b""
        while b"press Enter" not in shown:
            if not select.select([screen], [], [], 30)[0]:
                raise TimeoutError(shown.decode())
            shown += os.read(screen, 65536)
        took.append(time.perf_counter() - began_s)
        program.terminate()
        program.wait()
        os.close(screen)
        os.close(theirs)
    return took


def whole_game(folder: Path) -> None:
    """Has a robot play 9 rounds with 5 seats, and prints its gestures, the moves of people, and the memory in MB."""
    game = Game(SEATS, rounds=9)
    with at_a_table(folder, game, "buttons", 3) as robot:
        robot.play()
        moves = sum(maker == "person" for maker in robot.table.session.made_by)
    memory_kb = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
    print(robot.counts.gestures, moves, robot.counts.guide, f"{memory_kb / 1024:.1f}")


def main() -> None:
    """Prints all figures of the table."""
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as name:
        folder = Path(name)
        tell_head("The table, journal on disk; ms")
        batches = count()
        tell("gesture to strip, after 10 ms", lambda: gesture_to_strip(folder / f"{next(batches)}.db"), "at most 10")
        tell(
            "press to its acknowledgement, disk of 200 ms",
            lambda: gesture_to_strip(folder / f"{next(batches)}.db", SLOW_S, SLOW_GESTURES),
            "at most 50",
        )
        started = start_to_playable(folder)
        print(f"start to playable: {median(started):.2f} s, slowest {max(started):.2f} s (at most 2)")
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.table", "game", name], capture_output=True, text=True, check=True
        )
        gestures, moves, guide, memory_mb = done.stdout.split()
        print(
            f"a game of 5 seats, 9 rounds: {gestures} gestures for {moves} moves of people, {guide} steps of the guide"
        )
        print(f"memory after it: {memory_mb} MB (at most 80)")


if __name__ == "__main__":
    whole_game(Path(sys.argv[2])) if len(sys.argv) > 1 else main()
