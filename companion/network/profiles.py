"""The connection profiles we write for NetworkManager, as key files.

A password goes into such a file, which root alone can read, and never onto a command line, which everybody can.
"""

from __future__ import annotations

import secrets
from typing import Final
from uuid import uuid4

from companion.network.hotspot import HOTSPOT_ADDRESS, Hotspot
from companion.network.wifi_names import shown_name
from companion.network.wifi_state import Security

HOTSPOT_UUID: Final = "6f1d7c1e-0b0e-4f0a-9d6a-e16a4de00001"
HOTSPOT_FILE: Final = "el-grande-hotspot.nmconnection"
_CHOSEN: Final = "e16a4de1"
"""How the last group of the uuid begins for every network chosen on the workshop page."""

_KEY_MANAGEMENT: Final = {Security.PERSONAL: "wpa-psk", Security.WPA3: "sae"}


def chosen_uuid() -> str:
    """Returns a new uuid for a network chosen on the workshop page.

    It can be recognised. The name of the file could not: on Raspberry Pi OS 13 netplan may keep the profile elsewhere.

    >>> is_chosen(chosen_uuid()), is_chosen(HOTSPOT_UUID)
    (True, False)
    """
    return f"{str(uuid4())[:24]}{_CHOSEN}{secrets.token_hex(2)}"


def is_chosen(uuid: str) -> bool:
    """Returns whether a profile belongs to a network chosen on the workshop page."""
    return uuid[24:].startswith(_CHOSEN)


def wifi_file(uuid: str) -> str:
    """Returns the name of the file for a chosen network."""
    return f"el-grande-wifi-{uuid}.nmconnection"


def hotspot_profile(hotspot: Hotspot) -> str:
    """Returns the profile of the table's own Wi-Fi.

    Protected management frames are off (`pmf=1`): the Wi-Fi chips of the Raspberry Pi cannot do them for others, and
    phones then fail to join or the Wi-Fi fails to open.
    """
    return f"""\
[connection]
id=el-grande-hotspot
uuid={HOTSPOT_UUID}
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={_bytes(hotspot.name.encode())}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
pmf=1
psk={_text(hotspot.password)}

[ipv4]
method=shared
address1={HOTSPOT_ADDRESS}/24

[ipv6]
method=disabled
"""


def wifi_profile(
    uuid: str, ssid: bytes, security: Security, password: str, hidden: bool, *, by_itself: bool = False
) -> str:
    """Returns the profile of a network that somebody chose.

    :param by_itself: whether NetworkManager joins it by itself.
    """
    text = f"""\
[connection]
id={_text(shown_name(ssid))}
uuid={uuid}
type=wifi
autoconnect={str(by_itself).lower()}

[wifi]
mode=infrastructure
ssid={_bytes(ssid)}
hidden={str(hidden).lower()}

[ipv4]
method=auto

[ipv6]
method=auto
"""
    if security in _KEY_MANAGEMENT:
        text += f"\n[wifi-security]\nkey-mgmt={_KEY_MANAGEMENT[security]}\npsk={_text(password)}\n"
    return text


def _bytes(value: bytes) -> str:
    return "".join(f"{byte};" for byte in value)


def _text(value: str) -> str:
    r"""Returns a text as a key file has it.

    >>> print(_text(" a\\b "))
    \sa\\b\s
    """
    return value.replace("\\", "\\\\").replace(" ", "\\s")
