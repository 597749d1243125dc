"""One truth about Raspberry Pis: for the Makefile, for `companion play` and for the doctor."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from companion.cli.table_setup import on_a_pi
from companion.doctor import Machine, examine
from hardware.drivers.lights import LIGHT_DRIVERS
from hardware.models import EXTRA, is_pi, pi_of

ROOT = Path(__file__).parents[2]

# Of each model: its kind, if a board can be built on it; and whether it is a Raspberry Pi at all.
MODELS = {
    "Raspberry Pi 3 Model B Rev 1.2": ("3", True),
    "Raspberry Pi 3 Model B Plus Rev 1.3": ("3", True),
    "Raspberry Pi Compute Module 3 Plus Rev 1.0": ("3", True),
    "Raspberry Pi 4 Model B Rev 1.4": ("4", True),
    "Raspberry Pi 400 Rev 1.0": ("4", True),
    "Raspberry Pi Compute Module 4 Rev 1.1": ("4", True),
    "Raspberry Pi Zero 2 W Rev 1.0": ("Zero 2", True),
    "Raspberry Pi 5 Model B Rev 1.0": ("5", True),
    "Raspberry Pi 500 Rev 1.0": ("5", True),
    "Raspberry Pi Compute Module 5 Rev 1.0": ("5", True),
    "Raspberry Pi Compute Module 5 Lite Rev 1.0": ("5", True),
    "Raspberry Pi 2 Model B Rev 1.1": (None, True),
    "Raspberry Pi Zero W Rev 1.1": (None, True),
    "Raspberry Pi Model B Plus Rev 1.2": (None, True),
    "Orange Pi 4": (None, False),
    "": (None, False),
}


@pytest.mark.parametrize(("model", "known"), MODELS.items())
def test_a_model_is_known_by_what_it_says(model: str, known: tuple[str | None, bool]) -> None:
    pi = pi_of(model)
    assert (pi.kind if pi else None, is_pi(model)) == known


@pytest.mark.parametrize(("model", "known"), MODELS.items())
def test_everybody_takes_the_same_machine_for_a_pi(model: str, known: tuple[str | None, bool], tmp_path: Path) -> None:
    file = tmp_path / "proc/device-tree/model"
    file.parent.mkdir(parents=True)
    file.write_bytes(model.encode() + b"\0")
    machine = Machine(root=tmp_path, database=tmp_path / "table.db")
    kind, a_pi = known
    assert on_a_pi(file) == a_pi
    assert (machine.pi.kind if machine.pi else None) == kind
    with examine("buttons-only", machine=machine) as case:
        assert case.simulated != a_pi


@pytest.mark.slow
@pytest.mark.parametrize(("model", "known"), MODELS.items())
def test_make_play_installs_the_extra_of_the_model(model: str, known: tuple[str | None, bool], tmp_path: Path) -> None:
    extra = "pi" if known[0] else ""
    done = subprocess.run(
        ["make", "--dry-run", "play", f"PI_MODEL={model}", f"VENV={tmp_path}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    [installed] = re.findall(r"--editable '\.(.*?)'", done.stdout)
    assert installed == (f"[{extra}]" if extra else "")
    assert (f"This is a {model}: installing the extra [{extra}]" in done.stdout) == bool(extra)


EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_one_extra_has_what_drives_buttons_and_blinka_on_every_pi() -> None:
    assert {Requirement(package).name for package in EXTRAS[EXTRA]} == {"gpiod", "lgpio", "adafruit-lgpio"}


def test_the_extras_of_the_driver_neopixel_add_what_it_needs_on_each_pi() -> None:
    assert {pi.neopixel_extra for model in MODELS if (pi := pi_of(model))} == {"pi-neopixel", "pi5-neopixel"}
    assert EXTRAS["pi-neopixel"] == ["el-grande-table[pi]", "rpi_ws281x>=5,<6"]
    # PyPI has nothing but a release candidate, which pip takes only by its exact version.
    assert EXTRAS["pi5-neopixel"] == ["el-grande-table[pi]", "Adafruit-Blinka-Raspberry-Pi5-Neopixel==1.0.0rc2"]


def test_every_pi_has_a_driver_that_exists_and_needs_no_compiler() -> None:
    assert {pi.light_driver for model in MODELS if (pi := pi_of(model))} == {"spi"} < set(LIGHT_DRIVERS)
