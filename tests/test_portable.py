"""The simulated table runs wherever Python does: here without anything that Windows does not have.

`tests/support/no_posix` takes it away: modules, functions and signals, but also pipes that can be waited for and
sockets as a program's input. What Windows does otherwise (paths, files that cannot be removed while they are open) only
a Windows machine can show.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
NO_POSIX = ROOT / "tests" / "support" / "no_posix"
ON_WINDOWS = os.name == "nt"
"""There, nothing has to be taken away."""
LONG_S = 120.0
"""For what is bound to happen: only a failing test waits so long."""

FOR_MICROPYTHON = {
    "firmware.main": "runs on a hub, with MicroPython's own modules",
    "firmware.pico": "runs on a hub, with MicroPython's own modules",
}

IMPORT_ALL = """
import importlib, pkgutil
for package in ("companion", "firmware", "hardware", "web_remote"):
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except Exception as error:
                print(module.name, repr(error))
"""


def environment(home: Path) -> dict[str, str]:
    """What a program is told; its output is in the code page that Windows gives to pipes."""
    ours = {
        "PYTHONPATH": str(ROOT) if ON_WINDOWS else f"{NO_POSIX}{os.pathsep}{ROOT}",
        "PYTHONIOENCODING": "cp1252",
        "EL_GRANDE_HOME": str(home),
        "LANGUAGE": "en",
    }
    return {**os.environ, **ours}


def run(home: Path, *args: str) -> str:
    """Runs a program to its end. Returns what it printed; nothing may go wrong."""
    command = [sys.executable, *args]
    done = subprocess.run(command, cwd=home, env=environment(home), capture_output=True, timeout=LONG_S, check=False)
    words, errors = (stream.decode("cp1252") for stream in (done.stdout, done.stderr))
    assert done.returncode == 0, words + errors
    assert "Traceback" not in errors
    assert "failed" not in errors
    return words


def companion(home: Path, *args: str) -> str:
    return run(home, "-m", "companion.cli", *args)


@pytest.mark.skipif(ON_WINDOWS, reason="it is Windows")
def test_what_windows_does_not_have_is_really_gone(tmp_path: Path) -> None:
    for gone in ("import fcntl", "import termios", "from os import openpty", "from signal import SIGUSR1"):
        with pytest.raises(AssertionError, match="Error"):
            run(tmp_path, "-c", gone)
    with pytest.raises(AssertionError, match="not a socket"):
        run(tmp_path, "-c", "import os, select; select.select([os.pipe()[0]], [], [], 0)")
    with pytest.raises(AssertionError, match="handle is invalid"):
        run(tmp_path, "-c", "import socket, subprocess; subprocess.run(['true'], stdin=socket.socketpair()[0])")


def test_every_module_can_be_imported_except_what_runs_on_a_hub(tmp_path: Path) -> None:
    failed = run(tmp_path, "-c", IMPORT_ALL).splitlines()
    assert {line.split()[0] for line in failed} == set(FOR_MICROPYTHON), failed


@pytest.mark.slow
def test_a_game_of_bots_is_played_saved_told_copied_and_exported(tmp_path: Path) -> None:
    rules = ("--seats", "3", "--bots", "easy", "--short")
    told = companion(tmp_path, "play", "--terminal", "--people", "0", "--pace", "instant", "--seed", "5", *rules)
    assert "The game is over:" in told
    assert "unfinished" not in companion(tmp_path, "games")
    assert companion(tmp_path, "show", "1").startswith("bigbox-de, 6 rounds")
    companion(tmp_path, "backup", "copy.db")
    companion(tmp_path, "export", "1", "game.txt")
    assert (tmp_path / "game.txt").read_text("utf-8") == companion(tmp_path, "export", "1")
    assert "Saved as game 2" in companion(tmp_path, "import", "game.txt")
    assert "2 random games" in companion(tmp_path, "simulate", "--games", "2")
    with socket.create_server(("", 0)) as server:
        free = server.getsockname()[1]
    assert "0 FAIL" in companion(tmp_path, "doctor", "--port", str(free))


@contextmanager
def playing(home: Path, *args: str) -> Iterator[tuple[subprocess.Popen[bytes], int, str]]:
    """Runs a table with its web pages. Yields the program, its port, and its code to sit down."""
    command = [sys.executable, "-m", "companion.cli", "play", "--port", "0", "--pace", "instant", *args]
    with subprocess.Popen(
        command, cwd=home, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as program:
        try:
            assert program.stdout is not None
            words = ""
            while not (found := re.search(r"localhost:(\d+).*?: (\w{3}-\w{3}-\w{3})\b", words, re.DOTALL)):
                line = program.stdout.readline()
                assert line, words
                words += line.decode("cp1252")
            yield program, int(found[1]), found[2]
        finally:
            program.kill()


class Phone:
    """A browser that holds a seat."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""

    def post(self, address: str, **fields: object) -> dict[str, Any]:
        with_body = {"Content-Type": "application/json", "Cookie": self.cookie}
        connection = HTTPConnection("localhost", self.port, timeout=LONG_S)
        connection.request("POST", address, json.dumps(fields), with_body)
        answer = connection.getresponse()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        said: dict[str, Any] = json.loads(answer.read())
        connection.close()
        assert answer.status < 400 or answer.status == 409, said
        return said

    def states(self, seat: str) -> Iterator[dict[str, Any]]:
        connection = HTTPConnection("localhost", self.port, timeout=LONG_S)
        connection.request("GET", f"/events?seat={seat}", headers={"Cookie": self.cookie})
        for line in connection.getresponse():
            if line.startswith(b"data: {") and (state := json.loads(line[6:])):
                yield state
        connection.close()


@pytest.mark.slow
def test_a_person_plays_a_whole_game_with_a_piece_at_a_reader_and_in_the_browser(tmp_path: Path) -> None:
    rng = Random(3)
    tapped, answered = "", 0
    with playing(tmp_path, "--seats", "2", "--bots", "easy", "--short", "--seed", "5") as (program, port, code):
        phone = Phone(port)
        phone.post("/join", seat="red", name="", code=code)
        last: tuple[int, str] | None = None
        for state in phone.states("red"):
            if state["over"]:
                break
            prompt = state["you"]["prompt"]
            # A question before something is lost is about the same version of the game.
            asked = (state["version"], prompt["asked"])
            if asked == last or not prompt["asked"]:
                continue
            last = asked
            lines = [choice["line"] for choice in (*prompt["choices"], *prompt["places"])]
            if not tapped and (placing := [line for line in lines if re.fullmatch("place [a-z-]+", line)]):
                # A tag at a simulated reader goes through the firmware, and through the serial line of its hub.
                tapped = placing[0].split()[1]
                phone.post("/board/tag", piece="red-caballero", place=tapped, put=True)
            else:
                answered += 1
                phone.post("/say", seat="red", line=rng.choice(lines), version=state["version"], number=state["number"])
        if ON_WINDOWS:
            program.terminate()
        else:
            program.send_signal(signal.SIGINT)
            assert program.wait(LONG_S) == 0
    assert answered > 20
    told = companion(tmp_path, "show", "1").lower().translate(str.maketrans("áíóñ", "aion"))
    assert f"red places one in {tapped.replace('-', ' ')}" in told
    assert "wins" in companion(tmp_path, "games")
