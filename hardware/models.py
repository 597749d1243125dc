"""Which Raspberry Pi a machine is: the single table of what we know about the models.

The Makefile uses it too, before anything is installed: `python3 -m hardware.models "Raspberry Pi 5 Model B"` prints the
extra of pyproject.toml with the packages for a Pi, and nothing for a model on which no board can be built.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

MODEL_FILE: Final = "/proc/device-tree/model"
"""Where a Raspberry Pi reports its model."""
EXTRA: Final = "pi"
"""The extra of pyproject.toml with the packages for buttons and lights, on every model."""
LIGHT_DRIVER: Final = "spi"
"""The light driver for a machine that we do not know."""


class Pi(NamedTuple):
    """A kind of Raspberry Pi that a board can be built on."""

    kind: str
    sections: tuple[str, ...]
    """The sections of config.txt that apply to it."""
    light_driver: str
    """The light driver for boards that name none and have the strip on the data pin of SPI."""
    neopixel_extra: str
    """The extra with what the light driver `neopixel` needs on it."""
    has_pio: bool = False
    """Whether PIO makes the signal of the light driver `neopixel`."""


def _older(kind: str, *sections: str) -> Pi:
    """Returns a Pi on which rpi_ws281x, which is compiled, drives the lights of `neopixel`."""
    return Pi(kind, sections, "spi", "pi-neopixel")


def _pi5(*sections: str) -> Pi:
    return Pi("5", ("pi5", *sections), "spi", "pi5-neopixel", has_pio=True)


# The more specific names come first.
_PIS: Final = (
    (r"Zero 2", _older("Zero 2", "pi0", "pi0w", "pi02")),
    (r"3 Model .* Plus", _older("3", "pi3", "pi3+")),
    (r"(3|Compute Module 3)\b", _older("3", "pi3")),
    (r"400\b", _older("4", "pi4", "pi400")),
    (r"Compute Module 4", _older("4", "pi4", "cm4")),
    (r"4\b", _older("4", "pi4")),
    (r"500\b", _pi5("pi500")),
    (r"Compute Module 5", _pi5("cm5")),
    (r"5\b", _pi5()),
)
_FAMILY: Final = "Raspberry Pi "


def read_model(file: Path) -> str:
    """Returns the model that a machine reports, or an empty string when it reports none."""
    try:
        return file.read_text("utf-8", "replace").strip("\0\n ")
    except OSError:
        return ""


def is_pi(model: str) -> bool:
    """Returns whether a machine is a Raspberry Pi of any model.

    >>> is_pi("Raspberry Pi 2 Model B Rev 1.1"), is_pi("Orange Pi 4"), is_pi("")
    (True, False, False)
    """
    return model.startswith(_FAMILY)


def pi_of(model: str) -> Pi | None:
    """Returns the kind of Raspberry Pi, or `None` when a board cannot be built on it.

    >>> pi_of("Raspberry Pi 5 Model B Rev 1.0").light_driver, pi_of("Raspberry Pi 2 Model B Rev 1.1")
    ('spi', None)
    """
    if not is_pi(model):
        return None
    return next((pi for pattern, pi in _PIS if re.match(pattern, model[len(_FAMILY) :])), None)


if __name__ == "__main__":
    print(EXTRA if pi_of(" ".join(sys.argv[1:])) else "")
