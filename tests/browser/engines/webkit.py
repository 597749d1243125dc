"""WebKit in a window of GTK on a screen that nobody sees, driven by WebKitWebDriver over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Final

from tests.browser.engines.driver import ENDS_WITH_US, PATIENCE_S, POLL_S, DriverError, EngineBrowser, Json

DRIVER: Final = "WebKitWebDriver"
SCREEN: Final = "Xvfb"
PYTHON: Final = "/usr/bin/python3"
"""The system's, which has the system's GTK."""
VIEW: Final = Path(__file__).with_name("webkit_view.py")
START_S: Final = 60.0

# The commands of the specification that are used here, each with its method and its path in the session.
_COMMANDS: Final = {
    "NavigateTo": ("POST", "url"),
    "Back": ("POST", "back"),
    "Forward": ("POST", "forward"),
    "FindElement": ("POST", "element"),
    "ElementClick": ("POST", "element/{id}/click"),
    "ElementSendKeys": ("POST", "element/{id}/value"),
    "ExecuteScript": ("POST", "execute/sync"),
    "ExecuteAsyncScript": ("POST", "execute/async"),
    "PerformActions": ("POST", "actions"),
    "DeleteAllCookies": ("DELETE", "cookie"),
    "TakeScreenshot": ("GET", "screenshot"),
}


class WebKit(EngineBrowser):
    """A WebKit whose window is as large as its page, so that it can be as narrow as a phone.

    :param size: width and height of the page.
    :param still: whether its user prefers reduced motion.
    """

    name = "webkit"
    host = socket.gethostname().lower()

    def __init__(self, folder: Path, size: tuple[int, int], still: bool = False) -> None:
        self._programs: list[subprocess.Popen[Any]] = []
        self._said = folder / "webkit.txt"
        try:
            display = self._screen(size)
            self._port = _free_port()
            environment = {**os.environ, "DISPLAY": display, "HOME": str(folder), "GDK_BACKEND": "x11"}
            environment |= {"NO_AT_BRIDGE": "1", "GTK_USE_PORTAL": "0"}
            self._start([DRIVER, f"--port={self._port}"], environment)
            self._wait_for_driver()
            arguments = [str(VIEW), *map(str, size), *(["still"] if still else [])]
            options = {"binary": PYTHON, "args": arguments}
            wanted = {"pageLoadStrategy": "none", "webkitgtk:browserOptions": options}
            session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self._session = f"/session/{session['sessionId']}"
        except BaseException:
            self._end()
            raise

    def _start(self, command: list[str], environment: dict[str, str], **more: Json) -> None:
        with open(self._said, "a") as said:
            program = subprocess.Popen([*ENDS_WITH_US, *command], stdout=said, stderr=said, env=environment, **more)
        self._programs.append(program)

    def _screen(self, size: tuple[int, int]) -> str:
        """Starts a screen that nobody sees, and returns its name."""
        ours, theirs = os.pipe()
        try:
            command = [SCREEN, "-displayfd", str(theirs), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp"]
            self._start(command, dict(os.environ), pass_fds=[theirs])
            os.close(theirs)
            with open(ours, closefd=False) as said:
                number = said.readline().strip()
        finally:
            os.close(ours)
        if not number:
            raise DriverError(f"{SCREEN} did not start: {self._said.read_text()}")
        return f":{number}"

    def _wait_for_driver(self) -> None:
        end_s = time.monotonic() + START_S
        while time.monotonic() < end_s:
            try:
                if self._ask("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(POLL_S)
        raise TimeoutError(f"{DRIVER} did not start: {self._said.read_text()}")

    def send(self, command: str, **parameters: Json) -> Json:
        method, path = _COMMANDS[command]
        where = path.format(**parameters)
        parameters.pop("id", None)
        return self._ask(method, f"{self._session}/{where}", None if method in ("GET", "DELETE") else parameters)

    def _ask(self, method: str, path: str, body: Json = None) -> Json:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S + START_S)
        try:
            connection.request(method, path, None if body is None else json.dumps(body).encode())
            answer = connection.getresponse()
            value = json.loads(answer.read())["value"]
        finally:
            connection.close()
        if answer.status != 200:
            raise DriverError(f"{method} {path}: {value['error']}: {value['message']}")
        return value

    def close(self) -> None:
        try:
            self._ask("DELETE", self._session)
        finally:
            self._end()

    def _end(self) -> None:
        for program in reversed(self._programs):
            program.terminate()
            try:
                program.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
