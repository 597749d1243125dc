"""Checks for every request (the host it was sent to, the page it came from), and headers for every answer."""

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
"""The longest body a request may have; everything pages send is short."""


def host_name(host: str) -> str:
    """Returns the name or address in a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def our_name(name: str) -> bool:
    """Returns whether a name can only mean this machine.

    Another site can make its own name resolve to our address (DNS rebinding), but cannot do that with an address, a
    name that ends in .local, or the machine's own name.
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in {"localhost", socket.gethostname().lower()} or name.endswith((".local", ".localhost"))
    return True


def is_loopback(name: str) -> bool:
    """Returns whether a name or address means the sender's own machine."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    # On a socket for both kinds of addresses, an IPv4 address arrives as an IPv4-mapped IPv6 address.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def same_origin(origin: str | None, host: str) -> bool:
    """Returns whether a request comes from one of our own pages; one without an origin was not sent by a page."""
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def from_elsewhere(headers: Headers) -> bool:
    """Returns whether a browser says that another site's page sent this request, other than by following a link.

    Only some browsers say so, and only on a trusted connection, such as on the machine itself.
    """
    site, mode = headers.get("Sec-Fetch-Site", "none"), headers.get("Sec-Fetch-Mode", "navigate")
    return site in ("cross-site", "same-site") and mode != "navigate"


def own_wish(headers: Headers) -> bool:
    """Returns whether, as far as the browser says, a page was opened by its address or from one of our pages."""
    return headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
