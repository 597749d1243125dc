"""Every package we ask for can be had on a Raspberry Pi."""

from __future__ import annotations

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
    "rpi_ws281x": {"pi"},  # compiled on the Pi
    "chess": {"test", "bench"},  # plain Python, which needs no compiler
}
"""The packages without a wheel, and the only extras that may ask for them."""

# Raspberry Pi OS on Debian 12 and 13: its Python, its glibc 2.x, and the wheel that brings the module `lgpio`.
SYSTEMS = [("3.11", 36, "lgpio"), ("3.13", 41, "adafruit_lgpio")]


def asked_for() -> dict[str, list[Requirement]]:
    """What each extra asks for, and under an empty name what the project always does."""
    lists = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    return {extra: [Requirement(line) for line in lines] for extra, lines in lists.items()}


@pytest.mark.parametrize(("python", "glibc", "lgpio"), SYSTEMS)
def test_every_extra_installs_on_a_pi_from_wheels_alone(python: str, glibc: int, lgpio: str) -> None:
    # All extras are resolved at once, in a fraction of the time: versions that fit all of them fit each one, and none.
    everything = {str(package): package.name for packages in asked_for().values() for package in packages}
    wanted = [package for package, name in everything.items() if name not in {*SOURCE_ONLY, PROJECT["name"]}]
    with TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "tests.pip_on_pi", python, str(glibc), "download", "--quiet", "--dest", folder]
        done = subprocess.run([*pip, *wanted], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        wheels = {wheel.name.partition("-")[0]: wheel for wheel in Path(folder).glob("*.whl")}
        assert wheels.keys() & {"lgpio", "adafruit_lgpio"} == {lgpio}
        # gpiozero imports the module under this name, whichever package it is from.
        assert "lgpio.py" in ZipFile(wheels[lgpio]).namelist()


def test_only_named_packages_are_source_only() -> None:
    names = {extra: {package.name for package in packages} for extra, packages in asked_for().items()}
    assert {name: {extra for extra in names if name in names[extra]} for name in SOURCE_ONLY} == SOURCE_ONLY
