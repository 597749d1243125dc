"""Every package we ask for can be had on a Raspberry Pi; where installing fails all the same, `make play` says why."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

SOURCE_ONLY = {
    "rpi_ws281x": {"pi-neopixel"},  # compiled on the Pi, for a driver that no Pi needs
    "chess": {"test", "bench"},  # plain Python, which needs no compiler
}
"""The packages without a wheel, and the only extras that may ask for them."""

# Raspberry Pi OS on Debian 12 and 13: its Python, its glibc 2.x, and the wheel that brings the module `lgpio`.
SYSTEMS = [("3.11", 36, "lgpio"), ("3.13", 41, "adafruit_lgpio")]


def asked_for() -> dict[str, list[Requirement]]:
    """What each extra asks for, and under an empty name what the project always does."""
    lists = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    return {extra: [Requirement(line) for line in lines] for extra, lines in lists.items()}


def wheels_on_a_pi(python: str, glibc: int, folder: Path, *wanted: str) -> dict[str, Path]:
    """Downloads packages as a Pi would, but nothing that is not a wheel. Returns the wheels by their names."""
    pip = [sys.executable, "-m", "tools.pip_on_pi", python, str(glibc), "download", "--quiet"]
    done = subprocess.run([*pip, "--dest", str(folder), *wanted], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {wheel.name.partition("-")[0]: wheel for wheel in folder.glob("*.whl")}


@pytest.mark.parametrize(("python", "glibc", "lgpio"), SYSTEMS)
def test_every_extra_installs_on_a_pi_from_wheels_alone(python: str, glibc: int, lgpio: str) -> None:
    # All extras are resolved at once, in a fraction of the time: versions that fit all of them fit each one, and none.
    everything = {str(package): package.name for packages in asked_for().values() for package in packages}
    wanted = [package for package, name in everything.items() if name not in {*SOURCE_ONLY, PROJECT["name"]}]
    with TemporaryDirectory() as folder:
        wheels = wheels_on_a_pi(python, glibc, Path(folder), *wanted)
        assert wheels.keys() & {"lgpio", "adafruit_lgpio"} == {lgpio}
        # gpiozero imports the module under this name, whichever package it is from.
        assert "lgpio.py" in ZipFile(wheels[lgpio]).namelist()


@pytest.mark.slow
@pytest.mark.parametrize(("python", "glibc", "lgpio"), SYSTEMS)
def test_what_is_locked_for_a_pi_installs_on_every_model_from_wheels_alone(
    python: str, glibc: int, lgpio: str, tmp_path: Path
) -> None:
    wheels = wheels_on_a_pi(python, glibc, tmp_path, "--require-hashes", "-r", "dependencies/locked-pi.txt")
    assert {"gpiod", lgpio, "adafruit_circuitpython_neopixel_spi", "adafruit_pureio"} <= wheels.keys()


@pytest.mark.slow
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_what_play_needs_installs_on_windows_from_wheels_alone(python: str, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "tests.support.pip_on_windows", python, "download", "--quiet", "--dest", str(tmp_path)]
    done = subprocess.run([*pip, *PROJECT["dependencies"]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("*-win_amd64.whl")), "what is compiled was compiled for Windows"
    assert not list(tmp_path.glob("sysv_ipc-*")), "only Linux needs it"


def test_only_named_packages_are_source_only() -> None:
    names = {extra: {package.name for package in packages} for extra, packages in asked_for().items()}
    assert {name: {extra for extra in names if name in names[extra]} for name in SOURCE_ONLY} == SOURCE_ONLY


COMPILED = "sudo apt install gcc python3-dev"
OTHERWISE = "Check the network and what pip says above; then run the same command again."
NO_GCC = """\
  error: subprocess-exited-with-error
  ╰─> error: [Errno 2] No such file or directory: 'gcc'
  ERROR: Failed building wheel for rpi_ws281x
"""
# What pip 23 (Debian 12) and pip 25 (Debian 13) say, the line of it that `make play` repeats, and its advice.
FAILURES = {
    "no gcc, pip 23": (
        f"{NO_GCC}ERROR: Could not build wheels for rpi_ws281x, which is required to install projects\n",
        "Could not build wheels for rpi_ws281x, which is required to install projects",
        COMPILED,
    ),
    "no gcc, pip 25": (
        f"{NO_GCC}ERROR: Failed to build installable wheels for some pyproject.toml based projects (rpi_ws281x)\n",
        "Failed to build installable wheels for some pyproject.toml based projects (rpi_ws281x)",
        COMPILED,
    ),
    "no gcc, and more said after it": (
        f"{NO_GCC}error: failed-wheel-build-for-install\n╰─> rpi_ws281x\n",
        "Failed building wheel for rpi_ws281x",
        COMPILED,
    ),
    "no wheel": (
        "ERROR: No matching distribution found for lgpio>=0.2\n",
        "No matching distribution found for lgpio>=0.2",
        OTHERWISE,
    ),
    "no network": (
        "WARNING: Retrying\nERROR: No matching distribution found for rpi_ws281x<6,>=5\n",
        "No matching distribution found for rpi_ws281x<6,>=5",
        OTHERWISE,
    ),
    "another package does not build": (
        "  ERROR: Failed building wheel for lgpio\n",
        "Failed building wheel for lgpio",
        OTHERWISE,
    ),
    "no word of an error": ("Killed\n\n", "Killed", OTHERWISE),
}


def make_play_installed(venv: Path, said: str, status: int) -> subprocess.CompletedProcess[str]:
    """Lets the real make install for a Raspberry Pi 4, by a pip that says this and ends so."""
    (venv / "bin").mkdir(exist_ok=True)
    (venv / "bin/python").touch()
    (venv / "pip").write_text(f"printf %s {shlex.quote(said)} >&2\nexit {status}\n")
    # The make that runs the tests hands its own options on, such as -s.
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", f"{venv}/play.installed", f"VENV={venv}", f"PIP=sh {venv}/pip", "PI_MODEL=Raspberry Pi 4 Model B"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("said", "repeated", "advice"), FAILURES.values(), ids=FAILURES)
def test_make_play_says_what_failed_and_blames_gcc_for_what_is_compiled_alone(
    said: str, repeated: str, advice: str, tmp_path: Path
) -> None:
    done = make_play_installed(tmp_path, said, 1)
    assert done.returncode == 2
    assert said in done.stdout
    assert f"\nInstalling failed: {repeated}\n" in done.stderr
    assert [line for line in (COMPILED, OTHERWISE) if line in done.stderr] == [advice]


def test_make_play_installs_again_after_a_failure_and_not_after_a_success(tmp_path: Path) -> None:
    installed = tmp_path / "play.installed"
    for status in (1, 0):
        assert bool(make_play_installed(tmp_path, "WARNING: a word\n", status).returncode) == bool(status)
        assert installed.exists() == (not status)
    assert "up to date" in make_play_installed(tmp_path, "", 1).stdout
    # What is installed is older than what is asked for now: a failure must not leave it looking up to date.
    installed.touch()
    subprocess.run(["touch", "-d", "2000-01-01", str(installed)], check=True)
    assert make_play_installed(tmp_path, "Killed\n", 1).returncode
    assert not installed.exists()


OPEN_STRIP = """
import sys
from dataclasses import replace

driver, *not_installed = sys.argv[1:]
sys.modules.update(dict.fromkeys(not_installed))

from hardware.board import SHIPPED, read_board
from hardware.errors import StripOutOfReach
from hardware.drivers.lights import open_strip, spi

spi.SPI_DEVICE = "/dev/null"
try:
    open_strip(replace(read_board(SHIPPED / "standard.toml").strip, driver=driver))
except StripOutOfReach as error:
    print(error.why)
"""
NO_DEVICE = "/dev/null: Inappropriate ioctl for device"
"""What the driver `spi` reports when it has all that it needs except a real device."""


def open_strip_on(board: str, driver: str, *not_installed: str) -> str:
    """Returns what opening a strip says in a terminal on a Raspberry Pi, as which Blinka takes this machine."""
    ours, theirs = os.openpty()
    others = {name: value for name, value in os.environ.items() if not name.startswith("BLINKA_")}
    process = subprocess.Popen(
        [sys.executable, "-c", OPEN_STRIP, driver, *not_installed],
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**others, "BLINKA_FORCEBOARD": board, "BLINKA_FORCECHIP": "BCM2XXX"},
    )
    os.write(ours, b"n\n")  # the answer, should it ask
    process.wait(timeout=60)
    said = os.read(ours, 4096).decode()
    os.close(ours)
    os.close(theirs)
    return said


@pytest.mark.parametrize("driver", ["neopixel", "spi"])
def test_a_package_missing_on_a_pi_is_reported_and_nobody_is_asked_to_install_it(driver: str) -> None:
    said = open_strip_on("RASPBERRY_PI_5", driver, "gpiod")
    assert "gpiod" in said
    assert "Install them" not in said
    assert "Traceback" not in said


BOARDS = ["RASPBERRY_PI_3B", "RASPBERRY_PI_3B_PLUS", "RASPBERRY_PI_ZERO_2_W", "RASPBERRY_PI_4B", "RASPBERRY_PI_5"]


@pytest.mark.skipif(sys.platform != "linux", reason="the packages of a Pi are for Linux")
@pytest.mark.parametrize("board", BOARDS)
def test_on_every_pi_the_lights_need_nothing_that_is_compiled(board: str) -> None:
    compiled = ("_rpi_ws281x", "rpi_ws281x", "spidev", "RPi", "RPi.GPIO", "adafruit_raspberry_pi5_neopixel_write")
    assert NO_DEVICE in open_strip_on(board, "spi", *compiled)
