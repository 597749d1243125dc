"""Every fault on demand really happens: each leaves its trace on the wire, at the chip or at the hub.

What the program makes of them is for other tests; those would pass just as well if a fault did nothing.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.lines import read_line
from hardware.buttons import Edge
from hardware.lights import SentFrame
from hardware.ports import Fault, Pattern, Press, Scene, Show, Tap, Trouble
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.wire import LineFault, Wire
from tests.support.hub_rig import line, texts
from tests.support.reader_rig import stand_ins

TAG, OTHER = "04A1B2C3", "0000000A"
GRANADA = 2
"""The reader of granada, at the hub south."""


class Listened:
    """What the hub south says, line by line, and what of it arrives at the program."""

    def __init__(self, board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch) -> None:
        self.board = board
        self.hub = board.hubs["south"]
        self.port = board.pieces.hubs["south"]
        self.said: list[bytes] = []
        self.arrived = b""
        carry, receive = self.hub.wire.carry, self.port.link.receive

        def carried(data: bytes) -> bytes:
            self.said += data.splitlines(keepends=True)
            return carry(data)

        def received(data: bytes, now_s: float) -> list[Any]:
            self.arrived += data
            return receive(data, now_s)

        monkeypatch.setattr(self.hub.wire, "carry", carried)
        monkeypatch.setattr(self.port.link, "receive", received)

    def forget(self) -> None:
        self.said, self.arrived = [], b""

    def words(self) -> list[str]:
        """The word of each line that was said."""
        return [text.split(" ")[2] for text in texts(b"".join(self.said))]

    def epochs(self) -> set[str]:
        return {text.split(" ")[0] for text in texts(b"".join(self.said))}


@pytest.fixture
def south(simulated_board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch) -> Listened:
    return Listened(simulated_board, monkeypatch)


# --- The line --------------------------------------------------------------------------------------------------------


def turned(said: list[bytes], arrived: bytes) -> bool:
    """Whether some bits of the first line are turned, and nothing else."""
    first, others = arrived[: len(said[0])], arrived[len(said[0]) :]
    return first != said[0] and read_line(first.rstrip(b"\n")) is None and others == b"".join(said[1:])


LINE_TRACES: dict[LineFault, Callable[[list[bytes], bytes], bool]] = {
    LineFault.DROP: lambda said, arrived: arrived == b"".join(said[1:]),
    LineFault.GARBAGE: lambda said, arrived: arrived.endswith(b"".join(said)) and arrived != b"".join(said),
    LineFault.REPEAT: lambda said, arrived: arrived == said[0] + b"".join(said),
    LineFault.REORDER: lambda said, arrived: arrived == said[1] + said[0] + b"".join(said[2:]),
    LineFault.HALF: lambda said, arrived: arrived == said[0][: len(said[0]) // 2] + b"".join(said[1:]),
    LineFault.BITS: turned,
}


@pytest.mark.parametrize("fault", LineFault)
def test_a_spoilt_line_arrives_spoilt(south: Listened, fault: LineFault) -> None:
    south.hub.wire.spoil(fault)
    south.board.advance(2.0)
    assert len(south.said) > 3
    assert LINE_TRACES[fault](south.said, south.arrived)
    south.forget()
    south.board.advance(1.0)
    assert south.arrived == b"".join(south.said), "and the next ones are not"


@pytest.mark.parametrize("fault", LineFault)
def test_no_line_is_spoilt_into_itself(fault: LineFault) -> None:
    lines = [line(f"3F2A91C0 {number} beat 5") for number in range(3)]
    for seed in range(500):
        wire = Wire(seed)
        wire.spoil(fault)
        assert LINE_TRACES[fault](lines, wire.carry(b"".join(lines)))


def test_bits_that_are_turned_are_not_turned_back() -> None:
    for seed in range(500):
        wire = Wire(seed)
        wire.spoil(LineFault.BITS)
        assert wire.carry(b"a\n") != b"a\n"


def test_noise_and_babble_arrive(south: Listened) -> None:
    south.hub.wire.interject(b"\xff\n")
    south.board.advance(1.0)
    assert south.arrived == b"\xff\n" + b"".join(south.said)
    bad = south.port.link.bad_lines
    south.hub.babble(b"nonsense\n" * 3)
    south.board.advance(0.1)
    assert south.port.link.bad_lines == bad + 3


# --- The hub ---------------------------------------------------------------------------------------------------------


def test_a_silent_hub_talks_and_nothing_arrives(south: Listened) -> None:
    south.hub.wire.silent = True
    south.board.advance(1.5)
    assert south.words().count("beat") >= 2
    assert south.arrived == b""


def test_a_deaf_hub_says_again_what_was_acknowledged(south: Listened) -> None:
    south.board.put(TAG, "granada")
    south.board.advance(1.0)
    assert south.words().count("seen") == 1, "one that hears says it once"
    south.forget()
    south.hub.deaf = True
    south.board.take(TAG, "granada")
    south.board.advance(1.5)
    assert south.words().count("gone") >= 5
    assert "hello" not in south.words()


def test_a_hub_that_is_unplugged_is_gone_from_the_machine(south: Listened) -> None:
    opened = south.port.opened
    south.hub.unplug()
    south.board.advance(0.1)
    assert not Path(south.hub.line.port).exists()
    assert not south.port.open
    south.hub.plug()
    south.board.advance(2.0)
    assert Path(south.hub.line.port).exists()
    assert south.port.opened == opened + 1


def test_a_hub_that_is_reset_begins_anew(south: Listened) -> None:
    south.board.advance(0.6)
    [before] = south.epochs()
    south.forget()
    south.hub.reset()
    south.board.advance(0.02)
    first = texts(south.said[0])[0].split(" ")
    assert first[0] != before
    # At request 0, in mode idle, with no readers: that is said at a start and never else.
    assert (first[2], first[4], first[-2:]) == ("hello", "0", ["idle", "0"])


class Inside:
    """The world of a simulated hub in our own process, so that one can look into its firmware and its chips."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.now_ms = 0
        self.run(300, line("host 1 start tap 3"))

    def run(self, ms: int, received: bytes = b"", *orders: list[object]) -> list[str]:
        self.now_ms += ms
        order = {"until": self.now_ms, "in": received.hex(), "do": orders}
        return texts(bytes.fromhex(json.loads(self.world.obey(json.dumps(order)))["out"]))

    def do(self, *order: object) -> list[str]:
        """Does something to the hub, and lets one step go by."""
        return self.run(5, b"", list(order))

    @property
    def watch(self) -> Any:
        return self.world._hub._watches[GRANADA]

    @property
    def chip(self) -> Any:
        return self.world._chips[GRANADA]


@pytest.fixture
def inside() -> Iterator[Inside]:
    ours = ("world", "firmware.pico")
    with stand_ins():
        for name in ours:
            sys.modules.pop(name, None)
        yield Inside(importlib.import_module("world").World("south"))
    for name in ours:
        sys.modules.pop(name, None)


def test_a_reset_comes_in_the_middle_of_a_scan(inside: Inside) -> None:
    inside.do("put", GRANADA, TAG)
    met = 0
    for _ in range(40):
        inside.run(35)
        hub = inside.world._hub
        epoch = hub._epoch
        scanning = [watch for watch in hub._watches if watch.working]
        said = inside.do("reset")
        assert inside.world._hub is not hub
        assert not said[0].startswith(epoch)
        met += any(watch.working for watch in scanning)
        inside.run(300, line("host 1 start tap 3"))
    assert met == 40, "each came while a scan was under way, which was never finished"


# --- Readers and tags ------------------------------------------------------------------------------------------------


def test_a_reader_that_is_disturbed_does_not_understand_its_tag(south: Listened) -> None:
    south.board.put(TAG, "granada")
    south.board.advance(0.3)
    south.hub.disturb_reader(GRANADA, 1000)
    south.board.advance(0.5)
    assert south.board.gestures == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]


def test_a_disturbance_of_one_answer_is_used_up_by_it(inside: Inside) -> None:
    inside.do("put", GRANADA, TAG)
    inside.run(300)
    inside.do("noise", GRANADA, 1)
    inside.run(150)
    assert inside.chip.noise == 0


def test_a_reader_that_is_starved_forgets_how_it_was_set_up(inside: Inside) -> None:
    t_mode = 0x2A
    assert inside.chip._registers[t_mode] != 0
    inside.world._change("brown-out", [GRANADA])
    assert inside.chip._registers[t_mode] == 0
    inside.run(200)
    assert inside.chip._registers[t_mode] != 0, "it is set up again"


def test_a_reader_that_is_starved_again_and_again_sees_nothing(south: Listened) -> None:
    south.board.put(TAG, "granada")
    south.board.advance(0.3)
    for _ in range(60):
        south.hub.starve_reader(GRANADA)
        south.board.advance(0.01)
    assert south.board.gestures[:2] == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]


def test_a_tag_that_flickers_is_missed_by_a_scan_and_not_by_three(inside: Inside) -> None:
    inside.do("put", GRANADA, TAG)
    inside.run(300)
    for _ in range(10):
        assert inside.watch._there == {TAG: 0}
        inside.do("take", GRANADA, TAG)
        inside.run(85)
        assert 1 <= inside.watch._there[TAG] <= 2
        inside.do("put", GRANADA, TAG)
        inside.run(115)


def test_a_tag_that_passes_by_is_seen_by_one_scan_and_not_by_two(inside: Inside) -> None:
    inside.do("put", GRANADA, TAG)
    inside.run(45)
    assert inside.watch._coming == {TAG: 1}
    inside.do("take", GRANADA, TAG)
    inside.run(100)
    assert inside.watch._coming == {}
    assert inside.watch._there == {}


def sensed(act: Callable[[SimulatedBoard], object], board: SimulatedBoard) -> list[object]:
    """What the board tells within a second of something."""
    act(board)
    board.advance(1.0)
    return list(board.gestures)


def two_tags(board: SimulatedBoard) -> None:
    for tag in (TAG, OTHER):
        board.put(tag, "granada")


TOLD: dict[str, tuple[Callable[[SimulatedBoard], object], object]] = {
    "a dead reader": (
        lambda board: board.hubs["south"].break_reader(GRANADA),
        Trouble(Fault.DEAD_READER, "granada", "no chip"),
    ),
    "a reader that hangs": (
        lambda board: board.hubs["south"].freeze_reader(GRANADA),
        Trouble(Fault.DEAD_READER, "granada", "a command never ends"),
    ),
    "two tags at once": (
        two_tags,
        Trouble(Fault.CROWDED_READER, "granada"),
    ),
    "a button that is held": (
        lambda board: board.press("granada", seconds=None),
        Press("granada", long=True),
    ),
}


@pytest.mark.parametrize(("act", "told"), TOLD.values(), ids=TOLD)
def test_what_people_are_told_of_is_there(
    simulated_board: SimulatedBoard, act: Callable[[SimulatedBoard], object], told: object
) -> None:
    assert told in sensed(act, simulated_board)


def test_a_contact_that_bounces_closes_and_opens(simulated_board: SimulatedBoard) -> None:
    levels: list[bool] = []
    contact = simulated_board.buttons._contacts["granada"]
    level = contact.level

    def noted(closed: bool, now_s: float) -> None:
        levels.append(closed)
        level(closed, now_s)

    contact.level = noted  # type: ignore[method-assign]
    simulated_board.bounce("granada", 20)
    assert levels == [True, False] * 20 + [True]


def test_a_strip_that_is_lost_takes_no_bytes(simulated_board: SimulatedBoard) -> None:
    simulated_board.strip.lost = True
    with pytest.raises(OSError, match="unplugged"):
        simulated_board.strip.write(b"")
    with pytest.raises(OSError, match="unplugged"):
        simulated_board.strip.open(simulated_board.board.strip)


def test_a_bounce_takes_the_time_that_is_asked_for(simulated_board: SimulatedBoard) -> None:
    edges: list[Edge] = []
    simulated_board.buttons.watch_edges(edges.append)
    began_s = simulated_board.clock()
    simulated_board.bounce("granada", 2, gap_s=0.002)
    assert [(edge.button, edge.closed) for edge in edges] == [("granada", closed) for closed in (1, 0, 1, 0, 1)]
    assert [edge.at_s - began_s for edge in edges] == pytest.approx([0.0, 0.002, 0.004, 0.006, 0.008])
    simulated_board.buttons.watch_edges(None)
    simulated_board.release("granada")
    assert len(edges) == 5


def test_swapped_buttons_close_each_others_contacts(simulated_board: SimulatedBoard) -> None:
    simulated_board.swap_buttons("granada", "undo")
    simulated_board.press("granada")
    simulated_board.press("undo")
    assert simulated_board.gestures == [Press("undo"), Press("granada")]


def test_a_slow_strip_takes_its_time_for_every_frame(simulated_board: SimulatedBoard) -> None:
    frames: list[SentFrame] = []
    simulated_board.lights.watch_frames(frames.append)
    simulated_board.slow_strip(0.06)
    simulated_board.lights.show(Scene(wave=True))
    simulated_board.advance(0.3)
    assert [frame.ended_s - frame.began_s for frame in frames] == pytest.approx([0.06] * len(frames))
    assert len(frames) == 5


def test_lights_wired_in_another_order_show_other_colours(simulated_board: SimulatedBoard) -> None:
    simulated_board.lights.show(Scene({"granada": Show(Pattern.STEADY, "red")}))
    simulated_board.advance(0.1)
    assert set(simulated_board.colours("granada")) == {(56, 0, 0)}
    simulated_board.strip.wired_order = "RGB"
    assert set(simulated_board.colours("granada")) == {(0, 56, 0)}


def test_the_same_strip_can_be_divided_into_other_places(simulated_board: SimulatedBoard) -> None:
    board = simulated_board.board
    whole = replace(board.places["granada"], lights=tuple(range(board.strip.count)), marker=None)
    simulated_board.open_lights(replace(board, places={"granada": whole})).show(
        Scene({"granada": Show(Pattern.STEADY, "red")})
    )
    simulated_board.advance(0.1)
    assert all(red for red, _, _ in simulated_board.strip.colours())
