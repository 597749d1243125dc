"""The pages open in Safari 15.4 and Firefox 115: they use nothing newer without care, and an older browser is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Game
from tests.support.web_rig import with_pages

ROOT = Path(__file__).parents[2] / "web_remote"
STYLES = {path.name: path.read_text("utf-8") for path in sorted(ROOT.glob("static/*/*.css"))}
SCRIPTS = {path.name: path.read_text("utf-8") for path in sorted(ROOT.glob("static/*/*.js"))}

NEWER_SCRIPTS = {
    r"\(\?<[=!]": "lookbehind, Safari 16.4",
    r"\bAbortSignal\.(timeout|any)\b": "Safari 16 and 17.4",
    r"\.(toSorted|toReversed|toSpliced|with)\(": "Safari 16, Firefox 115",
    r"\b(Object|Map)\.groupBy\b": "Safari 17.4, Firefox 119",
    r"\bArray\.fromAsync\b": "Safari 16.4",
    r"\bPromise\.(withResolvers|try)\b": "Safari 17.4, Firefox 121",
    r"\.(inert|popover|showPopover)\b": "Safari 15.5 and 17, Firefox 112 and 125",
    r"\bcheckVisibility\(": "Safari 17.4",
    r"\bstartViewTransition\b(?!\?)": "Safari 18",
    r"\bnew (Set|Map)\([^)]*\)\.(union|intersection|difference)\(": "Safari 17",
    r"\brequestIdleCallback\b": "not in Safari",
    r"\bnew SharedWorker\b": "Safari 16",
    r"\bstatic \{": "static blocks, Safari 16.4",
}
"""What Safari 15.4 or Firefox 115 cannot do; a script that uses it fails there."""
NEWER_STYLES = {
    r"\bcolor-mix\(": "Safari 16.2: with a variable in it, the property is unset, which is black in a drawing",
    r"\boklch\(|\boklab\(": "Firefox 113",
    r"\blight-dark\(": "Safari 17.5, Firefox 120",
    r"@media[^{]*[<>]": "ranges, Safari 16.4",
    r"\b(round|mod|rem|sin|cos)\([\d.]": "Safari 15.4, Firefox 108 to 118",
}
"""What must stand in a block of `@supports`, because it breaks more than itself."""


def code(source: str) -> str:
    """A script or a style sheet without its comments."""
    return re.sub(r"/\*.*?\*/|(?<![:\w])//[^\n]*", "", source, flags=re.DOTALL)


def blocks(source: str) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yields the rules of a style sheet: the heads around each, its own head, and what is in it but rules."""
    stack: list[tuple[str, list[str]]] = [("", [])]
    text = ""
    for char in code(source):
        if char == "{":
            *own, head = text.rpartition(";")
            stack[-1][1].append("".join(own))
            stack.append((" ".join(head.split()), []))
        elif char == "}":
            head, parts = stack.pop()
            yield tuple(outer for outer, _ in stack[1:]), head, " ".join("".join([*parts, text]).split())
        if char in "{}":
            text = ""
        else:
            text += char


def parts_of(selectors: str) -> list[str]:
    """The selectors of a list, split at its own commas and not at those in brackets."""
    parts, depth = [""], 0
    for char in selectors:
        depth += (char in "([") - (char in ")]")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def faults_in_style(source: str) -> Iterator[str]:
    """What an older browser would stumble over in a style sheet."""
    for outer, head, inside in blocks(source):
        supported = any(each.startswith("@supports") for each in (*outer, head))
        if any(not each.startswith("@") for each in outer):
            yield f"nested: {head}"
        yield from (
            f"{why}: {head}"
            for pattern, why in NEWER_STYLES.items()
            if not supported and (re.search(pattern, inside) or re.search(pattern, head))
        )
        # Firefox 115 drops the whole list for one selector that it does not know.
        if len({":has(" in re.sub(r":is\(.*\)", "", part) for part in parts_of(head)}) > 1:
            yield f"other selectors in a list with :has: {head}"
        lines = [tuple(part.strip() for part in each.split(":", 1)) for each in inside.split(";") if ":" in each]
        names = [name for name, *_ in lines]
        for at, (name, value) in enumerate(lines):
            if name == "user-select" and "-webkit-user-select" not in names:
                yield f"user-select without its prefix: {head}"
            if "dvh" in value and not name.startswith("--") and name not in names[:at]:
                yield f"dvh without a line of vh before it: {head}"


@pytest.mark.parametrize("name", STYLES)
def test_a_style_sheet_holds_nothing_that_breaks_in_an_older_browser(name: str) -> None:
    assert list(faults_in_style(STYLES[name])) == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_uses_nothing_newer_than_the_oldest_browsers(name: str) -> None:
    assert [why for pattern, why in NEWER_SCRIPTS.items() if re.search(pattern, code(SCRIPTS[name]))] == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (".a { .b { color: red; } }", "nested"),
        (".a { & .b { color: red; } }", "nested"),
        ("@media print { .a { color: color-mix(in srgb, red, var(--b)); } }", "Safari 16.2"),
        (".a, .b:has(.c) { color: red; }", "other selectors"),
        (".a { user-select: none; }", "without its prefix"),
        (".a { height: 100dvh; }", "dvh"),
        ("@media (width > 40em) { .a { color: red; } }", "ranges"),
    ],
)
def test_a_fault_is_found(source: str, fault: str) -> None:
    assert any(fault in each for each in faults_in_style(source))


@pytest.mark.parametrize(
    "source",
    [
        "@media print { .a { color: red; } }",
        "@supports (color: color-mix(in srgb, red, red)) { .a { color: color-mix(in srgb, red, var(--b)); } }",
        ".a:has(.c), .b:has(.c) { color: red; }",
        ".a:is(.b, :has(.c)), .d { color: red; }",
        ".a { -webkit-user-select: none; user-select: none; }",
        ".a { height: 100vh; height: 100dvh; --b: 100dvh; }",
    ],
)
def test_what_is_no_fault_is_not_found(source: str) -> None:
    assert list(faults_in_style(source)) == []


def test_the_script_that_tells_an_old_browser_runs_in_it() -> None:
    source = code(SCRIPTS["old_browser.js"])
    assert not re.search(r"=>|`|\b(const|let|class|async|import|export)\b|\?\.|\?\?", source)


@pytest.mark.parametrize("path", ["/join", "/table", "/workshop"])
def test_every_page_has_the_sentence_for_an_old_browser_ready(path: str, tmp_path: Path) -> None:
    with with_pages(tmp_path, Game(("red", "blue"))) as web:
        page = web.browser().get(path).text
    assert re.search(r'<p id="old-browser" role="alert" hidden>This browser is too old', page)
    # A plain script, below the sentence: a module would not run. Nothing waits for it.
    assert re.search(r'id="old-browser".*<script async src="[^"]*/shared/old_browser\.js"></script>', page, re.DOTALL)


def test_a_page_that_runs_under_the_notch_of_a_phone_keeps_clear_of_it() -> None:
    """Without `viewport-fit=cover` the browser does that by itself."""
    under_the_notch = any("viewport-fit=cover" in path.read_text("utf-8") for path in ROOT.glob("templates/*.html"))
    sides = [f"env(safe-area-inset-{side}" for side in ("left", "right")]
    assert not under_the_notch or all(side in STYLES["base.css"] for side in sides)
