"""The serial line of a simulated hub: a pty where there are ptys, a socket elsewhere, and pyserial cannot tell."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import serial

from hardware.board import example_board
from hardware.errors import BoardError
from hardware.pieces import open_port
from hardware.ports import Tap
from hardware.simulated import board as simulated_board_module
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.line import HubLine, PtyLine, SocketLine, hub_line

PATIENCE_S = 10.0
KINDS: dict[str, Callable[[Path], HubLine]] = {"pty": PtyLine, "socket": lambda link: SocketLine()}


@pytest.fixture(params=KINDS.values(), ids=list(KINDS))
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HubLine]:
    line: HubLine = request.param(tmp_path / "hub")
    line.plug()
    yield line
    line.unplug()


def opened(line: HubLine) -> serial.Serial:
    hub = next(iter(example_board().hubs.values()))
    return open_port(replace(hub, port=line.port))


def heard(line: HubLine, count: int) -> bytes:
    """Reads until this many bytes have come."""
    data = b""
    while len(data) < count:
        fd = line.fileno()
        assert fd is not None
        assert select.select([fd], [], [], PATIENCE_S)[0], data
        data += line.read()
    return data


def read(port: serial.Serial, count: int) -> bytes:
    port.timeout = PATIENCE_S
    return port.read(count)


def test_bytes_go_both_ways(line: HubLine) -> None:
    port = opened(line)
    port.write(b"hello\n")
    assert heard(line, 6) == b"hello\n"
    assert line.read() == b""
    assert line.write(b"\x00\xff\r\n") == 4
    assert read(port, 4) == b"\x00\xff\r\n"
    port.close()


def test_nobody_at_the_other_end_holds_nothing_up(line: HubLine) -> None:
    assert line.read() == b""
    for _ in range(100):
        line.write(b"beat\n" * 100)


def test_a_host_that_comes_back_is_heard(line: HubLine) -> None:
    for words in (b"one", b"two"):
        port = opened(line)
        port.write(words)
        assert heard(line, 3) == words
        line.write(words)
        assert read(port, 3) == words
        port.close()


def test_an_unplugged_line_fails_the_host_and_is_found_again_where_it_was(line: HubLine) -> None:
    port, where = opened(line), line.port
    port.write(b"x")
    heard(line, 1)
    line.unplug()
    assert not line.plugged
    assert line.fileno() is None
    assert (line.read(), line.write(b"lost")) == (b"", 0)
    with pytest.raises((serial.SerialException, OSError)):
        port.read(port.in_waiting or 1)
    port.close()
    with pytest.raises(BoardError):
        opened(line)
    line.plug()
    assert line.port == where
    port = opened(line)
    port.write(b"y")
    assert heard(line, 1) == b"y"
    port.close()


def test_a_socket_is_taken_only_where_there_are_no_ptys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = hub_line(tmp_path / "hub")
    assert isinstance(line, PtyLine)
    line.unplug()
    monkeypatch.delattr("os.openpty")
    line = hub_line(tmp_path / "hub")
    assert isinstance(line, SocketLine)
    line.unplug()


def test_a_board_without_ptys_sees_taps_loses_hubs_and_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_board_module, "hub_line", _plugged_socket)
    with SimulatedBoard(example_board(), by_hand=True) as board:
        board.advance(0.5)
        board.put("04A1B2C3", "south")
        board.advance(0.3)
        assert board.gestures == [Tap("04A1B2C3", "south")]
        (hub,) = board.hubs.values()
        hub.unplug()
        board.advance(3.0)
        assert "does not answer" in board.gestures[-1].text  # type: ignore[union-attr]
        hub.plug()
        board.take("04A1B2C3", "south")
        board.advance(12.0)
        assert board.gestures[-1] == Tap("04A1B2C3", "south", gone=True)


def _plugged_socket(link: Path) -> HubLine:
    line = SocketLine()
    line.plug()
    return line
