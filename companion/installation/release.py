"""A release: everything an installation needs in one archive, with a hash of every file and a signature.

    el-grande-table-0.2.0/
        install.sh          installs it; the rest is for this script
        VERSION             0.2.0
        PYTHONS             the Pythons it has packages for: 3.11 3.13
        requirements.txt    every package with its hash
        wheels/             those packages, and pip
        firmware/           the hubs' firmware, compiled
        sbom/               the packages as CycloneDX
        SHA256SUMS          a hash of every other file
        SHA256SUMS.sig      the signature of that list

`make release` makes one; `companion update` takes one.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from companion.installation.errors import BadRelease, NotTrusted

SUMS: Final = "SHA256SUMS"
SIGNATURE: Final = "SHA256SUMS.sig"
MOST_BYTES: Final = 400_000_000
"""A release unpacks to about 60 MB; an archive that claims more than this is refused before anything is written."""
OUR_KEYS: Final = Path(__file__).parent / "keys"
"""The public keys that releases are signed with."""
OWN_KEYS: Final = Path("/etc/el-grande/keys")
"""Where the owner of a machine may put further keys, to install releases of their own."""
_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class Release:
    """A release that was unpacked."""

    folder: Path

    @property
    def version(self) -> str:
        """Its version."""
        return self._line("VERSION")

    @property
    def pythons(self) -> list[str]:
        """The Pythons it has packages for."""
        return self._line("PYTHONS").split()

    def _line(self, name: str) -> str:
        try:
            return (self.folder / name).read_text().strip()
        except OSError:
            raise BadRelease(f"This is not a release of the El Grande table: it has no {name}.") from None

    def check(self, keys: Iterable[Path]) -> None:
        """Checks the signature and every file. Raises `BadRelease` when anything is wrong.

        :param keys: the public keys that are trusted.
        """
        self._check_signature(list(keys))
        self.check_files()

    def check_files(self) -> None:
        """Checks that every file is as it was when the release was made, and that there is no other."""
        rows = (line.partition("  ") for line in self._line(SUMS).splitlines())
        listed = {name: digest for digest, _, name in rows}
        found = {
            str(file.relative_to(self.folder)): file
            for file in sorted(self.folder.rglob("*"))
            if file.is_file() and file.name not in (SUMS, SIGNATURE)
        }
        for name, file in found.items():
            if name not in listed:
                raise BadRelease(f"The release has a file that does not belong to it: {name}. Get it again.")
            if file.is_symlink() or sum_of(file) != listed[name]:
                raise BadRelease(f"The release is damaged: {name} is not what it was. Get it again.")
        if missing := sorted(listed.keys() - found.keys()):
            raise BadRelease(f"The release is not complete: {missing[0]} is missing. Get it again.")

    def _check_signature(self, keys: list[Path]) -> None:
        signature = self.folder / SIGNATURE
        if not signature.is_file():
            raise NotTrusted("This release is not signed, so it is not installed. Get one that is.")
        if not keys:
            raise NotTrusted(
                f"This installation trusts nobody yet. Put the public key of whoever made the release into {OWN_KEYS}."
            )
        if not any(verifies(key, self.folder / SUMS, signature) for key in keys):
            raise NotTrusted("This release is not signed by anybody we trust. Get it from where the project offers it.")


def trusted_keys(own: Path = OWN_KEYS, ours: Path = OUR_KEYS) -> list[Path]:
    """Returns the public keys that are trusted: those of the project, and those of the machine's owner."""
    return [key for folder in (ours, own) for key in sorted(folder.glob("*.pem"))]


def verifies(key: Path, file: Path, signature: Path) -> bool:
    """Returns whether a file was signed with the private half of a key. `openssl` checks it."""
    done = _openssl("pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", file, "-sigfile", signature)
    return done.returncode == 0


def sign(key: Path, file: Path, signature: Path) -> None:
    """Signs a file with a private key."""
    done = _openssl("pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", file, "-out", signature)
    if done.returncode:
        raise BadRelease(f"{key} cannot be used to sign: {done.stderr.decode(errors='replace').strip()}")


def make_keys(private: Path, public: Path) -> None:
    """Makes a pair of keys. Nobody else may read the private one."""
    private.touch(mode=0o600, exist_ok=False)
    done = _openssl("genpkey", "-algorithm", "ed25519", "-out", private)
    done = done if done.returncode else _openssl("pkey", "-in", private, "-pubout", "-out", public)
    if done.returncode:
        raise BadRelease(f"No keys could be made: {done.stderr.decode(errors='replace').strip()}")


def _openssl(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("openssl")
    if program is None:
        raise BadRelease("Signatures are checked by openssl, which is missing. Install it: sudo apt install openssl")
    return subprocess.run([program, *map(str, arguments)], capture_output=True, timeout=30, check=False)


def sum_of(file: Path) -> str:
    """Returns the hash of a file."""
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def unpack(archive: Path, folder: Path) -> Release:
    """Unpacks the archive of a release into a folder, and returns it, unchecked."""
    try:
        with tarfile.open(archive) as packed:
            members = packed.getmembers()
            if sum(member.size for member in members) > MOST_BYTES:
                raise BadRelease(f"{archive} is too large to be a release.")
            for member in members:
                if not _is_harmless(member):
                    raise BadRelease(f"{archive} holds {member.name}, which does not belong in a release.")
            for member in members:
                _extract(packed, member, folder / member.name)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise BadRelease(f"{archive} cannot be unpacked: {error}. Get it again.") from None
    (inside,) = roots if len(roots := [path for path in folder.iterdir() if path.is_dir()]) == 1 else (folder,)
    return Release(inside)


# Not `extractall`: Python has filters for it since 3.11.4, and Debian 12 has 3.11.2. Without one it would follow links
# and keep owners.


def _is_harmless(member: tarfile.TarInfo) -> bool:
    """Returns whether this is a plain file or a folder whose path stays within the archive."""
    path = PurePosixPath(member.name)
    return (member.isfile() or member.isdir()) and not path.is_absolute() and ".." not in path.parts


def _extract(packed: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    """Writes one file or folder, which belongs to whoever unpacks it; others may read it."""
    if member.isdir():
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    content = packed.extractfile(member)
    assert content is not None
    with content, path.open("xb") as file:
        shutil.copyfileobj(content, file)
    path.chmod(0o755 if member.mode & 0o100 else 0o644)
