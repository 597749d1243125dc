"""`companion play` with its web pages: where they are, a quick end, a port in use, and another game."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPSConnection
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.table_setup import opened
from companion.cli.web_front import BoardAndFile, WebFront, shows_qr_codes
from companion.cli.web_ports import ServedAt, open_port
from companion.engine import Game
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.tags import TagRegistry
from companion.table.runner import Runner
from hardware.board import find_board
from tests.support.table_rig import placing, table_rig
from web_remote.access import shown_code

pytestmark = pytest.mark.slow

PLAY = (sys.executable, "-u", "-m", "companion.cli", "play", "--simulated", "--language", "en")


@contextmanager
def serving(
    folder: Path, *args: str, environment: dict[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """The command, the port its pages are at, and what it said."""
    program = subprocess.Popen(
        [*PLAY, "--port", "0", "--database", str(folder / "table.db"), *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
    )
    try:
        assert program.stdout is not None
        said = ""
        for line in program.stdout:
            said += line
            if "Ctrl-C stops" in line:
                break
        found = re.search(r"http://(?:localhost|127\.0\.0\.1):(\d+)", said)
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
    with serving(tmp_path, "--people", "1") as (program, port, said):
        assert f"Play here: http://localhost:{port}/?t=" in said
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
        assert "is saved" in program.stdout.read()
        for stream, response in streams:
            response.close()
            stream.close()


def test_phones_are_told_where_to_go_when_there_are_several_people(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "2") as (_, port, said):
        assert re.search(r"Phones: http://[^\s]+", said)
        assert re.search(r"Code to join: \w{3}-\w{3}-\w{3}\n", said)
        assert "█" in said or "▀" in said
        assert get(port, "/join")[0] == 200


def test_https_is_offered_beside_http_and_its_key_stays_with_the_game(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "2", "--https", "--https-port", "0", "--host", "127.0.0.1") as (_, port, said):
        found = re.search(
            r"Phones that keep their screens on: https://127\.0\.0\.1:(\d+) \(the browser will warn", said
        )
        assert found, said
        file = tmp_path / "table.db-https.pem"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        context = ssl.create_default_context(cafile=file)
        with closing(HTTPSConnection("127.0.0.1", int(found[1]), timeout=20, context=context)) as line:
            line.request("GET", "/join")
            assert line.getresponse().status == 200
        assert f'"https_port": {found[1]}' in get(port, "/join")[1]


def test_it_stops_in_under_two_seconds_though_a_page_listens_by_https(tmp_path: Path) -> None:
    options = ("--people", "2", "--https", "--https-port", "0", "--host", "127.0.0.1")
    with serving(tmp_path, *options) as (program, _, said):
        found = re.search(r"https://127\.0\.0\.1:(\d+)", said)
        assert found, said
        context = ssl.create_default_context(cafile=tmp_path / "table.db-https.pem")
        with closing(HTTPSConnection("127.0.0.1", int(found[1]), timeout=20, context=context)) as line:
            line.request("GET", "/events")
            with closing(line.getresponse()) as stream:
                assert stream.readline().startswith(b"retry")
                began_s = time.monotonic()
                program.send_signal(signal.SIGTERM)
                assert program.wait(10) == 0
                assert time.monotonic() - began_s < 2.0
                stream.read()  # a stream without its end would raise an error


def test_without_https_nothing_is_said_of_it_and_no_key_is_made(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "2") as (_, port, said):
        assert "https" not in said
        assert not list(tmp_path.glob("*.pem"))
        assert '"https_port": 0' in get(port, "/join")[1]


def test_a_service_with_https_prints_its_address_and_no_token(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "2", "--https", "--https-port", "0", "--service") as (_, _, said):
        assert re.search(r"https://\S+:\d+ ", said)
        assert "?t=" not in said


def test_a_service_that_cannot_serve_https_starts_all_the_same_and_says_why(tmp_path: Path) -> None:
    without_openssl = {**os.environ, "PATH": str(tmp_path)}
    with serving(tmp_path, "--https", "--service", environment=without_openssl) as (_, port, said):
        assert "The pages are served without HTTPS: --https needs openssl." in said
        assert get(port, "/new")[0] == 200
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        number = taken.getsockname()[1]
        with serving(tmp_path, "--https", "--https-port", str(number), "--service") as (_, port, said):
            assert f"The pages are served without HTTPS: Port {number} is in use." in said
            assert get(port, "/new")[0] == 200


def test_a_new_certificate_is_mentioned(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "2", "--https", "--https-port", "0") as (_, _, said):
        assert "certificate for HTTPS" not in said
    (tmp_path / "table.db-https.pem").write_text("nothing")
    with serving(tmp_path, "--https", "--https-port", "0") as (_, _, said):
        assert "The certificate for HTTPS was damaged, so a new one was made." in said


def test_https_that_cannot_be_served_is_reported_before_a_game_begins(tmp_path: Path) -> None:
    database = tmp_path / "table.db"
    play = ["play", "--simulated", "--port", "0", "--people", "1", "--database", str(database), "--language", "en"]
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = CliRunner().invoke(main, [*play, "--https", "--https-port", str(port)])
        both = CliRunner().invoke(main, [*play, "--port", str(port), "--https", "--https-port", "0"])
    assert both.exit_code == 1
    assert f"--port {port + 1}" in both.output
    assert refused.exit_code == 1
    assert f"Port {port} is in use." in refused.output
    assert f"--https-port {port + 1}" in refused.output
    without = CliRunner(env={"PATH": str(tmp_path)}).invoke(main, [*play, "--https"])
    assert without.exit_code == 1
    assert "--https needs openssl. On Debian and Raspberry Pi OS: sudo apt install openssl" in without.output
    alone = CliRunner().invoke(main, [*play, "--https-port", "9443"])
    assert alone.exit_code == 2
    assert "--https-port is of use only with --https." in alone.output
    with open_database(database) as kept:
        assert Journal(kept).unfinished() is None


@pytest.mark.parametrize(("encoding", "shown"), [("utf-8", True), ("cp437", True), ("cp1252", False), ("ascii", False)])
def test_a_qr_code_is_printed_only_where_its_blocks_can_be(encoding: str, shown: bool) -> None:
    assert shows_qr_codes(TextIOWrapper(BytesIO(), encoding)) == shown
    assert not shows_qr_codes(None)


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
    bots = ("--people", "0", "--bots", "random", "--short", "--pace", "instant", "--seats", "2")
    with serving(tmp_path, *bots) as (program, port, said):
        cookie = rights(port, said)
        assert post(port, "/table/new", cookie=cookie) == (409, {"error": "not over"})
        await_the_end(port)
        assert post(port, "/table/new", cookie=cookie) == (200, {"ok": True})
        assert program.stdout is not None
        assert any("Ctrl-C stops" in line for line in program.stdout)
        assert get(port, "/state")[0] == 200
    with open_database(tmp_path / "table.db") as database:
        assert len(Journal(database).games()) == 2


BOTS = [{"colour": seat, "player": "random", "name": name} for seat, name in (("red", "Ann"), ("blue", ""))]
SET_UP = {
    "seats": BOTS, "edition": "bigbox-de", "rounds": 6, "house": [], "real_cards": False, "leader_lights": False,
    "veto_s": 0, "language": "en", "pace": "instant", "teach": False, "hints": True,
}  # fmt: skip


def await_the_end(port: int) -> None:
    stream = HTTPConnection("localhost", port, timeout=60)
    stream.request("GET", "/events")
    with closing(stream), closing(stream.getresponse()) as response:
        assert any(line.startswith(b"data:") and json.loads(line[5:]).get("over") for line in response)


def test_without_options_a_game_is_set_up_in_the_browser_and_its_result_outlives_the_program(tmp_path: Path) -> None:
    with serving(tmp_path) as (program, port, said):
        assert "Phones:" not in said
        assert get(port, "/table")[0] == 302
        assert get(port, "/new")[0] == 200
        assert post(port, "/table/begin", SET_UP) == (403, {"error": "table"}), "being here proves nothing"
        assert post(port, "/table/begin", SET_UP, rights(port, said)) == (200, {"ok": True})
        assert program.stdout is not None
        assert any("Ctrl-C stops" in line for line in program.stdout)
        await_the_end(port)
        assert get(port, "/result")[0] == 200
    with serving(tmp_path) as (program, port, said):
        assert "Continuing" not in said
        assert get(port, "/table")[0] == 302
        status, text = get(port, "/result")
        assert status == 200
        assert '"name": "Ann"' in text
        # The last settings are suggested.
        assert '"player": "random"' in get(port, "/new")[1]
        program.send_signal(signal.SIGINT)
        assert program.wait(10) == 0
        assert program.stdout is not None
        assert "is saved" not in program.stdout.read()
    listed = CliRunner().invoke(main, ["games", "--database", str(tmp_path / "table.db")])
    assert "Ann (red, random bot)" in listed.stdout
    told = CliRunner().invoke(main, ["show", "1", "--database", str(tmp_path / "table.db")])
    assert "seats Ann (red), blue" in told.stdout
    assert "Ann's turn" in told.stdout
    exported = CliRunner().invoke(main, ["export", "1", "--database", str(tmp_path / "table.db")]).stdout
    assert exported.startswith("# red: Ann\n")
    assert Game.from_record(exported).over


def test_a_game_under_way_is_set_aside_for_another_and_kept(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "2", "--seats", "2") as (program, port, said):
        cookie = rights(port, said)
        assert post(port, "/table/begin", SET_UP, cookie) == (409, {"error": "not over"})
        assert post(port, "/table/begin", {**SET_UP, "aside": True}, cookie) == (200, {"ok": True})
        assert program.stdout is not None
        assert any("Ctrl-C stops" in line for line in program.stdout)
    with open_database(tmp_path / "table.db") as database:
        games = Journal(database).games()
    assert [game.set_aside for game in games] == [True, False]
    assert games[1].options["names"] == {"red": "Ann"}


def test_a_service_does_not_print_the_token(tmp_path: Path) -> None:
    with serving(tmp_path, "--service") as (_, port, said):
        assert f"Play here: http://localhost:{port}/\n" in said
        assert "?t=" not in said


def test_a_second_program_does_not_play_at_the_same_table(tmp_path: Path) -> None:
    with serving(tmp_path, "--people", "1") as (program, _, _):
        second = (*PLAY, "--port", "0", "--database", str(tmp_path / "table.db"))
        result = subprocess.run(second, capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode == 1
        assert "Another program is playing the game saved in" in result.stderr
        program.kill()
        program.wait()
    # One that was killed is in nobody's way.
    with serving(tmp_path) as (_, _, said):
        assert "Continuing game 1" in said


def test_codes_stay_for_the_next_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = find_board("buttons-only")
    place, served, runner = BoardAndFile(board.name, "", tmp_path / "table.db"), ServedAt(open_port(0)), Runner()
    with (
        opened(board, True, TagRegistry()) as devices,
        closing(WebFront(runner, served, devices, place)) as pages,
        table_rig(tmp_path, placing()) as rig,
    ):
        for _ in range(2):
            pages.begin(rig.session, resumed=False)
            said = capsys.readouterr().out
            for code in (pages.codes.join_code, pages.codes.table_code):
                assert shown_code(code) in said


def rights(port: int, said: str) -> str:
    """The cookie of a browser that has opened the printed address."""
    printed = re.search(r"http://localhost:\d+(/\?t=\S+)", said)
    assert printed
    connection = HTTPConnection("localhost", port, timeout=20)
    connection.request("GET", printed[1])
    response = connection.getresponse()
    response.read()
    connection.close()
    return str(response.getheader("Set-Cookie")).partition(";")[0]


def post(port: int, path: str, fields: object = None, cookie: str = "") -> tuple[int, object]:
    connection = HTTPConnection("localhost", port, timeout=20)
    headers = {"Cookie": cookie} | ({} if fields is None else {"Content-Type": "application/json"})
    connection.request("POST", path, None if fields is None else json.dumps(fields), headers)
    response = connection.getresponse()
    answer = response.status, json.loads(response.read())
    connection.close()
    return answer
