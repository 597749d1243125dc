"""The built wheel, in a fresh environment away from the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


NOT_INSTALLED = {"README.md", "PROTOCOL.md"}
"""For people who read the project, not for the program."""


def data_in(folder: Path) -> set[str]:
    """The files of a package that are not Python; pictures are for its guide."""
    return {
        file
        for file in files_in(folder)
        if not file.endswith((".py", ".pyc")) and not file.startswith("pictures") and file not in NOT_INSTALLED
    }


@pytest.mark.games
def test_the_wheel_brings_all_that_the_command_needs(tmp_path: Path) -> None:
    # Built from a copy: what an earlier build left in the checkout must not slip into the wheel.
    source = shutil.copytree(ROOT, tmp_path / "source", ignore=shutil.ignore_patterns(".*", "build", "*.egg-info"))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, source, cwd=tmp_path)
    (wheel,) = tmp_path.glob("el_grande_table-*.whl")
    venv.create(tmp_path / "fresh", with_pip=True)
    programs = tmp_path / "fresh" / "bin"
    run(programs / "pip", "install", "--quiet", wheel, cwd=tmp_path)
    companion = programs / "companion"
    assert "companion, version" in run(companion, "--version", cwd=tmp_path)
    assert "2 random games" in run(companion, "simulate", "--games", "2", "--seed", "1", cwd=tmp_path)
    boards = run(programs / "python", "-c", "from hardware.board import *; print(shipped_boards())", cwd=tmp_path)
    assert boards.split() == ["['buttons-only',", "'standard']"]
    speak = "from companion.translations import *; print(Translator('de').move('red end'))"
    assert run(programs / "python", "-c", speak, cwd=tmp_path) == "Rot beendet den Zug\n"
    packages = "import hardware, web_remote; print(*hardware.__path__, *web_remote.__path__)"
    hardware, pages = map(Path, run(programs / "python", "-c", packages, cwd=tmp_path).split())
    assert (hardware / "boards" / "map.json").is_file()
    assert (pages / "static" / "shared" / "page.js").is_file()
    assert files_in(pages / "static") == files_in(ROOT / "web_remote" / "static")
    assert files_in(pages / "templates") == files_in(ROOT / "web_remote" / "templates")
    for package in ("companion", "hardware"):
        installed = Path(
            run(programs / "python", "-c", f"import {package}; print(*{package}.__path__)", cwd=tmp_path).strip()
        )
        assert data_in(ROOT / package) == data_in(installed), package
    table = ("--database", tmp_path / "table.db")
    rules = ("--seats", "3", "--bots", "easy", "--short", "--seed", "5", "--language", "nl")
    played = run(companion, "play", "--terminal", "--people", "0", "--pace", "instant", *rules, *table, cwd=tmp_path)
    assert "Het spel is afgelopen" in played
    assert "(easy bot)" in run(companion, "games", *table, cwd=tmp_path)
    where = run(programs / "python", "-c", "import companion; print(companion.__file__)", cwd=tmp_path)
    assert str(tmp_path) in where
