"""A machine with a radio and networks in range: the stand-in for `nmcli`, and what is around it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from companion.network import Hotspot, NetworkControl, Nmcli
from companion.network.profiles import HOTSPOT_UUID
from tests.support import nmcli_stand_in

HOTSPOT = Hotspot("El Grande a2", "hotspotsecret")
HOME = "Home: \\o/ ☕"
PASSWORD = "correct horse\\ battery"


def sender(name: str, signal: int = 70, security: str = "WPA2", **more: Any) -> dict[str, Any]:
    """A network in range."""
    return {"ssid": name.encode().hex(), "signal": signal, "security": security, **more}


class SimulatedAir:
    """The machine, its clock, and the networks around it."""

    def __init__(self, folder: Path, **state: Any) -> None:
        self.folder = folder
        self.now_s = 1000.0
        self.phones: int | None = 0
        self.profiles = folder / "system-connections"
        self.profiles.mkdir()
        usual = {
            "running": True, "ethernet": "unavailable", "wifi": "disconnected", "radio": True, "active": None,
            "no_hotspot": False, "loads_once": False, "profiles": [], "air": [], "calls": [],
        }  # fmt: skip
        self._state: dict[str, Any] = {**usual, **state}
        self.control = self.started()

    def started(self) -> NetworkControl:
        """The network service as it is after a start."""
        manager = Nmcli(run=self._run)
        return NetworkControl(manager, HOTSPOT, self.profiles, lambda: self.now_s, lambda device: self.phones)

    def change(self, **state: Any) -> None:
        """Something happens around the machine."""
        self._state.update(state)

    def _run(self, command: Sequence[str], _timeout_s: float) -> CompletedProcess[bytes]:
        code, said, wrong = nmcli_stand_in.answer(self._state, list(command[1:]))
        return CompletedProcess(command, code, said.encode(), wrong.encode())

    def know(self, name: str, password: str = PASSWORD, uuid: str = "") -> str:
        """Has NetworkManager know a network."""
        profile = {
            "name": name, "uuid": uuid or f"00000000-0000-4000-8000-{len(self['profiles']):012}",
            "type": "802-11-wireless", "autoconnect": True, "file": "/nowhere/preconfigured.nmconnection",
            "mode": "infrastructure", "ssid": name.encode().hex(),
            "hidden": False, "psk": password, "key-mgmt": "wpa-psk",
        }  # fmt: skip
        self.change(profiles=[*self["profiles"], profile])
        return str(profile["uuid"])

    def pass_time(self, seconds: float) -> None:
        """Lets this much time pass while the service does its work."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            due_s = self.control.poll()
            self.now_s = min(end_s, self.now_s + max(due_s, 0.5))
        self.control.poll()

    def __getitem__(self, field: str) -> Any:
        return self._state[field]

    @property
    def whole(self) -> dict[str, Any]:
        """Everything the stand-in knows."""
        return self._state

    @property
    def hotspot_is_open(self) -> bool:
        return bool(self["active"] == HOTSPOT_UUID)

    def ran(self, *words: str) -> list[list[str]]:
        """The calls of nmcli that contain these words."""
        return [call for call in self["calls"] if all(word in call for word in words)]

    def files(self) -> list[str]:
        return sorted(os.listdir(self.profiles))
