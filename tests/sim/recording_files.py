"""A file system in memory that records every write and every flush: `python -m tests.sim.recording_files FOLDER LOG`.

It is mounted on a folder with FUSE, which needs root or fusermount3. When it is unmounted, it leaves a log of all that
happened, in order: what a disk was asked to write, and what it was asked to keep.
"""

from __future__ import annotations

import errno
import pickle
import stat
import sys
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

FOLDER_MODE: Final = stat.S_IFDIR | 0o755
FILE_MODE: Final = stat.S_IFREG | 0o600


class Op(NamedTuple):
    """One thing that a program asked the disk to do."""

    kind: Literal["write", "resize", "remove", "flush"]
    path: str
    offset: int = 0
    """Where to write, or the new size."""
    data: bytes = b""


class RecordingFiles:
    """The files of one folder, and the log of what happened to them."""

    use_ns = True

    def __init__(self, log: Path) -> None:
        self._log = log
        self._ops: list[Op] = []
        self._files: dict[str, bytearray] = {}
        self._modes: dict[str, int] = {}

    def _file(self, path: str) -> bytearray:
        if path not in self._files:
            raise OSError(errno.ENOENT, path)
        return self._files[path]

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        if path == "/":
            return {"st_mode": FOLDER_MODE, "st_nlink": 2}
        return {"st_mode": self._modes.get(path, FILE_MODE), "st_nlink": 1, "st_size": len(self._file(path))}

    def readdir(self, path: str, fh: int) -> list[str]:
        return [".", "..", *(name.lstrip("/") for name in self._files)]

    def create(self, path: str, mode: int, fi: object = None) -> int:
        self._files[path] = bytearray()
        self._ops.append(Op("resize", path))
        return 0

    def chmod(self, path: str, mode: int) -> int:
        self._modes[path] = mode
        return 0

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        return bytes(self._file(path)[offset : offset + size])

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        file = self._file(path)
        file.extend(bytes(max(0, offset - len(file))))
        file[offset : offset + len(data)] = data
        self._ops.append(Op("write", path, offset, bytes(data)))
        return len(data)

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        file = self._file(path)
        file.extend(bytes(max(0, length - len(file))))
        del file[length:]
        self._ops.append(Op("resize", path, length))
        return 0

    def unlink(self, path: str) -> int:
        self._file(path)
        del self._files[path]
        self._ops.append(Op("remove", path))
        return 0

    def fsync(self, path: str, datasync: int, fh: int) -> int:
        self._ops.append(Op("flush", path))
        return 0

    def destroy(self, path: str) -> None:
        self._log.write_bytes(pickle.dumps([tuple(op) for op in self._ops]))


if __name__ == "__main__":
    # Not above: it wants the system's libfuse as soon as it is imported.
    import mfusepy

    class Mounted(RecordingFiles, mfusepy.Operations):  # type: ignore[misc]
        """The files as FUSE wants them."""

    mfusepy.FUSE(Mounted(Path(sys.argv[2])), sys.argv[1], foreground=True, nothreads=True)
