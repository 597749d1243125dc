"""The settings of the Raspberry Pi in config.txt: SPI for the lights, with a clock that keeps its speed.

They stand in one block between two comments, which is written again as a whole and can be removed. Each model reads its
own section, so that a card may move from one Pi to another.
"""

from __future__ import annotations

import re
from typing import Final

BEGIN: Final = "# El Grande table: begin. Written by companion install-service, removed by --remove."
END: Final = "# El Grande table: end."
BLOCK: Final = f"""\
{BEGIN}
[all]
dtparam=spi=on
# The clock of SPI hangs on that of the graphics core. If it changed with the load, lights would get wrong colours.
[pi3]
core_freq=250
[pi02]
core_freq=250
[pi4]
core_freq=500
core_freq_min=500
[all]
{END}
"""
_OURS: Final = re.compile(rf"\n*{re.escape(BEGIN)}\n.*?{re.escape(END)}\n?", re.DOTALL)


def with_board(text: str) -> str:
    """Returns a config.txt that has what a board needs, once and at its end, where it counts.

    >>> with_board(with_board("audio=on")) == with_board("audio=on")
    True
    """
    kept = without_board(text)
    return f"{kept}\n{BLOCK}" if kept else BLOCK


def without_board(text: str) -> str:
    """Returns a config.txt without our settings; all others stay.

    >>> print(without_board(with_board("audio=on")), end="")
    audio=on
    """
    kept = _OURS.sub("\n", text)
    return kept if not kept or kept.endswith("\n") else f"{kept}\n"
