"""Runs pip as if on a Raspberry Pi, for one of its Pythons and the glibc 2.x of its system.

    python -m tools.pip_on_pi 3.13 41 download PACKAGE

pip can choose wheels for another machine by itself, but evaluates markers such as `python_version < "3.13"` for the one
it runs on. Only `pip download` also compares `Requires-Python` with the requested Python.
"""

from __future__ import annotations

import sys
from typing import Final

from pip._internal.cli.main import main
from pip._vendor.packaging import markers

OLDEST_GLIBC: Final = 17
"""The first glibc 2.x that wheels for aarch64 are built for."""


def options_for(python: str, glibc: int) -> list[str]:
    """Returns the options that make pip take wheels for a Raspberry Pi, and nothing but wheels."""
    abis = (f"cp{python.replace('.', '')}", "abi3", "none")
    platforms = [f"manylinux_2_{minor}_aarch64" for minor in range(glibc, OLDEST_GLIBC - 1, -1)]
    return [
        "--only-binary=:all:",
        f"--python-version={python}",
        "--implementation=cp",
        *(f"--abi={abi}" for abi in abis),
        *(f"--platform={platform}" for platform in (*platforms, "manylinux2014_aarch64", "linux_aarch64")),
    ]


def read_markers_for(python: str) -> None:
    """Makes pip evaluate every marker as on a Raspberry Pi with this Python."""
    on_pi = markers.default_environment()
    on_pi["python_version"] = python
    on_pi["python_full_version"] = on_pi["implementation_version"] = f"{python}.0"
    on_pi["platform_machine"] = "aarch64"
    on_pi["platform_system"] = "Linux"
    on_pi["sys_platform"] = "linux"
    markers.default_environment = lambda: on_pi


if __name__ == "__main__":
    python, glibc, command, *arguments = sys.argv[1:]
    read_markers_for(python)
    sys.exit(main([command, *options_for(python, int(glibc)), *arguments]))
