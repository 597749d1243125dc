"""The map of the board: one drawing for the web pages and for everything that is cut or printed.

The file holds the outline of every place and where its button, lights, pieces and label go, in units of the drawing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

MAP_FILE: Final = Path(__file__).parent / "boards" / "map.json"
