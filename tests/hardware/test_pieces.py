"""Tags on the simulated board, with every fault of a hub and its line: none loses a tag, none makes one up."""

from __future__ import annotations

import errno
import grp
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from hardware import pieces
from hardware.board import BoardHub, Reader, find_board
from hardware.errors import NoSuchPort, NotAPort, PortBusy, PortFailed, PortNotAllowed
from hardware.pieces import open_port
from hardware.ports import Fault, Gesture, Press, Tap, Trouble
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.wire import LineFault

pytestmark = pytest.mark.slow

TAG, LONG, OTHER = "04A1B2C3", "04A1B2C3D4E5F6", "0000000A"


@pytest.fixture
def inventory() -> Iterator[SimulatedBoard]:
    """The standard board, with hubs that list what lies there."""
    board = find_board("standard")
    hubs = {name: replace(hub, mode="inventory") for name, hub in board.hubs.items()}
    with SimulatedBoard(replace(board, hubs=hubs), by_hand=True) as simulated:
        simulated.advance(1.0)
        yield simulated


def told(board: SimulatedBoard) -> list[Gesture]:
    """What has happened since this was asked last."""
    gestures = list(board.gestures)
    board.gestures.clear()
    return gestures


def troubles(board: SimulatedBoard) -> list[tuple[Fault, str, bool]]:
    return [(got.fault, got.where, got.over) for got in told(board) if isinstance(got, Trouble)]


@pytest.mark.parametrize("tag", [TAG, LONG])
def test_a_tag_is_seen_at_every_place_and_gone_from_it(simulated_board: SimulatedBoard, tag: str) -> None:
    for place in simulated_board.board.places:
        simulated_board.tap(tag, place)
    assert told(simulated_board) == [
        Tap(tag, place, gone) for place in simulated_board.board.places for gone in (False, True)
    ]


@pytest.mark.simulated_board(interpreter="micropython")
def test_the_same_in_the_real_micropython(simulated_board: SimulatedBoard) -> None:
    for place, tag in (("granada", TAG), ("galicia", LONG), ("castillo", OTHER)):
        simulated_board.tap(tag, place)
    assert len(told(simulated_board)) == 6


def test_a_tag_is_seen_after_two_scans_and_gone_after_three(simulated_board: SimulatedBoard) -> None:
    simulated_board.put(TAG, "granada")
    simulated_board.advance(0.045)
    assert told(simulated_board) == []
    simulated_board.advance(0.065)
    assert told(simulated_board) == [Tap(TAG, "granada")]
    simulated_board.take(TAG, "granada")
    simulated_board.advance(0.095)
    assert told(simulated_board) == []
    simulated_board.advance(0.065)
    assert told(simulated_board) == [Tap(TAG, "granada", gone=True)]


def test_a_tag_that_flickers_stays(simulated_board: SimulatedBoard) -> None:
    simulated_board.put(TAG, "granada")
    simulated_board.advance(0.2)
    for _ in range(10):
        simulated_board.take(TAG, "granada")
        simulated_board.advance(0.09)
        simulated_board.put(TAG, "granada")
        simulated_board.advance(0.12)
    assert told(simulated_board) == [Tap(TAG, "granada")]


@pytest.mark.simulated_board(known={TAG})
def test_a_tag_nobody_enrolled_is_told_once_and_never_a_tap(simulated_board: SimulatedBoard) -> None:
    for place in ("granada", "galicia", "granada"):
        simulated_board.tap(OTHER, place)
    simulated_board.tap(TAG, "granada")
    assert told(simulated_board) == [
        Trouble(Fault.UNKNOWN_TAG, "granada", OTHER),
        Tap(TAG, "granada"),
        Tap(TAG, "granada", gone=True),
    ]


def test_two_tags_at_once_are_a_crowd_where_one_is_to_be_tapped(simulated_board: SimulatedBoard) -> None:
    simulated_board.put(TAG, "granada")
    simulated_board.put(OTHER, "granada")
    simulated_board.advance(0.5)
    assert told(simulated_board) == [Trouble(Fault.CROWDED_READER, "granada")]
    simulated_board.take(TAG, "granada")
    simulated_board.advance(0.5)
    assert set(told(simulated_board)) == {Trouble(Fault.CROWDED_READER, "granada", over=True), Tap(OTHER, "granada")}


def test_a_tag_that_lies_there_does_not_go_when_a_second_makes_a_crowd(simulated_board: SimulatedBoard) -> None:
    simulated_board.put(TAG, "granada")
    simulated_board.advance(0.3)
    simulated_board.put(OTHER, "granada")
    simulated_board.advance(0.5)
    simulated_board.take(OTHER, "granada")
    simulated_board.advance(0.5)
    assert told(simulated_board) == [
        Tap(TAG, "granada"),
        Trouble(Fault.CROWDED_READER, "granada"),
        Trouble(Fault.CROWDED_READER, "granada", over=True),
    ]


def test_an_inventory_tells_every_tag_that_lies_there(inventory: SimulatedBoard) -> None:
    tags = [TAG, LONG, OTHER, "04A1B2C4", "84A1B2C3"]
    for tag in tags:
        inventory.put(tag, "granada")
    inventory.advance(1.0)
    assert sorted(map(repr, told(inventory))) == sorted(repr(Tap(tag, "granada")) for tag in tags)
    inventory.take(LONG, "granada")
    inventory.put(LONG, "valencia")
    inventory.advance(1.0)
    assert set(told(inventory)) == {Tap(LONG, "granada", gone=True), Tap(LONG, "valencia")}


# --- The line --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", list(LineFault))
def test_no_spoilt_line_loses_a_tag_or_makes_one_up(simulated_board: SimulatedBoard, fault: LineFault) -> None:
    wire = simulated_board.hubs["south"].wire
    for lines in range(1, 6):
        wire.spoil(fault, lines)
        simulated_board.tap(TAG, "granada")
        simulated_board.advance(1.0)
        assert told(simulated_board) == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]


def test_noise_between_the_lines_is_nothing(simulated_board: SimulatedBoard) -> None:
    for noise in (b"\n", b"\x00" * 5000, b"Traceback (most recent call last):\n", b"\xff\xfe*\n", b"*00000000\n" * 50):
        simulated_board.hubs["south"].wire.interject(noise)
        simulated_board.tap(TAG, "granada")
        simulated_board.advance(1.0)
        assert told(simulated_board) == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]


def test_a_hub_that_does_not_hear_says_it_again_and_it_counts_once(simulated_board: SimulatedBoard) -> None:
    hub = simulated_board.hubs["south"]
    hub.deaf = True
    simulated_board.tap(TAG, "granada")
    simulated_board.advance(1.0)
    hub.deaf = False
    simulated_board.tap(OTHER, "granada")
    simulated_board.advance(1.0)
    assert told(simulated_board) == [Tap(tag, "granada", gone) for tag in (TAG, OTHER) for gone in (False, True)]


def test_a_silent_hub_is_lost_after_two_seconds_and_found_again(simulated_board: SimulatedBoard) -> None:
    hub = simulated_board.hubs["south"]
    hub.wire.silent = True
    simulated_board.advance(1.4)
    assert told(simulated_board) == []
    simulated_board.advance(0.8)
    assert told(simulated_board) == [Trouble(Fault.LOST_HUB, "south", "silent for 2 s")]
    simulated_board.advance(30.0, slice_s=0.05)
    assert told(simulated_board) == []
    hub.wire.silent = False
    simulated_board.advance(12.0, slice_s=0.05)
    assert told(simulated_board) == [Trouble(Fault.LOST_HUB, "south", over=True)]


DEAF = Trouble(Fault.LOST_HUB, "south", "it sends, but does not receive")


def test_a_hub_that_never_hears_is_told_once_and_found_when_it_does() -> None:
    with SimulatedBoard(find_board("standard"), by_hand=True) as board:
        hub = board.hubs["south"]
        hub.deaf = True
        board.put(TAG, "granada")
        board.advance(1.9)
        assert told(board) == []
        board.advance(0.3)
        assert told(board) == [DEAF]
        board.advance(58.0, slice_s=0.05)
        assert told(board) == []
        assert "south lost" in repr(board.pieces)
        # Two seconds each time, and then the pauses of a port that fails: not a port that is opened without end.
        assert 5 <= board.pieces.hubs["south"].opened <= 9
        hub.deaf = False
        board.advance(13.0, slice_s=0.05)
        assert told(board) == [Tap(TAG, "granada"), Trouble(Fault.LOST_HUB, "south", over=True)]
        board.tap(OTHER, "valencia")
        assert told(board) == [Tap(OTHER, "valencia"), Tap(OTHER, "valencia", gone=True)]


def test_a_hub_that_stops_to_hear_is_told_even_if_nothing_happens_at_it(simulated_board: SimulatedBoard) -> None:
    simulated_board.hubs["south"].deaf = True
    simulated_board.advance(1.9)
    assert told(simulated_board) == []
    simulated_board.advance(1.2)
    assert told(simulated_board) == [DEAF]
    simulated_board.hubs["south"].deaf = False
    simulated_board.advance(2.0)
    assert told(simulated_board) == [Trouble(Fault.LOST_HUB, "south", over=True)]


@pytest.mark.parametrize("taps", [10, 45])
def test_taps_at_a_hub_that_does_not_hear_count_once_and_what_is_left_is_told(
    simulated_board: SimulatedBoard, taps: int
) -> None:
    hub = simulated_board.hubs["south"]
    hub.deaf = True
    for _ in range(taps):
        simulated_board.tap(TAG, "granada")
    simulated_board.put(OTHER, "valencia")
    simulated_board.advance(1.0)
    before = told(simulated_board)
    assert before.count(DEAF) == 1
    hub.deaf = False
    simulated_board.advance(13.0, slice_s=0.05)
    after = told(simulated_board)
    assert after.count(Trouble(Fault.LOST_HUB, "south", over=True)) == 1
    assert (before + after).count(Tap(OTHER, "valencia")) == 1
    turns = [gesture.gone for gesture in before + after if isinstance(gesture, Tap) and gesture.tag == TAG]
    assert turns == [bool(number % 2) for number in range(len(turns))]
    # A hub keeps 64 events: so few taps are all told in the end, and of more all that came before it was told lost.
    assert len(turns) == 2 * taps if taps == 10 else len(turns) >= 2 * 5
    simulated_board.tap(TAG, "granada")
    assert told(simulated_board) == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]


def test_a_hub_that_refuses_what_the_board_file_says_is_told(simulated_board: SimulatedBoard) -> None:
    port = simulated_board.pieces.hubs["south"]
    port.link.hub = replace(port.hub, mode="sniff")
    port.link.lost()
    simulated_board.advance(0.2)
    assert told(simulated_board) == [Trouble(Fault.LOST_HUB, "south", "it cannot do what the board file says of it")]
    simulated_board.advance(30.0, slice_s=0.05)
    assert told(simulated_board) == []
    assert port.opened < 10
    port.link.hub = port.hub
    simulated_board.advance(12.0, slice_s=0.05)
    assert told(simulated_board) == [Trouble(Fault.LOST_HUB, "south", over=True)]


def pauses(board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch, count: int) -> list[float]:
    """How long the port of south is left alone, each time."""
    port = board.pieces.hubs["south"]
    tries: list[float] = []
    real = pieces.open_port

    def counted(hub: BoardHub) -> serial.Serial:
        if hub is port.hub:
            tries.append(board.clock())
        return real(hub)

    monkeypatch.setattr(pieces, "open_port", counted)
    lost = None
    while len(tries) < count:
        board.advance(0.01)
        lost = board.clock() if lost is None and not port.open else lost
    assert lost is not None
    return [later - earlier for earlier, later in pairwise([lost, *tries])]


def test_a_port_that_is_gone_is_tried_after_half_a_second_and_then_less_and_less_often(
    simulated_board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated_board.hubs["south"].unplug()
    found = pauses(simulated_board, monkeypatch, 7)
    assert found == pytest.approx([0.5, 1.0, 2.0, 5.0, 10.0, 10.0, 10.0], abs=0.02)


def test_a_hub_that_was_found_again_is_sought_quickly_when_it_is_lost_anew(
    simulated_board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated_board.hubs["south"].unplug()
    simulated_board.advance(5.0, slice_s=0.05)
    simulated_board.hubs["south"].plug()
    simulated_board.advance(11.0, slice_s=0.05)
    assert simulated_board.pieces.hubs["south"].condition == "in step"
    simulated_board.hubs["south"].unplug()
    assert pauses(simulated_board, monkeypatch, 2) == pytest.approx([0.5, 1.0], abs=0.02)


def test_a_cable_that_is_pulled_and_put_back_tells_what_changed_meanwhile(simulated_board: SimulatedBoard) -> None:
    hub = simulated_board.hubs["south"]
    simulated_board.put(TAG, "granada")
    simulated_board.advance(0.2)
    told(simulated_board)
    hub.unplug()
    simulated_board.advance(0.2)
    assert troubles(simulated_board) == [(Fault.LOST_HUB, "south", False)]
    simulated_board.take(TAG, "granada")
    simulated_board.put(OTHER, "valencia")
    simulated_board.press("granada")
    simulated_board.tap(LONG, "galicia")
    assert told(simulated_board) == [Press("granada"), Tap(LONG, "galicia"), Tap(LONG, "galicia", gone=True)]
    hub.plug()
    simulated_board.advance(10.0, slice_s=0.05)
    after = told(simulated_board)
    assert set(after) == {
        Tap(TAG, "granada", gone=True),
        Tap(OTHER, "valencia"),
        Trouble(Fault.LOST_HUB, "south", over=True),
    }
    assert len(after) == 3
    simulated_board.tap(LONG, "granada")
    assert told(simulated_board) == [Tap(LONG, "granada"), Tap(LONG, "granada", gone=True)]


def test_a_hub_that_is_reset_in_the_middle_of_a_scan_says_nothing_twice(simulated_board: SimulatedBoard) -> None:
    simulated_board.put(TAG, "granada")
    simulated_board.advance(0.2)
    for _ in range(10):
        simulated_board.hubs["south"].reset()
        simulated_board.advance(0.087)
    simulated_board.advance(2.0)
    assert told(simulated_board) == [Tap(TAG, "granada")]


# --- Readers ---------------------------------------------------------------------------------------------------------


def test_a_dead_reader_is_told_by_its_place_and_does_not_hold_up_the_others(simulated_board: SimulatedBoard) -> None:
    hub = simulated_board.hubs["south"]
    granada = simulated_board.board.places["granada"].reader
    assert granada is not None
    for broken, mended in ((hub.break_reader, False), (hub.freeze_reader, False)):
        broken(granada.number)
        simulated_board.advance(1.0)
        assert troubles(simulated_board) == [(Fault.DEAD_READER, "granada", False)]
        simulated_board.tap(TAG, "valencia")
        assert told(simulated_board) == [Tap(TAG, "valencia"), Tap(TAG, "valencia", gone=True)]
        broken(granada.number, mended)
        simulated_board.advance(1.5)
        assert troubles(simulated_board) == [(Fault.DEAD_READER, "granada", True)]
        simulated_board.tap(TAG, "granada")
        assert told(simulated_board) == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]


def test_a_reader_that_is_dead_from_the_start_or_after_a_reset_is_told_with_its_reason() -> None:
    with SimulatedBoard(find_board("standard"), by_hand=True) as board:
        board.hubs["south"].break_reader(2)
        board.hubs["west"].freeze_reader(0)
        board.advance(3.0)
        board.hubs["north"].unplug()
        board.hubs["north"].break_reader(0)
        board.hubs["north"].reset()
        board.advance(1.0)
        board.hubs["north"].plug()
        board.advance(5.0)
        troubles = [gesture for gesture in told(board) if isinstance(gesture, Trouble)]
        dead = {trouble.where: trouble.text for trouble in troubles if trouble.fault is Fault.DEAD_READER}
    north = next(place.name for place in board.board.places.values() if place.reader == Reader("north", 0))
    assert set(dead) == {"granada", "galicia", north}
    assert "does not answer (no chip)." in dead["granada"]
    assert "does not answer (reset never ends)." in dead["galicia"]
    assert "does not answer (no chip)." in dead[north]


def test_a_reader_that_lost_its_power_for_a_moment_is_set_up_again(simulated_board: SimulatedBoard) -> None:
    simulated_board.hubs["south"].starve_reader(2)
    simulated_board.advance(0.3)
    simulated_board.tap(TAG, "granada")
    assert told(simulated_board) == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]


def test_answers_that_are_garbled_on_the_air_do_not_make_a_tag_go(simulated_board: SimulatedBoard) -> None:
    simulated_board.put(TAG, "granada")
    simulated_board.advance(0.2)
    for _ in range(5):
        simulated_board.hubs["south"].disturb_reader(2)
        simulated_board.advance(0.2)
    assert told(simulated_board) == [Tap(TAG, "granada")]


# --- As devices ------------------------------------------------------------------------------------------------------


def test_the_repr_tells_how_each_hub_is(simulated_board: SimulatedBoard) -> None:
    assert repr(simulated_board.pieces) == "<SerialPieces pieces: west in step, north in step, south in step>"
    simulated_board.hubs["south"].unplug()
    simulated_board.advance(0.2)
    assert "south lost" in repr(simulated_board.pieces)
    assert repr(simulated_board.hubs["south"]).endswith("unplugged, in python, 3 readers>")
    simulated_board.pieces.close()
    simulated_board.pieces.close()
    assert repr(simulated_board.pieces) == "<SerialPieces pieces: closed>"


def test_every_reader_can_test_itself(simulated_board: SimulatedBoard) -> None:
    port = simulated_board.pieces.hubs["south"]
    simulated_board.hubs["south"].break_reader(1)
    port.test_readers()
    simulated_board.advance(0.5)
    assert {reader: test.passed for reader, test in port.tests.items()} == {0: True, 1: False, 2: True}
    assert port.tests[0].result == "ok version 92"


# --- Listeners -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [BrokenPipeError("a phone went away"), TypeError("a mistake"), ValueError("another")])
def test_a_listener_that_fails_costs_nobody_anything(
    simulated_board: SimulatedBoard, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def fail(gesture: Gesture) -> None:
        raise error

    heard: list[Gesture] = []
    simulated_board.pieces.listen(fail)
    simulated_board.pieces.listen(heard.append)
    simulated_board.tap(TAG, "granada")
    assert heard == told(simulated_board) == [Tap(TAG, "granada"), Tap(TAG, "granada", gone=True)]
    assert "a listener of pieces failed" in caplog.text


def test_a_listener_may_close_the_pieces() -> None:
    closed = threading.Event()
    with SimulatedBoard(find_board("standard")) as board:

        def close(gesture: Gesture) -> None:
            board.pieces.close()
            closed.set()

        board.pieces.listen(close)
        board.put(TAG, "granada")
        board.put(TAG, "galicia")
        assert closed.wait(10.0)


def test_a_closed_hub_writes_nowhere(simulated_board: SimulatedBoard, tmp_path: Path) -> None:
    port, hub = simulated_board.pieces.hubs["south"], simulated_board.hubs["south"]
    simulated_board.close()
    files = [(tmp_path / str(number)).open("wb") for number in range(40)]
    port.test_readers()
    hub.put(0, TAG)
    for file in files:
        file.close()
    assert all((tmp_path / str(number)).stat().st_size == 0 for number in range(40))


def test_a_simulated_hub_that_died_is_cleared_away(simulated_board: SimulatedBoard) -> None:
    process = simulated_board.hubs["south"]._interpreter._process
    process.kill()
    with pytest.raises(RuntimeError, match="the simulated hub died"):
        simulated_board.advance(0.1)
    simulated_board.close()
    assert process.returncode is not None


def test_what_is_no_tag_cannot_be_held_to_a_reader(simulated_board: SimulatedBoard) -> None:
    with pytest.raises(ValueError, match="8 or 14 hexadecimal digits"):
        simulated_board.put("zz", "granada")


def test_a_port_that_is_none_of_this_machine_is_refused() -> None:
    with pytest.raises(NotAPort, match="not a serial port of this machine"):
        open_port(replace(find_board("standard").hubs["west"], port="loop://"))


@pytest.mark.parametrize(
    ("error", "said"), [(serial.SerialException(), "SerialException"), (TypeError("a mistake"), "a mistake")]
)
def test_a_port_that_fails_without_a_word_is_told_with_what_is_known(
    simulated_board: SimulatedBoard, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(simulated_board.pieces.hubs["south"], "_read", fail)
    simulated_board.advance(0.1)
    assert told(simulated_board) == [Trouble(Fault.LOST_HUB, "south", said)]


# --- Ports that cannot be opened -------------------------------------------------------------------------------------


def test_a_port_that_may_not_be_opened_says_which_group_to_join(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise serial.SerialException(errno.EACCES, "Permission denied")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    port = tmp_path / "ttyACM0"
    port.write_text("")
    group = grp.getgrgid(port.stat().st_gid).gr_name
    with pytest.raises(PortNotAllowed, match=f"join the group {group} "):
        open_port(replace(find_board("standard").hubs["west"], port=str(port)))
    with pytest.raises(PortNotAllowed, match="join the group dialout"):
        open_port(find_board("standard").hubs["west"])


@pytest.mark.parametrize("port", ["/dev/not-there", "hwgrep://SER=NOBODY"])
def test_a_port_that_is_not_there_lists_those_that_are(port: str) -> None:
    with pytest.raises(NoSuchPort, match=f"there is no port {port}; "):
        open_port(replace(find_board("standard").hubs["west"], port=port))


@pytest.mark.parametrize("number", [errno.ENOENT, errno.ENODEV, errno.ENXIO])
def test_a_device_that_has_gone_is_not_there(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise serial.SerialException(number, "could not open port")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(NoSuchPort):
        open_port(find_board("standard").hubs["west"])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (serial.SerialException(errno.EIO, "could not open port /dev/x: [Errno 5]"), "Input/output error"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (serial.SerialException("Could not configure port: (25, 'Inappropriate ioctl')"), "Inappropriate ioctl"),
        (ValueError('option "n" expects a positive integer'), 'option "n" expects a positive integer'),
        (serial.SerialException(), "SerialException"),
    ],
)
def test_a_port_that_is_there_but_fails_is_told_with_the_reason_of_the_system(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(PortFailed, match="cannot be used: ") as failed:
        open_port(find_board("standard").hubs["west"])
    assert said in str(failed.value)
    assert "no port" not in str(failed.value)


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("...")
    with pytest.raises(PortFailed, match="Inappropriate ioctl for device"):
        open_port(replace(find_board("standard").hubs["west"], port=str(tmp_path / "letter")))


def test_a_port_that_another_program_holds_is_told(simulated_board: SimulatedBoard) -> None:
    hub = simulated_board.board.hubs["south"]
    with pytest.raises(PortBusy, match="in use by another program"):
        open_port(hub)
