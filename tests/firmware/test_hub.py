"""A hub does what firmware/PROTOCOL.md says: the real hub, with scripted readers and a clock moved by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware.hub import Hub
from tests.support.hub_rig import TAGS, HubRig, ScriptedReader, line

A, B = TAGS["A"], TAGS["B"]


@pytest.fixture
def rig() -> HubRig:
    return HubRig()


# Hello and beat.


def test_a_beat_every_500_ms_tells_the_uptime(rig: HubRig) -> None:
    rig.now_ms = 123_456
    rig.run(2600)
    beats = [(at_ms - 123_456, text) for at_ms, text in rig.said if " beat " in text]
    assert beats == [(500 * n, f"{rig.epoch} 0 beat {n // 2}") for n in range(1, 6)]


def test_a_hub_says_hello_when_it_starts(rig: HubRig) -> None:
    assert rig.run(100) == ["00000001 0 hello 1 0 E66058388345A52A 4 idle 0"]


def test_start_is_answered_with_hello_and_snapshot_in_a_new_epoch(rig: HubRig) -> None:
    rig.run(10)
    rig.requests = 4710
    said = rig.ask("start", "tap", 3, ms=400)
    assert said == ["00000002 0 hello 1 4711 E66058388345A52A 4 tap 3", "00000002 0 snapshot 4711 - - -"]


def test_the_same_start_again_is_answered_at_once_and_changes_nothing(rig: HubRig) -> None:
    rig.readers[0].there = "A"
    rig.start()
    epoch = rig.epoch
    assert rig.ask("start", "tap", 1)[-2:] == [
        f"{epoch} 1 hello 1 2 E66058388345A52A 4 tap 1",
        f"{epoch} 1 snapshot 2 {A}",
    ]
    assert rig.epoch == epoch
    rig.run(100)
    assert {later - earlier for earlier, later in pairwise(rig.readers[0].began)} == {50}
    assert rig.told() == ["seen 0 A"]


@pytest.mark.parametrize(("mode", "readers"), [("inventory", 2), ("tap", 1), ("tap", 3)])
def test_another_mode_or_number_of_readers_begins_a_new_epoch(rig: HubRig, mode: str, readers: int) -> None:
    rig.readers[0].there = "A"
    rig.start("tap", 2)
    said = rig.ask("start", mode, readers, ms=400)
    assert said[0] == f"00000003 0 hello 1 2 E66058388345A52A 4 {mode} {readers}"
    assert f"00000003 1 snapshot 2 {' '.join([A] + ['-'] * (readers - 1))}" in said
    assert rig.told() == ["seen 0 A"], "and what is there is reported again"


def test_a_start_may_name_the_chip_which_is_else_the_rc522(rig: HubRig) -> None:
    rig.start("tap", 2)
    before = rig.epoch
    assert f"{before} 0 hello 1 2 E66058388345A52A 4 tap 2" in rig.ask("start", "tap", 2, "rc522")
    assert rig.epoch == before, "nothing has changed"


def test_another_chip_begins_a_new_epoch_with_its_own_readers(rig: HubRig) -> None:
    others = [ScriptedReader() for _ in range(2)]
    for other in others:
        other.rig = rig
    rig.hub = Hub({"rc522": rig.readers, "pn532": others}, serial="E66058388345A52A", epoch=rig._epoch)
    others[1].there = "B"
    rig.start("tap", 2)
    said = rig.ask("start", "tap", 2, "pn532", ms=400)
    assert f"{rig.epoch} 1 snapshot 2 - {B}" in said
    assert f"{rig.epoch} 0 no 3" not in rig.ask("start", "tap", 2, "pn532", ms=50)
    assert any(text.endswith(" no 4") for text in rig.ask("start", "tap", 3, "pn532", ms=50)), "it has two"


def test_a_scan_that_is_under_way_is_given_up_when_the_mode_changes(rig: HubRig) -> None:
    """Else its field would stay on: MicroPython does not close what nobody holds any more."""
    reader = rig.readers[3]
    reader.there = "..."
    rig.ask("start", "tap", 4, ms=200)
    assert reader.scanning
    rig.ask("start", "tap", 3)
    assert not reader.scanning


@pytest.mark.parametrize(
    "words", ["tap 0", "tap 5", "tap -1", "tap x", "tap 01", "idle 1", "TAP 1", "tap 99999999999999", "tap 1 pn532"]
)
def test_what_cannot_be_started_is_refused_and_changes_nothing(rig: HubRig, words: str) -> None:
    rig.readers[0].there = "A"
    rig.start()
    before = rig.epoch
    assert f"{before} 1 no 2" in rig.ask("start", *words.split(" "), ms=50)
    assert rig.epoch == before
    rig.readers[0].there = "-"
    rig.run(400)
    assert rig.told() == ["seen 0 A", "gone 0 A"]


@pytest.mark.parametrize(
    "spoilt",
    [
        line("host 2 start tap 1")[:-2] + b"\n", line("host 2 start tap 1").lower(), line("host 02 start tap 1"),
        line("host 2  start tap 1"), line("00000001 2 start tap 1"), line("guest 2 start tap 1"),
        line("host start tap 1"),
        line("host 2 begin tap 1"), line("host 2 hello 1 0 E66058388345A52A 4 tap 1"), line("host 2 start tap"),
        line("host 2 start"), line("host 2 ack"), line("host 2 ack 00000001"), b"\x03\x04\n", b"import os\r\n",
        b"*\n", b"\n", b"\xff" * 5000 + b"\n",
    ],
)  # fmt: skip
def test_nothing_follows_from_what_is_no_line_of_the_host(rig: HubRig, spoilt: bytes) -> None:
    rig.run(10)
    assert rig.run(400, spoilt) == []
    assert rig.epochs == 1
    assert rig.hub.running
    assert rig.ask("start", "tap", 1)[0].startswith("00000002 0 hello"), "and the next line is heard"


# Events.


def test_an_event_is_said_at_once_and_every_200_ms_until_it_is_acknowledged(rig: HubRig) -> None:
    rig.start()
    rig.readers[0].there = "A"
    rig.run(1000)
    times = [at_ms for at_ms, text in rig.said if text == f"{rig.epoch} 1 seen 0 {A}"]
    assert times[0] <= rig.readers[0].began[-1]
    assert {later - earlier for earlier, later in pairwise(times)} == {200}
    assert len(times) >= 4
    rig.ask("ack", rig.epoch, 1)
    assert all(" beat " in text for text in rig.run(1000))


def test_an_ack_is_for_all_events_up_to_its_number(rig: HubRig) -> None:
    rig.start("inventory")
    rig.readers[0].there = "ABC"
    rig.run(200)
    assert len(rig.told()) == 3
    rig.ask("ack", rig.epoch, 2)
    said = rig.run(600)
    assert {text.split(" ")[1] for text in said if " seen " in text} == {"3"}


@pytest.mark.parametrize("ack", ["{old} 9", "FFFFFFFF 9", "{epoch} 0", "{epoch} x", "{epoch} 01", "{epoch} -1"])
def test_an_ack_of_another_epoch_or_of_nothing_means_nothing(rig: HubRig, ack: str) -> None:
    old = rig.epoch
    rig.start()
    rig.readers[0].there = "A"
    rig.run(150)
    rig.ask("ack", *ack.format(old=old, epoch=rig.epoch).split(" "))
    assert f"{rig.epoch} 1 seen 0 {A}" in rig.run(250)


def wave(rig: HubRig, events: int) -> None:
    """A tag comes and goes until this many events have happened since the hub was started."""
    for number in range(events):
        rig.readers[0].there = "-" if number % 2 else "A"
        rig.run(150)


def test_64_events_are_kept_and_none_is_lost(rig: HubRig) -> None:
    rig.start()
    wave(rig, 64)
    assert rig.epochs == 2
    heard: list[int] = []
    for _ in range(40):
        numbers = {int(text.split(" ")[1]) for text in rig.run(200) if " seen " in text or " gone " in text}
        while len(heard) + 1 in numbers:
            heard.append(len(heard) + 1)
        rig.ask("ack", rig.epoch, len(heard))
    assert heard == list(range(1, 65)), "those that a host has not acknowledged are sent again, the oldest first"


def test_one_event_more_than_64_begins_a_new_epoch(rig: HubRig) -> None:
    rig.start()
    wave(rig, 64)
    rig.readers[0].there = "A"
    said = rig.run(1000)
    assert rig.epochs == 3
    assert any(text.startswith(f"{rig.epoch} 0 beat") for text in said)
    since_ms = rig.now_ms - 800
    assert not any(text.startswith("00000002") for at_ms, text in rig.said if at_ms > since_ms), "all are forgotten"
    assert f"{rig.epoch} 0 snapshot 2 {A}" in rig.ask("snapshot"), "but what they led to is not"
    rig.readers[0].there = "-"
    rig.run(200)
    assert rig.told() == ["gone 0 A"], "and the numbers begin with 1"


# Snapshots.


@pytest.mark.parametrize(
    ("mode", "there", "word"),
    [
        ("tap", "-", "-"), ("tap", "A", A), ("tap", "*", "crowd"), ("tap", "!", "dead:no_chip"),
        ("inventory", "BA", f"{B},{A}"), ("inventory", "ABC", f"{B},{A},{TAGS['C']}"),
    ],
)  # fmt: skip
def test_a_snapshot_tells_what_is_at_each_reader(rig: HubRig, mode: str, there: str, word: str) -> None:
    rig.readers[1].there = there
    rig.start(mode, 3)
    number = len(rig.told())
    assert rig.ask("snapshot")[-1] == f"{rig.epoch} {number} snapshot 2 - {word} -"


def test_a_dead_reader_keeps_what_it_saw_last(rig: HubRig) -> None:
    rig.readers[0].there = "A"
    rig.start()
    rig.readers[0].there = "!"
    rig.run(400)
    assert rig.ask("snapshot")[-1] == f"{rig.epoch} 2 snapshot 2 {A},dead:no_chip"


def test_a_snapshot_comes_after_the_events_before_it_and_before_those_after_it(rig: HubRig) -> None:
    rig.start()
    rig.readers[0].there = "A"
    for request in range(2, 40):
        said = rig.ask("snapshot")
        seen = [number for number, _ in rig.events()]
        snapshots = [text for text in said if " snapshot " in text]
        assert len(snapshots) == 1
        number, state = snapshots[0].split(" ")[1], snapshots[0].split(" ")[-1]
        assert snapshots[0].split(" ")[3] == str(request)
        assert (number, state) in (("0", "-"), ("1", A))
        assert int(number) <= len(seen)


def test_no_snapshot_is_said_before_the_readers_know_what_is_there(rig: HubRig) -> None:
    """Else a host would take tags that lie there for gone whenever a hub is reset."""
    rig.readers[0].there, rig.readers[1].there, rig.readers[3].there = "A", "*", "!"
    said = rig.ask("start", "tap", 4, ms=400)
    assert [text for text in said if " snapshot " in text] == [f"{rig.epoch} 3 snapshot 1 {A} crowd - dead:no_chip"]


def test_readers_that_never_finish_are_dead_in_a_snapshot(rig: HubRig) -> None:
    for reader in rig.readers:
        reader.there = "..."
    rig.ask("start", "tap", 4, ms=2500)
    said = rig.ask("start", "tap", 4, ms=2500)
    assert [text.split(" ", 2)[2] for text in said if " snapshot " in text] == ["snapshot 2" + 4 * " dead:never_ends"]


def test_only_the_last_of_several_requests_is_answered_with_a_snapshot(rig: HubRig) -> None:
    for _ in range(3):
        rig.ask("start", "tap", 1)
    said = [text for text in rig.run(400) if " snapshot " in text]
    assert said == [f"{rig.epoch} 0 snapshot 3 -"]


# Test and leave.


def test_readers_test_themselves_between_two_scans_and_tell_it_once(rig: HubRig) -> None:
    rig.readers[0].there = "A"
    rig.readers[1].tested = None
    rig.start(readers=2)
    said = rig.ask("test", ms=1000)
    tested = [text for text in said if " tested " in text]
    assert tested == [f"{rig.epoch} 1 tested 0 ok version 92", f"{rig.epoch} 1 tested 1 failed memory wrong"]
    assert rig.told() == ["seen 0 A"], "a test is no scan, and a failed one no failed scan"


def test_a_dead_reader_that_passes_its_test_is_well(rig: HubRig) -> None:
    rig.readers[0].script.extend("!!!")
    rig.start()
    rig.ask("test", ms=1200)
    assert rig.told() == ["dead 0 no chip", "well 0"]


def test_leave_says_bye_and_stops(rig: HubRig) -> None:
    rig.start()
    assert rig.ask("leave")[-1] == f"{rig.epoch} 0 bye"
    assert not rig.hub.running
