"""The robot's eyes: each pattern, in each colour, can be recognised from the strip's bytes alone."""

from __future__ import annotations

import pytest

from hardware.board import find_board
from hardware.ports import COLOURS, Pattern, Scene, Show
from hardware.simulated.board import SimulatedBoard
from tests.sim.eyes import look


@pytest.mark.slow
@pytest.mark.parametrize("name", ["standard", "buttons-only"])
@pytest.mark.parametrize("colour", COLOURS)
def test_every_pattern_can_be_told_by_its_rhythm(name: str, colour: str) -> None:
    file = find_board(name)
    with SimulatedBoard(file, by_hand=True) as board:
        for number, pattern in enumerate(Pattern):
            others = [each for each in Pattern if each is not pattern]
            scene = {"granada": pattern, **dict(zip(("galicia", "aragon", "castillo"), others, strict=False))}
            board.lights.show(Scene({place: Show(each, colour) for place, each in scene.items()}, marker="granada"))
            board.advance(0.37 * number)
            assert look(board) == scene
            assert board.marked() == ["granada"]
        board.lights.show(Scene())
        assert look(board) == {}
