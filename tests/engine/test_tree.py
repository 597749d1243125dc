"""The game tree has as many branches as it had, counted from positions kept as data."""

from __future__ import annotations

import json

import pytest

from companion.engine import Game
from tests.support.tree_counts import FILE, Position, count, count_by_oracle, oracle_of

POSITIONS: list[Position] = json.loads(FILE.read_text())


@pytest.mark.games
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["name"])
def test_the_tree_below_a_position_has_as_many_leaves_as_counted(position: Position) -> None:
    game = Game.from_record("\n".join(position["record"]))
    before = game.snapshot()
    assert [count(game, depth) for depth in range(1, len(position["leaves"]) + 1)] == position["leaves"]
    assert game.snapshot() == before


@pytest.mark.games
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["name"])
def test_the_oracle_counts_the_same(position: Position) -> None:
    oracle = oracle_of(Game.from_record("\n".join(position["record"])))
    shallow = [leaves for leaves in position["leaves"] if leaves <= 2_000]
    assert [count_by_oracle(oracle, depth) for depth in range(1, len(shallow) + 1)] == shallow
