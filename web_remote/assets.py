"""The files that pages load: read and compressed once, with a version in their address so that browsers cache them.

The script of a page is sent together with everything it imports, and the page lists at the top what that fetches: on a
slow network, one file after another is the main cost. Both are found in the scripts themselves; there is no build step.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Final, NamedTuple

from hardware.map import MAP_FILE
from web_remote.bundles import FETCHED, IMPORT, beside, bundle

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
            self._files[name] = _asset(name, data)
        self._scripts = {
            name: asset.plain.decode() for name, asset in self._files.items() if name.endswith(".js") and "/" in name
        }
        for page in sorted({name.partition("/")[0] for name in self._scripts}):
            script = f"{page}/{page}.js"
            if script in self._scripts:
                name = bundle_of(page)
                self._files[name] = _asset(name, bundle(script, self._scripts).encode())
        self.version = checksum.hexdigest()[:12]
        """Changes when any file does."""

    def get(self, name: str) -> Asset | None:
        """Returns a file by its name, or `None` when there is no such file."""
        return self._files.get(name)

    def needed_by(self, page: str) -> list[str]:
        """Returns the files that a page loads at once: its bundle, and what the scripts in it fetch."""
        scripts, fetched = [f"{page}/{page}.js"], list[str]()
        for each in scripts:
            text = self._scripts[each]
            imported = [beside(each, path) for _, path in IMPORT.findall(text)]
            scripts += [other for other in dict.fromkeys(imported) if other not in scripts]
            fetched += [beside(each, path) for path in FETCHED.findall(text)]
        return [bundle_of(page), *dict.fromkeys(fetched)]


def bundle_of(page: str) -> str:
    """Returns the name of the file that holds all scripts of a page."""
    return f"{page}/{page}.bundle.js"


def _asset(name: str, data: bytes) -> Asset:
    return Asset(KINDS[Path(name).suffix], data, gzip.compress(data, mtime=0))
