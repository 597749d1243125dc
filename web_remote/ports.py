"""The ports that the pages are served on: one for HTTP and, if people want it, one for HTTPS."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Request

from web_remote.senders import is_forwarded


@dataclass(frozen=True)
class Ports:
    """The ports that the pages are served on."""

    http: int = 0
    """The port for HTTP; needed only where there is one for HTTPS."""
    https: int = 0
    """The port for HTTPS; 0 when there is none."""

    def https_offered(self, request: Request) -> int:
        """Returns the port for HTTPS that a page may offer its phone, or 0.

        Nothing is offered where the page came by HTTPS already, or through a proxy, which has ports of its own.
        """
        return 0 if request.is_secure or is_forwarded(request.headers.get) else self.https

    def missed_https(self, request: Request) -> bool:
        """Returns whether a request came to the port for HTTPS in plain HTTP."""
        return self.https > 0 and self.https_offered(request) == urlsplit(f"//{request.host}").port
