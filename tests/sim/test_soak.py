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
from tests.sim.robot import Robot, at_a_table
from tests.sim.test_faults import act_and_check

SAMPLE = {8: ("tap", 1), 4: ("buttons", 1), 7: ("inventory", 2), 10: ("mixed", 3)}
"""What every test run plays: the way and the faults at once of a few games, by their seeds. `make soak` plays 500."""


PRESSES = (MISHAPS["stuck button"], MISHAPS["bouncing contact"])
"""What happens to a button, which the table can only take for a press."""


def play_through_faults(folder: Path, seed: int, way: str, together: int) -> Robot:
    """Plays a whole game in which something goes wrong every now and then.

    :param together: how many things may be wrong at the same time.
    """
    rng = Random(seed)
    mishaps = [MISHAPS[name] for name in (ON_BUTTONS if way == "buttons" else MISHAPS)]
    game = Game(SEATS[: rng.randint(2, 5)], rng.choice(list(EDITIONS)), rounds=rng.choice((6, 6, 9)))
    with at_a_table(folder, game, way, seed, quick_readers=True) as robot:
        under_way: list[tuple[Mishap, int]] = []
        while not game.over:
            act_and_check(robot)
            under_way = [(mishap, acts - 1) for mishap, acts in under_way]
            # While somebody may veto, presses are held and count later, so none is meaningless.
            if len(under_way) < together and rng.random() < 0.05 * together and not vetoing(game):
                mishap = rng.choice(mishaps)
                mishap.begin(robot.board, rng)
                if mishap in PRESSES:
                    # With a card in hand, even a place that is not lit may be where its special action begins.
                    robot.take_back_half()
                under_way.append((mishap, rng.randint(1, 8)))
            for mishap in [mishap for mishap, acts in under_way if acts < 0]:
                mend(robot, mishap)
            under_way = [(mishap, acts) for mishap, acts in under_way if acts >= 0]
        for mishap, _ in under_way:
            mend(robot, mishap)
        while robot.screen.guide:
            robot.act()
            robot.rest()
        agrees(robot)
    return robot


def mend(robot: Robot, mishap: Mishap) -> None:
    mishap.mend(robot.board)
    robot.board.advance(11.0, slice_s=0.1)


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
@pytest.mark.parametrize("seed", SAMPLE)
def test_a_whole_game_goes_through_faults_at_random(seed: int, tmp_path: Path) -> None:
    play_through_faults(tmp_path, seed, *SAMPLE[seed])
