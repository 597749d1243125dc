"""The speed of the rules: random games of El Grande beside random games of python-chess, in one run."""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import chess

from companion.engine import SEATS, Game, determinise

MOST_PLIES = 340


def el_grande(rng: Random) -> int:
    """Plays a random game with 5 seats and 9 rounds. Returns how many decisions it took."""
    game = Game(SEATS)
    decisions = 0
    while moves := game.legal_moves():
        game.play(rng.choice(moves))
        decisions += 1
    return decisions


def python_chess(rng: Random) -> int:
    """Plays a random game of chess. Returns how many plies it took."""
    board = chess.Board()
    for ply in range(MOST_PLIES):
        if board.is_game_over():
            return ply
        board.push(rng.choice(list(board.legal_moves)))
    return MOST_PLIES


@dataclass
class Speed:
    """How fast games of a kind were played."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def add(self, play: Callable[[Random], int], rng: Random, games: int) -> None:
        """Plays some games and adds their decisions and time."""
        begin = time.perf_counter()
        for _ in range(games):
            self.decisions += play(rng)
        self.seconds += time.perf_counter() - begin
        self.games += games

    @property
    def games_per_s(self) -> float:
        """Whole games per second."""
        return self.games / self.seconds

    @property
    def us_per_decision(self) -> float:
        """Microseconds from one decision to the next: legal moves, choice, play."""
        return self.seconds / self.decisions * 1e6


def us_each(act: Callable[[], object], times: int = 2000) -> float:
    """Returns how many microseconds something takes, the best of five runs."""
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(times):
            act()
        best = min(best, time.perf_counter() - begin)
    return best / times * 1e6


def late_game(seed: int = 1, decisions: int = 300) -> Game:
    """Returns a game of 5 seats, well under way."""
    rng = Random(seed)
    game = Game(SEATS)
    for _ in range(decisions):
        game.play(rng.choice(game.legal_moves()))
    return game


def peak_memory_mb() -> tuple[float, float]:
    """Returns the peak memory of a process that has loaded the engine, and of one that then plays 200 games."""
    code = (
        "import random, resource; from companion.engine import Game, SEATS\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "loaded = peak(); rng = random.Random(1)\n"
        "for _ in range(200):\n"
        "    game = Game(SEATS)\n"
        "    while moves := game.legal_moves(): game.play(rng.choice(moves))\n"
        "print(loaded, peak())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded, played = map(float, done.stdout.split())
    return loaded, played


def processor() -> str:
    """Returns the processor's name, as far as the system reports it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith(("model name", "Model")):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="how long to play, in all (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    rng = Random(options.seed)
    ours, theirs = Speed(), Speed()
    el_grande(rng), python_chess(rng)  # warm up
    # The two take turns in small batches, so that other work on the machine affects both.
    while ours.seconds + theirs.seconds < options.seconds:
        ours.add(el_grande, rng, 60)
        theirs.add(python_chess, rng, 8)
        spent = ours.seconds + theirs.seconds
        print(f"\r{min(100, spent / options.seconds * 100):3.0f} %", end="", file=sys.stderr, flush=True)
    print("\r     \r", end="", file=sys.stderr)

    game = late_game()
    view = game.view("red")
    loaded, played = peak_memory_mb()
    rows = [
        ("random games, 5 seats, 9 rounds", f"{ours.games_per_s:.0f} games/s"),
        ("decisions a game", f"{ours.decisions / ours.games:.0f}"),
        ("a decision (list, choose, play)", f"{ours.us_per_decision:.1f} µs"),
        ("python-chess, random games", f"{theirs.games_per_s:.1f} games/s"),
        ("plies a game of chess", f"{theirs.decisions / theirs.games:.0f}"),
        ("**ratio, games/s**", f"**{ours.games_per_s / theirs.games_per_s:.1f}**"),
        ("`copy()`, move 300", f"{us_each(game.copy):.1f} µs"),
        ("`snapshot()`", f"{us_each(game.snapshot):.0f} µs"),
        ("`view()`", f"{us_each(lambda: game.view('red'), 200):.0f} µs"),
        ("`determinise()`", f"{us_each(lambda: determinise(view, rng), 50):.0f} µs"),
        ("peak memory, engine loaded", f"{loaded:.1f} MB"),
        ("peak memory, after 200 games", f"{played:.1f} MB"),
    ]
    print(f"{processor()}, {platform.system()}, Python {platform.python_version()}, chess {chess.__version__}\n")
    width = max(len(name) for name, _ in rows)
    print(f"| {'what':{width}} | result |\n|{'-' * (width + 2)}|---|")
    for name, result in rows:
        print(f"| {name:{width}} | {result} |")


if __name__ == "__main__":
    main()
