"""Killed at random and started again: nothing that anybody was shown is lost, and the game ends the same."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.storage.database import open_database
from companion.storage.journal import Journal

KILLS = 20
MOMENTS = Random(7)
ROOT = Path(__file__).parents[2]


def start(file: Path, seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.sim.killed", str(file), str(seed)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def play_on(file: Path, seed: int, kill_after: int | None) -> tuple[int, int, bool]:
    """Plays and is killed after some gestures. Returns the moves it began with, the most it showed, and if it ended."""
    with start(file, seed) as program:
        assert program.stdout is not None
        opened = int(program.stdout.readline().split()[1])
        most, ended = opened, False
        for gestures, line in enumerate(program.stdout):
            if line == "over\n":
                ended = True
            else:
                most = max(most, int(line.split()[1]))
            if kill_after is not None and gestures >= kill_after:
                # Not always between two gestures, but somewhere in the next one.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    program.wait(MOMENTS.random() * 0.02)
                program.kill()
                # What it printed before it died was shown too.
                rest = [int(line.split()[1]) for line in program.stdout if line.startswith("shown")]
                most = max([most, *rest])
                break
    return opened, most, ended


def record(file: Path) -> str:
    with open_database(file) as database:
        return Journal(database).load(1).game.record()


def killed_game(folder: Path, seed: int, most: int = 10**9) -> int:
    """Kills a table again and again until its game is over, checks what it lost, and returns the number of kills.

    :param most: after this many kills, the game is left alone.
    """
    rng, kills, shown, ended = Random(f"kills {seed}"), 0, 0, False
    whole, killed = folder / f"{seed}-whole.db", folder / f"{seed}-killed.db"
    _, moves, _ = play_on(whole, seed, None)
    while not ended:
        opened, most_shown, ended = play_on(killed, seed, rng.randrange(0, moves // 6) if kills < most else None)
        assert opened >= shown
        shown = max(shown, most_shown)
        kills += not ended
    assert record(killed) == record(whole)
    return kills


@pytest.mark.games
def test_a_killed_table_goes_on_from_the_last_move_that_was_shown_to_the_same_end(tmp_path: Path) -> None:
    kills, seed = 0, 1
    while kills < KILLS:
        kills += killed_game(tmp_path, seed, KILLS - kills)
        seed += 1
