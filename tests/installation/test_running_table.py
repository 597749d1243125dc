"""The running table of a machine, with a systemctl that notes how it was called, and real web servers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.installation.errors import ServiceFailed
from companion.installation.running_table import SystemdTable, answers

BOTH = "el-grande-table.socket el-grande-table.service"


class FakePrograms:
    """Programs that note how they were called, say what they are told to say, and fail if they are told to fail."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def put(self, name: str, says: str = "", code: int = 0) -> Path:
        """Puts a program into the folder."""
        program = self.folder / name
        (self.folder / f"{name}.says").write_text(says)
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> "$0.ran"\ncat "$0.says"\nexit {code}\n')
        program.chmod(0o755)
        return program

    def ran(self, name: str) -> list[str]:
        """How a program was called, without its name."""
        file = self.folder / f"{name}.ran"
        return [line.split(" ", 1)[1] for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    programs = FakePrograms(tmp_path / "programs")
    programs.put("systemctl")
    monkeypatch.setenv("PATH", str(programs.folder), prepend=":")
    return programs


# --- Stopping and starting -------------------------------------------------------------------------------------------


def test_the_socket_stops_with_the_table_or_the_next_phone_would_start_it_again(programs: FakePrograms) -> None:
    SystemdTable().stop()
    assert programs.ran("systemctl") == [f"stop {BOTH}"]


def test_the_socket_starts_with_the_table_and_earlier_failures_do_not_count(programs: FakePrograms) -> None:
    SystemdTable().start()
    assert programs.ran("systemctl") == [f"reset-failed {BOTH}", f"start --no-block {BOTH}"]


def test_a_table_that_cannot_be_stopped_is_reported(programs: FakePrograms) -> None:
    programs.put("systemctl", "Failed to stop el-grande-table.service: Access denied", code=1)
    with pytest.raises(ServiceFailed, match=r"the table could not be stopped: .* Access denied"):
        SystemdTable().stop()


# --- A version and its service files ---------------------------------------------------------------------------------


def test_a_version_writes_its_own_service_files_and_starts_nothing(programs: FakePrograms) -> None:
    program = programs.put("companion")
    assert SystemdTable().set_up(program) == ""
    assert programs.ran("companion") == ["install-service --yes --no-start"]
    assert programs.ran("systemctl") == []


def test_why_the_service_files_could_not_be_written_is_returned(programs: FakePrograms) -> None:
    says = "run: systemctl enable\nError: udevadm is not installed on this machine.\nThe steps before it were done."
    program = programs.put("companion", says, code=1)
    assert SystemdTable().set_up(program) == "udevadm is not installed on this machine"


def test_why_a_version_fails_its_own_check_is_returned(programs: FakePrograms, tmp_path: Path) -> None:
    says = "1 games and 0 tags can be read\nTraceback (most recent call last):\nRuntimeError: broken on purpose\n"
    programs.put("runuser", says, code=1)
    assert SystemdTable().judge(Path("/new/companion"), tmp_path / "table.db") == "RuntimeError: broken on purpose"
    assert programs.ran("runuser") == [f"--user el-grande -- /new/companion self-check --database {tmp_path}/table.db"]


def test_the_network_service_restarts_only_if_it_runs(programs: FakePrograms) -> None:
    SystemdTable().restart_network()
    assert programs.ran("systemctl") == ["try-restart el-grande-network.service"]


SCRIPT_SAYS = """[1/6] Checking the files

It stopped here: a file is damaged or incomplete.
Copy or download the release again.
"""


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (SCRIPT_SAYS, "a file is damaged or incomplete"),
        ("one line\nthe last line\n", "the last line"),
        ("", "exit code 1"),
    ],
)
def test_a_release_that_cannot_be_installed_gives_the_reason_and_not_the_advice(
    programs: FakePrograms, says: str, why: str
) -> None:
    programs.put("install.sh", says, code=1)
    assert SystemdTable().install(programs.folder) == why


# --- Health ----------------------------------------------------------------------------------------------------------


@contextmanager
def server(*answer: bytes) -> Iterator[int]:
    """Answers every request with these pieces, one after another."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            try:
                while True:
                    line, _ = listening.accept()
                    with line:
                        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        line.recv(1000)
                        for piece in answer:
                            line.sendall(piece)
            except OSError:
                return

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([b"HTTP/1.1 200 OK\r\n\r\n"], True),
        ([b"HTTP/1.0 302 FOUND\r\nLocation: /join\r\n\r\n"], True),
        ([b"HTTP/1.1 404 NOT FOUND\r\n\r\n"], True),
        ([b"HT", b"TP/1.1 2", b"00 OK\r\n\r\n"], True),
        ([b"HTTP/1.1 500 INTERNAL SERVER ERROR\r\n\r\n"], False),
        ([b"HTTP/1.1 503 Service Unavailable\r\n\r\n"], False),
        ([b"HTTP/1.1"], False),
        ([b"HTTP/1.1 OK\r\n\r\n"], False),
        ([b"SSH-2.0-OpenSSH_9.2\r\n"], False),
        ([], False),
    ],
)
def test_a_page_that_fails_is_no_sign_of_health(answer: list[bytes], expected: bool) -> None:
    with server(*answer) as port:
        assert answers(port) is expected


def test_where_nobody_listens_nobody_answers() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
    assert not answers(port)


@pytest.mark.parametrize(
    ("state", "restarts", "works", "failed"),
    [("active", "0", True, False), ("activating", "2", False, False), ("failed", "1", False, True)],
)
def test_health_is_what_systemd_and_the_pages_say(
    programs: FakePrograms, state: str, restarts: str, works: bool, failed: bool
) -> None:
    programs.put("systemctl", f"ActiveState={state}\nNRestarts={restarts}\n")
    with server(b"HTTP/1.1 200 OK\r\n\r\n") as port:
        health = SystemdTable(port).health()
    assert (health.works, health.crashes, health.failed) == (works, int(restarts), failed)
