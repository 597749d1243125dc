"""The ports of the web pages, opened before a game begins, so that one in use is reported first."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import NamedTuple

import click

from companion.translations import Translator
from web_remote.certificate import NoCertificate, OpensslMissing, keep_certificate
from web_remote.server import NoSuchAddress, PortInUse, certificate_names, listen
from web_remote.tls import SecurePort, tls_context


class ServedAt(NamedTuple):
    """Where the pages are served."""

    listening: socket.socket
    """The open socket."""
    host: str = ""
    """The address that was chosen; empty when they are served on all of them."""
    proxies: frozenset[str] = frozenset()
    """The addresses of named proxies."""
    secure: SecurePort | None = None
    """The open port for HTTPS, if it is wanted."""

    @property
    def port(self) -> int:
        """The port."""
        return int(self.listening.getsockname()[1])

    @property
    def https_port(self) -> int:
        """The port for HTTPS; 0 when the pages are not served by HTTPS."""
        return 0 if self.secure is None else self.secure.number

    def close(self) -> None:
        """Closes the ports."""
        self.listening.close()
        if self.secure is not None:
            self.secure.listening.close()


def open_port(port: int, host: str = "", option: str = "--port") -> socket.socket:
    """Opens a port of the pages.

    :param option: the option with which people choose it.
    """
    try:
        return listen(host, port, option)
    except (PortInUse, NoSuchAddress) as error:
        raise click.ClickException(str(error)) from None


def open_https_port(port: int, host: str, database: Path, words: Translator) -> SecurePort:
    """Opens the port for HTTPS, with the certificate beside the database. Says so when it had to be renewed."""
    try:
        file, renewed = keep_certificate(database, certificate_names(host), time.time())
    except OpensslMissing:
        raise click.ClickException(
            words.in_words("--https needs openssl. On Debian and Raspberry Pi OS: sudo apt install openssl")
        ) from None
    except NoCertificate as error:
        raise click.ClickException(str(error)) from None
    if renewed is not None:
        click.echo(words.say(renewed), err=True)
    context = tls_context(file)
    return SecurePort(open_port(port, host, "--https-port"), context)
