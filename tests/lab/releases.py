"""The releases of the lab: one to install, a good update, and broken ones that must never take over."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.installation.release import make_keys, sum_of
from tests.lab.tools import ROOT, LabError, run
from tools import release as tool

FIRST: Final = "0.1.0"
BEFORE_ANYTHING: Final = "from __future__ import annotations\n"
UNDER_SYSTEMD: Final = 'import os, sys, time\nif "LISTEN_FDS" in os.environ and "play" in sys.argv:\n    '
"""True for the installed table alone, not for the checks before it takes over."""


@dataclass(frozen=True)
class Variant:
    """A release that differs from ours."""

    name: str
    version: str
    file: str = ""
    """The file that is changed."""
    added: str = ""
    """What is added to it, after its first import."""
    damaged: bool = False
    """Whether a file is changed after everything was signed."""
    said: str = ""
    """What `companion update` says about it; nothing when it takes over."""


GOOD: Final = Variant("good", "0.1.1")
BROKEN: Final = (
    Variant("damaged", "0.1.2", damaged=True, said="damaged"),
    Variant(
        "does not start", "0.1.3", "companion/cli/play.py", 'raise RuntimeError("broken on purpose")\n',
        said="the installed program does not start",
    ),
    Variant(
        "serves no page", "0.1.6", "companion/cli/play.py", 'import sys\nif "play" in sys.argv:\n    sys.exit(1)\n',
        said="it failed its own check",
    ),
    Variant(
        "crashes as a service", "0.1.4", "companion/cli/play.py", f"{UNDER_SYSTEMD}sys.exit(1)\n",
        said="it crashed 3 times",
    ),
    Variant(
        "hangs as a service", "0.1.5", "companion/cli/play.py", f"{UNDER_SYSTEMD}time.sleep(100_000)\n",
        said="did not work within 60 s",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Releases:
    """Makes releases of what is committed, once for each commit.

    :param folder: where they are kept, with the packages and the key they are signed with.
    """

    folder: Path

    @property
    def key(self) -> Path:
        """The private key; the public one lies beside it."""
        key = self.folder / "lab.key"
        if not key.exists():
            key.parent.mkdir(parents=True, exist_ok=True)
            make_keys(key, self.public_key)
        return key

    @property
    def public_key(self) -> Path:
        """The key that the lab's machine trusts."""
        return self.folder / "lab.pem"

    def first(self) -> Path:
        """Returns the release that is installed from the card."""
        return self._archive("first", Variant("first", FIRST))

    def variant(self, variant: Variant) -> Path:
        """Returns the archive of a release that differs."""
        return self._archive(variant.name.replace(" ", "-"), variant)

    def _archive(self, name: str, variant: Variant) -> Path:
        folder = self.folder / run("git", "rev-parse", "HEAD", cwd=ROOT).strip()[:12] / name
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            source = folder / "source"
            source.mkdir(parents=True)
            archive = folder / "source.tar"
            run("git", "archive", "--output", archive, "HEAD", cwd=ROOT)
            with tarfile.open(archive) as packed:
                packed.extractall(source, filter="data")
            committed_s = int(run("git", "show", "--no-patch", "--format=%ct", "HEAD", cwd=ROOT))
            _change(source / "pyproject.toml", lambda text: text.replace(f'"{FIRST}"', f'"{variant.version}"', 1))
            if variant.file:
                _change(
                    source / variant.file,
                    lambda text: text.replace(BEFORE_ANYTHING, BEFORE_ANYTHING + variant.added, 1),
                )
            made, _ = tool.assemble(
                tool.Ingredients(source, committed_s, self._packages()), folder, self.key, lambda words: None
            )
            if variant.damaged:
                _damage(made)
            shutil.rmtree(source)
            archive.unlink()
            (folder / "complete").touch()
        (found,) = folder.glob("el-grande-table-*.tar")
        return found

    def _packages(self) -> Path:
        locks = hashlib.sha256(tool.LOCK.read_bytes() + tool.PIP_LOCK.read_bytes()).hexdigest()[:12]
        folder = self.folder / f"packages-{locks}"
        if not folder.exists():
            new = folder.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            tool.download(new)
            new.rename(folder)
        return folder


def _change(file: Path, change: Callable[[str], str]) -> None:
    before = file.read_text()
    after = change(before)
    if "pyproject" not in file.name and after == before:
        raise LabError(f"{file.name} has nothing to change in it.")
    file.write_text(after)


def _damage(archive: Path) -> None:
    """Changes a byte in the middle of an archive, within the largest of its files."""
    with tarfile.open(archive) as packed:
        largest = max(packed.getmembers(), key=lambda member: member.size)
    before = sum_of(archive)
    with archive.open("r+b") as file:
        file.seek(largest.offset_data + largest.size // 2)
        (byte,) = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))
    if sum_of(archive) == before:
        raise LabError("The archive was not damaged.")
