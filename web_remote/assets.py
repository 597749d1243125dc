"""The files that pages load: read once, packed once, and named by what is in them, so that browsers keep them."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Final, NamedTuple

STATIC: Final = Path(__file__).parent / "static"
KINDS: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


class Asset(NamedTuple):
    """A file, as it goes over the wire."""

    kind: str
    plain: bytes
    packed: bytes


class Assets:
    """All files of a folder."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._files = {}
        sum_of_all = hashlib.sha256()
        for path in sorted(folder.iterdir()):
            if path.suffix in KINDS:
                data = path.read_bytes()
                sum_of_all.update(path.name.encode() + data)
                self._files[path.name] = Asset(KINDS[path.suffix], data, gzip.compress(data, mtime=0))
        self.version = sum_of_all.hexdigest()[:12]
        """Changes when any file does."""

    def get(self, name: str) -> Asset | None:
        """A file by its name."""
        return self._files.get(name)
