"""What a Pi does when it starts from a prepared card: the real script, on a machine that is a folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from companion.installation.card import PiCard
from companion.network.hotspot import LETTERS, PASSWORD_LENGTH, read_hotspot
from tests.support.cards import make_card, make_release

CONFIG_CHANGES = 'echo dtparam=spi=on >> "$EL_GRANDE_ROOT/boot/firmware/config.txt"'
PUTS_THE_PROGRAM = """
mkdir -p "$EL_GRANDE_ROOT/opt/el-grande/current/bin"
cp "$(command -v companion)" "$EL_GRANDE_ROOT/opt/el-grande/current/bin/"
"""
NOTES = 'echo "$(basename "$0") $*" >> "$NOTES"\n'
LIGHT = (
    'at="$EL_GRANDE_ROOT/sys/class/leds/$LIGHT"; '
    'echo "light: $(cat "$at/trigger") $(cat "$at/brightness") $(cat "$at/delay_on" 2> /dev/null)" >> "$NOTES"\n'
)

SLOW, FAST, ON = "light: timer 0 1000", "light: timer 0 100", "light: none 1 1000"


class Pi:
    """A Raspberry Pi as a folder: a card, a light, and programs that only note how they were called."""

    def __init__(self, folder: Path, light: str = "ACT") -> None:
        self.root = folder / "root"
        self.card = make_card(self.root / "boot/firmware")
        self.light = self.root / "sys/class/leds" / light
        self.programs = folder / "programs"
        self._notes = folder / "notes"
        for place in ("etc", "var/tmp", f"sys/class/leds/{light}"):
            (self.root / place).mkdir(parents=True)
        self.programs.mkdir()
        (self.root / "etc/machine-id").write_text("0123456789abcdef0123456789abcd2f\n")
        self.restart()
        self.program("systemctl", NOTES)
        self.program("companion", NOTES)
        self.program("dpkg", "echo arm64\n")
        self.program("sync", "")
        # The light is looked at whenever the script waits.
        self.program("sleep", LIGHT + NOTES)

    def program(self, name: str, does: str) -> None:
        (self.programs / name).write_text(f"#!/bin/bash\n{does}")
        (self.programs / name).chmod(0o755)

    def restart(self) -> None:
        """The kernel gives the light back to the card at every start."""
        (self.light / "trigger").write_text("none rc-feedback timer heartbeat [mmc0] default-on\n")
        (self.light / "brightness").write_text("0\n")
        (self.light / "delay_on").unlink(missing_ok=True)

    def prepare(self, install: str, archive: str = "release.tar") -> None:
        release = make_release(self.root.parent / archive, f"{LIGHT}{NOTES}{install}")
        PiCard(self.card).put(release, "0.2.0")

    def start(self, *options: str) -> int:
        """Starts the Pi, as far as the script is concerned."""
        self.restart()
        environment = {
            **os.environ,
            "EL_GRANDE_ROOT": str(self.root),
            "LIGHT": self.light.name,
            "NOTES": str(self._notes),
            "PATH": f"{self.programs}:{os.environ['PATH']}",
        }
        command = ["bash", str(self.card / "el-grande/first-boot.sh"), *options]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert done.stderr == ""
        return done.returncode

    def notes(self) -> list[str]:
        """What was run since the last time, and how the light was meanwhile."""
        lines = self._notes.read_text().splitlines() if self._notes.exists() else []
        self._notes.unlink(missing_ok=True)
        return lines

    def file(self, name: str) -> Path:
        return self.card / name

    @property
    def log(self) -> str:
        return (self.card / "el-grande/install-log.txt").read_text()

    @property
    def state(self) -> str:
        return (self.card / "el-grande/state.txt").read_text().split()[0]

    @property
    def light_is_back(self) -> bool:
        return (self.light / "trigger").read_text() == "mmc0\n"


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_the_first_start_installs_and_restarts_and_the_second_is_ready(pi: Pi) -> None:
    pi.prepare(PUTS_THE_PROGRAM + CONFIG_CHANGES)
    assert pi.start() == 0
    active = "systemctl is-active cloud-config.service cloud-final.service"
    assert pi.notes() == [SLOW, "install.sh --yes", active, "systemctl reboot"]
    assert pi.state == "restarting"
    assert list((pi.root / "var/tmp").iterdir()) == []

    assert pi.start() == 0
    assert pi.notes() == ["companion where --wait 180", ON, "sleep 600"]
    assert pi.state == "installed"
    assert "the table is ready" in pi.log
    assert pi.light_is_back

    # From then on there is nothing to do, and the light is left alone.
    assert pi.start() == 0
    assert pi.notes() == []
    assert "[mmc0]" in (pi.light / "trigger").read_text()


def test_without_changed_settings_it_is_ready_at_once(pi: Pi) -> None:
    pi.prepare("echo installing")
    assert pi.start() == 0
    assert pi.notes() == [SLOW, "install.sh --yes", ON, "sleep 600"]
    assert pi.state == "installed"
    assert "installing" in pi.log


def test_a_failure_is_shown_written_down_and_tried_three_times(pi: Pi) -> None:
    pi.prepare("echo no room; exit 1")
    for number in (1, 2, 3):
        assert pi.start() == 1
        notes = pi.notes()
        assert notes[-4:] == [SLOW, "install.sh --yes", FAST, "sleep 3600"]
        assert f"try {number} of 3" in pi.log
        assert pi.light_is_back
    assert pi.log.count("no room") == 3
    assert pi.log.count("switch it off and on") == 2
    assert "not tried again" in pi.log

    # The light still says so at later starts.
    assert pi.start() == 1
    assert pi.notes() == [FAST, "sleep 3600"]
    assert pi.log.count("no room") == 3


def test_a_success_after_a_failure_counts(pi: Pi) -> None:
    pi.prepare('[ -e "$EL_GRANDE_ROOT/second" ] || { touch "$EL_GRANDE_ROOT/second"; exit 1; }')
    assert (pi.start(), pi.state) == (1, "failed")
    assert (pi.start(), pi.state) == (0, "installed")


def test_another_release_on_the_card_is_installed_whatever_became_of_the_last_one(pi: Pi) -> None:
    pi.prepare("exit 0", "one.tar")
    pi.start()
    pi.prepare("echo another; exit 1", "two.tar")
    for _ in range(3):
        pi.start()
    pi.notes()
    pi.prepare("echo a third", "three.tar")
    assert pi.start() == 0
    assert "install.sh --yes" in pi.notes()
    assert pi.state == "installed"


def test_a_table_that_does_not_start_is_a_failure(pi: Pi) -> None:
    pi.program("companion", "exit 1\n")
    pi.prepare(PUTS_THE_PROGRAM + CONFIG_CHANGES)
    assert pi.start() == 0
    assert pi.start() == 1
    assert pi.state == "failed"
    assert "journalctl -u el-grande-table" in pi.log


def test_a_damaged_release_is_not_unpacked(pi: Pi) -> None:
    pi.prepare("exit 0")
    with open(pi.card / "el-grande/release.tar", "r+b") as file:
        file.write(b"\0")
    assert pi.start() == 1
    assert "install.sh --yes" not in pi.notes()
    assert "the release on the card is damaged" in pi.log


def test_a_32_bit_system_is_refused(pi: Pi) -> None:
    pi.program("dpkg", "echo armhf\n")
    pi.prepare("exit 0")
    assert pi.start() == 1
    assert "a 32-bit Raspberry Pi OS" in pi.log


def test_the_wifi_of_a_card_that_names_none_is_chosen_and_can_be_read_on_the_card(pi: Pi) -> None:
    # Before anything is installed: it may fail, and there may be no screen.
    pi.prepare('cat "$EL_GRANDE_ROOT/boot/firmware/el-grande/hotspot.txt" >> "$NOTES"')
    pi.file("el-grande/hotspot.txt").unlink()  # as a card is that was made from an archive
    assert pi.start() == 0
    text = pi.file("el-grande/hotspot.txt").read_text()
    assert [line for line in pi.notes() if line in text.splitlines()] == text.splitlines()
    hotspot = read_hotspot(text)
    assert hotspot is not None
    assert hotspot.name == "El Grande 2f"
    assert len(hotspot.password) == PASSWORD_LENGTH
    assert set(hotspot.password) <= set(LETTERS)
    assert hotspot.password not in pi.log
    # The next release does not change it.
    pi.prepare("exit 0", "two.tar")
    assert pi.start() == 0
    assert pi.file("el-grande/hotspot.txt").read_text() == text


def test_every_pi_chooses_another_password(tmp_path: Path) -> None:
    found = set()
    for number in range(3):
        pi = Pi(tmp_path / str(number))
        pi.prepare("exit 0")
        pi.file("el-grande/hotspot.txt").unlink()
        assert pi.start() == 0
        found.add(pi.file("el-grande/hotspot.txt").read_text())
    assert len(found) == 3


def test_a_pi_that_has_a_wifi_of_its_own_already_keeps_it(pi: Pi) -> None:
    kept = pi.root / "var/lib/el-grande-network/hotspot.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("name=Games\npassword=play with us\n")
    pi.prepare("exit 0")
    pi.file("el-grande/hotspot.txt").unlink()
    assert pi.start() == 0
    assert pi.file("el-grande/hotspot.txt").read_text() == kept.read_text()


def test_a_newer_version_that_is_installed_stays_and_that_is_no_failure(pi: Pi) -> None:
    # The card's notes may be lost, while the table was updated by other means.
    pi.prepare(PUTS_THE_PROGRAM + "exit 3")
    assert pi.start() == 0
    assert pi.notes() == [SLOW, "install.sh --yes", "companion where --wait 180", ON, "sleep 600"]
    assert "The newer version stays." in pi.log
    assert pi.state == "installed"


def test_it_does_not_restart_while_cloud_init_is_at_work(pi: Pi) -> None:
    busy = '[ "$1" != is-active ] || [ "$(grep -c is-active "$NOTES")" -gt 3 ] || echo activating\n'
    pi.program("systemctl", NOTES + busy)
    pi.prepare(CONFIG_CHANGES)
    assert pi.start() == 0
    notes = pi.notes()
    assert notes.count("sleep 5") == 3
    assert notes[-1] == "systemctl reboot"
    assert {line for line in notes if line.startswith("light")} == {SLOW}


@pytest.mark.parametrize("light", ["led0", "other"])
def test_an_older_light_is_found_and_one_without_is_no_failure(light: str, tmp_path: Path) -> None:
    pi = Pi(tmp_path, light)
    pi.prepare("exit 0")
    assert pi.start() == 0
    assert (ON in pi.notes()) == (light == "led0")


def test_cloud_init_only_has_to_start_it(pi: Pi) -> None:
    pi.prepare("exit 0")
    for _ in range(2):  # it does so at every start, even twice
        assert pi.start("--enable") == 0
        assert pi.notes() == ["systemctl --no-block start el-grande-card.service"]
    system = pi.root / "etc/systemd/system"
    unit = (system / "el-grande-card.service").read_text()
    assert f"ExecStart=/bin/bash {pi.card}/el-grande/first-boot.sh\n" in unit
    assert "Type=exec" in unit
    assert (system / "multi-user.target.wants/el-grande-card.service").read_text() == unit


def test_nothing_happens_without_a_release(pi: Pi) -> None:
    pi.prepare("exit 0")
    (pi.card / "el-grande/release.tar").unlink()
    assert pi.start() == 0
    assert pi.notes() == []
