"""The files that pages load: read once, packed once, and named by what is in them, so that browsers keep them.

A page names all files that its script will need, at its top: so they come at once, and not each after the one that
imports it. That is what a slow network costs most. They are found in the scripts themselves; nothing is built.
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
"""What pages call the map, which lies with the boards."""
KINDS: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}

# Only at the beginning of a line: comments speak of imports, too.
_IMPORTED: Final = re.compile(r"""^(?:import|export)\b[^;"']*["'](\.{1,2}/[\w./-]+\.js)["']""", re.MULTILINE)
_FETCHED: Final = re.compile(r"""new URL\(["']([\w./-]+)["'], import\.meta\.url\)""")


class Asset(NamedTuple):
    """A file, as it goes over the wire."""

    kind: str
    plain: bytes
    packed: bytes


class Assets:
    """All files below a folder, named by their path in it, and the map of the board."""

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
        """A file by its name. Returns `None` when there is no such file."""
        return self._files.get(name)

    def needed_by(self, name: str) -> list[str]:
        """A script, and all files that it loads: what it imports, what that imports, and what they fetch."""
        needed = [name]
        for each in needed:
            if each.endswith(".js"):
                text = self._files[each].plain.decode()
                found = [*_IMPORTED.findall(text), *_FETCHED.findall(text)]
                paths = [posixpath.normpath(posixpath.join(posixpath.dirname(each), path)) for path in found]
                needed += [other for other in dict.fromkeys(paths) if other not in needed]
        return needed
