"""Reads the text of a board file, within limits that no real one comes near."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

LONGEST: Final = 100_000
"""How many bytes a board file may have."""
LONGEST_LINE: Final = 1000
"""How many characters a line may have: a key with thousands of dots would take the parser minutes."""


def board_text(file: Path) -> str:
    """Returns the text of a board file. Raises `ValueError` when it cannot be one."""
    with file.open("rb") as opened:
        content = opened.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise ValueError(f"it has more than {LONGEST // 1000} kB")
    return content.decode()


def board_data(file: Path) -> dict[str, object]:
    """Returns the contents of a board file. Raises `ValueError` when it cannot be one."""
    text = board_text(file)
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"line {number} has more than {LONGEST_LINE} characters")
    try:
        data = tomllib.loads(text)
        # Deep nesting that was parsed all the same is found when it is written.
        repr(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return data


def with_hub_port(text: str, hub: str, port: str) -> str:
    """Returns the text of a board file in which a hub has another port; nothing else changes.

    >>> lines = ["[hubs.west]", 'port = "a"  # mine', "readers = 3"]
    >>> with_hub_port(chr(10).join(lines), "west", "/dev/ttyACM0").splitlines()[1]
    'port = "/dev/ttyACM0"  # mine'
    """
    table = re.compile(rf"""(^\[hubs\.{re.escape(hub)}\][^\[]*?^port\s*=\s*)("[^"\n]*"|'[^'\n]*')""", re.MULTILINE)
    changed, count = table.subn(lambda found: f'{found[1]}"{port}"', text)
    if count != 1:
        raise ValueError(f"there is no line `port` under [hubs.{hub}]")
    return changed
