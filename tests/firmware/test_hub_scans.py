"""A hub makes of its readers' scans what firmware/PROTOCOL.md says: what has come, what has gone, and who is dead."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.support.hub_rig import STEP_MS, HubRig


@pytest.fixture
def rig() -> HubRig:
    return HubRig()


# What scans make certain.

# Each with the scans of one reader, and the events they give; `-` is an empty scan, `*` a crowd, `!` a failure.
TAP = [
    ("A", []),
    ("A A", ["seen 0 A"]),
    ("A - A - A", []),
    ("A B A B", []),
    ("A A A A A", ["seen 0 A"]),
    ("A A - -", ["seen 0 A"]),
    ("A A - - -", ["seen 0 A", "gone 0 A"]),
    ("A A - - A - - A - - A", ["seen 0 A"]),
    ("A A - - - A", ["seen 0 A", "gone 0 A"]),
    ("A A - - - A A", ["seen 0 A", "gone 0 A", "seen 0 A"]),
    ("A A B B", ["seen 0 A", "seen 0 B"]),
    ("A A B B B", ["seen 0 A", "seen 0 B", "gone 0 A"]),
    # A crowd.
    ("*", []),
    ("* - *", []),
    ("* *", ["crowd 0"]),
    ("* * - -", ["crowd 0"]),
    ("* * - - -", ["crowd 0", "clear 0"]),
    ("* * - - * - -", ["crowd 0"]),
    ("A * A", []),
    ("A A * * * *", ["seen 0 A", "crowd 0"]),
    ("A A * * A A A", ["seen 0 A", "crowd 0", "clear 0"]),
    # None of them is told until they are apart.
    ("* * A A", ["crowd 0"]),
    ("* * A A * A A * B B", ["crowd 0"]),
    ("* * A A A", ["crowd 0", "clear 0", "seen 0 A"]),
    ("A A * * B B B", ["seen 0 A", "crowd 0", "gone 0 A", "clear 0", "seen 0 B"]),
    # A scan of a crowd is not one in which a tag is missing.
    ("A A - - * -", ["seen 0 A"]),
    ("A A - * - * -", ["seen 0 A"]),
    # Failures.
    ("! !", []),
    ("! ! !", ["dead 0 no chip"]),
    ("! ! - ! !", []),
    ("! ! ! ! ! !", ["dead 0 no chip"]),
    ("! ! ! -", ["dead 0 no chip", "well 0"]),
    ("! ! ! - ! ! !", ["dead 0 no chip", "well 0", "dead 0 no chip"]),
    ("A A ! ! ! A", ["seen 0 A", "dead 0 no chip", "well 0"]),
    ("A A ! ! ! - - -", ["seen 0 A", "dead 0 no chip", "well 0", "gone 0 A"]),
    ("! ! ! A", ["dead 0 no chip", "well 0"]),
    ("! ! ! A A", ["dead 0 no chip", "well 0", "seen 0 A"]),
    # What was half certain when a reader died is forgotten.
    ("A ! ! ! A", ["dead 0 no chip", "well 0"]),
    ("A A - - ! ! ! -", ["seen 0 A", "dead 0 no chip", "well 0"]),
]  # fmt: skip
INVENTORY = [
    ("AB", []),
    ("AB AB", ["seen 0 B", "seen 0 A"]),
    ("A AB B", ["seen 0 A", "seen 0 B"]),
    ("ABC ABC AC AC AC", ["seen 0 B", "seen 0 A", "seen 0 C", "gone 0 B"]),
    ("AB AB A B A B A B", ["seen 0 B", "seen 0 A"]),
    ("AB AB - - -", ["seen 0 B", "seen 0 A", "gone 0 B", "gone 0 A"]),
    ("AB AB ! ! ! AB", ["seen 0 B", "seen 0 A", "dead 0 no chip", "well 0"]),
]


@pytest.mark.parametrize(
    ("mode", "scans", "events"), [("tap", *row) for row in TAP] + [("inventory", *row) for row in INVENTORY]
)
def test_two_scans_to_be_seen_three_to_be_gone_and_three_failures_to_be_dead(
    rig: HubRig, mode: str, scans: str, events: list[str]
) -> None:
    reader = rig.readers[0]
    reader.script.extend(scans.split(" "))
    rig.ask("start", mode, 1)
    while reader.script:
        rig.step()
    rig.step()
    assert reader.modes == [mode == "inventory"] * len(reader.modes)
    assert rig.told() == events


# Turns.


def test_a_scan_is_every_50_ms_and_that_of_a_dead_reader_every_second(rig: HubRig) -> None:
    reader = rig.readers[0]
    reader.script.extend("----!!!!!-")
    rig.start()
    rig.run(4000)
    pauses = [(later - earlier) // 10 * 10 for earlier, later in pairwise(reader.began)]
    assert pauses[:11] == [50] * 6 + [1000] * 3 + [50] * 2


def test_a_reader_that_never_finishes_is_dead_and_does_not_hold_up_the_others(rig: HubRig) -> None:
    rig.readers[1].there = "..."
    rig.start(readers=3)
    rig.run(1500)
    assert rig.told() == ["dead 1 never ends"]
    for there in "A-A-":
        rig.readers[2].there = there
        rig.run(600)
    assert rig.told()[1:] == ["seen 2 A", "gone 2 A"] * 2


def test_a_reader_begins_when_another_is_done(rig: HubRig) -> None:
    """Only one has its field on."""
    for reader in rig.readers:
        reader.yields = 3
    rig.start(readers=4)
    began = sorted(at_ms for reader in rig.readers for at_ms in reader.began)
    assert min(later - earlier for earlier, later in pairwise(began)) >= 3 * STEP_MS
    scans = [len(reader.began) for reader in rig.readers]
    assert max(scans) - min(scans) <= 1, "and each gets its turn"
