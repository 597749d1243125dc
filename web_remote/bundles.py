"""Bundles: the script of a page and everything it imports, joined into one file.

On a slow network it is the number of files that takes time, not their size. Joining needs no build step, because our
scripts are simple: they import and export names, each at the beginning of a line, and never in a circle.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final

IMPORT: Final = re.compile(r"""^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+\.js)";$""", re.MULTILINE)
IMPORT_LATER: Final = re.compile(r"""\bawait import\("(\.{1,2}/[\w./-]+\.js)"\)""")
EXPORT: Final = re.compile(r"^export (?=(?:(?:async )?function|const|class) (\w+))", re.MULTILINE)
EXPORT_NAMES: Final = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
FETCHED: Final = re.compile(r"""\bnew URL\("([\w./-]+)", import\.meta\.url\)""")


def beside(name: str, path: str) -> str:
    """Returns the name of a file from its path as a script gives it.

    >>> beside("phone/phone.js", "../shared/page.js")
    'shared/page.js'
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def bundle(name: str, scripts: Mapping[str, str]) -> str:
    r"""Returns a script together with everything it imports, now or later.

    >>> scripts = {"a/a.js": 'import { two } from "./b.js";\nshow(two);\n', "a/b.js": "export const two = 2;\n"}
    >>> print(bundle("a/a.js", scripts))
    const $0 = (() => {
    const two = 2;
    return { two };
    })();
    const { two } = $0;
    show(two);
    <BLANKLINE>

    :param name: the script of the page.
    :param scripts: the text of every script, by its name.
    """
    order: list[str] = []
    _visit(name, scripts, order)
    numbers = {each: f"${number}" for number, each in enumerate(order)}
    *imported, whole = (_rewritten(each, scripts[each], numbers) for each in order)
    wrapped = (
        f"const {numbers[each]} = (() => {{\n{text}return {{ {', '.join(_exports(scripts[each]))} }};\n}})();\n"
        for each, text in zip(order, imported, strict=False)
    )
    return "".join([*wrapped, whole])


def _visit(name: str, scripts: Mapping[str, str], order: list[str]) -> None:
    """Adds a script to the order in which they run, after what it imports."""
    text = scripts[name]
    paths = [path for _, path in IMPORT.findall(text)] + IMPORT_LATER.findall(text)
    for other in (beside(name, path) for path in paths):
        if other not in order:
            _visit(other, scripts, order)
    order.append(name)


def _rewritten(name: str, text: str, numbers: Mapping[str, str]) -> str:
    """Returns a script that finds the others in the same file."""

    def taken(found: re.Match[str]) -> str:
        names, path = found.groups()
        return f"const {{{names.replace(' as ', ': ')}}} = {numbers[beside(name, path)]};"

    text = IMPORT.sub(taken, text)
    text = IMPORT_LATER.sub(lambda found: f"await {numbers[beside(name, found[1])]}", text)
    # The bundle lies in the folder of its page, whose neighbours are the folders of the others.
    text = FETCHED.sub(lambda found: f'new URL("../{beside(name, found[1])}", import.meta.url)', text)
    return EXPORT_NAMES.sub("", EXPORT.sub("", text))


def _exports(text: str) -> list[str]:
    """Returns the names that a script exports."""
    listed = (name.strip() for names in EXPORT_NAMES.findall(text) for name in names.split(","))
    return [*EXPORT.findall(text), *filter(None, listed)]
