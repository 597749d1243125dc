"""The pages' scripts: nothing in them is exported in vain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "web_remote" / "static"
SCRIPTS = {str(file.relative_to(STATIC)): file.read_text("utf-8") for file in sorted(STATIC.glob("*/*.js"))}
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r'^import \{([^}]*)\} from "([^"]+)";', re.MULTILINE)


def imports_of(script: str) -> set[tuple[str, str]]:
    """What a script imports: each time the script it comes from, and its name there."""
    found = set()
    for names, where in IMPORTED.findall(SCRIPTS[script]):
        target = (STATIC / script).parent.joinpath(where).resolve().relative_to(STATIC)
        found |= {(str(target), name.split(" as ")[0].strip()) for name in names.split(",") if name.strip()}
    return found


@pytest.mark.parametrize("script", SCRIPTS)
def test_whatever_is_exported_is_imported_somewhere(script: str) -> None:
    exported = {(script, name) for name in EXPORTED.findall(SCRIPTS[script])}
    imported = {each for other in SCRIPTS for each in imports_of(other)}
    assert not exported - imported


def test_the_exports_and_imports_of_a_script_are_found() -> None:
    assert EXPORTED.findall("export const a = 1;\nexport async function b() {}\nconst c = 2;") == ["a", "b"]
    assert {("shared/map.js", "drawMap"), ("phone/phone.js", "geometry")} <= imports_of("board/board.js")
    assert all("import {" not in IMPORTED.sub("", source) for source in SCRIPTS.values())
