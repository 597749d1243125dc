"""Answers to phones that look for internet in the table's own Wi-Fi, so that they do not leave it.

In that Wi-Fi these names lead to the table (`packaging/el-grande-network.dnsmasq.conf`). The answers are fixed texts.
"""

from __future__ import annotations

from typing import Final

from flask import Response

APPLE: Final = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
PROBES: Final[dict[tuple[str, str], tuple[int, str]]] = {
    ("captive.apple.com", "/hotspot-detect.html"): (200, APPLE),
    ("captive.apple.com", "/"): (200, APPLE),
    ("connectivitycheck.gstatic.com", "/generate_204"): (204, ""),
    ("connectivitycheck.android.com", "/generate_204"): (204, ""),
    ("clients3.google.com", "/generate_204"): (204, ""),
    ("www.msftconnecttest.com", "/connecttest.txt"): (200, "Microsoft Connect Test"),
    ("detectportal.firefox.com", "/success.txt"): (200, "success\n"),
    ("detectportal.firefox.com", "/canonical.html"): (
        200,
        '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
    ),
}
"""What each system expects to be told, by host and path."""


def probe_answer(host: str, path: str) -> Response | None:
    """Returns what a phone expects that asks whether there is internet, or `None` for any other request."""
    if (host, path) not in PROBES:
        return None
    status, text = PROBES[host, path]
    kind = "text/html" if text.startswith("<") else "text/plain"
    return Response(text, status, mimetype=kind)
