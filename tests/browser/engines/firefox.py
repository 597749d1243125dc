"""Firefox without a window, driven by Marionette, the protocol that is built into it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from tests.browser.engines.driver import ENDS_WITH_US, PATIENCE_S, POLL_S, DriverError, EngineBrowser, Json
from tests.browser.served import NAME

NAMES: Final = ("firefox-esr", "firefox")
START_S: Final = 120.0
ARGUMENTS: Final = ("--headless", "--marionette", "--remote-allow-system-access", "--no-remote")
PREFERENCES: Final = {
    "marionette.port": 0,
    "network.dns.localDomains": NAME,
    # Nothing but the table is asked for anything.
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.push.connection.enabled": False,
    "dom.security.https_first": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.trr.mode": 5,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.enabled": False,
}


# Where Marionette's names differ from those of the specification.
_COMMANDS: Final = {"NavigateTo": "Navigate"}


class Firefox(EngineBrowser):
    """A Firefox with a profile of its own in a folder.

    :param size: width and height of the page.
    :param still: whether its user prefers reduced motion.
    """

    name = "firefox"
    host = NAME

    def __init__(self, folder: Path, size: tuple[int, int], still: bool = False) -> None:
        program = next((found for name in NAMES if (found := shutil.which(name))), None)
        if program is None:
            raise FileNotFoundError(f"none of {', '.join(NAMES)} is installed: make .venv/engines/installed")
        profile = folder / "firefox"
        profile.mkdir(parents=True)
        preferences = {**PREFERENCES, "ui.prefersReducedMotion": int(still)}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
        (profile / "user.js").write_text("".join(lines))
        with open(folder / "firefox.txt", "w") as said:
            self._program = subprocess.Popen(
                [*ENDS_WITH_US, program, *ARGUMENTS, "--profile", str(profile), "about:blank"],
                stdout=said,
                stderr=said,
                env={**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"},
            )
        try:
            port = self._port(profile / "MarionetteActivePort", folder / "firefox.txt")
            self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S + START_S)
            self._stream = self._socket.makefile("rb")
            self._sent = 0
            self._receive()  # its greeting
            self.send("NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "none"}})
            self._make_narrow()
            outer = self.run("return [window.outerWidth - innerWidth, window.outerHeight - innerHeight]")
            self.send("SetWindowRect", width=size[0] + outer[0], height=size[1] + outer[1])
        except BaseException:
            self._program.kill()
            self._program.wait()
            raise

    def _make_narrow(self) -> None:
        """Lets the window be as narrow as a phone; Firefox would not make it narrower than its bar of buttons."""
        self._call("Marionette:SetContext", value="chrome")
        self.run("document.documentElement.style.setProperty('min-width', '0', 'important')")
        self._call("Marionette:SetContext", value="content")

    def _port(self, file: Path, said: Path) -> int:
        """Waits until Firefox has written where it listens."""
        end_s = time.monotonic() + START_S
        while time.monotonic() < end_s and self._program.poll() is None:
            if file.exists() and (text := file.read_text()):
                return int(text)
            time.sleep(POLL_S)
        raise TimeoutError(f"Firefox did not start: {said.read_text()}")

    def send(self, command: str, **parameters: Json) -> Json:
        return self._call(f"WebDriver:{_COMMANDS.get(command, command)}", **parameters)

    def _call(self, name: str, **parameters: Json) -> Json:
        self._sent += 1
        text = json.dumps([0, self._sent, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, number, error, result = self._receive()
        assert number == self._sent
        if error is not None:
            raise DriverError(f"{name}: {error['error']}: {error['message']}")
        # A single value comes in an object of its own.
        return result["value"] if isinstance(result, dict) and result.keys() == {"value"} else result

    def _receive(self) -> Json:
        """Returns the next message: its length, a colon, and JSON."""
        digits = b""
        while (byte := self._stream.read(1)) != b":":
            if not byte:
                raise DriverError("Firefox has ended")
            digits += byte
        return json.loads(self._stream.read(int(digits)))

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
        self._program.terminate()
        try:
            self._program.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
