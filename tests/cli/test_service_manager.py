"""systemd: what the table reports to it, and the socket it gets from it. The other end is a real socket."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.cli.service_manager import ServiceManager, socket_given
from companion.table.runner import Runner
from tests.support.table_rig import placing, table_rig


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """The end that systemd listens on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(tmp_path / "notify"))
        end.settimeout(5.0)
        yield end


def environment_of(systemd: socket.socket, watchdog_s: float | None = None) -> dict[str, str]:
    given = {"NOTIFY_SOCKET": systemd.getsockname()}
    if watchdog_s is not None:
        given |= {"WATCHDOG_USEC": str(int(watchdog_s * 1_000_000)), "WATCHDOG_PID": str(os.getpid())}
    return given


def test_the_first_beat_says_ready_and_every_beat_feeds_the_watchdog(systemd: socket.socket) -> None:
    manager = ServiceManager(environment_of(systemd, watchdog_s=30))
    manager.beat()
    assert systemd.recv(200) == b"READY=1\nWATCHDOG=1"
    manager.beat()
    assert systemd.recv(200) == b"WATCHDOG=1"
    manager.stopping()
    assert systemd.recv(200) == b"STOPPING=1"


def test_it_beats_three_times_within_the_watchdogs_patience(systemd: socket.socket) -> None:
    assert ServiceManager(environment_of(systemd, watchdog_s=30)).beat_s == 10


def test_without_a_watchdog_it_says_ready_once_and_needs_no_beat(systemd: socket.socket) -> None:
    manager = ServiceManager(environment_of(systemd))
    assert manager.beat_s is None
    manager.beat()
    manager.beat()
    manager.stopping()
    assert [systemd.recv(200) for _ in range(2)] == [b"READY=1", b"STOPPING=1"]


def test_a_watchdog_for_another_process_is_not_fed(systemd: socket.socket) -> None:
    given = {**environment_of(systemd, watchdog_s=30), "WATCHDOG_PID": "1"}
    assert ServiceManager(given).beat_s is None


def test_an_abstract_address_is_understood() -> None:
    name = f"el-grande-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(f"\0{name}")
        end.settimeout(5.0)
        ServiceManager({"NOTIFY_SOCKET": f"@{name}"}).beat()
        assert end.recv(200) == b"READY=1"


@pytest.mark.parametrize("given", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all"}, {"NOTIFY_SOCKET": ""}])
def test_without_systemd_nothing_happens(given: dict[str, str]) -> None:
    manager = ServiceManager(given)
    manager.beat()
    manager.stopping()


def test_the_watchdog_is_fed_by_the_tables_own_thread_and_only_while_it_works(
    systemd: socket.socket, tmp_path: Path
) -> None:
    manager = ServiceManager(environment_of(systemd, watchdog_s=0.03))
    threads = []

    class Watched:
        beat_s = manager.beat_s

        def beat(self) -> None:
            threads.append(threading.current_thread())
            manager.beat()

    with table_rig(tmp_path, placing()) as rig:
        runner = Runner(Watched())
        table = threading.Thread(target=runner.run, args=(rig.table,))
        table.start()
        assert systemd.recv(200) == b"READY=1\nWATCHDOG=1"
        # Nobody does anything, and it beats all the same.
        assert [systemd.recv(200) for _ in range(5)] == [b"WATCHDOG=1"] * 5
        hung, goes_on = threading.Event(), threading.Event()

        def hang() -> float | None:
            hung.set()
            goes_on.wait(5.0)
            return None

        rig.table.poll = hang  # type: ignore[method-assign]
        assert hung.wait(5.0)
        systemd.settimeout(0.2)
        heard = [b""]
        with suppress(TimeoutError):
            while len(heard) < 100:
                heard.append(systemd.recv(200))
        assert len(heard) < 100
        runner.stop()
        goes_on.set()
        table.join(5.0)
    assert set(threads) == {table}


def test_the_socket_that_systemd_opened_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        port = opened.getsockname()[1]
        given = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
        taken = socket_given(given, first=opened.fileno())
        assert taken is not None
        assert taken.getsockname()[1] == port
        # A worker that the table starts must not keep the port open.
        assert not taken.get_inheritable()
        assert given == {}
        taken.detach()


@pytest.mark.parametrize(
    "given",
    [{}, {"LISTEN_PID": "1", "LISTEN_FDS": "1"}, {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "0"}],
)
def test_a_socket_that_is_not_for_this_program_is_left_alone(given: dict[str, str]) -> None:
    assert socket_given(given) is None
