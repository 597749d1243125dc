"""People who make releases, with real keys."""

from __future__ import annotations

from pathlib import Path

from companion.installation.release import SIGNATURE, SUMS, Release, make_keys, sign, sum_of
from tools.release import files_of


class Maker:
    """Somebody who makes releases."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.private, self.public = folder / "private.pem", folder / "public.pem"
        make_keys(self.private, self.public)

    def signed(self, folder: Path, version: str = "0.2.0") -> Release:
        """Returns a small release."""
        (folder / "wheels").mkdir(parents=True)
        for name, text in {"VERSION": f"{version}\n", "PYTHONS": "3.11 3.13\n", "wheels/one.whl": "wheel"}.items():
            (folder / name).write_text(text)
        files = [file.relative_to(folder).as_posix() for file in files_of(folder)]
        (folder / SUMS).write_text("".join(f"{sum_of(folder / file)}  {file}\n" for file in files))
        sign(self.private, folder / SUMS, folder / SIGNATURE)
        return Release(folder)
