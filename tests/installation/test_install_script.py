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


NOTED = ("systemctl", "useradd", "usermod", "userdel", "udevadm", "install")
NOTE = '#!/bin/sh\necho "$(basename "$0") $*" >> "$(dirname "$0")/all.ran"\n'
COVERED = ("/opt", "/usr/local/bin", "/var/log", "/var/lib", "/etc", "/run")


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
        (folder / "run/systemd/system").mkdir(parents=True)
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in NOTED:
            (self.programs / name).write_text(NOTE)
            (self.programs / name).chmod(0o755)

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        mounts = " && ".join(f"mount --bind {self.folder}{covered} {covered}" for covered in COVERED)
        command = f'{mounts} && exec bash "$@"'
        environment = {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"}
        return subprocess.run(
            ["unshare", "--mount", "bash", "-c", command, "bash", SCRIPT, *args], env=environment, check=False,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    def ran(self) -> list[str]:
        """What was run since the last time."""
        file = self.programs / "all.ran"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


def can_unshare() -> bool:
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], check=False).returncode == 0


@pytest.mark.games
@pytest.mark.skipif(not can_unshare(), reason="a mount namespace needs root")
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
    gone = sandbox.run("--uninstall", "--yes")
    assert gone.returncode == 0, gone.stdout + gone.stderr
    assert not (tmp_path / "opt/el-grande").exists()
    assert not os.path.lexists(tmp_path / "usr/local/bin/companion")
    assert list((tmp_path / "etc/systemd/system").glob("el-grande*")) == []
    assert (tmp_path / "var/lib/el-grande/table.db").read_text() == "games"
    assert "not installed here" in sandbox.run("--uninstall", "--yes").stdout
