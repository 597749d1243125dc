#!/usr/bin/env python3
"""Stands in for `nmcli`: a small NetworkManager in a file, with a radio that real test machines do not have.

What it prints, and its exit codes, are those of nmcli 1.42: `tests/network/test_real_network_manager.py` compares what
can be compared without a radio. The rest, such as why a network could not be joined, is as NetworkManager words it.

It runs as a program, with its state as JSON in a file, or within a test, which is much faster; see
`tests/network/simulated_air.py`.
"""

from __future__ import annotations

import configparser
import fcntl
import json
import os
import sys
from pathlib import Path
from typing import Any

PATH = "/org/freedesktop/NetworkManager/ActiveConnection/7"
TYPES = {"wifi": "802-11-wireless", "ethernet": "802-3-ethernet"}


class Failed(Exception):
    """Ends the program with a message and an exit code."""


def fail(words: str, code: int) -> Failed:
    return Failed(f"Error: {words}", code)


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(":", "\\:")


def text_of(value: str) -> str:
    """A text of a key file, as GLib reads it."""
    kinds = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    letters, out = iter(value), ""
    for letter in letters:
        out += kinds[next(letters)] if letter == "\\" else letter
    return out


def read_profile(file: Path) -> dict[str, Any]:
    """A profile, as NetworkManager reads it from its key file."""
    if file.stat().st_mode & 0o077:
        raise ValueError("others may read it")
    parsed = configparser.RawConfigParser(delimiters=("=",), comment_prefixes=("#",))
    parsed.read_string(file.read_text("utf-8"))
    wifi, security = parsed["wifi"], dict(parsed["wifi-security"]) if parsed.has_section("wifi-security") else {}
    return {
        "name": text_of(parsed["connection"]["id"]),
        "uuid": parsed["connection"]["uuid"],
        "type": TYPES[parsed["connection"]["type"]],
        "autoconnect": parsed["connection"].get("autoconnect", "true") == "true",
        "file": str(file),
        "mode": wifi.get("mode", "infrastructure"),
        "ssid": bytes(int(byte) for byte in wifi["ssid"].strip(";").split(";")).hex(),
        "hidden": wifi.get("hidden", "false") == "true",
        "psk": text_of(security.get("psk", "")),
        "key-mgmt": security.get("key-mgmt", ""),
    }


class Manager:
    """NetworkManager with its state."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state

    def profile(self, uuid: str) -> dict[str, Any] | None:
        return next((each for each in self.state["profiles"] if each["uuid"] == uuid), None)

    def seen(self, profile: dict[str, Any]) -> dict[str, Any] | None:
        """The sender that a profile would join."""
        for sender in self.state["air"]:
            if sender["ssid"] == profile["ssid"] and (profile["hidden"] or not sender.get("hidden")):
                return dict(sender)
        return None

    def autoconnect(self) -> None:
        if self.state["active"] is None and self.state["radio"] and self.state["wifi"]:
            for profile in self.state["profiles"]:
                sender = self.seen(profile) if profile["autoconnect"] and profile["mode"] != "ap" else None
                if sender and sender.get("password", "") == profile["psk"] and not sender.get("failure"):
                    self.state["active"] = profile["uuid"]

    def devices(self) -> list[list[str]]:
        self.autoconnect()
        rows = []
        if self.state["ethernet"]:
            rows.append(["eth0", "ethernet", self.state["ethernet"], "", "Wired connection 1"])
        if self.state["wifi"]:
            active = self.profile(self.state["active"]) if self.state["active"] else None
            state = "connected" if active else self.state["wifi"] if self.state["radio"] else "unavailable"
            rows.append(["wlan0", "wifi", state, active["uuid"] if active else "", active["name"] if active else ""])
        return [*rows, ["lo", "loopback", "unmanaged", "", ""]]

    def scan(self) -> list[list[str]]:
        active = self.profile(self.state["active"]) if self.state["active"] else None
        if active and active["mode"] == "ap":
            # NetworkManager does not look while the device is an access point.
            raise fail("Scanning not allowed at this time.", 1)
        visible = [sender for sender in self.state["air"] if self.state["radio"]]
        return [
            ["" if sender.get("hidden") else sender["ssid"].upper(), str(sender["signal"]), sender["security"]]
            for sender in visible
        ]

    def up(self, uuid: str) -> str:
        profile = self.profile(uuid)
        if profile is None:
            raise fail(f"unknown connection '{uuid}'.", 10)
        if not self.state["wifi"] or not self.state["radio"]:
            raise fail("Connection activation failed: No suitable device found for this connection.", 4)
        self.state["active"] = None
        start = "Connection activation failed: "
        if profile["mode"] == "ap":
            if self.state["no_hotspot"]:
                raise fail(f"{start}802.1X supplicant took too long to authenticate", 4)
        else:
            sender = self.seen(profile)
            if sender is None:
                raise fail(f"{start}The Wi-Fi network could not be found", 4)
            if sender.get("failure") == "timeout":
                raise fail("Timeout 30 sec expired.", 3)
            if sender.get("failure"):
                raise fail(f"{start}{sender['failure']}", 4)
            if sender.get("password", "") != profile["psk"]:
                raise fail(f"{start}Secrets were required, but not provided", 4)
        self.state["active"] = uuid
        return f"Connection successfully activated (D-Bus active path: {PATH})"

    def down(self, uuid: str) -> str:
        if self.state["active"] != uuid:
            raise Failed(f"Error: '{uuid}' is not an active connection.\nError: no active connection provided.", 10)
        self.state["active"] = None
        name = (self.profile(uuid) or {})["name"]
        return f"Connection '{name}' successfully deactivated (D-Bus active path: {PATH})"

    def load(self, file: str) -> str:
        try:
            profile = read_profile(Path(file))
        except (OSError, KeyError, ValueError, configparser.Error):
            # The real one says nothing at all of a file that is not there, and its exit code is always 0.
            raise Failed(f"Could not load file '{file}'" if Path(file).exists() else "", 0) from None
        if self.state["loads_once"] and self.profile(profile["uuid"]) is not None:
            raise Failed(f"Could not load file '{file}'", 0)
        self.state["profiles"] = [each for each in self.state["profiles"] if each["uuid"] != profile["uuid"]] + [
            profile
        ]
        return ""

    def delete(self, uuid: str) -> str:
        profile = self.profile(uuid)
        if profile is None:
            words = f"Error: unknown connection '{uuid}'.\nError: cannot delete unknown connection(s): uuid '{uuid}'."
            raise Failed(words, 10)
        if self.state["active"] == uuid:
            self.state["active"] = None
        self.state["profiles"].remove(profile)
        Path(profile["file"]).unlink(missing_ok=True)
        return f"Connection '{profile['name']}' ({uuid}) successfully deleted."

    def run(self, words: list[str]) -> list[str]:
        """What it prints."""
        if not self.state["running"]:
            raise fail("NetworkManager is not running.", 8)
        match words:
            case ["device", "status"]:
                return table(self.devices())
            case ["device", "wifi", "list", "ifname", device, "--rescan", "yes"]:
                if not self.state["wifi"] or device != "wlan0":
                    raise fail(f"Device '{device}' not found.", 10)
                return table(self.scan())
            case ["connection", "show"]:
                return table(
                    [
                        [each["name"], each["uuid"], each["type"], "yes" if each["autoconnect"] else "no"]
                        for each in self.state["profiles"]
                    ]
                )
            case ["connection", "load", file]:
                return [self.load(file)]
            case ["connection", "up", "uuid", uuid]:
                return [self.up(uuid)]
            case ["connection", "down", "uuid", uuid]:
                return [self.down(uuid)]
            case ["connection", "delete", "uuid", uuid]:
                return [self.delete(uuid)]
            case ["radio", "wifi", "on"]:
                self.state["radio"] = True
                return []
        raise fail(f"argument '{words[-1]}' not understood. Try passing --help instead.", 2)


def table(rows: list[list[str]]) -> list[str]:
    return [":".join(map(escaped, row)) for row in rows]


def answer(state: dict[str, Any], words: list[str]) -> tuple[int, str, str]:
    """The exit code, and what is printed for it: the answer, and what went wrong."""
    state["calls"].append(words)
    options = iter(words)
    rest = []
    for word in options:
        if word in ("--wait", "--escape", "--fields"):
            next(options)
        elif word != "--terse":
            rest.append(word)
    try:
        return 0, "".join(f"{line}\n" for line in Manager(state).run(rest) if line), ""
    except Failed as failed:
        return failed.args[1], "", f"{failed.args[0]}\n" if failed.args[0] else ""


def main() -> int:
    """As a program: the file named by NMCLI_STAND_IN holds the state."""
    assert os.environ["LC_ALL"] == "C.UTF-8"
    with Path(os.environ["NMCLI_STAND_IN"]).open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        state = json.load(file)
        code, said, wrong = answer(state, sys.argv[1:])
        file.seek(0)
        file.truncate()
        json.dump(state, file)
    sys.stdout.buffer.write(said.encode())
    sys.stderr.buffer.write(wrong.encode())
    return code


if __name__ == "__main__":
    sys.exit(main())
