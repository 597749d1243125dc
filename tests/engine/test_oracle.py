"""The engine against an independent reading of the rules, decision by decision."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.support.oracle import Oracle
from tests.support.random_games import SEEDS, decisions, games


@pytest.mark.games
@games(500)
@given(SEEDS)
def test_the_engine_and_the_oracle_agree_at_every_decision(seed: int) -> None:
    oracle: Oracle | None = None
    for game, move in decisions(seed):
        oracle = oracle or Oracle(game.seats, game.edition, game.rounds, game.house)
        assert list(game.to_act) == oracle.to_act()
        assert sorted(map(str, game.legal_moves())) == sorted(oracle.legal())
        assert game.snapshot() == oracle.snapshot()
        oracle.play(str(move))
    assert oracle is not None
    assert oracle.to_act() == [] == list(game.to_act)
    assert game.snapshot() == oracle.snapshot()
