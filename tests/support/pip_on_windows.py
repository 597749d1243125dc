"""Runs pip as if on 64-bit Windows, for one of its Pythons; see `pip_on_pi` for why.

python -m tests.support.pip_on_windows 3.13 download PACKAGE
"""

from __future__ import annotations

import sys

from pip._internal.cli.main import main
from pip._vendor.packaging import markers


def options_for(python: str) -> list[str]:
    """Returns the options that make pip take wheels for Windows, and nothing but wheels."""
    abis = (f"cp{python.replace('.', '')}", "abi3", "none")
    here = ["--only-binary=:all:", f"--python-version={python}", "--implementation=cp", "--platform=win_amd64"]
    return [*here, *(f"--abi={abi}" for abi in abis)]


def read_markers_for(python: str) -> None:
    """Makes pip evaluate every marker as on Windows with this Python."""
    there = markers.default_environment()
    there["python_version"] = python
    there["python_full_version"] = there["implementation_version"] = f"{python}.0"
    there["platform_machine"] = "AMD64"
    there["platform_system"] = "Windows"
    there["sys_platform"] = "win32"
    there["os_name"] = "nt"
    markers.default_environment = lambda: there


if __name__ == "__main__":
    python, command, *arguments = sys.argv[1:]
    read_markers_for(python)
    sys.exit(main([command, *options_for(python), *arguments]))
