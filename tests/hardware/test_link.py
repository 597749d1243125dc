"""The host's side of firmware/PROTOCOL.md: nothing is lost and nothing counts twice."""

from __future__ import annotations

import pytest

from hardware.board import BoardHub
from hardware.link import Foreign, Happening, HubLink, ReaderTrouble, Synced, TagMoved
from hardware.link import Tested as SelfTest
from tests.support.hub_rig import TAGS, HubRig, line, texts

A, B, C = TAGS.values()
EPOCH, OTHER = "3F2A91C0", "3F2A91C1"
SERIAL = "E66058388345A52A"


class Host:
    """A link, what it is told, and what it says."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.link = HubLink(BoardHub("south", "/dev/ttyACM0", "tap", 3), self.now_s, requests=4710)

    def hears(self, *said: str) -> list[Happening]:
        return self.link.receive(b"".join(map(line, said)), self.now_s)

    def says(self, after_s: float = 0.0) -> list[str]:
        self.now_s += after_s
        return texts(self.link.outgoing(self.now_s))

    def greet(self, *states: str, epoch: str = EPOCH, number: int = 0) -> list[Happening]:
        """Asks, and is answered at once."""
        request = self.says()[-1].split(" ")[1]
        return self.hears(
            f"{epoch} {number} hello 1 {request} {SERIAL} 4 tap 3",
            f"{epoch} {number} snapshot {request} {' '.join(states or ('-', '-', '-'))}",
        )


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def in_step(host: Host) -> Host:
    assert host.greet() == [Synced()]
    assert host.says() == [f"host 4712 ack {EPOCH} 0"]
    return host


# Getting in step.


def test_the_conversation_of_the_protocol(host: Host) -> None:
    assert host.says() == ["host 4711 start tap 3"]
    assert host.hears(f"{EPOCH} 0 hello 1 4711 {SERIAL} 4 tap 3") == []
    assert not host.link.in_step
    assert host.hears(f"{EPOCH} 0 snapshot 4711 - - -") == [Synced()]
    assert host.link.in_step
    assert (host.link.serial, host.link.most_readers) == (SERIAL, 4)
    assert host.says() == [f"host 4712 ack {EPOCH} 0"]
    assert host.hears(f"{EPOCH} 0 beat 12", f"{EPOCH} 1 seen 2 {A}") == [TagMoved(2, A, gone=False)]
    assert host.says() == [f"host 4713 ack {EPOCH} 1"]
    assert host.hears(f"{EPOCH} 2 gone 2 {A}") == [TagMoved(2, A, gone=True)]
    assert host.says() == [f"host 4714 ack {EPOCH} 2"]
    assert host.hears(f"{EPOCH} 3 dead 1 no chip") == [ReaderTrouble(1, crowded=False, over=False, why="no chip")]
    assert host.says() == [f"host 4715 ack {EPOCH} 3"]
    host.link.request("snapshot")
    assert host.says() == ["host 4716 snapshot"]
    assert host.hears(f"{EPOCH} 3 snapshot 4716 - dead:no_chip -", f"{EPOCH} 3 beat 13") == []
    assert host.link.here == {0: frozenset(), 1: frozenset({"dead"}), 2: frozenset()}


def test_start_is_said_every_500_ms_until_in_step(host: Host) -> None:
    assert host.says() == ["host 4711 start tap 3"]
    assert host.says(0.49) == []
    assert host.says(0.01) == ["host 4712 start tap 3"]
    assert host.link.due_s(host.now_s) == pytest.approx(host.now_s + 0.5)
    host.now_s += 0.5
    assert host.greet() == [Synced()]
    assert host.says() == [f"host 4714 ack {EPOCH} 0"]
    assert host.says(0.9) == []


HELLO, SNAPSHOT = f"{EPOCH} 0 hello 1 4712 {SERIAL} 4 tap 3", f"{EPOCH} 0 snapshot 4712 - - -"
NOT_IN_STEP = {
    "no hello": [SNAPSHOT],
    "no snapshot": [HELLO],
    "the snapshot first": [SNAPSHOT, HELLO],
    "a hello for an older start": [HELLO.replace("4712", "4711"), SNAPSHOT],
    "a snapshot for an older start": [HELLO, SNAPSHOT.replace("4712", "4711")],
    "a snapshot for nobody": [HELLO, SNAPSHOT.replace("4712", "0")],
    "the hello of a start": [HELLO.replace("4712", "0").replace("tap 3", "idle 0"), SNAPSHOT],
    "another mode": [HELLO.replace("tap", "inventory"), SNAPSHOT],
    "other readers": [HELLO.replace("tap 3", "tap 2"), SNAPSHOT],
    "another version": [HELLO.replace("hello 1", "hello 2"), SNAPSHOT],
    "another epoch": [HELLO, SNAPSHOT.replace(EPOCH, OTHER)],
    "another epoch in between": [HELLO, HELLO.replace(EPOCH, OTHER), SNAPSHOT],
    "too few readers": [HELLO, f"{EPOCH} 0 snapshot 4712 - -"],
    "too many readers": [HELLO, f"{EPOCH} 0 snapshot 4712 - - - -"],
    "not a tag": [HELLO, f"{EPOCH} 0 snapshot 4712 - nonsense -"],
    "half a tag": [HELLO, f"{EPOCH} 0 snapshot 4712 - {A},04A1 -"],
    "dead, but not why": [HELLO, f"{EPOCH} 0 snapshot 4712 - dead -"],
    "dead for no reason": [HELLO, f"{EPOCH} 0 snapshot 4712 - {A},dead: -"],
    "a reason before a tag": [HELLO, f"{EPOCH} 0 snapshot 4712 - {A},,dead:no_chip -"],
    "an event": [HELLO, f"{EPOCH} 1 seen 0 {A}"],
}


@pytest.mark.parametrize("said", NOT_IN_STEP.values(), ids=NOT_IN_STEP)
def test_in_step_takes_hello_and_then_snapshot_both_in_answer_to_the_last_start(host: Host, said: list[str]) -> None:
    host.says()
    assert host.says(0.5) == ["host 4712 start tap 3"]
    assert [happening for happening in host.hears(*said) if not isinstance(happening, Foreign)] == []
    assert not host.link.in_step
    assert host.says(0.5) == ["host 4713 start tap 3"], "and nothing is acknowledged"
    assert not any(host.link.here.values())


def test_a_hello_that_answers_an_older_start_does_not_go_with_a_newer_snapshot(host: Host) -> None:
    host.says()
    host.hears(HELLO.replace("4712", "4711"))
    host.says(0.5)
    assert host.hears(SNAPSHOT) == []
    assert host.hears(HELLO, SNAPSHOT) == [Synced()]


def test_another_version_is_told_and_stays_out_of_step(host: Host) -> None:
    host.says()
    assert host.hears(f"{EPOCH} 0 hello 2 4711 something else") == [Foreign("2")]
    assert host.hears(f"{EPOCH} 0 snapshot 4711 - - -") == []
    assert not host.link.in_step
    assert not host.link.silent(host.now_s + 1.9)


def test_the_first_snapshot_is_told_as_having_happened_now(host: Host) -> None:
    assert host.greet(f"{B},{A}", "crowd", f"{C},dead:a_command,_or_two,_never_ends", number=17) == [
        TagMoved(0, B, gone=False),
        TagMoved(0, A, gone=False),
        ReaderTrouble(1, crowded=True, over=False),
        TagMoved(2, C, gone=False),
        ReaderTrouble(2, crowded=False, over=False, why="a command, or two, never ends"),
        Synced(),
    ]
    assert host.says() == [f"host 4712 ack {EPOCH} 17"]
    assert host.hears(f"{EPOCH} 17 seen 2 {C}") == [], "an event before the snapshot is in it"
    assert host.hears(f"{EPOCH} 18 gone 0 {A}") == [TagMoved(0, A, gone=True)]


# In step.


def test_an_event_that_has_counted_is_acknowledged_again_and_does_nothing(in_step: Host) -> None:
    assert in_step.hears(f"{EPOCH} 1 seen 2 {A}", f"{EPOCH} 2 gone 2 {A}") == [
        TagMoved(2, A, gone=False),
        TagMoved(2, A, gone=True),
    ]
    in_step.says()
    assert in_step.hears(f"{EPOCH} 1 seen 2 {A}") == []
    assert in_step.says() == [f"host 4715 ack {EPOCH} 2"]
    assert not in_step.link.here[2]


def test_an_event_that_is_further_ahead_is_left(in_step: Host) -> None:
    assert in_step.hears(f"{EPOCH} 2 gone 2 {A}", f"{EPOCH} 3 seen 2 {B}") == []
    assert in_step.says() == []
    assert in_step.hears(f"{EPOCH} 1 seen 2 {A}", f"{EPOCH} 2 gone 2 {A}") == [
        TagMoved(2, A, gone=False),
        TagMoved(2, A, gone=True),
    ]


TROUBLES = [
    ("crowd 1", ReaderTrouble(1, crowded=True, over=False)),
    ("clear 1", ReaderTrouble(1, crowded=True, over=True)),
    ("dead 1 memory wrong", ReaderTrouble(1, crowded=False, over=False, why="memory wrong")),
    ("well 1", ReaderTrouble(1, crowded=False, over=True)),
]


def test_crowds_and_dead_readers_are_told(in_step: Host) -> None:
    for number, (event, trouble) in enumerate(TROUBLES, 1):
        assert in_step.hears(f"{EPOCH} {number} {event}") == [trouble]
        assert in_step.says()[0].endswith(f" ack {EPOCH} {number}")
    assert not any(in_step.link.here.values())


NOTHING = {
    "a beat": f"{EPOCH} 0 beat 5",
    "a stale snapshot": f"{EPOCH} 0 snapshot 4711 {A} {B} dead:no_chip",
    "a stale hello": f"{EPOCH} 0 hello 1 4711 {SERIAL} 4 tap 3",
    "bye": f"{EPOCH} 0 bye",
    "no": f"{EPOCH} 0 no 4711",
    "a word that is not in the tables": f"{EPOCH} 1 seem 1 {A}",
    "no reader": f"{EPOCH} 1 seen",
    "no tag": f"{EPOCH} 1 seen 1",
    "half a tag": f"{EPOCH} 1 seen 1 04A1B2",
    "a reader that is not there": f"{EPOCH} 1 seen 3 {A}",
    "a reader with a leading zero": f"{EPOCH} 1 seen 01 {A}",
    "our own word": f"host 1 seen 1 {A}",
    "nobody's word": f"hub 1 seen 1 {A}",
}


@pytest.mark.parametrize("said", NOTHING.values(), ids=NOTHING)
def test_nothing_follows_from_anything_else(in_step: Host, said: str) -> None:
    assert in_step.hears(said) == []
    assert in_step.says(0.9) == []
    assert in_step.link.in_step
    assert in_step.hears(f"{EPOCH} 1 seen 1 {B}") == [TagMoved(1, B, gone=False)]


def test_what_a_test_gave_is_passed_on(in_step: Host) -> None:
    assert in_step.hears(f"{EPOCH} 0 tested 0 ok version 92", f"{EPOCH} 0 tested 2 failed no chip") == [
        SelfTest(0, "ok version 92"),
        SelfTest(2, "failed no chip"),
    ]
    assert SelfTest(0, "ok version 92").passed
    assert not SelfTest(2, "failed no chip").passed


# Out of step.


@pytest.mark.parametrize("said", ["0 beat 0", f"1 seen 0 {B}", f"0 hello 1 0 {SERIAL} 4 idle 0", "0 bye"])
def test_a_line_of_another_epoch_means_that_the_hub_began_anew(in_step: Host, said: str) -> None:
    in_step.hears(f"{EPOCH} 1 seen 2 {A}", f"{EPOCH} 2 seen 1 {C}", f"{EPOCH} 3 dead 0 no chip")
    in_step.says()
    assert in_step.hears(f"{OTHER} {said}") == []
    assert not in_step.link.in_step
    assert in_step.link.here[2] == {A}, "what was there is remembered"
    assert in_step.hears(f"{EPOCH} 4 gone 2 {A}") == [], "the old epoch is over"
    assert in_step.greet(B, C, "-", epoch=OTHER, number=5) == [
        ReaderTrouble(0, crowded=False, over=True),
        TagMoved(0, B, gone=False),
        TagMoved(2, A, gone=True),
        Synced(),
    ], "what differs has happened now; what does not has not"
    assert in_step.hears(f"{OTHER} 6 gone 0 {B}") == [TagMoved(0, B, gone=True)]


def test_two_seconds_without_a_good_line_are_silence(in_step: Host) -> None:
    in_step.now_s += 1.9
    in_step.hears(f"{EPOCH} 0 beat 1")
    in_step.now_s += 1.9
    assert not in_step.link.silent(in_step.now_s)
    in_step.link.receive(line(f"{EPOCH} 0 beat 3").replace(b"beat", b"boat") + b"\xff\n" * 9, in_step.now_s)
    in_step.hears("host 4711 start tap 3")
    assert in_step.link.bad_lines == 11
    assert in_step.link.silent(in_step.now_s + 0.1), "noise and our own echo are no good lines"
    in_step.says()
    assert in_step.link.due_s(in_step.now_s) == pytest.approx(in_step.now_s + 0.1)


# Hubs that talk, but do not hear or do not do what they should.


def test_in_step_start_is_said_every_second_to_be_answered(in_step: Host) -> None:
    assert in_step.link.due_s(in_step.now_s) == pytest.approx(in_step.now_s + 1.0)
    assert in_step.says(1.0) == ["host 4713 start tap 3"]
    assert in_step.hears(f"{EPOCH} 0 hello 1 4713 {SERIAL} 4 tap 3", f"{EPOCH} 0 snapshot 4713 - {A} -") == []
    assert not any(in_step.link.here.values()), "a snapshot in step does nothing"
    assert in_step.says(0.9) == []
    assert in_step.says(0.1) == ["host 4714 start tap 3"]
    assert in_step.says(0.5) == ["host 4715 start tap 3"], "and sooner if it was not answered"


@pytest.mark.parametrize("was_in_step", [False, True])
def test_a_hub_that_talks_but_answers_nothing_for_two_seconds_does_not_hear(host: Host, was_in_step: bool) -> None:
    if was_in_step:
        host.greet()
        host.now_s += 1.0
    host.says()
    for _ in range(3):
        host.says(0.5)
        host.hears(f"{EPOCH} 0 beat 1", f"{EPOCH} 1 seen 0 {A}", f"{EPOCH} 0 hello 1 4000 {SERIAL} 4 tap 3")
        assert host.link.amiss(host.now_s) == ""
    host.says(0.4)
    assert host.link.due_s(host.now_s) == pytest.approx(host.now_s + 0.1)
    host.now_s += 0.1
    assert host.link.amiss(host.now_s) == "it sends, but does not receive"
    host.link.lost()
    assert host.link.amiss(host.now_s) == ""


def test_an_answer_in_time_shows_that_a_hub_hears(in_step: Host) -> None:
    for _ in range(10):
        in_step.says(1.0)
        in_step.says(0.9)
        start = in_step.says(0.9)[-1].split(" ")[1]
        assert in_step.hears(f"{EPOCH} 0 hello 1 {start} {SERIAL} 4 tap 3") == []
        assert in_step.link.amiss(in_step.now_s) == ""


def test_a_host_that_did_nothing_for_a_while_does_not_take_its_hub_for_deaf(in_step: Host) -> None:
    in_step.now_s += 60.0
    in_step.hears(f"{EPOCH} 0 beat 60")
    assert in_step.link.amiss(in_step.now_s) == ""
    assert in_step.says() == ["host 4713 start tap 3"]
    assert in_step.link.amiss(in_step.now_s + 1.9) == ""


def test_a_hub_that_answers_no_is_amiss_at_once_but_not_for_an_older_question(host: Host) -> None:
    host.says()
    host.says(0.5)
    host.hears(f"{EPOCH} 0 no 4711")
    assert host.link.amiss(host.now_s) == ""
    host.hears(f"{EPOCH} 0 no 4712")
    assert host.link.amiss(host.now_s) == "it cannot do what the board file says of it"
    host.link.lost()
    assert host.link.amiss(host.now_s) == ""
    assert host.greet() == [Synced()]


def test_a_hub_has_time_to_scan_but_not_for_ever(host: Host) -> None:
    for half_second in range(30):
        assert host.link.amiss(host.now_s) == "", half_second
        start = host.says()[-1].split(" ")[1]
        host.hears(f"{EPOCH} 0 hello 1 {start} {SERIAL} 4 tap 3")
        host.now_s += 0.5
    assert host.link.amiss(host.now_s) == "it does not report what is at its readers"


def test_a_hub_that_begins_anew_without_end_is_amiss_too(host: Host) -> None:
    for begun in range(31):
        host.says()
        host.hears(f"{begun:08X} 0 hello 1 0 {SERIAL} 4 idle 0", f"{begun:08X} 0 beat 0")
        host.now_s += 0.5
    assert host.link.amiss(host.now_s)


def test_a_hub_of_another_version_is_foreign_and_not_deaf(host: Host) -> None:
    for _ in range(60):
        host.says()
        assert host.hears(f"{EPOCH} 0 hello 2 something else") == [Foreign("2")]
        assert host.link.amiss(host.now_s) == ""
        host.now_s += 0.5


def test_a_link_that_lost_its_hub_asks_at_once_and_goes_on_where_it_was(in_step: Host) -> None:
    in_step.hears(f"{EPOCH} 1 seen 2 {A}")
    in_step.link.receive(b"half a li", in_step.now_s)
    in_step.link.lost()
    assert in_step.greet("-", "-", A, number=1) == [Synced()]
    assert in_step.hears(f"{EPOCH} 1 seen 2 {A}", f"{EPOCH} 2 gone 2 {A}") == [TagMoved(2, A, gone=True)]


def test_a_hub_that_forgot_its_events_tells_by_the_new_epoch_what_they_led_to() -> None:
    rig, told = HubRig(), list[Happening]()
    link = HubLink(BoardHub("south", "/dev/ttyACM0", "tap", 1), 0.0)
    while rig.now_ms < 20_000:
        cut_off = 2000 <= rig.now_ms < 16_000
        busy = 2000 <= rig.now_ms < 15_000
        rig.readers[0].there = "AB-"[rig.now_ms // 250 % 3] if busy else "A"
        out = rig.step(b"" if cut_off else link.outgoing(rig.now_ms / 1000))
        told += [] if cut_off else link.receive(out, rig.now_ms / 1000)
    assert rig.epochs == 3
    assert told == [TagMoved(0, A, gone=False), Synced(), Synced()], "it was there before, and it is there now"


# Found again, and left behind.


def test_a_hub_found_in_the_same_epoch_misses_nothing_and_needs_no_snapshot(in_step: Host) -> None:
    in_step.hears(f"{EPOCH} 1 seen 2 {A}")
    in_step.says()
    in_step.link.lost()
    request = in_step.says()[-1].split(" ")[1]
    assert in_step.hears(f"{EPOCH} 3 hello 1 {request} {SERIAL} 4 tap 3") == [Synced()]
    assert in_step.says()[-1].endswith(f"ack {EPOCH} 1")
    assert in_step.hears(f"{EPOCH} 2 gone 2 {A}", f"{EPOCH} 3 seen 2 {A}") == [
        TagMoved(2, A, gone=True),
        TagMoved(2, A, gone=False),
    ]


def test_events_that_another_host_has_had_end_in_a_snapshot(in_step: Host) -> None:
    assert in_step.hears(f"{EPOCH} 5 beat 20") == []
    in_step.now_s += 1.0
    assert in_step.hears(f"{EPOCH} 6 seen 2 {A}") == []
    assert in_step.link.in_step
    in_step.now_s += 0.6
    assert in_step.hears(f"{EPOCH} 6 beat 21") == []
    assert not in_step.link.in_step
    assert in_step.greet("-", "-", A, number=6) == [TagMoved(2, A, gone=False), Synced()]


def test_a_gap_that_closes_in_time_is_none(in_step: Host) -> None:
    for number in range(1, 5):
        assert in_step.hears(f"{EPOCH} {number} beat 20") == []
        in_step.now_s += 1.0
        assert len(in_step.hears(f"{EPOCH} {number} {'seen' if number % 2 else 'gone'} 2 {A}")) == 1
    assert in_step.link.in_step


# What was said last.


def test_what_was_said_is_kept_and_what_says_nothing_new_does_not_drive_it_out(in_step: Host) -> None:
    in_step.hears(f"{EPOCH} 1 seen 2 {A}")
    in_step.link.receive(b"\xffgarbage\n", in_step.now_s)
    for beat in range(1000):
        in_step.hears(f"{EPOCH} 1 beat {beat}")
    in_step.says()
    lines = in_step.link.log.lines()
    telling = [(line.speaker, line.text.partition("*")[0], line.good) for line in lines if not line.routine]
    assert telling == [
        ("host", f"host 4712 ack {EPOCH} 0", True),
        ("hub", f"{EPOCH} 1 seen 2 {A}", True),
        ("hub", r"\xffgarbage", False),
        ("host", f"host 4713 ack {EPOCH} 1", True),
    ]
    assert len(lines) < 100
    assert [line.number for line in lines] == sorted(line.number for line in lines)
    assert in_step.link.log.lines(after=lines[-2].number) == lines[-1:]
