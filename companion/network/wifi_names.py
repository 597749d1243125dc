"""Names and passwords of Wi-Fi networks: what they may be, and how a name is shown."""

from __future__ import annotations

import re
from typing import Final

NAME_BYTES: Final = 32
"""The longest name of a Wi-Fi network, in bytes."""


def shown_name(ssid: bytes) -> str:
    r"""Returns the name of a network for people; what is no text, or could not be seen, becomes a question mark.

    >>> shown_name(b"A\xff\x00\nB")
    'A???B'
    """
    text = ssid.decode("utf-8", "replace").replace("\ufffd", "?")
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def is_wifi_password(text: str) -> bool:
    """Returns whether WPA accepts this as a password.

    >>> [is_wifi_password(each) for each in ("short", "long enough", "naïve password", "0" * 64, "x" * 64)]
    [False, True, False, True, False]
    """
    return bool(re.fullmatch(r"[ -~]{8,63}|[0-9A-Fa-f]{64}", text))
