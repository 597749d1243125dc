"""`companion install-service`, as root types it, on a machine that is a folder with programs of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.cli.install_service import ServiceHost
from companion.doctor.pio import RULE, RULES_FILE

ROOT = Path(__file__).parents[2]
# By its name the command is found, and not its module.
MODULE = sys.modules["companion.cli.install_service"]
PROGRAM = Path(sys.executable).with_name("companion")

UNIT = "etc/systemd/system/el-grande-table.service"
RULES = "etc/udev/rules.d/99-el-grande.rules"

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
        for name in ("systemctl", "useradd", "usermod", "udevadm"):
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

    def files(self) -> dict[str, bytes]:
        return {str(file.relative_to(self.root)): file.read_bytes() for file in self.root.rglob("*") if file.is_file()}

    def make_user(self) -> None:
        """As the fake `useradd` and `usermod` would have done."""
        with (self.root / "etc/passwd").open("a") as file:
            file.write("el-grande:x:994:994::/var/lib/el-grande:/usr/sbin/nologin\n")
        (self.root / "etc/group").write_text(
            "gpio:x:993:somebody,el-grande\ndialout:x:20:el-grande\nel-grande:x:994:\n"
        )


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
        *UDEV,
        "systemctl daemon-reload",
        "systemctl enable --now el-grande-table.service",
    ]
    unit = machine.read(UNIT).splitlines()
    assert f"ExecStart={PROGRAM} play --service" in unit
    # A group that is not there would keep the service from starting.
    assert "SupplementaryGroups=gpio dialout" in unit
    assert not [line for line in unit if "@" in line and "modprobe@" not in line]
    assert machine.read(RULES).splitlines()[-1] == RULE
    assert oct((machine.root / UNIT).stat().st_mode)[-3:] == "644"
    assert "The table is running, and starts again" in result.output


def test_without_pins_there_is_no_rule_for_them(machine: FakeMachine) -> None:
    (machine.root / "etc/group").write_text("root:x:0:\nel-grande:x:994:\n")
    assert machine.run("--no-start").exit_code == 0
    assert machine.ran() == [
        USERADD.replace("--user-group", "--gid el-grande"),
        "systemctl daemon-reload",
        "systemctl enable el-grande-table.service",
    ]
    assert not (machine.root / RULES).exists()
    assert "SupplementaryGroups=\n" in machine.read(UNIT)


def test_once_more_brings_up_to_date_and_starts_again_without_a_question(installed: FakeMachine) -> None:
    before = installed.files()
    assert installed.run().exit_code == 0
    assert installed.ran() == [
        *UDEV,
        "systemctl daemon-reload",
        "systemctl enable el-grande-table.service",
        "systemctl restart el-grande-table.service",
    ]
    assert installed.files() == before


def test_it_need_not_start_now(machine: FakeMachine) -> None:
    result = machine.run("--no-start")
    assert result.exit_code == 0
    assert machine.ran()[-1] == "systemctl enable el-grande-table.service"
    assert "The table starts when the machine starts." in result.output


@pytest.mark.parametrize("file", [UNIT, RULES])
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


# --- Removing --------------------------------------------------------------------------------------------------------


def test_removing_undoes_it_and_keeps_the_games(installed: FakeMachine) -> None:
    games = installed.root / "var/lib/el-grande/table.db"
    games.parent.mkdir(parents=True)
    games.write_text("games")
    result = installed.run("--remove")
    assert result.exit_code == 0
    assert installed.ran() == [
        "systemctl disable --now el-grande-table.service",
        "systemctl daemon-reload",
        "udevadm control --reload",
    ]
    assert set(installed.files()) == {"etc/passwd", "etc/group", "var/lib/el-grande/table.db"}
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
    for file in (UNIT, RULES):
        assert f"would write: {machine.root / file}\n" in shown
        for line in machine.read(file).splitlines():
            assert f"    {line}".rstrip() + "\n" in shown


def test_a_dry_run_of_removing_does_nothing_either(installed: FakeMachine) -> None:
    (installed.root / UNIT).write_text("[Unit]\n")
    before = installed.files()
    shown = installed.run("--remove", "--dry-run").stdout
    assert (installed.files(), installed.ran()) == (before, [])
    assert f"would ask: {installed.root / UNIT} was edited by hand\n" in shown
    assert "would run: systemctl disable --now el-grande-table.service\n" in shown
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
    monkeypatch.setattr(ServiceHost, "has_systemd", True)
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
    monkeypatch.setattr(MODULE, "_SYSTEM_PROGRAMS", "")
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


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_understands_every_line_of_the_unit(machine: FakeMachine, tmp_path: Path) -> None:
    assert machine.run().exit_code == 0
    # Verified away from this machine's own units, of which it may have none.
    unit = tmp_path / "el-grande-table.service"
    shutil.copy(machine.root / UNIT, unit)
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
        "ProtectSystem=strict", "PrivateTmp=yes", "DevicePolicy=closed", "OOMPolicy=continue",
    ):  # fmt: skip
        assert f"\n{line}\n" in unit
    allowed = [line.partition("=")[2] for line in unit.splitlines() if line.startswith("DeviceAllow=")]
    assert allowed == [f"char-{group} rw" for group in ("gpiochip", "*gpiomem*", "spi", "*-pio", "ttyACM")]
