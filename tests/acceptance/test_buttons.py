"""The buttons of a new board: good ones are measured, and each fault is called by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.acceptance.bench import LATE, NO, REPEAT, SKIP, Task
from companion.acceptance.figures import Burst, MeasuredPress, measured_press
from companion.acceptance.hands import SimulatedHands
from hardware.buttons import Edge
from hardware.simulated.board import SimulatedBoard
from tests.support.bench_rig import BenchRig, bench_rig, found, problems


def edges(*times_ms: float) -> list[Edge]:
    """The edges of a contact that is open at first, at these times."""
    return [Edge("north", number % 2 == 0, at_ms / 1000) for number, at_ms in enumerate(times_ms)]


@pytest.mark.parametrize(
    ("times_ms", "press"),
    [
        ((0, 100), MeasuredPress(Burst(1, 0.0, 0.0), Burst(1, 0.0, 0.0), 100.0)),
        ((0, 1, 3, 100), MeasuredPress(Burst(3, 3.0, 2.0), Burst(1, 0.0, 0.0), 100.0)),
        ((0, 100, 100.5, 104), MeasuredPress(Burst(1, 0.0, 0.0), Burst(3, 4.0, 3.5), 100.0)),
        ((5, 6, 30, 200), MeasuredPress(Burst(3, 25.0, 24.0), Burst(1, 0.0, 0.0), 195.0)),
        # Too short: nobody can tell where closing ends and opening begins.
        ((0, 20), None),
        # Two presses, a press that is not over, and nothing at all.
        ((0, 100, 200, 300), None),
        ((0,), None),
        ((), None),
    ],
)
def test_edges_at_known_times_give_exact_figures(times_ms: tuple[float, ...], press: MeasuredPress | None) -> None:
    assert measured_press(edges(*times_ms)) == press


def test_good_buttons_are_measured_and_nothing_is_wrong(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        record = rig.walk("buttons")
    assert found(record) == ["ok: All 3 buttons work as they should."]
    clean = {"edges": 1, "quiet_after_ms": 0.0, "longest_pause_ms": 0.0}
    assert record.group("buttons", "north") == {
        "answered_by": "north",
        "presses": 1,
        "tries": 1,
        "closing": clean,
        "opening": clean,
        "held_ms": 120.0,
        "good": True,
    }
    assert [task.about for task in rig.robot.asked if task.do == "press"] == ["north", "south", "confirm"]


class BouncingHands(SimulatedHands):
    """A finger on a button whose contact bounces when it closes."""

    def __init__(self, simulated: SimulatedBoard, button: str, gap_s: float) -> None:
        super().__init__(simulated)
        self.board = simulated
        self.button = button
        self.gap_s = gap_s

    def press(self, button: str) -> None:
        if button != self.button:
            super().press(button)
            return
        self.board.bounce(button, 2, self.gap_s)
        self.board.advance(0.15)
        self.board.release(button)


def bouncing(rig: BenchRig, gap_s: float) -> None:
    rig.hands = BouncingHands(rig.simulated, "south", gap_s)


def test_a_bounce_is_measured_to_the_edge(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        bouncing(rig, 0.002)
        record = rig.walk("buttons")
    assert problems(record) == []
    south = record.group("buttons", "south")
    assert south["closing"] == {"edges": 5, "quiet_after_ms": 8.0, "longest_pause_ms": 2.0}
    assert south["held_ms"] == 158.0


def test_a_contact_that_bounces_longer_than_the_table_waits_is_named(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        bouncing(rig, 0.015)
        record = rig.walk("buttons")
    [problem] = problems(record)
    assert problem.startswith(
        "The contact of south bounces too long: one press counted 3 times, with pauses of up to 15.0"
    )
    assert record.group("buttons", "south")["good"] is False


def test_a_contact_that_bounces_for_ever_is_asked_for_three_times_and_named(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        bouncing(rig, 0.06)
        record = rig.walk("buttons")
    assert record.group("buttons", "south")["tries"] == 3
    assert problems(record)[0].startswith("The contact of south bounces too long: one press counted 3 times")


def test_a_button_that_is_down_from_the_start_is_stuck(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.press("south", seconds=None)
        record = rig.walk("buttons")
    assert problems(record) == ["The button of south is down, although nobody presses it."]
    assert record.group("buttons", "south") == {"stuck": True}
    assert "south" not in [task.about for task in rig.robot.asked]


def test_a_button_that_stays_down_after_its_press_is_stuck(tmp_path: Path) -> None:
    class Sticky(SimulatedHands):
        def press(self, button: str) -> None:
            rig.simulated.press(button, None if button == "south" else 0.1)

    with bench_rig(tmp_path) as rig:
        rig.hands = Sticky(rig.simulated)
        record = rig.walk("buttons")
    assert problems(record) == ["The button of south stays down."]
    assert "Let go of it." in [task.text for task in rig.robot.asked]
    assert record.group("buttons", "confirm")["good"] is True


def test_swapped_buttons_are_named_as_a_pair(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.swap_buttons("north", "south")
        record = rig.walk("buttons")
    assert problems(record) == ["You pressed north, south answered, and the other way round: they are swapped."]
    assert record.group("buttons", "north")["answered_by"] == "south"
    assert "South answered. Did you press The North?" in [task.text for task in rig.robot.asked]


def test_a_finger_on_the_wrong_button_may_try_again(tmp_path: Path) -> None:
    class Clumsy(SimulatedHands):
        slips = 1

        def press(self, button: str) -> None:
            slipped, self.slips = button == "north" and self.slips, 0
            super().press("confirm" if slipped else button)

    with bench_rig(tmp_path, {("confirm", "confirm"): [NO]}) as rig:
        rig.hands = Clumsy(rig.simulated)
        record = rig.walk("buttons")
    assert problems(record) == []
    assert found(record) == ["ok: All 3 buttons work as they should."]


def test_a_button_that_does_not_answer_and_one_that_is_skipped_are_told_apart(tmp_path: Path) -> None:
    class Busy(SimulatedHands):
        def press(self, button: str) -> None:
            """Presses nothing."""

    with bench_rig(tmp_path, {("press", "south"): [REPEAT, SKIP]}) as rig:
        rig.hands = Busy(rig.simulated)
        began_s = rig.simulated.clock()
        record = rig.walk("buttons")
    assert found(record) == [
        "problem: You were asked to press north, and nothing answered.",
        "skipped: The button of south was skipped.",
        "problem: You were asked to press confirm, and nothing answered.",
    ]
    assert rig.simulated.clock() - began_s == pytest.approx(60.1, abs=0.2)


def test_a_loose_contact_is_named(tmp_path: Path) -> None:
    class Loose(SimulatedHands):
        def press(self, button: str) -> None:
            rig.simulated.bounce(button, 130, gap_s=0.005)

    with bench_rig(tmp_path) as rig:
        rig.hands = Loose(rig.simulated)
        record = rig.walk("buttons")
    assert problems(record)[0] == "The contact of north is loose. Check its wires; until then it does nothing."
    assert record.group("buttons", "north")["trouble"] == "restless_button"


def test_a_wrong_key_is_told_what_the_answers_are(tmp_path: Path) -> None:
    with bench_rig(tmp_path, {("colour", "red"): ["purple", SKIP]}) as rig:
        assert rig.bench.ask(Task("colour", "red", "Which?", {"1": "red", SKIP: "skip"})) == SKIP
        assert rig.robot.said == [
            "(The simulated strip shows nothing.)",
            "That is not one of the answers: 1: red, s: skip.",
        ]


def test_nobody_answers_until_the_deadline_and_not_longer(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        began_s = rig.simulated.clock()
        assert rig.bench.ask(Task("wait", "", "Wait.", {}, within_s=7.0)) == LATE
        assert rig.simulated.clock() - began_s == pytest.approx(7.0)
