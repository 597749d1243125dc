"""Makes a release: one archive that installs on a Raspberry Pi without network and without a compiler.

Beside it lies the same for a card: el-grande-card-VERSION.zip, to unpack on the boot partition of Raspberry Pi OS.

    python -m tools.release                    what is committed, unsigned
    python -m tools.release --key FILE         signed
    python -m tools.release --new-key FILE     makes the pair of keys that releases are signed with

The same commit gives the same bytes: `make release` runs this with exactly the packages of
dependencies/locked-tools.txt.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.installation.card import RELEASE, texts
from companion.installation.errors import BadRelease
from companion.installation.release import OUR_KEYS, SIGNATURE, SUMS, make_keys, sign, sum_of
from hardware.installing import build as build_firmware

ROOT: Final = Path(__file__).parent.parent
OUT: Final = ROOT / "build" / "release"
SYSTEMS: Final = (("3.11", 36), ("3.13", 41))
"""The Python and the glibc 2.x of Raspberry Pi OS on Debian 12 and 13."""
LOCK: Final = ROOT / "dependencies" / "locked-pi.txt"
PIP_LOCK: Final = ROOT / "dependencies" / "locked-pip.txt"
STEPS: Final = 6


class Progress:
    """Prints each step with its number."""

    def __init__(self) -> None:
        self._step = 0

    def __call__(self, words: str) -> None:
        self._step += 1
        print(f"[{self._step}/{STEPS}] {words}", flush=True)


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """Runs a program. If it fails, so does everything, with its words."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True,
        check=False, umask=0o022,
    )  # fmt: skip
    if done.returncode:
        raise BadRelease(f"{Path(command[0]).name} {' '.join(map(str, command[1:4]))} failed:\n{done.stderr.strip()}")
    return done.stdout.strip()


def export(folder: Path) -> int:
    """Writes what is committed into a folder. Returns when it was committed."""
    if run("git", "status", "--porcelain"):
        raise BadRelease(
            "There are changes that are not committed. A release is made from a commit: commit them first."
        )
    archive = folder.parent / "source.tar"
    run("git", "archive", "--output", archive, "HEAD")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return int(run("git", "show", "--no-patch", "--format=%ct", "HEAD"))


def build_wheel(source: Path, wheels: Path, committed_s: int) -> Path:
    """Builds our own wheel."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
    # With what is installed here, which a lock file names: otherwise pip takes the newest that there is today.
    pip.append("--no-build-isolation")
    run(*pip, "--wheel-dir", wheels, source, SOURCE_DATE_EPOCH=str(committed_s))
    (wheel,) = wheels.glob("el_grande_table-*.whl")
    return wheel


def download(wheels: Path) -> None:
    """Downloads every package as a wheel for a Raspberry Pi, and compares it with its hash."""
    for python, glibc in SYSTEMS:
        for lock in (LOCK, PIP_LOCK):
            pip = [sys.executable, "-m", "tools.pip_on_pi", python, str(glibc), "download", "--quiet", "--no-deps"]
            run(*pip, "--require-hashes", "--dest", wheels, "--requirement", lock)


def requirements(wheel: Path) -> str:
    """Returns what an installation asks for: our wheel, and what the lock file names."""
    version = wheel.name.split("-")[1]
    return f"el-grande-table=={version} --hash=sha256:{sum_of(wheel)}\n{LOCK.read_text()}"


def sbom(folder: Path) -> None:
    """Lists the packages as CycloneDX."""
    folder.mkdir()
    tool = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", str(LOCK), "--output-reproducible"]
    run(
        *tool,
        "--pyproject",
        ROOT / "pyproject.toml",
        "--output-format",
        "JSON",
        "--output-file",
        folder / "packages.cdx.json",
    )


def files_of(folder: Path) -> Iterator[Path]:
    """Yields the files of a folder in an order that never changes."""
    yield from sorted((file for file in folder.rglob("*") if file.is_file()), key=lambda file: file.as_posix())


def pack(folder: Path, archive: Path, committed_s: int) -> None:
    """Packs a folder, without anything that depends on where and when it was done. Wheels are compressed already."""
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as packed:
        for file in files_of(folder):
            info = packed.gettarinfo(str(file), f"{folder.name}/{file.relative_to(folder).as_posix()}")
            info.uid = info.gid = 0
            info.uname = info.gname = "root"
            info.mtime = committed_s
            info.mode = 0o755 if file.suffix == ".sh" else 0o644
            with file.open("rb") as opened:
                packed.addfile(info, opened)


def pack_card(archive: Path, version: str, zipped: Path, committed_s: int) -> None:
    """Packs what a card needs to install a release. Nothing is compressed, for that depends on the library."""
    files = {name: text.encode() for name, text in texts(version, sum_of(archive), None, None).items()}
    files[RELEASE] = archive.read_bytes()
    date = time.gmtime(committed_s)[:6]
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_STORED) as packed:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, date)
            info.create_system = 3  # the same on every system
            info.external_attr = 0o644 << 16
            packed.writestr(info, content)


class Ingredients(NamedTuple):
    """What a release is made from."""

    source: Path
    """A folder with our own files."""
    committed_s: int
    """When they were committed: the time of every file in the release."""
    packages: Path
    """A folder with the wheels of all packages, and pip."""


def make(out: Path, key: Path | None) -> tuple[Path, Path]:
    """Makes a release of what is committed. Returns its archive, and the one for a card."""
    progress = Progress()
    with tempfile.TemporaryDirectory(prefix="el-grande-") as made:
        source, packages = Path(made, "source"), Path(made, "packages")
        source.mkdir()
        committed_s = export(source)
        progress(f"Downloading the packages for Python {' and '.join(python for python, _ in SYSTEMS)}")
        download(packages)
        return assemble(Ingredients(source, committed_s, packages), out, key, progress)


def assemble(
    ingredients: Ingredients, out: Path, key: Path | None, progress: Callable[[str], None]
) -> tuple[Path, Path]:
    """Makes a release from its ingredients. Returns its archive, and the one for a card."""
    source, committed_s, packages = ingredients
    with tempfile.TemporaryDirectory(prefix="el-grande-") as made:
        progress("Building our wheel")
        wheel = build_wheel(source, Path(made), committed_s)
        version = wheel.name.split("-")[1]
        folder = Path(made, f"el-grande-table-{version}")
        shutil.copytree(packages, folder / "wheels")
        shutil.copy(wheel, folder / "wheels")
        progress("Compiling the hubs' firmware")
        build_firmware(folder / "firmware")
        progress("Listing the packages")
        sbom(folder / "sbom")
        shutil.copy(source / "install.sh", folder)
        shutil.copy(source / "LICENSE", folder)
        (folder / "requirements.txt").write_text(requirements(wheel))
        (folder / "VERSION").write_text(f"{version}\n")
        (folder / "PYTHONS").write_text(" ".join(python for python, _ in SYSTEMS) + "\n")
        progress("Signing" if key else "Adding up the hashes (unsigned: --key FILE signs it)")
        seal(folder, key)
        progress("Packing")
        out.mkdir(parents=True, exist_ok=True)
        archive = out / f"{folder.name}.tar"
        pack(folder, archive, committed_s)
        zipped = out / f"el-grande-card-{version}.zip"
        pack_card(archive, version, zipped, committed_s)
        shutil.copy(wheel, out)
    return archive, zipped


def seal(folder: Path, key: Path | None) -> None:
    """Adds a hash of every file, and a signature if there is a key."""
    names = [file.relative_to(folder).as_posix() for file in files_of(folder)]
    (folder / SUMS).write_text("".join(f"{sum_of(folder / name)}  {name}\n" for name in names))
    if key:
        sign(key, folder / SUMS, folder / SIGNATURE)


def new_key(private: Path) -> Path:
    """Makes a pair of keys, and puts the public one into the project. Returns where."""
    if private.resolve().is_relative_to(ROOT):
        raise BadRelease("Keep the private key outside the project, where it cannot be published by accident.")
    if private.exists():
        raise BadRelease(f"{private} is there already. A key is never replaced: choose another name.")
    public = OUR_KEYS / f"{re.sub('[^a-z0-9-]+', '-', private.stem.lower())}.pem"
    make_keys(private, public)
    return public


def main() -> None:
    """Makes a release, or keys."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Makes a release for Raspberry Pis.")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to write to (build/release)")
    parser.add_argument("--key", type=Path, help="the private key to sign with")
    parser.add_argument("--new-key", type=Path, metavar="FILE", help="make a private key in this file instead")
    options = parser.parse_args()
    try:
        if options.new_key:
            public = new_key(options.new_key)
            print(
                f"The private key is {options.new_key}: keep it safe and secret.\n"
                f"The public one is {public}: commit it."
            )
            return
        archives = make(options.out, options.key)
    except BadRelease as problem:
        sys.exit(f"No release was made. {problem}")
    for archive in archives:
        print(f"Written: {archive} ({archive.stat().st_size / 1e6:.0f} MB), sha256 {sum_of(archive)}")


if __name__ == "__main__":
    main()
