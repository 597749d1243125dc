"""The types of what pages receive: the scripts are told exactly what Python sends."""

from __future__ import annotations

import re
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from web_remote import page_types
from web_remote.page_types import GameFacts, PageExtras, PageWords, SharedState

STATE = Path(__file__).parents[2] / "web_remote" / "static" / "shared" / "state.js"

PARTS = {SharedState, GameFacts, PageWords, PageExtras}
"""What scripts only see as parts of a larger type."""
WHOLE = {name: each for name, each in vars(page_types).items() if is_typeddict(each) and each not in PARTS}
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", dict[str, Any]: "object"}

Properties = dict[str, tuple[str, bool]]
"""Of each property its type, as scripts write it, and whether it may be left out."""


def in_javascript(kind: Any) -> str:
    """A type of Python as a script writes it.

    >>> in_javascript(dict[str, list[int | None]])
    'Record<string, (number|null)[]>'
    """
    if kind in PLAIN:
        return PLAIN[kind]
    if is_typeddict(kind):
        return str(kind.__name__)
    inner = [in_javascript(each) for each in get_args(kind)]
    match get_origin(kind):
        case origin if origin in (Union, UnionType):
            return "|".join(inner)
        case origin if origin is list:
            return f"({inner[0]})[]" if "|" in inner[0] else f"{inner[0]}[]"
        case origin if origin is dict:
            return f"Record<{', '.join(inner)}>"
        case origin if origin is tuple:
            return f"[{', '.join(inner)}]"
        case origin if origin is NotRequired:
            return inner[0]
    raise AssertionError(f"{kind} has no counterpart in JavaScript")


def properties(kind: Any) -> Properties:
    """What a `TypedDict` holds."""
    return {
        name: (in_javascript(hint), name in kind.__optional_keys__ or get_origin(hint) is NotRequired)
        for name, hint in get_type_hints(kind, include_extras=True).items()
    }


def typedefs(source: str) -> dict[str, Properties]:
    """What the `@typedef`s of a script say."""
    found: dict[str, Properties] = {}
    for comment in re.findall(r"/\*\*.*?\*/", source, re.DOTALL):
        (name,) = re.findall(r"@typedef \{object\} (\w+)", comment)
        lines = re.findall(r"^ \* @property \{(.+?)\} (\[?)(\w+)\]?(?: |$)", comment, re.MULTILINE)
        assert len(lines) == comment.count("@property"), comment
        found[name] = {called: (kind, bool(optional)) for kind, optional, called in lines}
    return found


def test_scripts_have_a_typedef_for_every_type_and_no_other() -> None:
    assert typedefs(STATE.read_text("utf-8")).keys() == WHOLE.keys()


@pytest.mark.parametrize("name", WHOLE)
def test_a_typedef_holds_what_its_type_holds(name: str) -> None:
    assert typedefs(STATE.read_text("utf-8"))[name] == properties(WHOLE[name])


def test_what_may_be_left_out_and_what_is_a_list_is_told_apart() -> None:
    state = properties(page_types.PageState)
    assert state["you"] == ("PageYou", True)
    assert state["chart"] == ("PageChart", True)
    assert state["seats"] == ("PageSeat[]", False)
    assert state["step"] == ("[string|null, string|null]|null", False)
    assert properties(page_types.PageData)["code"] == ("string", True)
    source = "/**\n * @typedef {object} A\n * @property {number|null} [b] why\n * @property {string[]} c\n */"
    assert typedefs(source) == {"A": {"b": ("number|null", True), "c": ("string[]", False)}}
