"""The hubs and readers of a new board: taps, range, two tags at once, and what is wrong with any of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.acceptance.bench import NO, REPEAT, SKIP
from companion.acceptance.hands import TAGS, SimulatedHands
from companion.acceptance.part import PartState
from hardware.board import example_board, find_board
from hardware.simulated.wire import LineFault
from tests.support.bench_rig import bench_rig, found, problems


def test_good_readers_see_a_tag_up_to_their_range(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        record = rig.walk("readers")
    assert found(record) == [
        "ok: The hub hub answers, and its 2 readers passed their own test.",
        "ok: All 2 readers see a tag that is held to them.",
        "ok: Two tags at once at north: crowded, as it should be.",
    ]
    north = record.group("readers", "north")
    assert (north["seen"], north["tries"], north["answered_by"], north["range_mm"]) == (True, 1, "north", 10)
    seen_after_ms = north["seen_after_ms"]
    assert isinstance(seen_after_ms, float)
    assert 0 < seen_after_ms < 500
    hub = record.group("hubs", "hub")
    assert hub["tests"] == {"0": "ok version 92", "1": "ok version 92"}
    assert (hub["answers"], hub["protocol"], hub["bad_lines"], hub["sent_again"]) == (True, "1", 0, 0)
    # Of two at once, neither is seen.
    assert record.figures["different_tags"] == 1


def test_each_height_is_asked_until_one_is_not_read(tmp_path: Path) -> None:
    with bench_rig(tmp_path, {("raise", "north"): [REPEAT]}) as rig:
        rig.walk("readers")
    raised = [(task.about, task.amount) for task in rig.robot.asked if task.do == "raise"]
    assert raised == [("north", 5), ("north", 5), ("north", 10), ("north", 15), *(("south", mm) for mm in (5, 10, 15))]


def test_the_range_can_be_left_out(tmp_path: Path) -> None:
    with bench_rig(tmp_path, {("range", ""): [SKIP]}) as rig:
        record = rig.walk("readers")
    assert "range_mm" not in record.group("readers", "north")
    assert record.group("readers", "north")["seen"] is True


def test_a_reader_that_reads_only_what_lies_on_it_has_a_range_of_zero(tmp_path: Path) -> None:
    class Low(SimulatedHands):
        def __call__(self, task):  # type: ignore[no-untyped-def]
            if task.do == "raise" and task.about == "south":
                self.take(TAGS[0], "south")
                return ""
            return super().__call__(task)

    with bench_rig(tmp_path) as rig:
        rig.hands = Low(rig.simulated)
        record = rig.walk("readers")
    assert record.group("readers", "south")["range_mm"] == 0
    assert record.group("readers", "north")["range_mm"] == 10


def test_a_dead_reader_is_named_and_not_asked_for(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.hubs["hub"].break_reader(1)
        rig.simulated.advance(3.0)
        record = rig.walk("readers")
    assert problems(record) == [
        "The reader of south failed its own test (failed no chip).",
        "The reader of south does not answer (no chip).",
    ]
    assert ("tap", "south") not in [(task.do, task.about) for task in rig.robot.asked]
    assert record.group("readers", "south") == {"seen": False}


def test_a_hub_that_is_not_there_is_named(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.hubs["hub"].unplug()
        rig.simulated.advance(3.0)
        record = rig.walk("readers")
    assert problems(record)[0].startswith("The hub hub does not answer")
    assert found(record)[1:3] == [
        "skipped: The reader of north was not tried, because its hub does not answer.",
        "skipped: The reader of south was not tried, because its hub does not answer.",
    ]
    assert record.group("hubs", "hub")["answers"] is False


def test_a_reader_that_sees_nothing_is_named(tmp_path: Path) -> None:
    class Empty(SimulatedHands):
        def put(self, tag: str, place: str) -> None:
            if place != "north":
                super().put(tag, place)

    with bench_rig(tmp_path) as rig:
        rig.hands = Empty(rig.simulated)
        record = rig.walk("readers")
    assert problems(record) == ["The reader of north saw no tag."]
    assert record.group("readers", "north") == {"seen": False, "tries": 1}


def test_swapped_readers_are_named(tmp_path: Path) -> None:
    class Crossed(SimulatedHands):
        def put(self, tag: str, place: str) -> None:
            super().put(tag, {"north": "south", "south": "north"}[place])

        def take(self, tag: str, place: str) -> None:
            super().take(tag, {"north": "south", "south": "north"}[place])

    with bench_rig(tmp_path, {("confirm", "south"): [NO]}) as rig:
        rig.hands = Crossed(rig.simulated)
        record = rig.walk("readers")
    assert "South saw it. Is it at the reader of The North?" in [task.text for task in rig.robot.asked]
    assert problems(record)[-1] == "You held the tag to south, north answered."


def test_lines_that_are_spoilt_are_counted(tmp_path: Path) -> None:
    with bench_rig(tmp_path) as rig:
        rig.simulated.hubs["hub"].wire.spoil(LineFault.BITS, lines=4)
        record = rig.walk("readers")
    assert record.group("hubs", "hub")["bad_lines"] == 4
    assert "warning: The line of the hub hub is not clean: 4 bad lines" in found(record)[-1]


def test_in_inventory_two_tags_at_once_are_two(tmp_path: Path) -> None:
    board = example_board()
    inventory = replace(board, hubs={name: replace(hub, mode="inventory") for name, hub in board.hubs.items()})
    with bench_rig(tmp_path, board=inventory) as rig:
        record = rig.walk("readers")
    assert record.group("hubs", "hub")["two_at_once"] == "2 tags"
    assert problems(record) == []


def test_two_tags_that_look_like_one_are_a_warning(tmp_path: Path) -> None:
    class OneOfTwo(SimulatedHands):
        def __call__(self, task):  # type: ignore[no-untyped-def]
            if task.do == "two":
                self.put(TAGS[0], task.about)
                return ""
            return super().__call__(task)

    with bench_rig(tmp_path) as rig:
        rig.hands = OneOfTwo(rig.simulated)
        record = rig.walk("readers")
    assert found(record)[-1] == "warning: Two tags at once at north: 1 tags."


def test_a_board_without_readers_leaves_them_out_by_itself(tmp_path: Path) -> None:
    with bench_rig(tmp_path, board=find_board("buttons-only")) as rig:
        record = rig.walk("readers")
    assert record.state is PartState.LEFT_OUT
    assert rig.robot.asked == []
    assert "This board has no readers." in rig.robot.said
