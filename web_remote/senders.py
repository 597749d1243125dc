"""Who sends a request, as far as limits are concerned: a phone that was let in, or else an address.

A family may share one address, behind a router or at one laptop. So a phone that holds a seat or may manage the table
has limits of its own, and only everybody else at an address shares one.

Behind a reverse proxy every request comes from the proxy's address. A proxy is believed only if it was named with
`--proxy`; then the last address in `X-Forwarded-For` that is not a named proxy's is the sender's.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Callable, Collection
from http.cookies import CookieError, SimpleCookie
from typing import Final

COOKIE: Final = "el_grande"
FORWARDING: Final = (
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Server",
    "X-Real-IP", "Via", "X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "CF-Connecting-IP",
)  # fmt: skip
"""Headers that only a proxy sends."""

Header = Callable[[str], str | None]
"""Returns a header of a request by its name, or `None`."""


def plain_address(address: str) -> str:
    """Returns an address in its plain form; on a socket for both kinds, IPv4 addresses arrive as IPv6 ones.

    >>> plain_address("::ffff:192.0.2.7"), plain_address("[2001:DB8::7]:443"), plain_address("192.0.2.7:80")
    ('192.0.2.7', '2001:db8::7', '192.0.2.7')
    """
    text = address.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        parsed = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def network_of(address: str) -> str:
    """Returns what limits count as one address: an IPv4 address, or an IPv6 network, of which one machine has plenty.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3::7"), network_of("2001:db8:1:2::8")
    ('192.0.2.7', '2001:db8:1:2::', '2001:db8:1:2::')
    """
    plain = plain_address(address)
    if ":" not in plain:
        return plain or address
    return str(ipaddress.ip_network(f"{plain}/64", strict=False).network_address)


def is_forwarded(header: Header) -> bool:
    """Returns whether a request says that it came through a proxy."""
    return any(header(name) is not None for name in FORWARDING)


def client_address(peer: str, header: Header, proxies: Collection[str] = ()) -> str:
    """Returns the address of the client: the one that is connected, or the one that a named proxy forwards.

    >>> header = {"X-Forwarded-For": "10.0.0.9, 192.0.2.7"}.get
    >>> client_address("127.0.0.1", header), client_address("127.0.0.1", header, {"127.0.0.1"})
    ('127.0.0.1', '192.0.2.7')
    """
    address = plain_address(peer)
    hops = [plain_address(hop) for hop in (header("X-Forwarded-For") or "").split(",")]
    while address in proxies and hops:
        hop = hops.pop()
        if not hop:
            break
        address = hop
    return address


def token_in(cookies: str) -> str | None:
    """Returns the token in the cookies of a request, or `None`."""
    if f"{COOKIE}=" not in cookies:
        return None
    try:
        morsel = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


def known_by(token: str) -> str:
    """Returns the hash that identifies a token without revealing it."""
    return hashlib.sha256(token.encode()).hexdigest()


def phone_sender(token: str) -> str:
    """Returns what limits call a phone that was let in."""
    return f"phone {known_by(token)}"


def address_sender(address: str) -> str:
    """Returns what limits call everybody else at an address."""
    return f"address {network_of(address)}"
