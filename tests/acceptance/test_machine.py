"""The machine under a new board: temperature, throttling, memory, and how fast it saves."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from companion.acceptance.part import PartRecord
from companion.acceptance.power import TEMPERATURE_FILE, THROTTLED_FILE, PowerState, Throttling
from companion.acceptance.saving import COMMITS, SavingPart
from companion.doctor import Machine
from tests.support.bench_rig import bench_rig, found, problems
from tests.support.full_disk import small_disk


def write(root: Path, path: str, text: str) -> None:
    file = root / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


# --- throttling ------------------------------------------------------------------------------------------------------

NOTHING: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("bits", "now", "since_start"),
    [
        (0x0, NOTHING, NOTHING),
        (0x1, ("under-voltage",), NOTHING),
        (0x2, ("frequency capped",), NOTHING),
        (0x4, ("throttled",), NOTHING),
        (0x8, ("soft temperature limit",), NOTHING),
        (0x10000, NOTHING, ("under-voltage",)),
        (0x20000, NOTHING, ("frequency capped",)),
        (0x40000, NOTHING, ("throttled",)),
        (0x80000, NOTHING, ("soft temperature limit",)),
        (0x50005, ("under-voltage", "throttled"), ("under-voltage", "throttled")),
        (0xE0008, ("soft temperature limit",), ("frequency capped", "throttled", "soft temperature limit")),
    ],
)
def test_every_bit_of_the_firmware_has_its_words(bits: int, now: tuple[str, ...], since_start: tuple[str, ...]) -> None:
    assert Throttling.of(bits) == Throttling(now, since_start)


@pytest.mark.parametrize(
    ("in_kernel", "from_program", "throttling"),
    [
        ("50000\n", None, Throttling((), ("under-voltage", "throttled"))),
        (None, "throttled=0x1", Throttling(("under-voltage",))),
        ("0\n", "throttled=0x1", Throttling()),
        (None, None, None),
        (None, "error=2 error_msg=", None),
    ],
)
def test_the_kernel_is_asked_first_and_then_the_program(
    in_kernel: str | None, from_program: str | None, throttling: Throttling | None, tmp_path: Path
) -> None:
    if in_kernel is not None:
        write(tmp_path, THROTTLED_FILE, in_kernel)
    assert PowerState.of(Machine(root=tmp_path, throttled=lambda: from_program)).throttling == throttling


@pytest.mark.parametrize(("text", "temperature_c"), [("51540\n", 51.5), ("-5000", -5.0), ("warm", None), (None, None)])
def test_the_temperature_is_in_thousandths(text: str | None, temperature_c: float | None, tmp_path: Path) -> None:
    if text is not None:
        write(tmp_path, TEMPERATURE_FILE, text)
    assert PowerState.of(Machine(root=tmp_path, throttled=lambda: None)).temperature_c == temperature_c


def test_the_machine_is_looked_at_before_and_after(tmp_path: Path) -> None:
    write(tmp_path, "/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    write(tmp_path, TEMPERATURE_FILE, "48300\n")
    write(tmp_path, "/proc/meminfo", "MemTotal:        3884264 kB\nMemAvailable:    3145728 kB\n")
    with bench_rig(tmp_path, throttled="throttled=0x0") as rig:
        before = rig.walk("machine")
        write(tmp_path, TEMPERATURE_FILE, "61200\n")
        after = rig.walk("afterwards")
    assert before.figures["model"] == "Raspberry Pi 4 Model B Rev 1.4"
    assert "el-grande-table" in before.group("packages")
    assert found(before)[1] == "ok: 48.3 °C; nothing slows it down now, nor since the start."
    assert before.group("before")["temperature_c"] == 48.3
    assert found(after) == [
        "ok: 61.2 °C; nothing slows it down now, nor since the start.",
        "ok: 3072 of 3793 MB of memory are free.",
    ]


@pytest.mark.parametrize(
    ("said", "verdict"), [("throttled=0x10000", "problem"), ("throttled=0x4", "warning"), ("throttled=0x0", "ok")]
)
def test_a_weak_supply_is_a_problem_and_heat_a_warning(said: str, verdict: str, tmp_path: Path) -> None:
    with bench_rig(tmp_path, throttled=said) as rig:
        assert found(rig.walk("machine"))[1].startswith(f"{verdict}: ")


def test_little_memory_is_a_warning_and_unknown_memory_is_said(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        assert found(rig.walk("afterwards"))[-1] == "skipped: This machine does not say how much memory is free."
    write(tmp_path, "/proc/meminfo", "MemTotal:         524288 kB\nMemAvailable:      51200 kB\n")
    with bench_rig(tmp_path) as rig:
        assert found(rig.walk("afterwards"))[-1] == "warning: 50 of 512 MB of memory are free."


# --- saving ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tick_ms", "verdict"), [(2, "ok"), (150, "warning")])
def test_commits_are_timed_on_the_given_clock(tick_ms: int, verdict: str, tmp_path: Path) -> None:
    record = PartRecord()
    ticks = itertools.count()
    with bench_rig(tmp_path) as rig:
        SavingPart().walk(replace(rig.bench, clock=lambda: next(ticks) * tick_ms / 1000), record)
    # Between the beginning and the end of a commit, the clock is read once.
    assert record.figures["commits"] == {
        "count": COMMITS,
        "median_ms": float(tick_ms),
        "p99_ms": float(tick_ms),
        "longest_ms": float(tick_ms),
    }
    assert found(record)[0].startswith(f"{verdict}: Saving takes {tick_ms}.0 ms")


def test_saving_leaves_nothing_in_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "table.db").write_text("somebody's games")
    with bench_rig(tmp_path) as rig:
        assert problems(rig.walk("saving")) == []
    assert [file.name for file in (tmp_path / "home").iterdir()] == ["table.db"]
    assert (tmp_path / "home" / "table.db").read_text() == "somebody's games"


def test_a_full_card_is_a_problem(tmp_path: Path) -> None:
    with small_disk(tmp_path / "home") as disk, bench_rig(tmp_path) as rig:
        disk.fill()
        record = rig.walk("saving")
    [problem] = problems(record)
    assert problem.startswith("Nothing can be saved where games are saved (")
