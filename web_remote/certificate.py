"""The certificate for HTTPS: self-signed, made by the program `openssl` and kept beside the table's database.

Python can use certificates, but cannot make them. `openssl` is on every Raspberry Pi, and is asked only when a
certificate is made or looked at.
"""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
import ssl
import stat
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from companion.engine import Message, phrase
from companion.storage.kept_copies import beside, taking_the_place_of

FILE_END: Final = "-https.pem"
"""How the name of the file continues that of the database. The file holds the key and the certificate."""
VALID_DAYS: Final = 800
"""How long a certificate is valid. Apple's devices refuse one that is valid for more than 825 days."""
RENEW_DAYS: Final = 30
"""How long before its end it is renewed."""

EXPIRED: Final = phrase(
    "The certificate for HTTPS was about to expire, so a new one was made. Phones will warn once more."
)
MISSING_NAME: Final = phrase(
    "The certificate for HTTPS did not name {name}, so a new one was made. Phones will warn once more."
)
DAMAGED: Final = phrase("The certificate for HTTPS was damaged, so a new one was made. Phones will warn once more.")
NOT_PRIVATE: Final = phrase(
    "Other users of this machine could read the key for HTTPS, so a new one was made. Phones will warn once more."
)

_DAY_S: Final = 24 * 3600
_PATIENCE_S: Final = 60.0
_PLAIN_NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,250}[a-z0-9_])?", re.IGNORECASE)
_CONFIGURATION: Final = """
[req]
prompt = no
distinguished_name = subject
x509_extensions = extensions
[subject]
CN = El Grande table
[extensions]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""


class NoCertificate(Exception):
    """No certificate can be made; the message says why."""


class OpensslMissing(Exception):
    """The program that makes certificates is not installed."""


class KeptCertificate(NamedTuple):
    """A certificate that can be used."""

    file: Path
    """The file with the key and the certificate."""
    renewed: Message | None
    """Why the one before was replaced; `None` when it was not, or when this is the first."""


class _Contents(NamedTuple):
    """What a certificate says."""

    names: frozenset[str]
    expires_s: float


def keep_certificate(database: Path, names: Iterable[str], now_s: float, openssl: str | None = None) -> KeptCertificate:
    """Returns the table's certificate. Makes one if there is none, and another one if it can no longer be used.

    :param database: the table's database; the certificate is kept beside it.
    :param names: the host names and addresses that browsers may use.
    :param now_s: the time, in seconds since 1970.
    :param openssl: the program; by default, the one in the path.
    """
    program = openssl or shutil.which("openssl")
    if program is None:
        raise OpensslMissing
    file, wanted = beside(database.resolve(), FILE_END), _usable(names)
    if not file.exists():
        _make(program, file, wanted)
        return KeptCertificate(file, None)
    renewed = _why_renew(program, file, wanted, now_s)
    if renewed is not None:
        _make(program, file, wanted)
    return KeptCertificate(file, renewed)


def _usable(names: Iterable[str]) -> tuple[str, ...]:
    """Returns names as they are compared: addresses in their plain form, and no name that a certificate cannot have."""
    usable = dict.fromkeys(_address(name) or name.lower() for name in names)
    return tuple(name for name in usable if _address(name) or _PLAIN_NAME.fullmatch(name))


def _address(name: str) -> str:
    """Returns an address in its plain form, and an empty text for a host name."""
    try:
        return str(ipaddress.ip_address(name.partition("%")[0]))
    except ValueError:
        return ""


def _why_renew(program: str, file: Path, wanted: tuple[str, ...], now_s: float) -> Message | None:
    """Returns why a certificate can no longer be used, or `None` when it can."""
    # On Windows, the rights of a file say nothing about who can read it.
    if os.name != "nt" and file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return Message(NOT_PRIVATE, {})
    contents = _read(program, file)
    if contents is None:
        return Message(DAMAGED, {})
    if contents.expires_s - now_s < RENEW_DAYS * _DAY_S:
        return Message(EXPIRED, {})
    missing = [name for name in wanted if name not in contents.names]
    return Message(MISSING_NAME, {"name": missing[0]}) if missing else None


def _read(program: str, file: Path) -> _Contents | None:
    """Returns what a certificate says, or `None` when the file does not hold one with its key."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file)
        text = _run(program, "x509", "-in", str(file), "-noout", "-text")
        end = re.search(r"Not After\s*: (.+)", text)
        expires_s = ssl.cert_time_to_seconds(end[1].strip()) if end else 0.0
    except (OSError, ValueError, NoCertificate):
        return None
    return _Contents(frozenset(_usable(re.findall(r"(?:DNS|IP Address):([^,\s]+)", text))), expires_s)


def _make(program: str, file: Path, names: tuple[str, ...]) -> None:
    """Makes a key and a certificate. They appear under their name as a whole, and for this user alone."""
    alternatives = ", ".join(f"{'IP' if _address(name) else 'DNS'}:{name}" for name in names)
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "certificate.cnf"
        configuration.write_text(_CONFIGURATION.format(names=alternatives), encoding="ascii")
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
        form = ("-nodes", "-sha256", "-days", str(VALID_DAYS), "-config", str(configuration))
        # Without a name for its output, `openssl` writes both to us: the key is never in a file that others can read.
        made = _run(program, "req", "-x509", *curve, *form)
    try:
        with taking_the_place_of(file) as new:
            new.write_text(made, encoding="ascii")
            os.replace(new, file)
    except OSError as error:
        raise NoCertificate(f"The certificate for HTTPS cannot be saved: {error}") from None


def _run(program: str, *args: str) -> str:
    """Returns what `openssl` prints."""
    try:
        done = subprocess.run(
            [program, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoCertificate(f"{program} cannot be run: {error}") from None
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it does not say why"])[-1]
        raise NoCertificate(f"{program} made no certificate: {said}")
    return done.stdout
