"""Releases: what is damaged, incomplete, foreign or not signed is refused, with real keys and the real openssl."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from contextlib import suppress
from pathlib import Path
from shutil import copytree

import pytest

from companion.installation.errors import BadRelease, NotTrusted
from companion.installation.release import SIGNATURE, SUMS, Release, trusted_keys, unpack
from tests.installation.makers import Maker
from tools import release as tool

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("keys") / "ours")


@pytest.fixture
def release(ours: Maker, tmp_path: Path) -> Release:
    return ours.signed(tmp_path / "release")


def test_a_release_that_we_signed_is_taken(ours: Maker, release: Release) -> None:
    release.check([ours.public])
    assert (release.version, release.pythons) == ("0.2.0", ["3.11", "3.13"])


def test_nobody_else_can_sign(ours: Maker, release: Release, tmp_path: Path) -> None:
    stranger = Maker(tmp_path / "stranger")
    with pytest.raises(NotTrusted, match="not signed by anybody we trust"):
        release.check([stranger.public])
    # One of several keys is enough, so that a new one can be introduced before the old one goes.
    release.check([stranger.public, ours.public])
    with pytest.raises(NotTrusted, match="trusts nobody yet"):
        release.check([])
    (release.folder / SIGNATURE).unlink()
    with pytest.raises(NotTrusted, match="not signed"):
        release.check([ours.public])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda folder: (folder / "wheels/one.whl").write_text("other"), "damaged: wheels/one.whl"),
        (lambda folder: (folder / "wheels/one.whl").unlink(), "not complete: wheels/one.whl"),
        (lambda folder: (folder / "wheels/two.whl").write_text(""), "does not belong to it: wheels/two.whl"),
        (lambda folder: (folder / "VERSION").write_text("9.9.9"), "damaged: VERSION"),
        (lambda folder: (folder / SUMS).write_text(""), "not signed by anybody"),
        (lambda folder: (folder / SUMS).unlink(), "not signed by anybody"),
    ],
)
def test_a_release_that_was_changed_is_refused(ours: Maker, release: Release, change: object, why: str) -> None:
    change(release.folder)  # type: ignore[operator]
    with pytest.raises(BadRelease, match=why):
        release.check([ours.public])


def test_a_file_may_not_be_replaced_by_a_link_to_the_same_bytes(ours: Maker, release: Release, tmp_path: Path) -> None:
    wheel = release.folder / "wheels/one.whl"
    (tmp_path / "elsewhere").write_bytes(wheel.read_bytes())
    wheel.unlink()
    wheel.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadRelease, match="damaged"):
        release.check([ours.public])


def test_an_archive_is_the_same_whenever_and_wherever_it_is_packed(release: Release, tmp_path: Path) -> None:
    copy = copytree(release.folder, tmp_path / "elsewhere" / "release")
    for file in copy.rglob("*"):
        os.utime(file, (1, 1))
    archives = [tmp_path / "one.tar", tmp_path / "two.tar"]
    for folder, archive in zip((release.folder, copy), archives, strict=True):
        tool.pack(folder, archive, 1_700_000_000)
    assert archives[0].read_bytes() == archives[1].read_bytes()


def test_an_archive_is_unpacked_as_it_was_packed(ours: Maker, release: Release, tmp_path: Path) -> None:
    tool.pack(release.folder, tmp_path / "release.tar", 0)
    unpack(tmp_path / "release.tar", tmp_path / "unpacked").check([ours.public])


@pytest.mark.parametrize("name", ["../outside", "/outside", "release/../../outside"])
def test_an_archive_writes_nothing_outside_its_folder(name: str, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "bad.tar", "w") as packed:
        packed.addfile(tarfile.TarInfo(name), io.BytesIO())
    inside = tmp_path / "unpacked" / "here"
    with suppress(BadRelease):
        unpack(tmp_path / "bad.tar", inside)
    written = [file for file in tmp_path.rglob("outside") if not file.is_relative_to(inside)]
    assert written == []
    assert not Path("/outside").exists()


def test_an_archive_is_unpacked_by_a_python_without_filters(
    ours: Maker, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian 12 has Python 3.11.2; filters for archives came with 3.11.4."""

    def extractall(
        self: tarfile.TarFile, path: str = ".", members: object = None, *, numeric_owner: bool = False
    ) -> None:
        raise AssertionError("Without a filter this would follow links and keep owners.")

    monkeypatch.setattr(tarfile.TarFile, "extractall", extractall)
    monkeypatch.delattr(tarfile, "data_filter", raising=False)
    tool.pack(release.folder, tmp_path / "release.tar", 0)
    unpack(tmp_path / "release.tar", tmp_path / "unpacked").check([ours.public])


def member(name: str, kind: bytes = tarfile.REGTYPE, **values: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    for field, value in values.items():
        setattr(info, field, value)
    return info


@pytest.mark.parametrize(
    "bad",
    [
        member("../outside"),
        member("/outside"),
        member("release/../../outside"),
        member("release/link", tarfile.SYMTYPE, linkname="VERSION"),
        member("release/link", tarfile.LNKTYPE, linkname="release/VERSION"),
        member("release/pipe", tarfile.FIFOTYPE),
        member("release/disk", tarfile.BLKTYPE, devmajor=8),
    ],
    ids=lambda bad: f"{bad.name} {bad.type!r}",
)
def test_an_archive_with_anything_but_files_and_folders_is_refused(bad: tarfile.TarInfo, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "bad.tar", "w") as packed:
        packed.addfile(member("release/VERSION"), io.BytesIO())
        packed.addfile(bad)
    with pytest.raises(BadRelease, match="does not belong in a release"):
        unpack(tmp_path / "bad.tar", tmp_path / "unpacked")
    assert not (tmp_path / "unpacked").exists()


def test_what_is_unpacked_belongs_to_root_and_only_root_may_change_it(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "release.tar", "w") as packed:
        packed.addfile(member("release", tarfile.DIRTYPE, mode=0o777, uid=1234, gid=1234))
        packed.addfile(member("release/install.sh", mode=0o4777, uid=1234, gid=1234), io.BytesIO())
        packed.addfile(member("release/VERSION", mode=0o666, uid=1234, gid=1234), io.BytesIO())
    folder = unpack(tmp_path / "release.tar", tmp_path / "unpacked").folder
    found = {path.name: path.stat() for path in (folder, folder / "install.sh", folder / "VERSION")}
    assert {name: oct(stat.st_mode & 0o7777) for name, stat in found.items()} == {
        "release": "0o755", "install.sh": "0o755", "VERSION": "0o644",
    }  # fmt: skip
    assert {stat.st_uid for stat in found.values()} == {os.getuid()}


def test_an_archive_that_claims_to_be_huge_is_refused_at_once(tmp_path: Path) -> None:
    huge = tarfile.TarInfo("release/huge")
    huge.size = 10**12
    with open(tmp_path / "huge.tar", "wb") as file:
        file.write(huge.tobuf())
        file.truncate(10**6)
    with pytest.raises(BadRelease):
        unpack(tmp_path / "huge.tar", tmp_path / "unpacked")


@pytest.mark.parametrize("content", [b"", b"not an archive", os.urandom(5000)])
def test_what_is_not_an_archive_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file.tar").write_bytes(content)
    with pytest.raises(BadRelease, match="cannot be unpacked"):
        unpack(tmp_path / "file.tar", tmp_path / "unpacked")


def test_the_machines_owner_may_trust_further_keys(tmp_path: Path) -> None:
    for folder in ("ours", "own"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.pem").touch()
        (tmp_path / folder / "README.md").touch()
    keys = trusted_keys(tmp_path / "own", tmp_path / "ours")
    assert [key.name for key in keys] == ["ours.pem", "own.pem"]


def test_a_private_key_stays_outside_the_project_and_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(BadRelease, match="outside the project"):
        tool.new_key(ROOT / "key.pem")
    (tmp_path / "key.pem").touch()
    with pytest.raises(BadRelease, match="there already"):
        tool.new_key(tmp_path / "key.pem")


def test_a_private_key_is_for_its_owner_alone(ours: Maker) -> None:
    assert oct(ours.private.stat().st_mode)[-3:] == "600"


@pytest.mark.games
def test_a_whole_release_has_everything_that_both_systems_need(tmp_path: Path, ours: Maker) -> None:
    # From a clone: what somebody is working on is not part of a release.
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, clone], check=True)
    for out, umask in (("out", 0o022), ("again", 0o077)):
        command = [sys.executable, "-m", "tools.release", "--out", str(tmp_path / out), "--key", str(ours.private)]
        done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False, umask=umask)
        assert done.returncode == 0, done.stderr
    for file in (tmp_path / "out").iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), "the same commit, the same bytes"
    (archive,) = (tmp_path / "out").glob("*.tar")
    made = unpack(archive, tmp_path / "unpacked")
    made.check([ours.public])
    assert archive.name == f"el-grande-table-{made.version}.tar"
    assert os.access(made.folder / "install.sh", os.X_OK)
    assert (made.folder / "firmware" / "firmware" / "hub.mpy").is_file()
    assert '"components"' in (made.folder / "sbom" / "packages.cdx.json").read_text()
    for python, glibc in tool.SYSTEMS:
        # `pip install` would compare what packages require with the Python it runs on.
        pip = [sys.executable, "-m", "tools.pip_on_pi", python, str(glibc), "download", "--no-index"]
        files = ["--find-links", f"{made.folder}/wheels", "--requirement", f"{made.folder}/requirements.txt"]
        taken = ["--require-hashes", "--dest", f"{tmp_path}/taken-{python}"]
        done = subprocess.run([*pip, *files, *taken], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
