"""Runs a simulated hub's world in CPython: orders from standard input, answers to standard output."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run(name: str, quick: bool) -> None:
    """Obeys until the orders end."""
    sys.path[:0] = [str(HERE / "micropython"), str(HERE.parent.parent)]
    from world import World

    world = World(name, quick)
    for line in sys.stdin:
        sys.stdout.write(world.obey(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    run(sys.argv[1], quick=sys.argv[2:] == ["quick"])
