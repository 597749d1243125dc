"""A robot that knows no rules plays whole games by lights and prompts alone, in every way and edition."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import EDITIONS, SEATS, Game
from companion.table.motions import next_places
from companion.table.options import Options
from hardware.ports import Pattern
from tests.sim.robot import WAYS, Robot, at_a_table

CASES = [("buttons", edition, seats) for edition, seats in zip(EDITIONS, (2, 3, 4, 5, 3), strict=True)]
CASES += [(way, edition, 2) for way, edition in zip(WAYS[1:], EDITIONS, strict=False)]
DOWN_TO_THE_CHIPS = "tap"
"""The way whose readers are simulated down to their chips, which takes seven times as long."""


@pytest.mark.games
@pytest.mark.parametrize(("way", "edition", "seats"), CASES)
def test_a_whole_game_is_played_by_lights_and_prompts(way: str, edition: str, seats: int, tmp_path: Path) -> None:
    game = Game(SEATS[:seats], edition, rounds=9 if way == "buttons" else 6)
    with at_a_table(tmp_path, game, way, seed=seats, quick_readers=way != DOWN_TO_THE_CHIPS) as robot:
        while not game.over:
            robot.act()
            robot.rest()
            lights_are_right(robot)
    # Moving a piece from one place to another counts as one gesture, so nothing beyond the moves is needed.
    moves = sum(maker == "person" for maker in robot.table.session.made_by)
    assert robot.counts.gestures <= moves * 1.1


def lights_are_right(robot: Robot) -> None:
    """Checks that the lit places are exactly the legal ones, and that the King's light is where he stands."""
    table = robot.table
    king = table.game.snapshot()["king"]
    assert robot.board.marked() == ([king] if king else [])
    if not robot.screen.guide:
        # From the moves themselves, and not from what the displays were shown.
        live = table._live
        legal = set() if live.interaction.asking else set(next_places(live.motions(), live.interaction.partial))
        assert set(robot.lit(Pattern.BREATHE)) == legal


@pytest.mark.games
def test_people_with_real_cards_enter_what_was_turned_up(tmp_path: Path) -> None:
    game = Game(SEATS[:3], rounds=6)
    with at_a_table(tmp_path, game, "buttons", 4, Options(real_cards=True)) as robot:
        robot.play()
    assert all(
        maker == "person"
        for move, maker in zip(game.moves, robot.table.session.made_by, strict=True)
        if move.verb == "reveal"
    )
