"""`companion install-service`, as root types it, on a machine that is a folder with programs of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.doctor.machine import Machine
from companion.doctor.pio import RULE, RULES_FILE
from companion.installation import Host, host, layout

ROOT = Path(__file__).parents[2]
# By its name the command is found, and not its module.
MODULE = sys.modules["companion.cli.install_service"]
PROGRAM = Path(sys.executable).with_name("companion")

UNIT = "etc/systemd/system/el-grande-table.service"
SOCKET = "etc/systemd/system/el-grande-table.socket"
RULES = "etc/udev/rules.d/99-el-grande.rules"
NAME = "etc/avahi/services/el-grande-table.service"
CONFIG = "boot/firmware/config.txt"
NETWORK = "etc/systemd/system/el-grande-network.service"
NETWORK_FILES = (
    NETWORK,
    "etc/systemd/system/el-grande-network.socket",
    "etc/NetworkManager/dnsmasq-shared.d/el-grande.conf",
)
HOTSPOT = "etc/NetworkManager/system-connections/el-grande-hotspot.nmconnection"
BY_NETPLAN = "etc/netplan/90-NM-6f1d7c1e-0b0e-4f0a-9d6a-e16a4de00001.yaml"
BOTH = "el-grande-table.socket el-grande-table.service"
ALL_FOUR = f"el-grande-network.socket el-grande-network.service {BOTH}"

USERADD = (
    "useradd --system --user-group --home-dir /var/lib/el-grande --no-create-home --shell /usr/sbin/nologin el-grande"
)
USERMOD = "usermod --append --groups gpio,dialout el-grande"
UDEV = ["udevadm control --reload", "udevadm trigger --subsystem-match=*-pio"]

FAKE = """#!/bin/sh
echo "$(basename "$0") $*" >> "$(dirname "$0")/all.ran"
if [ -e "$0.fails" ]; then cat "$0.fails" >&2; exit 1; fi
"""


class FakeMachine:
    """A folder with the files that count, and programs that only note how they were called."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.programs = folder / "programs"
        (self.root / "run/systemd/system").mkdir(parents=True)
        (self.root / "etc").mkdir()
        (self.root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
        (self.root / "etc/group").write_text("root:x:0:\ngpio:x:993:somebody\ndialout:x:20:\n")
        self.programs.mkdir()
        for name in ("systemctl", "useradd", "usermod", "udevadm", "install", "nmcli"):
            program = self.programs / name
            program.write_text(FAKE)
            program.chmod(0o755)

    def run(self, *args: str, said: str = "") -> Result:
        command = ["install-service", "--root", str(self.root), *args]
        return CliRunner().invoke(main, command, input=said, catch_exceptions=False)

    def ran(self) -> list[str]:
        """What was run since the last time."""
        file = self.programs / "all.ran"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def read(self, file: str) -> str:
        return (self.root / file).read_text()

    def board(self) -> list[str]:
        """How a fresh installation gets its board file."""
        data, owner = self.root / "var/lib/el-grande", "--owner el-grande --group el-grande"
        source = ROOT / "hardware/boards/buttons-only.toml"
        return [
            f"install --directory {owner} --mode 0700 {data}",
            f"install {owner} --mode 0600 {source} {data}/board.toml",
        ]

    def become_a_pi(self, config: str = "dtparam=audio=on\n") -> None:
        (self.root / "proc/device-tree").mkdir(parents=True)
        (self.root / "proc/device-tree/model").write_text("Raspberry Pi Zero 2 W Rev 1.0\0")
        (self.root / CONFIG).parent.mkdir(parents=True)
        (self.root / CONFIG).write_text(config)

    def become_networked(self) -> None:
        (self.root / "run/NetworkManager").mkdir(parents=True)

    def files(self) -> dict[str, bytes]:
        return {str(file.relative_to(self.root)): file.read_bytes() for file in self.root.rglob("*") if file.is_file()}

    def make_user(self) -> None:
        """As the fake `useradd` and `usermod` would have done."""
        with (self.root / "etc/passwd").open("a") as file:
            file.write("el-grande:x:994:994::/var/lib/el-grande:/usr/sbin/nologin\n")
        (self.root / "etc/group").write_text(
            "gpio:x:993:somebody,el-grande\ndialout:x:20:el-grande\nel-grande:x:994:\n"
        )
        (self.root / "var/lib/el-grande").mkdir(parents=True)
        (self.root / "var/lib/el-grande/board.toml").write_text("mine")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeMachine:
    machine = FakeMachine(tmp_path)
    monkeypatch.setenv("PATH", str(machine.programs), prepend=":")
    return machine


@pytest.fixture
def installed(machine: FakeMachine) -> FakeMachine:
    assert machine.run().exit_code == 0
    machine.make_user()
    machine.ran()
    return machine


# --- Installing ------------------------------------------------------------------------------------------------------


def test_a_new_machine_gets_user_groups_rules_and_unit_in_this_order(machine: FakeMachine) -> None:
    result = machine.run()
    assert result.exit_code == 0, result.output
    assert machine.ran() == [
        USERADD,
        USERMOD,
        *machine.board(),
        *UDEV,
        "systemctl daemon-reload",
        f"systemctl enable --now {BOTH}",
    ]
    unit = machine.read(UNIT).splitlines()
    assert f"ExecStart={PROGRAM} play --service --https" in unit
    # A group that is not there would keep the service from starting.
    assert "SupplementaryGroups=gpio dialout" in unit
    assert not re.findall("@[a-z]+@", "\n".join(unit))
    assert machine.read(RULES).splitlines()[-1] == RULE
    assert oct((machine.root / UNIT).stat().st_mode)[-3:] == "644"
    assert "The table is running, and starts again" in result.output


def test_without_pins_there_is_no_rule_for_them(machine: FakeMachine) -> None:
    (machine.root / "etc/group").write_text("root:x:0:\nel-grande:x:994:\n")
    assert machine.run("--no-start").exit_code == 0
    assert machine.ran() == [
        USERADD.replace("--user-group", "--gid el-grande"),
        *machine.board(),
        "systemctl daemon-reload",
        f"systemctl enable {BOTH}",
    ]
    assert not (machine.root / RULES).exists()
    assert "SupplementaryGroups=\n" in machine.read(UNIT)


def test_once_more_brings_up_to_date_and_starts_again_without_a_question(installed: FakeMachine) -> None:
    before = installed.files()
    assert installed.run().exit_code == 0
    assert installed.ran() == [
        *UDEV,
        "systemctl daemon-reload",
        f"systemctl enable {BOTH}",
        f"systemctl restart {BOTH}",
    ]
    assert installed.files() == before


def test_it_need_not_start_now(machine: FakeMachine) -> None:
    result = machine.run("--no-start")
    assert result.exit_code == 0
    assert machine.ran()[-1] == f"systemctl enable {BOTH}"
    assert "The table starts when the machine starts." in result.output


@pytest.mark.parametrize("file", [UNIT, SOCKET, RULES])
@pytest.mark.parametrize(("args", "what"), [([], "Replace"), (["--remove"], "Delete")])
@pytest.mark.parametrize(("yes", "said"), [([], "y\n"), (["--yes"], "")])
def test_a_file_that_was_changed_by_hand_is_asked_about_first(
    installed: FakeMachine, file: str, args: list[str], what: str, yes: list[str], said: str
) -> None:
    with (installed.root / file).open("a") as opened:
        opened.write("Mine=yes\n")
    before = installed.files()
    for no in ("n\n", ""):
        result = installed.run(*args, said=no)
        assert result.exit_code == 1
        assert f"{installed.root / file} was edited by hand. {what} it? [y/N]" in result.output
        assert (installed.files(), installed.ran()) == (before, [])
    assert installed.run(*args, *yes, said=said).exit_code == 0
    assert "Mine" not in str(installed.files())
    assert installed.ran()


def test_a_rule_written_as_the_doctor_says_is_taken_over(machine: FakeMachine) -> None:
    assert f"/{RULES}" == RULES_FILE
    path = machine.root / RULES
    path.parent.mkdir(parents=True)
    path.write_text(RULE + "\n")
    assert machine.run().exit_code == 0


def test_a_board_file_that_is_there_stays(installed: FakeMachine) -> None:
    assert installed.run().exit_code == 0
    assert not [line for line in installed.ran() if line.startswith("install ")]
    assert installed.read("var/lib/el-grande/board.toml") == "mine"


def test_a_pi_gets_spi_with_a_steady_clock_and_is_restarted_once(machine: FakeMachine) -> None:
    machine.become_a_pi()
    result = machine.run()
    assert "Restart the Pi once" in result.output
    pi = Machine(root=machine.root)
    assert pi.boot_settings() == {"dtparam=audio": "on", "dtparam=spi": "on", "core_freq": "250"}
    machine.make_user()
    assert "Restart the Pi" not in machine.run().output
    assert machine.run("--remove").exit_code == 0
    assert machine.read(CONFIG) == "dtparam=audio=on\n"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", {"dtparam=spi": "on", "core_freq": "250"}),
        ("Raspberry Pi 4 Model B Rev 1.5", {"dtparam=spi": "on", "core_freq": "500", "core_freq_min": "500"}),
        ("Raspberry Pi 5 Model B Rev 1.0", {"dtparam=spi": "on"}),
    ],
)
def test_a_card_may_move_from_one_model_to_another(machine: FakeMachine, model: str, expected: dict[str, str]) -> None:
    machine.become_a_pi("")
    assert machine.run().exit_code == 0
    (machine.root / "proc/device-tree/model").write_text(model)
    assert Machine(root=machine.root).boot_settings() == expected


def test_where_there_is_avahi_the_table_is_announced(machine: FakeMachine) -> None:
    (machine.root / NAME).parent.mkdir(parents=True)
    assert machine.run().exit_code == 0
    announced = ElementTree.fromstring(machine.read(NAME))
    assert (announced.findtext("service/type"), announced.findtext("service/port")) == ("_http._tcp", "80")
    machine.make_user()
    assert machine.run("--remove").exit_code == 0
    assert not (machine.root / NAME).exists()


def test_a_pi_with_networkmanager_gets_the_network_service_and_loses_it_again(machine: FakeMachine) -> None:
    machine.become_a_pi()
    machine.become_networked()
    assert machine.run().exit_code == 0
    assert machine.ran()[-1] == f"systemctl enable --now {ALL_FOUR}"
    assert f"ExecStart={PROGRAM} network" in machine.read(NETWORK).splitlines()
    assert all((machine.root / file).exists() for file in NETWORK_FILES)
    machine.make_user()
    assert machine.run().exit_code == 0
    assert machine.ran()[-1] == f"systemctl restart {ALL_FOUR}"
    chosen = machine.root / HOTSPOT.replace("hotspot", "wifi-1")
    for file in (machine.root / HOTSPOT, machine.root / BY_NETPLAN, chosen):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("[connection]\n")
    assert machine.run("--remove").exit_code == 0
    ran = machine.ran()
    assert ran[0] == (
        "systemctl disable --now el-grande-table.service el-grande-table.socket "
        "el-grande-network.service el-grande-network.socket"
    )
    assert "nmcli connection reload" in ran
    assert not any((machine.root / file).exists() for file in (*NETWORK_FILES, HOTSPOT, BY_NETPLAN))
    # The machine may be reached by a Wi-Fi that people chose.
    assert chosen.exists()


@pytest.mark.parametrize("kind", ["become_a_pi", "become_networked"])
def test_a_laptop_or_a_machine_without_networkmanager_gets_no_network_service(machine: FakeMachine, kind: str) -> None:
    # A laptop would get its radio switched on, and a Wi-Fi that nobody asked for.
    getattr(machine, kind)()
    assert machine.run().exit_code == 0
    assert not any((machine.root / file).exists() for file in NETWORK_FILES)


def test_systemd_has_the_time_that_its_units_may_take(machine: FakeMachine) -> None:
    machine.become_a_pi()
    machine.become_networked()
    assert machine.run().exit_code == 0
    for file in (UNIT, NETWORK):
        given = dict(re.findall(r"^Timeout(Start|Stop)Sec=(\d+)$", machine.read(file), re.MULTILINE))
        # Where a unit does not say it, systemd waits for 90 s.
        assert sum(int(given.get(what, 90)) for what in ("Start", "Stop")) < host.PATIENCE_S


def test_an_installed_version_is_started_by_the_link_that_updates_change(
    machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "VERSIONS", PROGRAM.parents[2])
    assert machine.run().exit_code == 0
    assert "ExecStart=/opt/el-grande/current/bin/companion play --service --https" in machine.read(UNIT).splitlines()


# --- Removing --------------------------------------------------------------------------------------------------------


def test_removing_undoes_it_and_keeps_the_games(installed: FakeMachine) -> None:
    games = installed.root / "var/lib/el-grande/table.db"
    games.write_text("games")
    result = installed.run("--remove")
    assert result.exit_code == 0
    assert installed.ran() == [
        "systemctl disable --now el-grande-table.service el-grande-table.socket",
        "systemctl daemon-reload",
        "udevadm control --reload",
    ]
    assert set(installed.files()) == {
        "etc/passwd",
        "etc/group",
        "var/lib/el-grande/board.toml",
        "var/lib/el-grande/table.db",
    }
    assert "Its games in /var/lib/el-grande" in result.output


def test_where_nothing_is_installed_there_is_nothing_to_remove(machine: FakeMachine) -> None:
    result = machine.run("--remove")
    assert result.exit_code == 0
    assert "There is nothing to remove" in result.output
    assert machine.ran() == []


# --- Only showing ----------------------------------------------------------------------------------------------------


def test_a_dry_run_shows_everything_and_does_nothing(machine: FakeMachine) -> None:
    before = machine.files()
    shown = machine.run("--dry-run").stdout
    assert (machine.files(), machine.ran()) == (before, [])
    assert machine.run().exit_code == 0
    for command in machine.ran():
        assert f"would run: {command.replace('--subsystem-match=*-pio', repr('--subsystem-match=*-pio'))}\n" in shown
    for file in (UNIT, SOCKET, RULES):
        assert f"would write: {machine.root / file}\n" in shown
        for line in machine.read(file).splitlines():
            assert f"    {line}".rstrip() + "\n" in shown


def test_a_dry_run_of_removing_does_nothing_either(installed: FakeMachine) -> None:
    (installed.root / UNIT).write_text("[Unit]\n")
    before = installed.files()
    shown = installed.run("--remove", "--dry-run").stdout
    assert (installed.files(), installed.ran()) == (before, [])
    assert f"would ask: {installed.root / UNIT} was edited by hand\n" in shown
    assert "would run: systemctl disable --now el-grande-table.service el-grande-table.socket\n" in shown
    assert f"would delete: {installed.root / RULES}\n" in shown


# --- What it refuses -------------------------------------------------------------------------------------------------


def test_a_machine_without_systemd_is_told(machine: FakeMachine) -> None:
    shutil.rmtree(machine.root / "run")
    result = machine.run()
    assert result.exit_code == 1
    assert "does not run systemd" in result.stderr
    assert machine.ran() == []
    shown = machine.run("--dry-run")
    assert shown.exit_code == 0
    assert "does not run systemd" in shown.stderr


def test_who_is_not_root_gets_the_whole_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(Host, "has_systemd", True)
    result = CliRunner().invoke(main, ["install-service", "--no-start", "--yes"])
    assert result.exit_code == 1
    assert f"sudo {PROGRAM} install-service --no-start --yes\n" in result.stderr


def test_a_program_that_fails_ends_it_with_its_words(machine: FakeMachine) -> None:
    (machine.programs / "usermod.fails").write_text("usermod: cannot lock /etc/passwd; try again later.\n")
    result = machine.run()
    assert result.exit_code == 1
    assert "usermod failed: usermod: cannot lock /etc/passwd" in result.stderr
    assert machine.ran() == [USERADD, USERMOD]
    assert not (machine.root / UNIT).exists()


def test_a_program_that_is_missing_is_named(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine.programs / "udevadm").unlink()
    monkeypatch.setattr(host, "SYSTEM_PROGRAMS", "")
    monkeypatch.setenv("PATH", f"{machine.programs}:/usr/bin/nowhere")
    (machine.programs / "basename").symlink_to("/usr/bin/basename")
    (machine.programs / "dirname").symlink_to("/usr/bin/dirname")
    result = machine.run()
    assert result.exit_code == 1
    assert "udevadm is not installed on this machine." in result.stderr


def test_of_a_home_only_the_program_is_seen(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "HOMES", (str(ROOT.parent),))
    assert machine.run().exit_code == 0
    (line,) = (line for line in machine.read(UNIT).splitlines() if line.startswith("BindReadOnlyPaths="))
    assert str(ROOT) in line.partition("=")[2].split()


@pytest.mark.parametrize(("name", "mode", "words"), [("venv", 0o700, "chmod -R o+rX"), ("my venv", 0o755, "spaces")])
def test_a_program_that_the_service_could_not_run_is_refused(
    machine: FakeMachine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, mode: int, words: str
) -> None:
    environment = tmp_path / name
    environment.mkdir()
    environment.chmod(mode)
    monkeypatch.setattr(MODULE, "HOMES", (str(tmp_path),))
    monkeypatch.setattr(sys, "prefix", str(environment))
    result = machine.run()
    assert result.exit_code == 1
    assert words in result.stderr
    assert machine.ran() == []


# --- The unit --------------------------------------------------------------------------------------------------------


# The network service is root, without root's privileges: systemd counts the name.
UNITS = pytest.mark.parametrize(("file", "threshold"), [(UNIT, 20), (NETWORK, 20)], ids=["table", "network"])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@UNITS
def test_systemd_judges_the_units_as_safe(machine: FakeMachine, tmp_path: Path, file: str, threshold: int) -> None:
    machine.become_a_pi()
    machine.become_networked()
    assert machine.run().exit_code == 0
    unit = tmp_path / Path(file).name
    shutil.copy(machine.root / file, unit)
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={threshold}", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-300:]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@UNITS
def test_systemd_understands_every_line_of_the_units(
    machine: FakeMachine, tmp_path: Path, file: str, threshold: int
) -> None:
    machine.become_a_pi()
    machine.become_networked()
    assert machine.run().exit_code == 0
    # Verified away from this machine's own units, of which it may have none.
    unit = tmp_path / Path(file).name
    shutil.copy(machine.root / file, unit)
    shutil.copy((machine.root / file).with_suffix(".socket"), tmp_path)
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stderr
    # Those two are newer than Debian 12, as the unit says.
    known = ("'RestartSteps'", "'RestartMaxDelaySec'")
    about_us = [line for line in said.splitlines() if str(unit) in line and not any(key in line for key in known)]
    assert about_us == []


def test_the_unit_keeps_its_promises(machine: FakeMachine) -> None:
    assert machine.run().exit_code == 0
    unit = machine.read(UNIT)
    for line in (
        "User=el-grande", "StateDirectory=el-grande", "WorkingDirectory=/var/lib/el-grande",
        "Environment=EL_GRANDE_HOME=/var/lib/el-grande", "Restart=on-failure", "NoNewPrivileges=yes",
        "ProtectSystem=strict", "PrivateTmp=yes", "DevicePolicy=closed", "OOMPolicy=continue", "Type=notify",
        "WatchdogSec=30", "ProtectProc=invisible", "MemoryDenyWriteExecute=yes",
    ):  # fmt: skip
        assert f"\n{line}\n" in unit
    allowed = [line.partition("=")[2] for line in unit.splitlines() if line.startswith("DeviceAllow=")]
    assert allowed == [f"char-{group} rw" for group in ("gpiochip", "*gpiomem*", "spi", "*-pio", "ttyACM")]
