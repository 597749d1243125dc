"""The certificate for HTTPS: who can read its key, which names it has, and when it is renewed."""

from __future__ import annotations

import os
import shutil
import ssl
import stat
import subprocess
import time
from pathlib import Path

import pytest

from companion.storage.kept_copies import beside
from web_remote.certificate import (
    DAMAGED,
    EXPIRED,
    FILE_END,
    MISSING_NAME,
    NOT_PRIVATE,
    RENEW_DAYS,
    VALID_DAYS,
    KeptCertificate,
    NoCertificate,
    OpensslMissing,
    keep_certificate,
)

NAMES = ("localhost", "El-Grande.local", "127.0.0.1", "::1")
DAY_S = 24 * 3600
NOW_S = time.time()
"""When certificates are made; `openssl` reads the machine's own clock."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


def keep(database: Path, names: tuple[str, ...] = NAMES, later_days: float = 0) -> KeptCertificate:
    return keep_certificate(database, names, NOW_S + later_days * DAY_S)


def handshake(file: Path, name: str) -> None:
    """Lets a client check a certificate that it trusts, as a browser would: its dates, its use and its names."""
    client, server = ssl.create_default_context(cafile=file), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(to_client, to_server, server_hostname=name),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    for end in (*ends, *ends):
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue


def test_only_its_user_can_read_the_key(database: Path) -> None:
    old = os.umask(0)
    try:
        file, renewed = keep(database)
    finally:
        os.umask(old)
    assert renewed is None
    assert file == beside(database, FILE_END)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in database.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("name", ["localhost", "el-grande.local", "127.0.0.1", "::1"])
def test_it_is_valid_for_every_name_of_the_table(database: Path, name: str) -> None:
    handshake(keep(database).file, name)


def test_it_is_valid_for_no_other_name(database: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(keep(database).file, "elsewhere.local")


def test_it_has_an_elliptic_key_and_is_no_authority(database: Path) -> None:
    openssl = shutil.which("openssl")
    assert openssl is not None
    shown = subprocess.run([openssl, "x509", "-in", keep(database).file, "-noout", "-text"], capture_output=True)
    text = shown.stdout.decode()
    assert "prime256v1" in text
    assert "CA:FALSE" in text
    assert "TLS Web Server Authentication" in text


def test_it_stays_the_same_as_long_as_it_can_be_used(database: Path) -> None:
    file, _ = keep(database)
    before = file.read_bytes()
    assert keep(database, later_days=VALID_DAYS - RENEW_DAYS - 1).renewed is None
    assert keep(database, ("localhost",)).renewed is None, "a name that is no longer needed"
    assert file.read_bytes() == before


def test_it_is_renewed_before_it_expires(database: Path) -> None:
    before = keep(database).file.read_bytes()
    file, renewed = keep(database, later_days=VALID_DAYS - RENEW_DAYS + 1)
    assert renewed is not None
    assert renewed.text == EXPIRED
    assert file.read_bytes() != before


def test_it_is_renewed_when_the_table_has_another_address(database: Path) -> None:
    keep(database)
    file, renewed = keep(database, (*NAMES, "192.0.2.7"))
    assert renewed is not None
    assert renewed.text == MISSING_NAME
    assert renewed.fields == {"name": "192.0.2.7"}
    handshake(file, "192.0.2.7")
    assert keep(database, (*NAMES, "192.0.2.7")).renewed is None


@pytest.mark.parametrize("contents", [b"", b"no certificate", b"\xff\xfe\x00"])
def test_one_that_is_damaged_is_replaced(database: Path, contents: bytes) -> None:
    file, _ = keep(database)
    file.write_bytes(contents)
    renewed = keep(database).renewed
    assert renewed is not None
    assert renewed.text == DAMAGED
    handshake(file, "localhost")


def test_a_key_that_others_could_read_is_not_used_any_more(database: Path) -> None:
    file, _ = keep(database)
    before = file.read_bytes()
    file.chmod(0o640)
    renewed = keep(database).renewed
    assert renewed is not None
    assert renewed.text == NOT_PRIVATE
    assert file.read_bytes() != before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_name_that_would_change_the_certificates_meaning_is_left_out(database: Path) -> None:
    file, _ = keep(database, ("localhost", "x, DNS:evil.example", "x\nCA:TRUE", "", "fe80::1%eth0"))
    handshake(file, "localhost")
    handshake(file, "fe80::1")
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(file, "evil.example")


def test_without_openssl_there_is_none(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(database.parent))
    with pytest.raises(OpensslMissing):
        keep(database)


def test_what_openssl_says_is_passed_on(database: Path) -> None:
    with pytest.raises(NoCertificate, match="made no certificate: it does not say why"):
        keep_certificate(database, NAMES, NOW_S, openssl="/bin/false")
    with pytest.raises(NoCertificate, match="cannot be run"):
        keep_certificate(database, NAMES, NOW_S, openssl="/no/such/program")
    assert list(database.parent.iterdir()) == []
