"""How long bots think: over the decisions with more than one legal move, in games against each other."""

from __future__ import annotations

import argparse
import time
from random import Random

from companion.bots import make_bot
from companion.engine import SEATS, TABLE, Game, deal


def thinking_ms(level: str, seats: int, games: int, seed: int) -> list[float]:
    """Returns how long each decision took, shortest first."""
    taken = []
    for number in range(games):
        rng = Random(f"{seed}/{number}")
        game = Game(SEATS[:seats])
        bot = make_bot(level, number)
        while not game.over:
            seat = game.to_act[0]
            if seat == TABLE:
                deal(game, rng)
                continue
            view, legal = game.view(seat), game.legal_moves(seat)
            begin = time.perf_counter()
            move = bot.decide(view, legal).move
            if len(legal) > 1:
                taken.append((time.perf_counter() - begin) * 1000)
            game.play(move)
    return sorted(taken)


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="how many games of each kind (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("\n| bot, seats | decisions | median | p95 | longest |\n|---|---|---|---|---|")
    for level in ("easy", "normal"):
        for seats in (2, 4, 5):
            times = thinking_ms(level, seats, options.games, options.seed)
            median, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
            print(f"| {level}, {seats} | {len(times)} | {median:.1f} ms | {p95:.1f} ms | {times[-1]:.0f} ms |")


if __name__ == "__main__":
    main()
