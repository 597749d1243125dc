"""What a release installs: no version with a known hole, and exactly the files that were tested."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT: Final = Path(__file__).parent.parent
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS: Final = {"locked": [], "locked-pi": ["pi", "firmware"], "locked-tools": ["firmware", "release"]}
"""The extras in each lock file."""

HOLES: Final = {
    "flask": ("3.1.2", "CVE-2026-27205: a response could be cached for somebody else"),
    "jinja2": ("3.1.5", "CVE-2025-27516: a template could leave its sandbox"),
    "pillow": ("11.2.1", "CVE-2025-48379: a picture could write beyond its buffer"),
    "waitress": (
        "3.0.1",
        "headers of a proxy that is not trusted were passed on; before that, CVE-2024-49768 and 49769",
    ),
    "werkzeug": ("3.1.5", "CVE-2026-27199: a path could name a device of Windows"),
}
"""The last version of each package with a known hole, and the hole."""


def required(*extras: str) -> dict[str, Requirement]:
    """Returns what the project requires, by name, with the given extras."""
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in PROJECT["optional-dependencies"][extra])]
    return {requirement.name.lower(): requirement for requirement in map(Requirement, lines)}


def locked(name: str) -> dict[str, tuple[Version, list[str]]]:
    """Returns the version and the hashes of each package in a lock file."""
    text = (ROOT / "dependencies" / f"{name}.txt").read_text().replace("\\\n", " ")
    found = re.findall(r"^([\w.-]+)==(\S+)(.*)$", text, re.MULTILINE)
    return {package: (Version(version), re.findall("sha256:[0-9a-f]{64}", rest)) for package, version, rest in found}


@pytest.mark.parametrize("name", HOLES)
def test_no_floor_admits_a_version_with_a_known_hole(name: str) -> None:
    version, hole = HOLES[name]
    assert not required("test")[name].specifier.contains(version), hole


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_every_package_with_its_hashes_in_a_version_the_project_allows(name: str) -> None:
    packages = locked(name)
    for wanted in required(*LOCKS[name]).values():
        version, _ = packages[wanted.name.lower().replace("_", "-")]
        assert wanted.specifier.contains(version, prereleases=True), f"{wanted}, but locked is {version}: make lock"
    assert [package for package, (_, hashes) in packages.items() if not hashes] == []


def test_what_npm_installs_is_locked_with_its_hash() -> None:
    folder = ROOT / "dependencies" / "npm"
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert packages.pop("")["dependencies"] == wanted
    assert {path.removeprefix("node_modules/"): package["version"] for path, package in packages.items()} == wanted
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
