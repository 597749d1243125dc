"""The files that pages load: read and compressed once, with a version in their address so that browsers cache them.

A page lists every file its script will need at the top, so that they load at once and not one import after another,
which is the main cost on a slow network. The list is found in the scripts themselves; there is no build step.
"""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from pathlib import Path
from typing import Final, NamedTuple

from hardware.map import MAP_FILE

STATIC: Final = Path(__file__).parent / "static"
MAP: Final = "shared/map.json"
"""The name of the map for pages; the file itself is stored with the boards."""
KINDS: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}

# Only at the beginning of a line, because comments mention imports too.
_IMPORTED: Final = re.compile(r"""^(?:import|export)\b[^;"']*["'](\.{1,2}/[\w./-]+\.js)["']""", re.MULTILINE)
_FETCHED: Final = re.compile(r"""new URL\(["']([\w./-]+)["'], import\.meta\.url\)""")


class Asset(NamedTuple):
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes


class Assets:
    """All files in a folder, named by their path in it, and the map of the board."""

    def __init__(self, folder: Path = STATIC) -> None:
        files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.suffix in KINDS}
        files[MAP] = MAP_FILE
        self._files = {}
        checksum = hashlib.sha256()
        for name, path in sorted(files.items()):
            data = path.read_bytes()
            checksum.update(name.encode() + data)
            self._files[name] = Asset(KINDS[path.suffix], data, gzip.compress(data, mtime=0))
        self.version = checksum.hexdigest()[:12]
        """Changes when any file does."""

    def get(self, name: str) -> Asset | None:
        """Returns a file by its name, or `None` when there is no such file."""
        return self._files.get(name)

    def needed_by(self, name: str) -> list[str]:
        """Returns a script and every file it loads: its imports, their imports, and what they all fetch."""
        needed = [name]
        for each in needed:
            if each.endswith(".js"):
                text = self._files[each].plain.decode()
                found = [*_IMPORTED.findall(text), *_FETCHED.findall(text)]
                paths = [posixpath.normpath(posixpath.join(posixpath.dirname(each), path)) for path in found]
                needed += [other for other in dict.fromkeys(paths) if other not in needed]
        return needed
