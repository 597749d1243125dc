"""install.sh: what it says before it does anything, what it refuses, and a whole installation that is undone again.

The whole installation runs for real, in a mount namespace with folders of its own over the system's. Only the programs
that would change users and services are replaced, by ones that note how they were called.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.installation import SystemFile, with_board
from companion.installation.card import NAME, PIS_OWN_NAME
from companion.installation.release import sum_of
from companion.installation.versions import Versions
from companion.network.profiles import HOTSPOT_FILE, HOTSPOT_UUID

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "install.sh"


def run(*args: str, script: Path = SCRIPT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", script, *args], env={**os.environ, **environment}, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip


def test_a_dry_run_says_what_would_be_done_and_does_nothing() -> None:
    done = run("--dry-run")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "from a clone" in done.stdout
    assert "This will:" in done.stdout
    assert [line[:5] for line in done.stdout.splitlines() if line.startswith("[")] == [f"[{n}/6]" for n in range(1, 7)]
    assert not Path("/opt/el-grande").exists()


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["--hlep"], 2, "There is no option --hlep."),
        (["--purge"], 2, "--purge goes with --uninstall."),
        (["--help"], 0, "--uninstall"),
    ],
)
def test_wrong_options_are_answered_with_the_right_ones(args: list[str], code: int, words: str) -> None:
    done = run(*args)
    assert done.returncode == code
    assert words in done.stdout + done.stderr
    assert "Installs the El Grande table" in done.stdout + done.stderr


def test_beside_nothing_to_install_it_says_where_to_run_it(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path)
    done = run("--dry-run", script=tmp_path / "install.sh")
    assert done.returncode == 1
    assert "there is nothing to install beside this script" in done.stderr
    assert "unpacked release" in done.stderr


def test_whoever_is_not_root_gets_the_command(tmp_path: Path) -> None:
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    done = run("--yes", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert f"sudo {SCRIPT} --yes" in done.stderr


def test_a_release_for_another_machine_is_refused_with_what_to_do(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path)
    (tmp_path / "wheels").mkdir()
    (tmp_path / "VERSION").write_text("0.2.0\n")
    (tmp_path / "PYTHONS").write_text(f"{sys.version_info[0]}.{sys.version_info[1]}\n")
    (tmp_path / "uname").write_text("#!/bin/sh\necho riscv64\n")
    (tmp_path / "uname").chmod(0o755)
    done = run("--dry-run", script=tmp_path / "install.sh", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert "for 64-bit Raspberry Pis, and this is riscv64" in done.stderr
    assert "pipx install" in done.stderr


def test_a_release_without_packages_for_this_python_names_those_it_has(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path)
    (tmp_path / "wheels").mkdir()
    (tmp_path / "PYTHONS").write_text("3.97 3.98\n")
    done = run("--dry-run", script=tmp_path / "install.sh")
    assert done.returncode == 1
    assert "there is no Python 3.97 or 3.98" in done.stderr


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="`make test` installs shellcheck, `make check` does not")
@pytest.mark.parametrize(
    "script", [SCRIPT, ROOT / "packaging/first-boot.sh", ROOT / "tests/support/real_network_manager.sh"]
)
def test_shellcheck_finds_nothing(script: Path) -> None:
    done = subprocess.run(["shellcheck", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


# --- In a machine of its own -----------------------------------------------------------------------------------------

NOTED = ("systemctl", "useradd", "usermod", "userdel", "udevadm", "install", "nmcli", "sync", "hostnamectl")
NOTE = '#!/bin/sh\necho "$(basename "$0") $*" >> "$NOTES"\n'
RENAMES = NOTE + '[ "$1" != set-hostname ] || echo "$2" > /etc/hostname\n'
COVERED = ("/opt", "/usr/local/bin", "/var/log", "/var/lib", "/etc", "/run", "/boot", "/dev")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "fd", "stdin", "stdout", "stderr")
PICO = "dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e66058388345a52a-if00"
UNITS = "etc/systemd/system"


class Sandbox:
    """A mount namespace in which folders of the system are ours: /etc is a copy, the others are empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for covered in COVERED:
            (folder / covered.strip("/")).mkdir(parents=True)
        # Programs read their settings there. What a machine may or may not have there must not matter.
        shutil.copytree("/etc", folder / "etc", symlinks=True, dirs_exist_ok=True)
        for name in ("systemd", "udev"):
            shutil.rmtree(folder / "etc" / name, ignore_errors=True)
        (folder / UNITS).mkdir(parents=True)
        for device in DEVICES:
            subprocess.run(["cp", "--archive", f"/dev/{device}", folder / "dev"], check=True)
        (folder / "run/systemd/system").mkdir(parents=True)
        self.notes = folder / "notes"
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in NOTED:
            self.program(name, RENAMES if name == "hostnamectl" else NOTE)
        # Only there are releases for.
        self.program("uname", "#!/bin/sh\necho aarch64\n")
        self.name = "somewhere"

    def program(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    @property
    def name(self) -> str:
        return (self.folder / "etc/hostname").read_text().strip()

    @name.setter
    def name(self, name: str) -> None:
        (self.folder / "etc/hostname").write_text(f"{name}\n")
        (self.folder / "etc/hosts").write_text(f"127.0.0.1\tlocalhost\n127.0.1.1\t{name}\n")

    def run(self, *args: str, script: Path = SCRIPT) -> subprocess.CompletedProcess[str]:
        mounts = " && ".join(f"mount --bind {self.folder}{covered} {covered}" for covered in COVERED)
        command = f'{mounts} && exec bash "$@"'
        path = f"{self.programs}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "NOTES": str(self.notes)}
        return subprocess.run(
            ["unshare", "--mount", "bash", "-c", command, "bash", script, *args], env=environment, check=False,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    def do(self, *args: str, script: Path = SCRIPT) -> str:
        """Runs the script, which must succeed, and returns what it says."""
        done = self.run(*args, script=script)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def ran(self) -> list[str]:
        """What was run since the last time."""
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        self.notes.unlink(missing_ok=True)
        return lines

    def linked(self, name: str) -> str:
        return str((self.folder / "opt/el-grande" / name).readlink())


def can_unshare() -> bool:
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], check=False).returncode == 0


in_a_namespace = pytest.mark.skipif(not can_unshare(), reason="a mount namespace needs root")


@pytest.mark.games
@in_a_namespace
def test_a_whole_installation_can_be_repeated_and_undone(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path)
    done = sandbox.run("--yes", "--no-start")
    assert done.returncode == 0, done.stdout + done.stderr
    current = tmp_path / "opt/el-grande/current"
    version = current.readlink().name
    assert (tmp_path / "opt/el-grande/versions" / version / "complete").exists()
    assert (tmp_path / "usr/local/bin/companion").readlink() == Path("/opt/el-grande/current/bin/companion")
    unit = (tmp_path / "etc/systemd/system/el-grande-table.service").read_text()
    assert "ExecStart=/opt/el-grande/current/bin/companion play --service --https" in unit
    assert any(line.startswith("useradd --system") for line in sandbox.ran())
    assert "Setting up the service" in (tmp_path / "var/log/el-grande-install.log").read_text()
    # Once more: what is there stays there.
    before = (tmp_path / "opt/el-grande/versions" / version / "complete").stat().st_mtime_ns
    again = sandbox.run("--yes", "--no-start")
    assert again.returncode == 0, again.stdout + again.stderr
    if current.readlink().name == version:  # nothing in the checkout was being changed
        assert "is there already" in again.stdout
        assert (tmp_path / "opt/el-grande/versions" / version / "complete").stat().st_mtime_ns == before
    (tmp_path / "var/lib/el-grande").mkdir(exist_ok=True)
    (tmp_path / "var/lib/el-grande/table.db").write_text("games")
    # By the copy that stays when a clone or a release is gone.
    sandbox.do("--uninstall", "--yes", script=Path("/opt/el-grande/install.sh"))
    assert not (tmp_path / "opt/el-grande").exists()
    assert not os.path.lexists(tmp_path / "usr/local/bin/companion")
    assert list((tmp_path / "etc/systemd/system").glob("el-grande*")) == []
    assert (tmp_path / "var/lib/el-grande/table.db").read_text() == "games"
    assert "not installed here" in sandbox.run("--uninstall", "--yes").stdout


# --- A release that only notes what is done with it ------------------------------------------------------------------


def small_release(folder: Path, version: str, companion: str = "") -> Path:
    """Makes a release whose pip installs a program that only notes how it was called. Returns its script."""
    pip = folder / "wheels/pip-1.whl/pip"
    pip.mkdir(parents=True)
    (folder / "firmware").mkdir()
    program = companion or NOTE.replace('$(basename "$0")', "companion")
    files = {
        "VERSION": f"{version}\n",
        "PYTHONS": f"{sys.version_info[0]}.{sys.version_info[1]}\n",
        "requirements.txt": "",
        "firmware/main.py": "",
        "wheels/pip-1.whl/pip/__main__.py": (
            "import pathlib, sys\n"
            f"program = pathlib.Path(sys.prefix, 'bin/companion')\nprogram.write_text({program!r})\n"
            "program.chmod(0o755)\n"
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    sums = "".join(f"{sum_of(folder / name)}  {name}\n" for name in sorted(files))
    (folder / "SHA256SUMS").write_text(sums)
    return Path(shutil.copy(SCRIPT, folder))


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path / "machine")


@pytest.fixture
def one(tmp_path: Path) -> Path:
    return small_release(tmp_path / "one", "0.2.0")


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return small_release(tmp_path / "two", "0.10.0")


INSTALLED = Path("/opt/el-grande/install.sh")


@in_a_namespace
def test_an_upgrade_keeps_the_version_that_rollback_goes_back_to(sandbox: Sandbox, one: Path, two: Path) -> None:
    sandbox.do("--yes", script=one)
    versions = Versions(sandbox.folder / "opt/el-grande")
    assert (versions.current, versions.previous) == ("0.2.0", None)
    for _ in range(2):  # the same once more changes nothing
        sandbox.do("--yes", script=two)
        assert (versions.current, versions.previous) == ("0.10.0", "0.2.0")
    # In the form that companion update gives them.
    assert (sandbox.linked("current"), sandbox.linked("previous")) == ("versions/0.10.0", "versions/0.2.0")


@in_a_namespace
def test_what_counts_as_complete_is_on_disk_and_so_is_the_switch(sandbox: Sandbox, one: Path) -> None:
    # At each sync, what was there already.
    there = "$(cd /opt/el-grande; ls -d current versions/*/complete 2> /dev/null | xargs)"
    sandbox.program("sync", f'#!/bin/sh\necho "sync $*: {there}" >> "$NOTES"\n')
    sandbox.do("--yes", script=one)
    assert [line for line in sandbox.ran() if line.startswith("sync")] == [
        "sync -f /opt/el-grande/versions/0.2.0: ",
        "sync -f /opt/el-grande: current versions/0.2.0/complete",
    ]


@in_a_namespace
def test_everybody_may_run_the_program_whatever_root_s_umask_is(sandbox: Sandbox, one: Path) -> None:
    before = os.umask(0o077)
    try:
        sandbox.do("--yes", script=one)
    finally:
        os.umask(before)
    for name in ("opt/el-grande/versions/0.2.0", "opt/el-grande/install.sh", "opt/el-grande/versions/0.2.0/pyvenv.cfg"):
        assert (sandbox.folder / name).stat().st_mode & 0o004, name


@in_a_namespace
@pytest.mark.parametrize("args", [(), ("--program-only",)])
def test_an_older_release_is_refused_unless_it_is_asked_for(
    sandbox: Sandbox, one: Path, two: Path, args: tuple[str, ...]
) -> None:
    sandbox.do("--yes", script=two)
    sandbox.ran()
    refused = sandbox.run("--yes", *args, script=one)
    assert refused.returncode == 3
    said = refused.stdout + refused.stderr
    assert "version 0.10.0 is installed, and this is 0.2.0, which is older" in said
    assert "sudo companion rollback" in said
    assert "--downgrade" in said
    assert sandbox.ran() == []
    assert not (sandbox.folder / "opt/el-grande/versions/0.2.0").exists()
    sandbox.do("--yes", "--downgrade", script=one)
    assert (sandbox.linked("current"), sandbox.linked("previous")) == ("versions/0.2.0", "versions/0.10.0")


@in_a_namespace
@pytest.mark.parametrize(
    ("there", "new", "older"),
    [
        ("0.9.1", "0.10.0", False), ("0.10.0", "0.9.1", True), ("0.2.0", "0.2.0rc1", True),
        ("0.2.0rc1", "0.2.0", False), ("0.2.0+abc", "0.2.0+012", False),
        ("0.2.0", "0.2.0+abc", False), ("0.3.0+abc", "0.2.0", True),
    ],
)  # fmt: skip
def test_which_version_is_older(sandbox: Sandbox, tmp_path: Path, there: str, new: str, older: bool) -> None:
    versions = sandbox.folder / "opt/el-grande/versions"
    (versions / there).mkdir(parents=True)
    (versions / there / "complete").touch()
    (versions.parent / "current").symlink_to(f"versions/{there}")
    assert (sandbox.run("--dry-run", script=small_release(tmp_path / "new", new)).returncode == 3) == older


@in_a_namespace
def test_the_script_stays_to_undo_it_when_the_release_is_gone(sandbox: Sandbox, one: Path) -> None:
    said = sandbox.do("--yes", script=one)
    assert said.count("sudo /opt/el-grande/install.sh --uninstall") == 2  # before it begins, and at the end
    shutil.rmtree(one.parent)
    again = sandbox.run("--yes", script=INSTALLED)
    assert again.returncode == 1
    assert "nothing to install beside this script" in again.stderr + again.stdout
    sandbox.do("--uninstall", "--yes", script=INSTALLED)
    assert not (sandbox.folder / "opt/el-grande").exists()


# --- Removing --------------------------------------------------------------------------------------------------------


def set_up(sandbox: Sandbox) -> None:
    """Leaves what `companion install-service` writes, on a Pi."""
    for file in SystemFile:
        (sandbox.folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (sandbox.folder / file.path).write_text("[Unit]\n")
    for path in (f"etc/NetworkManager/system-connections/{HOTSPOT_FILE}", f"etc/netplan/90-NM-{HOTSPOT_UUID}.yaml"):
        (sandbox.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (sandbox.folder / path).write_text("[connection]\n")
    (sandbox.folder / "boot/firmware").mkdir()
    (sandbox.folder / "boot/firmware/config.txt").write_text(with_board("dtparam=audio=on\n") + "[all]\nmine=1\n")


def left_of(sandbox: Sandbox) -> list[str]:
    """Everything with our name that is still there."""
    found = (path for folder in COVERED for path in (sandbox.folder / folder.strip("/")).rglob("*"))
    return sorted(str(path.relative_to(sandbox.folder)) for path in found if "grande" in path.name)


@in_a_namespace
@pytest.mark.parametrize("state", ["none was switched to", "the program is broken", "the program is gone"])
def test_half_an_installation_can_be_removed_without_a_working_program(sandbox: Sandbox, one: Path, state: str) -> None:
    sandbox.do("--yes", script=one)
    set_up(sandbox)
    programs = sandbox.folder / "opt/el-grande"
    if state == "none was switched to":
        (programs / "current").unlink()
    elif state == "the program is broken":
        (programs / "versions/0.2.0/bin/companion").write_text("#!/bin/sh\nexit 1\n")
    else:
        shutil.rmtree(programs / "versions/0.2.0")
    sandbox.ran()
    said = sandbox.do("--uninstall", "--yes", script=INSTALLED)
    assert "this is done without it" in said
    assert left_of(sandbox) == ["var/log/el-grande-install.log"]
    ran = sandbox.ran()
    for unit in ("el-grande-table.service", "el-grande-table.socket", "el-grande-network.service"):
        assert f"systemctl disable --now {unit}" in ran
    assert ran.index("systemctl disable --now el-grande-table.service") < ran.index("systemctl daemon-reload")
    assert "nmcli connection reload" in ran
    config = (sandbox.folder / "boot/firmware/config.txt").read_text().split("\n")
    assert [line for line in config if line] == ["dtparam=audio=on", "[all]", "mine=1"]


@in_a_namespace
def test_a_program_that_works_removes_its_own_service(sandbox: Sandbox, one: Path) -> None:
    sandbox.do("--yes", script=one)
    set_up(sandbox)
    sandbox.ran()
    said = sandbox.do("--uninstall", "--yes", script=INSTALLED)
    assert "this is done without it" not in said
    assert sandbox.ran() == ["companion install-service --remove --yes"]


@in_a_namespace
def test_purging_leaves_nothing_also_after_the_program_was_removed(sandbox: Sandbox, one: Path) -> None:
    sandbox.name = PIS_OWN_NAME
    (sandbox.folder / "etc/cloud/cloud.cfg.d").mkdir(parents=True, exist_ok=True)
    sandbox.do("--yes", script=one)
    data = [sandbox.folder / f"var/lib/el-grande{end}" for end in ("", "-updates", "-network")]
    for folder in data:
        folder.mkdir()
        (folder / "kept").touch()
    sandbox.do("--uninstall", "--yes", script=one)
    assert all((folder / "kept").exists() for folder in data)
    sandbox.do("--uninstall", "--purge", "--yes", script=one)
    assert left_of(sandbox) == []
    assert "not installed here" in sandbox.do("--uninstall", "--purge", "--yes", script=one)


def test_the_script_knows_the_same_files_and_names_as_the_program() -> None:
    text = SCRIPT.read_text().replace("$UNITS", "/etc/systemd/system").replace('"', "")
    block = text.partition("readonly SYSTEM_FILES=(")[2].partition(")")[0].split()
    assert block == [f"/{file.path}" for file in SystemFile]
    assert f"/{HOTSPOT_FILE}\n" in text
    assert f"90-NM-{HOTSPOT_UUID}.yaml" in text
    assert f"readonly OUR_NAME={NAME}\n" in text
    assert f"readonly PIS_OWN_NAME={PIS_OWN_NAME}\n" in text


# --- The name --------------------------------------------------------------------------------------------------------


@in_a_namespace
def test_a_pi_that_nobody_named_gets_our_name_and_its_own_back(sandbox: Sandbox, one: Path) -> None:
    sandbox.name = PIS_OWN_NAME
    hosts, cloud = sandbox.folder / "etc/hosts", sandbox.folder / "etc/cloud/cloud.cfg.d"
    cloud.mkdir(parents=True, exist_ok=True)
    before = hosts.read_text()
    assert "call this Pi elgrande instead of raspberrypi" in sandbox.do("--dry-run", script=one)
    assert sandbox.name == PIS_OWN_NAME
    sandbox.do("--yes", script=one)
    assert sandbox.name == "elgrande"
    ours = "127.0.0.1\tlocalhost\n127.0.1.1\telgrande\n"
    assert hosts.read_text() == ours
    assert "preserve_hostname: true" in (cloud / "99-el-grande.cfg").read_text()
    ran = sandbox.ran()
    # Before the table starts, which tells people where it is.
    assert ran.index("hostnamectl set-hostname elgrande") < ran.index("companion install-service --yes")
    assert "systemctl enable el-grande-name.service" in ran
    assert "systemctl try-restart avahi-daemon.service" in ran
    # cloud-init writes the hosts again at every start, with the name that user-data has.
    unit = (sandbox.folder / UNITS / "el-grande-name.service").read_text()
    (command,) = (line.partition("=")[2] for line in unit.splitlines() if line.startswith("ExecStart="))
    assert command == "/bin/bash /opt/el-grande/install.sh --keep-name"
    for _ in range(2):
        sandbox.do("--keep-name", script=INSTALLED)
        assert hosts.read_text() == ours
        hosts.write_text(before)
    assert "--keep-name" not in (sandbox.folder / "var/log/el-grande-install.log").read_text()

    said = sandbox.do("--uninstall", "--yes", script=INSTALLED)
    assert "This Pi is called raspberrypi again." in said
    assert (sandbox.name, hosts.read_text()) == (PIS_OWN_NAME, before)
    assert left_of(sandbox) == ["var/log/el-grande-install.log"]


@in_a_namespace
def test_a_pi_that_somebody_named_keeps_its_name(sandbox: Sandbox, one: Path) -> None:
    sandbox.name = "granada"
    said = sandbox.do("--yes", script=one)
    assert "call this Pi" not in said
    sandbox.do("--uninstall", "--yes", script=one)
    assert sandbox.name == "granada"
    assert not [line for line in sandbox.ran() if line.startswith("hostnamectl")]


@in_a_namespace
def test_a_name_that_somebody_gave_the_pi_later_stays(sandbox: Sandbox, one: Path) -> None:
    sandbox.name = PIS_OWN_NAME
    sandbox.do("--yes", script=one)
    sandbox.name = "granada"
    sandbox.do("--uninstall", "--yes", script=one)
    assert sandbox.name == "granada"
    assert left_of(sandbox) == ["var/log/el-grande-install.log"]


@in_a_namespace
def test_a_pi_that_cannot_be_renamed_gets_its_table_all_the_same(sandbox: Sandbox, one: Path) -> None:
    sandbox.name = PIS_OWN_NAME
    sandbox.program("hostnamectl", "#!/bin/sh\nexit 1\n")
    assert "keeps its name" in sandbox.do("--yes", script=one)
    assert sandbox.name == PIS_OWN_NAME
    assert not (sandbox.folder / UNITS / "el-grande-name.service").exists()


# --- Hubs ------------------------------------------------------------------------------------------------------------


@in_a_namespace
@pytest.mark.parametrize("runs", [True, False])
def test_picos_that_are_plugged_in_get_the_firmware_while_no_table_holds_them(
    sandbox: Sandbox, one: Path, runs: bool
) -> None:
    (sandbox.folder / PICO).parent.mkdir(parents=True)
    (sandbox.folder / PICO).touch()
    sandbox.program("systemctl", NOTE + f'[ "$1" != is-active ] || {"true" if runs else "false"}\n')
    sandbox.do("--yes", script=one)
    ran = [line for line in sandbox.ran() if not line.startswith("sync")]
    both = "el-grande-table.socket el-grande-table.service"
    assert ran == [
        "companion --version",
        "systemctl is-active --quiet el-grande-table.service",
        *([f"systemctl stop {both}"] if runs else []),
        "companion firmware install --plugged-in",
        *([f"systemctl start {both}"] if runs else []),
        "companion install-service --yes",
        "companion where",
    ]


@in_a_namespace
def test_a_pico_that_fails_does_not_end_the_installation(sandbox: Sandbox, tmp_path: Path) -> None:
    (sandbox.folder / PICO).parent.mkdir(parents=True)
    (sandbox.folder / PICO).touch()
    script = small_release(tmp_path / "one", "0.2.0", '#!/bin/sh\n[ "$1" != firmware ]\n')
    assert "sudo companion hubs" in sandbox.do("--yes", script=script)


# --- What it says first ----------------------------------------------------------------------------------------------


@in_a_namespace
def test_it_says_everything_that_it_will_do(sandbox: Sandbox, one: Path) -> None:
    (sandbox.folder / "etc/avahi").mkdir(exist_ok=True)
    with (sandbox.folder / "etc/group").open("a") as groups:
        groups.write("gpio:x:993:\n")
    said = sandbox.do("--dry-run", script=one)
    for words in (
        "user el-grande", "groups gpio, spi and dialout", "udev rule", "avahi", "port 80", "port 8443",
        "simulate the board", "sudo /opt/el-grande/install.sh --uninstall",
    ):  # fmt: skip
        assert words in said
    assert "Wi-Fi" not in said
    # The same on a Pi.
    model = one.with_name("model")
    model.write_text("Raspberry Pi Zero 2 W Rev 1.0\0")
    one.write_text(one.read_text().replace("/proc/device-tree/model", str(model)))
    said = sandbox.do("--dry-run", script=one)
    assert "on Raspberry Pi Zero 2 W Rev 1.0" in said
    for words in ("SPI for the lights in config.txt", "open the table's own Wi-Fi", "firmware on Picos"):
        assert words in said
    assert "simulate" not in said
