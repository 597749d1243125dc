"""`companion play` with its web pages: where they are, a quick end, a port in use, and another game."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from companion.cli.table_setup import opened
from companion.cli.web_front import BoardAndFile, WebFront, open_port
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.tags import TagRegistry
from companion.table.runner import Runner
from hardware.board import find_board
from tests.support.table_rig import placing, table_rig
from web_remote.access import MINUTE_S

pytestmark = pytest.mark.slow

PLAY = (sys.executable, "-u", "-m", "companion.cli", "play", "--simulated", "--language", "en")


@contextmanager
def serving(folder: Path, *args: str) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """The command, the port its pages are at, and what it said."""
    program = subprocess.Popen(
        [*PLAY, "--port", "0", "--database", str(folder / "table.db"), *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert program.stdout is not None
        said = ""
        for line in program.stdout:
            said += line
            if "Ctrl-C stops" in line:
                break
        found = re.search(r"http://localhost:(\d+)", said)
        assert found, said
        yield program, int(found[1]), said
    finally:
        program.kill()
        program.wait()
        assert program.stdout is not None
        program.stdout.close()


def get(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("localhost", port, timeout=20)
    connection.request("GET", path)
    response = connection.getresponse()
    answer = response.status, response.read().decode()
    connection.close()
    return answer


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_in_under_two_seconds_though_pages_listen(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as (program, port, said):
        assert f"Play here: http://localhost:{port}" in said
        streams = []
        for _ in range(3):
            stream = HTTPConnection("localhost", port, timeout=20)
            stream.request("GET", "/events")
            response = stream.getresponse()
            assert response.readline().startswith(b"retry")
            streams.append((stream, response))
        began_s = time.monotonic()
        program.send_signal(number)
        assert program.wait(10) == 0
        assert time.monotonic() - began_s < 2.0
        assert program.stdout is not None
        assert "is kept" in program.stdout.read()
        for stream, response in streams:
            response.close()
            stream.close()


def test_phones_are_told_where_to_go_when_there_are_several_people(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "2") as (_, port, said):
        assert re.search(r"Phones: http://[^\s]+", said)
        assert re.search(r"Code to sit down: \d{6}", said)
        assert "█" in said or "▀" in said
        assert get(port, "/join")[0] == 200


def test_a_port_in_use_is_told_with_what_to_do_and_no_game_is_begun(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*PLAY, "--port", str(port), "--database", str(tmp_path / "table.db")],
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.returncode == 1
    assert f"Port {port} is in use." in done.stderr
    assert f"--port {port + 1}" in done.stderr
    assert "Traceback" not in done.stderr
    with open_database(tmp_path / "table.db") as database:
        assert Journal(database).games() == []


def test_another_game_begins_when_the_table_wants_it_and_not_before_the_end(tmp_path: Path) -> None:
    bots = ("--people", "0", "--bots", "random", "--short", "--pause", "0", "--seats", "2")
    with serving(tmp_path, *bots) as (program, port, _):
        assert post(port, "/table/new") == (409, {"error": "not over"})
        stream = HTTPConnection("localhost", port, timeout=20)
        stream.request("GET", "/events")
        response = stream.getresponse()
        for line in response:
            if line.startswith(b"data:") and json.loads(line[5:]).get("over"):
                break
        response.close()
        stream.close()
        assert post(port, "/table/new") == (200, {"ok": True})
        assert program.stdout is not None
        assert any("Ctrl-C stops" in line for line in program.stdout)
        assert get(port, "/state")[0] == 200
    with open_database(tmp_path / "table.db") as database:
        assert len(Journal(database).games()) == 2


def test_a_second_program_does_not_play_at_the_same_table(tmp_path: Path) -> None:
    with serving(tmp_path) as (program, _, _):
        second = (*PLAY, "--port", "0", "--database", str(tmp_path / "table.db"))
        result = subprocess.run(second, capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode == 1
        assert "Another program plays at the table" in result.stderr
        program.kill()
        program.wait()
    # One that was killed is in nobody's way.
    with serving(tmp_path) as (_, _, said):
        assert "Going on with game 1" in said


def test_new_codes_are_told_where_the_old_ones_were_and_stay_for_the_next_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock_s = [100.0]
    board = find_board("buttons-only")
    place, listening, runner = BoardAndFile(board.name, "", tmp_path / "table.db"), open_port(0), Runner()
    with (
        opened(board, True, TagRegistry()) as devices,
        closing(WebFront(runner, 8000, listening, devices, place, lambda: clock_s[0])) as pages,
        table_rig(tmp_path, placing()) as rig,
    ):
        pages.begin(rig.session, resumed=False)
        first = capsys.readouterr().out
        for code in (pages.codes.join_code, pages.codes.table_code):
            assert code in first
        old = pages.codes.join_code
        while pages.codes.join_code == old:
            clock_s[0] += MINUTE_S
            pages.codes.try_join("no", "192.0.2.7")
        then = capsys.readouterr().out
        assert "Somebody tried many wrong codes. These are the new ones:" in then
        for code in (pages.codes.join_code, pages.codes.table_code):
            assert code in then
        assert old not in then
        pages.begin(rig.session, resumed=False)
        assert pages.codes.join_code in capsys.readouterr().out


def post(port: int, path: str) -> tuple[int, object]:
    connection = HTTPConnection("localhost", port, timeout=20)
    connection.request("POST", path)
    response = connection.getresponse()
    answer = response.status, json.loads(response.read())
    connection.close()
    return answer
