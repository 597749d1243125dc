"""A robot plays a whole game on the simulated board, at processor speed.

From the top folder of the project, after `make test`:

    .venv/bin/python -m examples.robot_game

The robot knows no rules. It sees the lights in the bytes that the strip is sent, reads what each seat is asked, and
presses buttons. Everything between the pins and the journal is what runs at a real table.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from companion.engine import Game
from tests.sim.robot import at_a_table


def main() -> None:
    """Plays a short game with two seats, both by buttons."""
    game = Game(("red", "blue"), rounds=6)
    with TemporaryDirectory() as folder, at_a_table(Path(folder), game, "buttons", seed=7) as robot:
        robot.play()
    counts = robot.counts
    print(f"{len(game.moves)} moves by {counts.gestures} gestures, and {counts.guide} steps of the guide")
    print(f"scores: {', '.join(f'{seat} {score}' for seat, score in game.scores.items())}")


if __name__ == "__main__":
    main()
