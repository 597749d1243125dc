"""Whole games with random faults: only what somebody meant is entered, and board and game agree at the end."""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from companion.engine import EDITIONS, SEATS, Game
from companion.table.guide import position_of
from companion.table.motions import STOCK
from companion.table.turns import vetoing
from tests.sim.faults import MISHAPS, ON_BUTTONS, Mishap
from tests.sim.robot import WAYS, Robot, at_a_table
from tests.sim.test_faults import act_and_check
from tests.support.random_games import LONGER

ROUNDS_OF_TEN = 50
"""`make soak` plays 500 games."""
SAMPLE = {8: "tap", 4: "buttons"}
"""What every test run plays: two short games, by their seeds."""
MOST_GROWN_KB = 3000


def play_through_faults(folder: Path, seed: int, way: str) -> Robot:
    """Plays a whole game in which something goes wrong every now and then."""
    rng = Random(seed)
    mishaps = [MISHAPS[name] for name in (ON_BUTTONS if way == "buttons" else MISHAPS)]
    game = Game(SEATS[: rng.randint(2, 5)], rng.choice(list(EDITIONS)), rounds=rng.choice((6, 6, 9)))
    with at_a_table(folder, game, way, seed, quick_readers=True) as robot:
        under_way: tuple[Mishap, int] | None = None
        while not game.over:
            act_and_check(robot)
            # While somebody may veto, presses are held and count later, so none is meaningless.
            if under_way is None and rng.random() < 0.05 and not vetoing(game):
                mishap = rng.choice(mishaps)
                mishap.begin(robot.board, rng)
                under_way = mishap, rng.randint(1, 8)
            elif under_way is not None:
                mishap, acts = under_way
                under_way = mishap, acts - 1
                if not acts:
                    mishap.mend(robot.board)
                    robot.board.advance(11.0, slice_s=0.1)
                    under_way = None
        if under_way is not None:
            under_way[0].mend(robot.board)
            robot.board.advance(11.0, slice_s=0.1)
        while robot.screen.guide:
            robot.act()
            robot.rest()
        agrees(robot)
    return robot


def agrees(robot: Robot) -> None:
    """Checks that the pieces are where the game has them, and that the table knows of no difference."""
    assert robot.screen.guide == ()
    if robot.way != "inventory":
        return
    wanted = position_of(robot.table.game.snapshot())
    lying = {piece: Counter[str]() for piece in wanted}
    for (place, piece), tags in robot.lying.items():
        lying[piece][place] += len(tags)
    for piece, heap in wanted.items():
        assert +lying[piece] == Counter({place: count for place, count in heap.items() if place != STOCK}), piece


def memory_kb() -> int:
    gc.collect()
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0])


@pytest.mark.games
@pytest.mark.parametrize("ten", range(1 if LONGER == 1 else ROUNDS_OF_TEN))
def test_whole_games_go_through_faults_at_random(ten: int, tmp_path: Path) -> None:
    sizes_kb = []
    ways = {number: WAYS[number + 1] if number < len(WAYS) - 1 else "buttons" for number in range(10)}
    for number, way in ways.items() if LONGER > 1 else SAMPLE.items():
        folder = tmp_path / str(number)
        folder.mkdir()
        play_through_faults(folder, ten * 10 + number, way)
        sizes_kb.append(memory_kb())
    if len(sizes_kb) == 10:
        # The first games fill caches; after that none leaves anything behind.
        assert sizes_kb[-1] - sizes_kb[3] < MOST_GROWN_KB, sizes_kb
