"""The lights of a new board: what is seen is believed, and what can be measured is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.acceptance.bench import NO, REPEAT, SKIP
from companion.acceptance.figures import FrameTimes, Spread
from companion.acceptance.lights import DARK_LIGHT, ELSEWHERE, true_order
from hardware.board import ORDERS
from hardware.lights import SentFrame
from tests.support.bench_rig import bench_rig, found, problems

SLOW_S = 0.06


def test_good_lights_have_nothing_wrong(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        record = rig.walk("lights")
    assert found(record) == [
        "ok: All 10 lights are in place.",
        "ok: The order of colours is GRB, as in the board file.",
        "ok: A frame takes 0.0 ms, 99 of 100 at most 0.0 ms; 0 of 300 came late.",
        "ok: Temperature not known; this machine does not say whether it is throttled.",
        "ok: The lights shine alike at the full budget.",
    ]
    assert record.group("frames")["count"] == 300
    assert not any(rig.simulated.strip.data)


def test_every_light_is_lit_alone_and_then_with_its_place(tmp_path: Path) -> None:
    lit: list[list[int]] = []
    with bench_rig(tmp_path) as rig:
        write = rig.simulated.strip.write

        def watched(data: bytes) -> None:
            write(data)
            now = [number for number, light in enumerate(rig.simulated.strip.colours()) if any(light)]
            if now and (not lit or lit[-1] != now):
                lit.append(now)

        rig.simulated.strip.write = watched  # type: ignore[method-assign]
        rig.walk("lights")
    north, south = list(range(5)), list(range(5, 10))
    assert lit[:12] == [*([light] for light in north), north, *([light] for light in south), south]


@pytest.mark.parametrize("order", [order for order in ORDERS if len(order) == 3])
def test_the_order_of_colours_is_found_by_asking(order: str, tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.strip.wired_order = order
        record = rig.walk("lights")
    assert record.group("order") == {"board_file": "GRB", "found": order}
    words = [f"The order of colours is {order}, but the board file says GRB."] if order != "GRB" else []
    assert problems(record) == words


def test_colours_that_fit_no_order_are_told_as_seen() -> None:
    assert true_order("GRBW", {"red": "green", "green": "red", "blue": "blue"}) == "RGBW"
    assert true_order("RGB", {"red": "", "green": "green", "blue": "blue"}) == ""


def test_lights_that_stay_dark_or_shine_elsewhere_are_named(tmp_path: Path) -> None:
    plan = {("look", "south"): [REPEAT, NO], ("look", "6"): [DARK_LIGHT], ("look", "9"): [ELSEWHERE]}
    with bench_rig(tmp_path, plan) as rig:
        record = rig.walk("lights")
    assert problems(record) == ["Lights that stay dark: 6.", "Lights that are in another place: 9."]
    assert record.group("seen") == {"dark": ["6"], "elsewhere": ["9"], "not_asked": []}


def test_what_nobody_looked_at_is_not_called_good(tmp_path: Path) -> None:
    plan = {("look", "south"): [SKIP], ("colour", "green"): [SKIP], ("look", "budget"): [SKIP]}
    with bench_rig(tmp_path, plan) as rig:
        record = rig.walk("lights")
    assert [words for words in found(record) if words.startswith("skipped")] == [
        "skipped: Nobody said how these look: south.",
        "skipped: The order of colours was not found out.",
        "skipped: Nobody said how the lights look at the full budget.",
    ]


def test_a_slow_strip_is_measured_exactly_and_named(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.slow_strip(SLOW_S)
        record = rig.walk("lights")
    frames = record.group("frames")
    assert (frames["median_ms"], frames["p99_ms"], frames["late"]) == (60.0, 60.0, 299)
    assert problems(record) == [
        "The strip is slow. A frame takes 60.0 ms, 99 of 100 at most 60.0 ms; 299 of 300 came late."
    ]


def test_a_strip_that_is_lost_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.strip.lost = True
        record = rig.walk("lights", "buttons")
    assert [record.state.value for record in rig.report.records.values()] == ["failed", "done"]
    assert problems(rig.report.records["lights"])[0].startswith("This could not be tried: the strip was unplugged")
    assert problems(record) == []


def test_a_strip_that_is_lost_on_the_way_is_named(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        hands = rig.hands

        def lose(task):  # type: ignore[no-untyped-def]
            rig.simulated.strip.lost |= task.about == "south"
            return hands(task)

        rig.hands = lose  # type: ignore[assignment]
        record = rig.walk("lights")
    assert len(problems(record)) == 1
    assert problems(record)[0].startswith("The lights do not answer (the strip was unplugged).")
    assert "frames" not in record.figures


def test_a_frame_is_late_when_it_comes_half_a_frame_after_its_time() -> None:
    frames = [SentFrame(began_ms / 1000, began_ms / 1000 + 0.002) for began_ms in (0, 33, 66, 117, 150)]
    assert FrameTimes.of(frames) == FrameTimes(Spread(5, 2.0, 2.0, 2.0), late=1)


@pytest.mark.parametrize(
    ("times_ms", "spread"),
    [
        ([5], Spread(1, 5.0, 5.0, 5.0)),
        ([1, 2], Spread(2, 1.5, 2.0, 2.0)),
        ([*range(1, 101)], Spread(100, 50.5, 99.0, 100.0)),
        ([*range(1, 201)], Spread(200, 100.5, 198.0, 200.0)),
    ],
)
def test_median_and_99th_percentile(times_ms: list[int], spread: Spread) -> None:
    assert Spread.of([ms / 1000 for ms in times_ms]) == spread


# --- the supply ------------------------------------------------------------------------------------------------------


def test_under_voltage_at_the_full_budget_is_a_problem(tmp_path: Path) -> None:
    said = ["throttled=0x0", "throttled=0x50005"]
    with bench_rig(tmp_path) as rig:
        object.__setattr__(rig.bench.machine, "throttled", lambda: said.pop(0))
        record = rig.walk("lights")
    [problem] = problems(record)
    assert "now: under-voltage, throttled; since the start: under-voltage, throttled." in problem
    after = record.group("budget", "after")
    assert after["slowed_now"] == ["under-voltage", "throttled"]


def test_what_was_noted_before_the_budget_is_not_blamed_on_it(tmp_path: Path) -> None:
    with bench_rig(tmp_path, throttled="throttled=0x10000") as rig:
        assert problems(rig.walk("lights")) == []


def test_lights_that_flicker_at_the_budget_are_a_problem(tmp_path: Path) -> None:
    with bench_rig(tmp_path, {("look", "budget"): [NO]}) as rig:
        record = rig.walk("lights")
    assert problems(record) == ["The lights do not shine alike at the full budget."]
    assert record.group("budget")["even"] is False
