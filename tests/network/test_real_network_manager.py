"""What we write and read, compared with the real NetworkManager: profiles, answers and failures, without a radio."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.network import Security
from companion.network.profiles import HOTSPOT_UUID, hotspot_profile, wifi_profile
from tests.network.simulated_air import HOTSPOT, SimulatedAir
from tests.support import nmcli_stand_in

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "support" / "real_network_manager.sh"
IN_NAMESPACES = ["unshare", "--net", "--mount"]


def can_run() -> bool:
    programs = ("NetworkManager", "nmcli", "dbus-daemon", "unshare", "ip")
    if os.name == "nt" or os.geteuid() != 0 or not all(map(shutil.which, programs)):
        return False
    return subprocess.run([*IN_NAMESPACES, "true"], capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_run(), reason="needs root, network namespaces and Debian's package network-manager"),
]

NAMES = {
    "11111111-0000-4000-8000-000000000001": ("Home: \\o/ ☕", " a\\b;c#d=e  "),
    "11111111-0000-4000-8000-000000000002": (" ;1;2; ", "abcdefgh"),
    "11111111-0000-4000-8000-000000000003": ("69;108;", "f" * 64),
    "11111111-0000-4000-8000-000000000004": ("\\s\\t", "\\s\\t\\n\\\\ "),
}
NOBODY = "22222222-0000-4000-8000-000000000001"
FOLDER = "/etc/NetworkManager/system-connections"

# Runs inside, beside the real one: writes the files it is given, runs the commands, and prints what came of them.
INSIDE = """
import json, os, subprocess, sys
given = json.load(sys.stdin)
for name, text in given["files"].items():
    with os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
said = []
for command in given["commands"]:
    if command[0] == "write":
        with open(command[1], "w", encoding="utf-8") as file:
            file.write(command[2])
        said.append([0, "", ""])
        continue
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "C"}
    done = subprocess.run(["nmcli", *command], env=environment, capture_output=True)
    said.append([done.returncode, done.stdout.decode(), done.stderr.decode()])
print(json.dumps([said, sorted(os.listdir(given["folder"]))]))
"""


def real(files: dict[str, str], commands: list[list[str]]) -> tuple[list[list[Any]], list[str]]:
    """What the real program says, and the profiles it has in the end."""
    given = json.dumps({"files": files, "commands": commands, "folder": FOLDER})
    command = [*IN_NAMESPACES, "sh", str(SCRIPT), sys.executable, "-c", INSIDE]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=True)
    said, left = json.loads(done.stdout)
    return said, left


def test_every_name_and_password_arrives_as_it_is() -> None:
    files = {
        f"{FOLDER}/el-grande-wifi-{uuid}.nmconnection": wifi_profile(
            uuid, name.encode(), Security.PERSONAL, password, hidden=False
        )
        for uuid, (name, password) in NAMES.items()
    }
    hotspot = f"{FOLDER}/el-grande-hotspot.nmconnection"
    show = ["--show-secrets", "--terse", "--escape", "no", "--get-values"]
    fields = "802-11-wireless.ssid,802-11-wireless-security.psk"
    said, _ = real(
        {**files, hotspot: hotspot_profile(HOTSPOT)},
        [
            *(["connection", "load", file] for file in [*files, hotspot]),
            *([*show, fields, "connection", "show", "uuid", uuid] for uuid in [*NAMES, HOTSPOT_UUID]),
            [*show, "802-11-wireless-security.pmf,ipv4.addresses,ipv4.method", "connection", "show", HOTSPOT_UUID],
        ],
    )
    shown = [words for _, words, _ in said[len(files) + 1 :]]
    expected = [*NAMES.values(), (HOTSPOT.name, HOTSPOT.password)]
    assert [words.removesuffix("\n").split("\n") for words in shown[:-1]] == [list(pair) for pair in expected]
    assert shown[-1].split() == ["1", "10.42.0.1/24", "shared"]


def test_the_stand_in_says_what_the_real_one_says(tmp_path: Path) -> None:
    air = SimulatedAir(tmp_path, wifi=None, ethernet=None)
    uuid, (name, password) = next(iter(NAMES.items()))
    text = wifi_profile(uuid, name.encode(), Security.PERSONAL, password, hidden=True)
    again = wifi_profile(uuid, name.encode(), Security.PERSONAL, password, hidden=True, by_itself=True)
    file = f"el-grande-wifi-{uuid}.nmconnection"
    table = ["--terse", "--escape", "yes", "--fields"]
    shown = [*table, "NAME,UUID,TYPE,AUTOCONNECT", "connection", "show"]
    scan = ["device", "wifi", "list", "ifname", "wlan0", "--rescan", "yes"]

    def commands(folder: str) -> list[list[str]]:
        return [
            [*table, "DEVICE,TYPE,STATE,CON-UUID,CONNECTION", "device", "status"],
            [*table, "SSID-HEX,SIGNAL,SECURITY", *scan],
            ["connection", "load", f"{folder}/{file}"],
            ["connection", "load", f"{folder}/broken.nmconnection"],
            ["connection", "load", f"{folder}/nothing.nmconnection"],
            shown,
            ["write", f"{folder}/{file}", again],
            ["connection", "load", f"{folder}/{file}"],
            shown,
            ["--wait", "5", "connection", "down", "uuid", uuid],
            ["--wait", "5", "connection", "up", "uuid", NOBODY],
            ["--wait", "5", "connection", "delete", "uuid", NOBODY],
            ["radio", "wifi", "on"],
            ["connection", "delete", "uuid", uuid],
            shown,
        ]

    files = {file: text, "broken.nmconnection": "[connection\nbroken"}
    theirs, left = real({f"{FOLDER}/{each}": words for each, words in files.items()}, commands(FOLDER))
    for each, words in files.items():
        (air.profiles / each).write_text(words)
        (air.profiles / each).chmod(0o600)
    ours = []
    for command in commands(str(air.profiles)):
        if command[0] == "write":
            Path(command[1]).write_text(command[2])
            ours.append((0, "", ""))
        else:
            ours.append(nmcli_stand_in.answer(air.whole, command))
    for command, their, our in zip(commands(FOLDER), theirs, ours, strict=True):
        code, *said = our
        assert [code, *(each.replace(str(air.profiles), FOLDER) for each in said)] == their, command
    assert left == air.files() == ["broken.nmconnection"]
