"""A contact: bounces become one press, holding a long one, and what no finger does becomes a trouble."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.contacts import BOUNCE_S, FASTEST, HOLD_S, QUIET_S, RESTLESS_S, STUCK_S, Contact, Happened

Told = list[tuple[float, Happened]]


class Driven:
    """A contact whose clock we move: it is polled exactly when it is due."""

    def __init__(self, closed: bool = False) -> None:
        self.now_s = 0.0
        self.contact = Contact(closed, 0.0)
        self.told: Told = []

    def until(self, now_s: float) -> Driven:
        while (due_s := self.contact.due_s()) is not None and due_s <= now_s:
            # A hair later, as every timer is.
            self.now_s = max(self.now_s, due_s) + 1e-6
            self._poll()
        self.now_s = max(self.now_s, now_s)
        self._poll()
        return self

    def level(self, closed: bool, at_s: float) -> Driven:
        self.until(at_s)
        self.contact.level(closed, at_s)
        return self

    def _poll(self) -> None:
        self.told += [(round(self.now_s, 3), happened) for happened in self.contact.poll(self.now_s)]

    @property
    def what(self) -> list[Happened]:
        return [happened for _, happened in self.told]


def test_a_press_is_told_when_the_contact_has_been_closed_for_the_bounce_time() -> None:
    driven = Driven().level(True, 1.0).until(1.0 + BOUNCE_S - 0.001)
    assert driven.told == []
    assert driven.until(1.1).told == [(1.0 + BOUNCE_S, Happened.PRESS)]


def test_a_bouncing_contact_is_one_press() -> None:
    driven = Driven()
    for step in range(9):
        driven.level(step % 2 == 0, 1.0 + step * 0.002)
    driven.level(False, 1.2)
    driven.level(True, 1.203).level(False, 1.205)
    assert driven.until(5.0).what == [Happened.PRESS]


def test_a_spike_shorter_than_the_bounce_time_is_no_press() -> None:
    assert Driven().level(True, 1.0).level(False, 1.0 + BOUNCE_S * 0.9).until(3.0).told == []


def test_holding_is_a_press_and_then_a_long_press() -> None:
    driven = Driven().level(True, 1.0).until(1.0 + HOLD_S - 0.01)
    assert driven.what == [Happened.PRESS]
    assert driven.until(1.0 + HOLD_S + 0.01).told[-1] == (1.0 + 0.8, Happened.LONG_PRESS)


def test_letting_go_before_the_hold_time_is_no_long_press() -> None:
    assert Driven().level(True, 1.0).level(False, 1.0 + HOLD_S - 0.02).until(5.0).what == [Happened.PRESS]


def test_a_stuck_button_is_told_once_and_told_again_when_it_is_free() -> None:
    driven = Driven().level(True, 1.0).until(1000.0)
    assert driven.what == [Happened.PRESS, Happened.LONG_PRESS, Happened.STUCK]
    assert driven.told[-1][0] == 1.0 + STUCK_S
    assert driven.contact.state == "stuck"
    driven.level(False, 1000.0).until(1001.0)
    assert driven.what[3:] == [Happened.FREED]
    assert driven.level(True, 1002.0).until(1002.1).what[4:] == [Happened.PRESS]


def test_a_button_that_is_down_from_the_start_was_not_pressed_but_can_be_stuck() -> None:
    driven = Driven(closed=True)
    assert driven.until(STUCK_S - 1).told == []
    assert driven.until(STUCK_S + 1).what == [Happened.STUCK]


def test_a_contact_that_never_settles_is_restless_and_tells_nothing_else() -> None:
    driven = Driven()
    for step in range(1000):
        driven.level(step % 2 == 0, 1.0 + step * 0.005)
        driven.until(1.0 + step * 0.005)
    assert driven.what == [Happened.RESTLESS]
    driven.until(6.0 + QUIET_S)
    assert driven.what == [Happened.RESTLESS, Happened.CALM]
    assert driven.level(True, 20.0).until(20.1).what[2:] == [Happened.PRESS]


def test_a_contact_that_flutters_without_end_is_told_while_it_does() -> None:
    # Polled only when it is due, as a thread does it.
    contact, told = Contact(False, 0.0), list[Happened]()
    for step in range(1, 1000):
        now_s = step * 0.004
        if (due_s := contact.due_s()) is not None and due_s <= now_s:
            told += contact.poll(now_s)
        contact.level(step % 2 == 1, now_s)
    assert told == [Happened.RESTLESS]


def test_a_spike_is_forgotten_and_does_not_spoil_a_later_press() -> None:
    driven = Driven().level(True, 1.0).level(False, 1.001).until(1.1)
    assert driven.contact.due_s() is None
    assert driven.level(True, 60.0).until(60.1).what == [Happened.PRESS]


def test_a_release_that_nobody_noticed_is_no_long_press() -> None:
    contact = Contact(False, 0.0)
    contact.level(True, 1.0)
    assert contact.poll(1.02) == [Happened.PRESS]
    contact.level(False, 1.81)
    assert contact.poll(1.81) == []


def test_a_press_that_was_over_before_anybody_looked_still_counts() -> None:
    # On a busy machine the thread that polls may get its turn only after the finger has gone.
    contact = Contact(closed=False, now_s=0.0)
    contact.level(True, 1.0)
    contact.level(False, 1.1)
    assert contact.due_s() == 1.1
    assert contact.poll(1.5) == [Happened.PRESS]
    assert contact.due_s() is None
    assert contact.state == "open"


@given(st.lists(st.one_of(st.floats(0.001, 0.009), st.floats(0.011, 0.7)), max_size=12))
def test_presses_do_not_depend_on_when_they_are_polled(pauses_s: list[float]) -> None:
    polled, late, now_s = Driven(), Contact(closed=False, now_s=0.0), 0.0
    closed = False
    for pause_s in pauses_s:
        now_s, closed = now_s + pause_s, not closed
        polled.level(closed, now_s)
        late.level(closed, now_s)
    end_s = now_s + 0.1
    assert late.poll(end_s).count(Happened.PRESS) == polled.until(end_s).what.count(Happened.PRESS)


def test_a_stuck_button_that_flutters_free_is_told_free() -> None:
    driven = Driven().level(True, 1.0).until(20.0)
    for step in range(400):
        driven.level(step % 2 == 1, 20.0 + step * 0.004)
    driven.level(False, 22.0).until(30.0)
    assert driven.what[2:] == [Happened.STUCK, Happened.RESTLESS, Happened.CALM, Happened.FREED]


def test_presses_faster_than_a_finger_do_not_become_a_flood() -> None:
    driven = Driven()
    for step in range(400):
        driven.level(step % 2 == 0, 1.0 + step * 0.02)
    presses = driven.what.count(Happened.PRESS)
    assert presses < FASTEST
    assert driven.what.count(Happened.RESTLESS) == 1


def test_a_fast_finger_is_not_restless() -> None:
    driven = Driven()
    for press in range(30):
        driven.level(True, 1.0 + press * 0.12).level(False, 1.06 + press * 0.12)
    assert driven.until(10.0).what == [Happened.PRESS] * 30


@given(st.lists(st.floats(0.0005, 3.0), max_size=60), st.booleans())
def test_whatever_a_contact_does_what_it_tells_makes_sense(pauses_s: list[float], closed: bool) -> None:
    driven, now_s, level = Driven(closed), 0.0, closed
    for pause_s in pauses_s:
        now_s += pause_s
        level = not level
        driven.level(level, now_s)
    driven.level(False, now_s + 0.001).until(now_s + STUCK_S + QUIET_S)
    assert driven.contact.state == "open"
    assert driven.what.count(Happened.STUCK) == driven.what.count(Happened.FREED)
    assert driven.what.count(Happened.RESTLESS) == driven.what.count(Happened.CALM)
    assert driven.what.count(Happened.LONG_PRESS) <= driven.what.count(Happened.PRESS)
    times = [at_s for at_s, happened in driven.told if happened is Happened.PRESS]
    assert all(later - earlier >= 2 * BOUNCE_S - 0.001 for earlier, later in pairwise(times))


@pytest.mark.parametrize("wait_s", [0.0, BOUNCE_S / 2, BOUNCE_S, RESTLESS_S])
def test_polling_more_often_than_needed_changes_nothing(wait_s: float) -> None:
    contact = Contact(False, 0.0)
    contact.level(True, wait_s)
    for step in range(100):
        happened = contact.poll(wait_s + step * BOUNCE_S / 100 * 0.99)
        assert happened == []
