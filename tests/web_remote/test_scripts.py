"""The pages' scripts: nothing in them is exported in vain, and none has a copy of what the rules and the bots say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bots import LEVELS
from companion.engine.regions import (
    PLACES,
    POWER_CARDS,
    RECRUITS,
    ROUNDS,
    SCORING_ROUNDS,
    SEATS,
    STACKS,
    TILE_VALUES,
    TILES,
    VALUES,
)
from web_remote import bundles
from web_remote.game_facts import PLAYERS, game_facts
from web_remote.page_state import SOURCES

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "web_remote" / "static"
SCRIPTS = {str(file.relative_to(STATIC)): file.read_text("utf-8") for file in sorted(STATIC.glob("*/*.js"))}
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r'^import \{([^}]*)\} from "([^"]+)";', re.MULTILINE)
IMPORTED_LATER = re.compile(r'const \{([^}]*)\} = await import\("([^"]+)"\);')


def imports_of(script: str) -> set[tuple[str, str]]:
    """What a script imports: each time the script it comes from, and its name there."""
    found = set()
    source = SCRIPTS[script]
    for names, where in [*IMPORTED.findall(source), *IMPORTED_LATER.findall(source)]:
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


# --- Bundles ----------------------------------------------------------------------------------------------------------

COMMENTS = re.compile(r"/\*.*?\*/|^ *//[^\n]*$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_imports_and_exports_only_in_ways_that_can_be_joined(script: str) -> None:
    source = COMMENTS.sub("", SCRIPTS[script])
    rest = bundles.EXPORT.sub("", bundles.EXPORT_NAMES.sub("", bundles.IMPORT.sub("", source)))
    rest = bundles.IMPORT_LATER.sub("", rest)
    rest = bundles.FETCHED.sub("", rest)
    assert not re.search(r"^(?:import|export)\b|\bimport\(|\bimport\.meta\b", rest, re.MULTILINE)


@pytest.mark.parametrize("page", ["board", "join", "new", "phone", "result", "rules", "table", "workshop"])
def test_a_bundle_holds_each_script_once_after_what_it_imports(page: str) -> None:
    joined = bundles.bundle(f"{page}/{page}.js", SCRIPTS)
    assert not re.search(r"^(?:import|export)\b", COMMENTS.sub("", joined), re.MULTILINE)
    defined = re.findall(r"^const (\$\d+) = \(", joined, re.MULTILINE)
    assert defined == [f"${number}" for number in range(len(defined))]
    known: set[str] = set()
    for line in joined.splitlines():
        if used := re.search(r"\} = (\$\d+);$", line):
            assert used[1] in known
        if begun := re.match(r"const (\$\d+) = \(", line):
            known.add(begun[1])


# --- Copies -----------------------------------------------------------------------------------------------------------

NAMES = {
    "bot levels": {*LEVELS, *PLAYERS}, "seats": {*SEATS}, "places": {*PLACES}, "tiles": {*TILES}, "sources": {*SOURCES},
}  # fmt: skip
"""Names that reach a script as data: no list in a script may hold two of a kind, and nothing else."""
NUMBERS = {
    "rounds": ROUNDS.values(),
    "rounds with a scoring": [SCORING_ROUNDS],
    "values of tiles": TILE_VALUES,
    "values of places": VALUES,
    "recruits": [RECRUITS, RECRUITS[1:]],
    "power cards": [POWER_CARDS],
    "stacks": [STACKS],
}
LITERAL = r"""(?:"[^"\n]*"|'[^'\n]*'|-?\d+(?:\.\d+)?)"""
LIST = re.compile(rf"\[\s*{LITERAL}(?:\s*,\s*{LITERAL})+\s*,?\s*\]")


def copies_in(source: str) -> Iterator[str]:
    """What a script has a list of, though its page is given it."""
    code = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
    for found in LIST.findall(code):
        items = ast.literal_eval(found)
        yield from (kind for kind, names in NAMES.items() if names.issuperset(items))
        yield from (kind for kind, lists in NUMBERS.items() if tuple(items) in lists)
    # Levels stand alone nowhere either: what a script does with one, it does with all.
    yield from (f"the level {level}" for level in LEVELS if f'"{level}"' in code)


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_script_has_a_copy_of_what_its_page_is_given(script: str) -> None:
    assert not list(copies_in(SCRIPTS[script]))


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('const PLAYERS = ["person", "easy", "normal"];', "bot levels"),
        ('if (seat.player === "hard") wait();', "the level hard"),
        ('const COLOURS = /** @type {const} */ (["red", "blue", "green", "yellow", "brown"]);', "seats"),
        ('["galicia", "castillo"].includes(place)', "places"),
        ('const TILES = ["8", "4"];', "tiles"),
        ('const SOURCES = ["general", "castillo", "cards", "king", "grande"];', "sources"),
        ("const ROUNDS = { 6: [2, 3, 5, 6, 8, 9] };", "rounds"),
        ("const SCORING_ROUNDS = [\n  3, 6,\n  9,\n];", "rounds with a scoring"),
        ("const TILE_VALUES = { 8: [8, 4, 0] };", "values of tiles"),
        ("const STACKS = [1, 2, 3, 4, 5];", "stacks"),
    ],
)
def test_a_copy_is_found(source: str, kind: str) -> None:
    assert kind in copies_in(source)


def test_every_seat_has_a_shape_of_its_own() -> None:
    (corners,) = re.findall(r"^const CORNERS = \{(.*?)^\};", SCRIPTS["shared/pieces.js"], re.DOTALL | re.MULTILINE)
    assert tuple(re.findall(r"^  (\w+): ", corners, re.MULTILINE)) == SEATS


def test_all_players_are_offered_the_bot_that_plays_at_random_last() -> None:
    assert game_facts()["players"] == ["person", "easy", "normal", "hard", "random"]
    assert {*PLAYERS} == {"person", *LEVELS}
