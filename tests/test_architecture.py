"""Each room of the house imports only what docs/architecture.md lets it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# What would bring a clock, files, chance or threads into the rules.
NOT_IN_THE_ENGINE = {
    "asyncio", "datetime", "io", "multiprocessing", "os", "pathlib", "queue", "random", "secrets", "shutil", "socket",
    "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib",
}  # fmt: skip


def imports(file: Path) -> Iterator[str]:
    """The modules that a file imports when it runs, as whole names; those for type checking alone do not count."""
    package = file.relative_to(ROOT).parent.parts

    def walk(nodes: list[ast.stmt]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Import):
                yield from (name.name for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else ()
                yield ".".join((*base, *filter(None, [node.module])))
            elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            else:
                for inner in ("body", "orelse", "finalbody", "handlers"):
                    yield from walk(getattr(node, inner, []))

    yield from walk(ast.parse(file.read_text()).body)


def files_of(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def in_room(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


@pytest.mark.parametrize("file", files_of("companion/engine"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_engine_imports_only_itself_and_the_standard_library(file: Path) -> None:
    for module in imports(file):
        if not in_room(module, "companion.engine"):
            top = module.partition(".")[0]
            assert top in sys.stdlib_module_names
            assert top not in NOT_IN_THE_ENGINE


@pytest.mark.parametrize("file", files_of("companion"), ids=lambda file: str(file.relative_to(ROOT)))
def test_only_the_command_line_imports_the_command_line(file: Path) -> None:
    if "cli" not in file.parts:
        for module in imports(file):
            assert not in_room(module, "companion.cli")
            assert module.partition(".")[0] in {*sys.stdlib_module_names, "companion"}


@pytest.mark.parametrize("file", files_of("companion/bots"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_bots_import_only_the_engine_and_themselves(file: Path) -> None:
    for module in imports(file):
        ours = in_room(module, "companion.engine") or in_room(module, "companion.bots")
        assert ours or module.partition(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("file", files_of("hardware"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_hardware_knows_nothing_of_the_game(file: Path) -> None:
    for module in imports(file):
        assert in_room(module, "hardware") or module.partition(".")[0] in sys.stdlib_module_names


def test_the_imports_of_a_file_are_found() -> None:
    found = set(imports(ROOT / "companion" / "engine" / "special" / "pieces.py"))
    assert {"companion.engine.state", "companion.engine.special.action"} <= found
