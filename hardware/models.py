"""Which Raspberry Pi a machine is: the single table of what we know about the models.

The Makefile uses it too, before anything is installed: `python3 -m hardware.models "Raspberry Pi 5 Model B"` prints the
extra of pyproject.toml with the packages for that model.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

MODEL_FILE: Final = "/proc/device-tree/model"
"""Where a Raspberry Pi reports its model."""


class Pi(NamedTuple):
    """A kind of Raspberry Pi that a board can be built on."""

    kind: str
    extra: str
    """The extra of pyproject.toml with the packages for its lights and buttons."""
    sections: tuple[str, ...]
    """The sections of config.txt that apply to it."""


# The more specific names come first.
_PIS: Final = (
    (r"Zero 2", Pi("Zero 2", "pi", ("pi0", "pi0w", "pi02"))),
    (r"3 Model .* Plus", Pi("3", "pi", ("pi3", "pi3+"))),
    (r"(3|Compute Module 3)\b", Pi("3", "pi", ("pi3",))),
    (r"400\b", Pi("4", "pi", ("pi4", "pi400"))),
    (r"Compute Module 4", Pi("4", "pi", ("pi4", "cm4"))),
    (r"4\b", Pi("4", "pi", ("pi4",))),
    (r"500\b", Pi("5", "pi5", ("pi5", "pi500"))),
    (r"Compute Module 5", Pi("5", "pi5", ("pi5", "cm5"))),
    (r"5\b", Pi("5", "pi5", ("pi5",))),
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

    >>> pi_of("Raspberry Pi 5 Model B Rev 1.0").extra, pi_of("Raspberry Pi 2 Model B Rev 1.1")
    ('pi5', None)
    """
    if not is_pi(model):
        return None
    return next((pi for pattern, pi in _PIS if re.match(pattern, model[len(_FAMILY) :])), None)


if __name__ == "__main__":
    known = pi_of(" ".join(sys.argv[1:]))
    print(known.extra if known else "")
