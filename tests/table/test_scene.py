"""What the lights of a scene mean."""

from __future__ import annotations

import pytest

from companion.engine import SEATS, Game
from companion.table.motions import EMPTY
from companion.table.scene import LEGAL, WRONG, scene_of
from hardware.ports import Show


@pytest.mark.parametrize("colour", SEATS)
def test_what_is_wrong_blinks_red_whatever_the_active_seat(colour: str) -> None:
    scene = scene_of(Game(SEATS).snapshot(), colour, ["aragon", "granada"], EMPTY, wrong=["aragon"])
    assert scene.places == {"aragon": Show(WRONG, "red"), "granada": Show(LEGAL, colour)}
