"""What every request must pass: the host it was sent to, the page it came from; and what every answer carries."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

from werkzeug.datastructures import Headers

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
MOST_BYTES: Final = 4096
"""The most that a request may carry: all that pages send is short."""


def host_name(host: str) -> str:
    """The name or number in a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def our_name(name: str) -> bool:
    """Whether a name can only mean this machine.

    A page from elsewhere may have its own name lead to our address; an address itself, a name that ends in .local, and
    the machine's own name cannot be made to.
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in {"localhost", socket.gethostname().lower()} or name.endswith((".local", ".localhost"))
    return True


def is_loopback(name: str) -> bool:
    """Whether a name or address means the machine that asks."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    # On a socket for both kinds of addresses an older one comes in the newer one's clothes.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def same_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from one of our own pages; one without an origin was not sent by a page."""
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that another site's page asks for this, other than by a link that was followed.

    Only some browsers say so, and only where they trust the connection, as on the machine itself.
    """
    site, mode = headers.get("Sec-Fetch-Site", "none"), headers.get("Sec-Fetch-Mode", "navigate")
    return site in ("cross-site", "same-site") and mode != "navigate"


def own_wish(headers: Headers) -> bool:
    """Whether a page was asked for by its address or by one of ours, as far as browsers say: by no other's link."""
    return headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
