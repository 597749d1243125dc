"""NetworkManager by its own program, `nmcli`: which devices there are, which networks are in range, up and down."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

from companion.network.errors import NmcliFailed
from companion.network.profiles import is_chosen
from companion.network.wifi_state import NetworkProblem, Security, WifiNetwork

TIMED_OUT: Final = 3
"""The exit code of `nmcli` when something took too long."""
SCAN_S: Final = 20
_MARGIN_S: Final = 15
"""How much longer than it was told to wait `nmcli` may take."""

PROBLEMS: Final = (
    ("Secrets were required", NetworkProblem.PASSWORD),
    ("802.1X supplicant", NetworkProblem.PASSWORD),
    ("network could not be found", NetworkProblem.OUT_OF_RANGE),
    ("IP configuration", NetworkProblem.NO_ADDRESS),
)
"""What NetworkManager says when a network cannot be joined. After a wrong password it asks for another one, or its
supplicant gives up."""


@dataclass(frozen=True)
class NetworkDevice:
    """A network device of the machine."""

    name: str
    kind: str
    """Such as `wifi` or `ethernet`."""
    state: str
    """In NetworkManager's words, such as `connected` or `connecting (getting IP configuration)`."""
    profile: str
    """The uuid of the profile in use; empty when no profile is in use."""
    connection: str
    """The name of that profile."""

    @property
    def is_connected(self) -> bool:
        """Whether it is connected by one of NetworkManager's profiles."""
        return self.state == "connected"

    @property
    def is_connecting(self) -> bool:
        """Whether it is on its way."""
        return self.state.startswith("connecting")


@dataclass(frozen=True)
class WifiProfile:
    """A Wi-Fi that NetworkManager knows."""

    name: str
    uuid: str
    by_itself: bool
    """Whether NetworkManager joins it by itself."""

    @property
    def is_chosen(self) -> bool:
        """Whether it was chosen on the workshop page."""
        return is_chosen(self.uuid)


class Nmcli:
    """NetworkManager on this machine.

    :param program: where to find `nmcli`; by default, where the system has it.
    :param run: runs it with these words, for at most this many seconds.
    """

    def __init__(
        self, program: str = "nmcli", run: Callable[[Sequence[str], float], CompletedProcess[bytes]] | None = None
    ) -> None:
        self._program = program
        self._run_program = run or _run_program

    def devices(self) -> list[NetworkDevice]:
        """Returns the network devices and what each is doing."""
        fields = "DEVICE,TYPE,STATE,CON-UUID,CONNECTION"
        return [NetworkDevice(*row) for row in self._table(fields, 5, "device", "status")]

    def networks(self, device: str) -> list[WifiNetwork]:
        """Looks for Wi-Fi networks, which takes some seconds. Returns them with the strongest first.

        Several senders of one name are one network. Those that hide their name are left out.
        """
        command = ("device", "wifi", "list", "ifname", device, "--rescan", "yes")
        best: dict[str, WifiNetwork] = {}
        for ssid, signal, security in self._table("SSID-HEX,SIGNAL,SECURITY", 3, *command, wait_s=SCAN_S):
            found = WifiNetwork(ssid.lower(), int(signal or 0), security_of(security))
            if ssid.strip("0") and (ssid.lower() not in best or found.signal > best[ssid.lower()].signal):
                best[ssid.lower()] = found
        return sorted(best.values(), key=lambda network: (-network.signal, network.name, network.ssid))

    def known(self) -> list[WifiProfile]:
        """Returns every Wi-Fi that NetworkManager has a profile of."""
        rows = self._table("NAME,UUID,TYPE,AUTOCONNECT", 4, "connection", "show")
        return [
            WifiProfile(name, uuid, by_itself == "yes")
            for name, uuid, kind, by_itself in rows
            if kind == "802-11-wireless"
        ]

    def load(self, file: Path, uuid: str, *, by_itself: bool = False) -> None:
        """Has a profile read that was just written. It may be one that is in use.

        :param by_itself: whether the profile lets NetworkManager join the network by itself.
        """
        self._run("connection", "load", str(file))
        # Also where it could not be read, nmcli is content with itself.
        if (uuid, by_itself) not in {(profile.uuid, profile.by_itself) for profile in self.known()}:
            raise NmcliFailed("NetworkManager did not take the new profile")

    def up(self, uuid: str, wait_s: int) -> None:
        """Connects by a profile, and waits until it is connected."""
        self._run("connection", "up", "uuid", uuid, wait_s=wait_s)

    def down(self, uuid: str) -> None:
        """Ends a connection."""
        self._run("connection", "down", "uuid", uuid, wait_s=10)

    def delete(self, uuid: str) -> None:
        """Deletes a profile."""
        self._run("connection", "delete", "uuid", uuid, wait_s=10)

    def switch_wifi_on(self) -> None:
        """Switches the radio on, which a fresh Raspberry Pi has off."""
        self._run("radio", "wifi", "on")

    def _table(self, fields: str, count: int, *command: str, wait_s: int = 10) -> Iterator[list[str]]:
        lines = self._run("--terse", "--escape", "yes", "--fields", fields, *command, wait_s=wait_s)
        for line in lines.split("\n"):
            if len(row := terse_fields(line)) == count:
                yield row

    def _run(self, *command: str, wait_s: int = 10) -> str:
        try:
            done = self._run_program([self._program, "--wait", str(wait_s), *command], wait_s + _MARGIN_S)
        except FileNotFoundError:
            raise NmcliFailed("nmcli is not installed on this machine") from None
        except subprocess.TimeoutExpired:
            raise NmcliFailed("nmcli did not answer in time", TIMED_OUT) from None
        if done.returncode:
            words = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise NmcliFailed((words or [f"exit code {done.returncode}"])[0].removeprefix("Error: "), done.returncode)
        return done.stdout.decode("utf-8", "replace")


def _run_program(command: Sequence[str], timeout_s: float) -> CompletedProcess[bytes]:
    # What it says is compared, so it must not be translated, and names must come through as they are.
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "C"}
    return subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s, check=False
    )


def terse_fields(line: str) -> list[str]:
    r"""Returns the fields of a line that `nmcli --terse --escape yes` prints.

    >>> terse_fields(r"wlan0:wifi:Caf\: \\o/")
    ['wlan0', 'wifi', 'Caf: \\o/']
    """
    fields, letters = [""], iter(line)
    for letter in letters:
        if letter == ":":
            fields.append("")
        else:
            fields[-1] += next(letters, "") if letter == "\\" else letter
    return fields


def security_of(words: str) -> Security:
    """Returns what a network asks for, from the words of `nmcli`.

    >>> [security_of(words).value for words in ("", "WPA1 WPA2", "WPA2 WPA3", "WPA3", "WPA2 802.1X", "WEP")]
    ['open', 'personal', 'personal', 'wpa3', 'enterprise', 'outdated']
    """
    kinds: Sequence[str] = words.split()
    if "802.1X" in kinds:
        return Security.ENTERPRISE
    if "WPA1" in kinds or "WPA2" in kinds:
        return Security.PERSONAL
    if "WPA3" in kinds:
        return Security.WPA3
    return Security.OUTDATED if "WEP" in kinds else Security.OPEN


def problem_of(error: NmcliFailed) -> NetworkProblem:
    """Returns why a network could not be joined."""
    if error.code == TIMED_OUT:
        return NetworkProblem.TOO_SLOW
    return next((problem for words, problem in PROBLEMS if words in str(error)), NetworkProblem.FAILED)
