"""The lobby: before there is a game the board is calm, lets a phone in by a button, and can be tried."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import PLACES
from companion.table.gestures import Gesture
from companion.table.lobby import IDLE, Lobby, LobbyMoment
from companion.table.phone_input import SeatLine
from companion.table.replies import Outcome, Reply
from companion.table.seat_requests import KNOCK_S, KnockToManage
from companion.table.workshop_hold import HELD_S, TryBoard
from hardware.ports import Pattern, Press, Scene, Show
from tests.support.table_rig import RecordedLights


class Rig:
    """A lobby with a clock that only the test moves; to it, it is a display."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.lights = RecordedLights()
        self.shown: list[LobbyMoment] = []
        self.lobby = Lobby(self.lights, [self], Random(1), lambda: self.now_s)
        self.lobby.poll()

    def show_lobby(self, lobby: LobbyMoment) -> None:
        self.shown.append(lobby)

    def do(self, gesture: Gesture) -> Reply:
        replies: list[Reply] = []
        self.lobby.post(gesture, replies.append)
        self.lobby.wait(0)
        (reply,) = replies
        return reply

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds
        self.lobby.poll()

    @property
    def scene(self) -> Scene:
        return self.lights.scenes[-1]

    @property
    def lit_button(self) -> str:
        (place,) = (place for place, show in self.scene.places.items() if show.pattern is Pattern.CHASE)
        return place


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_the_board_is_lit_calmly(rig: Rig) -> None:
    assert rig.scene == IDLE
    assert {show.pattern for show in IDLE.places.values()} == {Pattern.DIM}
    assert rig.shown == [LobbyMoment()]
    assert rig.lobby.poll() is None


def test_the_press_of_the_lit_button_lets_a_phone_manage_and_no_other_does(rig: Rig) -> None:
    assert rig.do(KnockToManage("abc")).outcome is Outcome.WAITING
    assert rig.shown[-1].knocking
    other = next(place for place in PLACES if place != rig.lit_button)
    assert rig.do(Press(other)).outcome is Outcome.REFUSED
    assert rig.shown[-1].managers == frozenset()
    assert rig.do(Press(rig.lit_button)).outcome is Outcome.ACCEPTED
    assert rig.shown[-1] == LobbyMoment(managers=frozenset({"abc"}))
    assert rig.scene == IDLE


def test_a_button_is_not_lit_for_ever(rig: Rig) -> None:
    rig.do(KnockToManage("abc"))
    assert rig.lobby.poll() == KNOCK_S
    place = rig.lit_button
    rig.pass_s(KNOCK_S)
    assert rig.shown[-1] == LobbyMoment()
    rig.do(Press(place))
    assert rig.shown[-1].managers == frozenset()


def test_the_workshop_may_try_the_board_and_loses_it_when_it_goes_away(rig: Rig) -> None:
    tried = Scene({"granada": Show(Pattern.STEADY, "red")})
    rig.do(KnockToManage("abc"))
    lit = rig.lit_button
    rig.do(TryBoard(tried))
    assert rig.scene == tried
    assert rig.shown[-1].tried
    rig.do(Press(lit))
    assert rig.shown[-1].managers == frozenset()
    rig.pass_s(HELD_S)
    assert rig.lit_button == lit
    assert not rig.shown[-1].tried
    rig.do(TryBoard(tried))
    rig.do(TryBoard(None))
    assert not rig.shown[-1].tried


def test_everything_else_is_refused_because_there_is_no_game(rig: Rig) -> None:
    reply = rig.do(SeatLine("red", "power 7", 0))
    assert str(reply.why) == "There is no game yet: set one up first."
