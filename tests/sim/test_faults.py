"""Every fault of the board in the middle of a game: no wrong move is entered, people are warned, and the game goes on.

Whole games with random faults are in test_soak.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import SEATS, Game
from companion.table.turns import vetoing
from hardware.ports import Trouble
from tests.sim.faults import MISHAPS
from tests.sim.robot import Robot, at_a_table


def act_and_check(robot: Robot) -> None:
    """Makes one gesture and checks that only what was meant has been played; if it was not seen, presses a button.

    A lost reader may see it later, because the piece is still there.
    """
    game = robot.table.game
    before = len(game.moves)
    meant = robot.act()
    robot.settle()
    makers = zip(game.moves[before:], robot.table.session.made_by[before:], strict=True)
    by_people = [str(move) for move, maker in makers if maker == "person"]
    if meant:
        late = [line for line in by_people if _laid_before(robot, line)]
        entered = [line for line in by_people if line not in late]
        seat, verb, *_ = meant.split()
        if verb == "allow":
            # A step that waited for the answer goes through with it.
            entered = entered[:1]
        # Moving a piece that only the special action moves begins that action, whose step waits for a veto.
        begun = [f"{seat} special"]
        allowed = [[meant], [*begun, meant], [], *([begun] if vetoing(game) else [])]
        assert entered in allowed, (meant, by_people)
        robot.unseen = [line for line in robot.unseen if line not in late]
        if meant not in by_people:
            robot.unseen.append(meant)
        if not by_people and not robot.screen.guide:
            robot.way, way = "buttons", robot.way
            robot.act()
            robot.settle()
            robot.way = way


def _laid_before(robot: Robot, line: str) -> bool:
    """Returns whether this is a move that the table had not noticed when it was made.

    A caballero laid down to be placed lies there all the same when the special action places others.
    """
    return line in robot.unseen or line.replace(" extra ", " place ") in robot.unseen


@pytest.mark.games
@pytest.mark.parametrize("name", MISHAPS)
def test_a_fault_in_the_middle_of_a_game_costs_nothing(name: str, tmp_path: Path) -> None:
    mishap = MISHAPS[name]
    with at_a_table(tmp_path, Game(SEATS[:2], rounds=6), "tap", seed=8, quick_readers=True) as robot:
        robot.way = "buttons"
        for _ in range(12):
            act_and_check(robot)
        robot.way = "tap"
        robot.board.gestures.clear()
        mishap.begin(robot.board, robot.rng)
        for _ in range(6):
            act_and_check(robot)
        if mishap.told is not None:
            robot.board.advance(3.0, slice_s=0.05)
            robot.table.poll()
            assert mishap.told in {heard.fault for heard in robot.board.gestures if isinstance(heard, Trouble)}
        mishap.mend(robot.board)
        if mishap.told is not None:
            robot.board.advance(11.0, slice_s=0.1)
        for _ in range(4):
            act_and_check(robot)
        # Back to buttons: the readers have been tried, and buttons are quick.
        robot.way, moves = "buttons", len(robot.table.game.moves)
        for _ in range(15):
            act_and_check(robot)
    assert len(robot.table.game.moves) > moves + 5
