"""Counts the game tree from several positions: `python -m tests.support.tree_counts` rewrites the data file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, TypedDict

from companion.engine import Game
from tests.support.arrange import opening, play
from tests.support.oracle import Oracle
from tests.support.random_games import decisions

FILE: Final = Path(__file__).parent / "data" / "tree_counts.json"
MOST_LEAVES: Final = 60_000


class Position(TypedDict):
    """A position and how many lines of play there are from it, one move deep, two moves, and so on."""

    name: str
    record: list[str]
    leaves: list[int]


def count(game: Game, depth: int) -> int:
    """Returns how many lines of play there are, this many moves deep."""
    moves = game.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        game.play(move)
        total += count(game, depth - 1)
        game.undo()
    return total


def count_by_oracle(oracle: Oracle, depth: int) -> int:
    """Returns the same, counted with the independent implementation."""
    lines = oracle.legal()
    if depth == 1:
        return len(lines)
    total = 0
    for line in lines:
        after = oracle.copy()
        after.play(line)
        total += count_by_oracle(after, depth - 1)
    return total


def oracle_of(game: Game) -> Oracle:
    """Returns an oracle at the same point as a game."""
    oracle = Oracle(game.seats, game.edition, game.rounds, game.house)
    for move in game.moves:
        oracle.play(str(move))
    return oracle


def _first(kind: str, card: str | None = None, after: int = 150) -> Game:
    """Returns a random game, well under way, at its first decision of a kind, and for a card if one is named."""
    for seed in range(200):
        for number, (game, _) in enumerate(decisions(seed)):
            if number > after and game.questions[0].kind == kind and game.view(None)["turn"]["card"] == card:
                return game.copy()
    raise LookupError(kind, card)


def _positions() -> dict[str, Game]:
    return {
        "the first chance move": Game(("red", "blue")),
        "the first power card": opening(("red", "blue", "green")),
        "the first turn": play(opening(("red", "blue")), "red power 13", "blue power 12"),
        "recall": _first("recall"),
        "dials of a general scoring": _first("dial"),
        **{
            f"{kind} in {card}": _first(kind, card)
            for kind, card in (
                ("act", "king"),
                ("step", "move-4"),
                ("step", "own-from-one-or-extra-2"),
                ("step", "one-each-home"),
                ("step", "king-is-angry"),
                ("step", "secret-two-home"),
                ("step", "tile"),
                ("step", "expel"),
                ("step", "court-2"),
                ("veto", "move-5-from-one"),
                ("veto", "score-5s"),
                ("veto", "secret-score"),
            )
        },
    }


def _counted(game: Game) -> list[int]:
    leaves: list[int] = []
    while not leaves or (
        len(leaves) < 5 and leaves[-1] * (leaves[-1] // (leaves[-2] if len(leaves) > 1 else 1)) < MOST_LEAVES
    ):
        leaves.append(count(game, len(leaves) + 1))
    return leaves


def main() -> None:
    """Writes the data file."""
    positions: list[Position] = [
        {"name": name, "record": game.record().splitlines(), "leaves": _counted(game)}
        for name, game in _positions().items()
    ]
    FILE.write_text(json.dumps(positions, indent=1) + "\n")
    for position in positions:
        print(position["name"], position["leaves"])


if __name__ == "__main__":
    main()
