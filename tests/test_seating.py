"""Putting a table together: what may be missing from a board, and what may not."""

from __future__ import annotations

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from companion.cli.seating import opened, opened_lights
from hardware.board import find_board
from hardware.errors import StripOutOfReach
from hardware.ports import DARK, Fault, Gesture, Trouble

BOARD = find_board("buttons-only")


def test_a_game_is_played_without_its_lights_if_they_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    # Pins can be made up here; a strip cannot.
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    told: list[Gesture] = []
    with opened(BOARD, simulated=False, known={}) as devices:
        devices.lights.listen(told.append)
        devices.lights.show(DARK)
    [trouble] = told
    assert isinstance(trouble, Trouble)
    assert (trouble.fault, trouble.over) == (Fault.LOST_STRIP, False)


def test_a_replay_on_the_lights_needs_them() -> None:
    with pytest.raises(StripOutOfReach), opened_lights(BOARD, simulated=False):
        pass
