"""A bot of your own in a tournament against a built-in level.

From the top folder of the project, after `make test` or `make play`:

    .venv/bin/python -m examples.own_bot

A bot is any object with a method `decide`. It gets what its seat may know and its legal moves, and returns one of them.
"""

from __future__ import annotations

from random import Random

from companion.bots import Decision
from companion.bots.tournament import Match, play_game, standings
from companion.engine import CASTILLO, Move
from companion.engine.regions import VALUES
from companion.engine.views import View


class GreedyBot:
    """Brings as many caballeros as it can, and places each where it gains the most. Otherwise it guesses."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def decide(self, view: View, legal: list[Move]) -> Decision:
        match legal[0].verb:
            case "recruit" | "card":
                return Decision(max(legal, key=lambda move: move.number))
            case "place":
                return Decision(max(legal, key=lambda move: self.gain(view, move)))
        # The same view gives the same move, so a game can be played again.
        return Decision(Random(f"{self.seed} {len(view['log'])}").choice(legal))

    def gain(self, view: View, move: Move) -> float:
        """Returns the points that one more caballero brings, if the place is scored as it is then."""
        if move.verb != "place" or move.args[0] == CASTILLO:
            return 0.0
        counts = {seat: data["regions"][move.args[0]] for seat, data in view["seats"].items()}
        own, most = counts.pop(move.seat), max(counts.values())
        first, second, _ = VALUES[move.place]
        return 0.1 if own > most else float(first) if own == most else second / (most - own)


def main() -> None:
    """Plays a few games of one greedy bot against two that choose at random."""
    match = Match(("greedy", "random", "random"), "bigbox-de", 6, (), seed=1, seconds=1.0, iterations=None)
    games = [play_game(match, number, {"greedy": GreedyBot}) for number in range(15)]
    print(f"{len(games)} games; {1 / 3:.0%} of the wins would be even")
    for standing in standings(games):
        print(f"{standing.bot:8} wins {standing.share}, mean score {standing.score}")


if __name__ == "__main__":
    main()
