"""What holds at every decision of every game."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import SEATS, Game, IllegalMove, Move
from companion.engine.moves import _MOVES
from companion.engine.views import Snapshot
from tests.support.random_games import SEEDS, decisions, finished, games, some_position

pytestmark = pytest.mark.games


@games(1000)
@given(SEEDS)
def test_every_seat_has_thirty_caballeros_always(seed: int) -> None:
    for game, _ in decisions(seed):
        for seat in game.snapshot()["seats"].values():
            counts = [seat["court"], seat["province"], seat["castillo"], *seat["regions"].values()]
            assert min(counts) >= 0
            assert sum(counts) == 30


def _in_region(snapshot: Snapshot, region: str) -> tuple[object, ...]:
    return (
        [seat["regions"][region] for seat in snapshot["seats"].values()],
        [name for name, seat in snapshot["seats"].items() if seat["grande"] == region],
        [tile for tile, place in snapshot["tiles"].items() if place == region],
    )


@games(1000)
@given(SEEDS)
def test_nothing_enters_or_leaves_the_kings_region(seed: int) -> None:
    before: Snapshot | None = None
    for game, _ in decisions(seed):
        after = game.snapshot()
        if before is not None and before["king"] is not None:
            assert _in_region(before, before["king"]) == _in_region(after, before["king"])
        before = after


@games(500)
@given(SEEDS)
def test_undo_restores_the_snapshot_and_the_legal_moves_exactly(seed: int) -> None:
    for game, move in decisions(seed):
        before = game.snapshot(), list(map(str, game.legal_moves())), game.to_act, len(game.scorings)
        game.play(move)
        assert game.undo() is move
        assert (game.snapshot(), list(map(str, game.legal_moves())), game.to_act, len(game.scorings)) == before


@games(100)
@given(SEEDS)
def test_undo_all_the_way_back_and_forth_gives_the_same_game(seed: int) -> None:
    game = finished(seed)
    record, end = game.record(), game.snapshot()
    taken_back = [game.undo() for _ in game.moves]
    assert game.snapshot() == Game(game.seats, game.edition, game.rounds, game.house).snapshot()
    for move in reversed(taken_back):
        game.play(move)
    assert (game.record(), game.snapshot()) == (record, end)


@games(500)
@given(SEEDS)
def test_record_to_game_to_record_is_the_same_text(seed: int) -> None:
    game = finished(seed)
    again = Game.from_record(game.record())
    assert again.record() == game.record()
    assert again.snapshot() == game.snapshot()
    assert again.scorings == game.scorings


@games(500)
@given(SEEDS)
def test_every_listed_move_plays_and_a_copy_is_independent(seed: int) -> None:
    game = some_position(seed)
    before = game.snapshot(), game.record()
    for move in game.legal_moves():
        copy = game.copy()
        copy.play(str(move))
        assert copy.moves == (*game.moves, move)
        assert (game.snapshot(), game.record()) == before


_ALL_LINES = tuple(_MOVES)


@games(300)
@given(SEEDS)
def test_a_move_that_is_not_listed_is_refused_with_a_reason_and_changes_nothing(seed: int) -> None:
    rng = Random(seed)
    for number, (game, _) in enumerate(decisions(seed)):
        if number % 7:
            continue
        legal = set(game.legal_moves())
        before = game.snapshot(), game.record()
        # Lines of seats to act are the interesting ones: they fail by the rules and not by the turn.
        own = [line for line in rng.choices(_ALL_LINES, k=60) if line.split()[0] in game.to_act]
        for line in [*own, *rng.choices(_ALL_LINES, k=3)]:
            if Move.parse(line) in legal:
                continue
            with pytest.raises(IllegalMove) as refused:
                game.play(line)
            assert "{" not in str(refused.value)
            assert str(refused.value)
        assert (game.snapshot(), game.record()) == before
        assert set(game.legal_moves()) == legal


@games(1000)
@given(
    SEEDS, st.text() | st.lists(st.sampled_from(["red", "table", "power", "7", "move", "galicia", "x"])).map(" ".join)
)
def test_any_text_is_a_move_or_is_refused_as_one(seed: int, line: str) -> None:
    game = Game(SEATS[:3])
    legal = {str(move) for move in game.legal_moves()}
    if " ".join(line.split()) in legal:
        return
    with pytest.raises(IllegalMove):
        game.play(line)
    assert game.moves == ()


@games(200)
@given(SEEDS)
def test_everything_shown_is_ready_for_json(seed: int) -> None:
    game = some_position(seed)
    for data in (game.snapshot(), *(game.view(seat) for seat in (None, *game.seats))):
        assert json.loads(json.dumps(data)) == data


@games(200)
@given(SEEDS)
def test_scores_are_the_sum_of_the_scorings(seed: int) -> None:
    game = finished(seed)
    totals = [0] * len(game.seats)
    for scoring in game.scorings:
        for seat, points in enumerate(scoring.points):
            totals[seat] += points
        if scoring.leader >= 0:
            totals[scoring.leader] += scoring.king_bonus + scoring.grande_bonus
    assert game.scores == dict(zip(game.seats, totals, strict=True))
    assert set(game.winners) == {seat for seat in game.seats if game.scores[seat] == max(totals)}
