"""The documentation names only files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.engine import CARDS, EDITIONS, HOUSE_RULES, PLACES, REGIONS
from companion.engine.regions import NEIGHBOURS, VALUES

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    [
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")),
    ]
)

IN_BACKTICKS = re.compile(r"`([^`\n]+)`")
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "build"}
"""Not what was built: that differs from machine to machine."""
SUFFIXES = {".css", ".html", ".js", ".json", ".md", ".po", ".py", ".rules", ".service", ".toml", ".yaml", ".yml"}

NOT_OURS = {"board.toml", "my.toml", "config.txt", "config.toml"}
"""Files of the reader's own."""


def paths_in(text: str) -> set[str]:
    """The paths of files and folders that a text names in backticks. `NAME` in one stands for any name."""
    found = set()
    for words in IN_BACKTICKS.findall(text):
        inside = "/" in words and words.partition("/")[0] in FOLDERS
        if re.fullmatch(r"[\w.*/-]+", words) and (inside or Path(words).suffix in SUFFIXES):
            found.add(words)
    return found - NOT_OURS


def exists(path: str) -> bool:
    """Whether a file is there: by its path, or, where it is named without a folder, in any."""
    pattern = path.rstrip("/").replace("NAME", "*")
    if any(ROOT.glob(pattern)):
        return True
    ours = (ROOT / folder for folder in sorted(FOLDERS) if not folder.startswith("."))
    return "/" not in path and any(found for folder in ours for found in folder.rglob(pattern))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_is_named_exists(document: Path) -> None:
    assert not [path for path in sorted(paths_in(document.read_text("utf-8"))) if not exists(path)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8"))
    assert not [link for link in links if not (document.parent / link).exists()]


def test_whoever_is_told_to_stop_the_table_stops_its_port_too() -> None:
    """The next phone would start it again by its port."""
    folders = ("companion", "docs", "hardware", "web_remote", "packaging")
    files = [*DOCUMENTS, *(path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())]
    texts = [path.read_text("utf-8", errors="replace") for path in files if path.suffix != ".pyc"]
    # A command may be broken over two lines of a string.
    broken = re.compile(r'"\s*\n\s*f?"')
    commands = {
        command.strip()
        for text in texts
        for command in re.findall(r"systemctl stop[^)`\n]*el-grande-table\b[^)`\n]*", broken.sub("", text))
    }
    assert commands == {"systemctl stop el-grande-table.socket el-grande-table"}


# A line of a table: a file, a function in it, and what happens there.
STEP = re.compile(r"^\| `([\w./-]+\.(?:py|js))` \| `([\w.]+)` \|", re.MULTILINE)


def test_every_step_of_the_walk_throughs_names_a_function_of_its_file() -> None:
    steps = STEP.findall((ROOT / "docs/architecture.md").read_text("utf-8"))
    assert len(steps) > 40
    for file, function in steps:
        text = (ROOT / file).read_text("utf-8")
        for name in function.split("."):
            assert re.search(rf"\b(?:class|def|function) {name}\b", text), f"{file} has no {name}"


RULES = (ROOT / "docs/rules.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The lines of the tables below a heading of docs/rules.md, without those that head them."""
    section = RULES.partition(f"# {heading}")[2].partition("\n#")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
    return [row for row in cells if row[0].startswith("`")]


@pytest.mark.parametrize("stack", [1, 2, 3, 4, 5])
def test_the_rules_list_every_action_card_of_a_stack_with_its_copies(stack: int) -> None:
    listed = {row[0].strip("`"): int(row[1]) for row in rows(f"Stack {stack}: place up to {stack}")}
    assert listed == {card.name: card.copies for card in CARDS.values() if card.stack == stack}


def test_the_rules_list_every_edition_as_the_engine_has_it() -> None:
    listed = {row[0].split("`")[1]: row[2:] for row in rows("Editions") if len(row) > 2}
    assert listed == {
        name: [
            *("yes" if differs else "no" for differs in edition[2:7]),
            "to the court" if edition.expel_nowhere else "refused",
        ]
        for name, edition in EDITIONS.items()
    }


def test_the_rules_list_every_house_rule() -> None:
    assert {row[0].strip("`") for row in rows("Editions") if len(row) == 2} == set(HOUSE_RULES)


def test_the_rules_have_the_map_as_the_engine_has_it() -> None:
    listed = {row[0].strip("`"): (row[1], row[2]) for row in rows("Board and pieces")}
    assert tuple(listed) == PLACES
    for place, (values, neighbours) in listed.items():
        index = PLACES.index(place)
        assert values == "/".join(map(str, VALUES[index]))
        if place in REGIONS:
            assert set(neighbours.split(", ")) == {REGIONS[near] for near in NEIGHBOURS[index]}
