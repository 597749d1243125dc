"""The state of the network as one typed value: what the network service tells the table, as JSON between the two."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from companion.network.hotspot import Hotspot
from companion.network.wifi_names import shown_name


class NetworkLink(StrEnum):
    """How the machine is connected now."""

    STARTING = "starting"
    """Not yet: NetworkManager gets some time to find a network it knows."""
    WIRED = "wired"
    WIFI = "wifi"
    HOTSPOT = "hotspot"
    """Not: the table has opened its own Wi-Fi."""
    JOINING = "joining"
    """It is trying a Wi-Fi that somebody chose."""
    SCANNING = "scanning"
    """It has closed its own Wi-Fi for a moment, to look for others."""
    OFFLINE = "offline"
    """Not at all; `NetworkState.problem` says why."""


class Security(StrEnum):
    """What a Wi-Fi asks of those who join it."""

    OPEN = "open"
    PERSONAL = "personal"
    """A password, as at home: WPA or WPA2, with or without WPA3."""
    WPA3 = "wpa3"
    """A password, by WPA3 alone."""
    ENTERPRISE = "enterprise"
    """A user name or a certificate, as at a university: we do not join these."""
    OUTDATED = "outdated"
    """WEP, which protects nothing: we do not join these."""

    @property
    def can_be_joined(self) -> bool:
        """Whether the table can join such a Wi-Fi."""
        return self not in (Security.ENTERPRISE, Security.OUTDATED)


class NetworkProblem(StrEnum):
    """Why the last attempt failed."""

    NONE = ""
    PASSWORD = "password"
    OUT_OF_RANGE = "out-of-range"
    NO_ADDRESS = "no-address"
    TOO_SLOW = "too-slow"
    FAILED = "failed"
    NO_WIFI = "no-wifi"
    """The machine has no Wi-Fi, or it is switched off."""
    NO_HOTSPOT = "no-hotspot"
    """The table's own Wi-Fi could not be opened."""
    NO_MANAGER = "no-manager"
    """NetworkManager does not answer."""


class Refusal(StrEnum):
    """Why a request is not followed."""

    BUSY = "busy"
    NAME = "name"
    PASSWORD = "password"
    """A password must have 8 to 63 characters, or 64 hexadecimal digits."""
    SECURITY = "security"
    """This kind of Wi-Fi is not supported."""
    UNKNOWN = "unknown"
    """Neither in the list, nor said to be hidden."""
    NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True)
class WifiNetwork:
    """A Wi-Fi network in range."""

    ssid: str
    """Its name byte by byte, in hexadecimal digits: any bytes may be in it."""
    signal: int
    """From 0 to 100."""
    security: Security

    @property
    def name(self) -> str:
        """Its name for people.

        >>> WifiNetwork("436166c3a9", 70, Security.OPEN).name
        'Café'
        """
        return shown_name(bytes.fromhex(self.ssid))


@dataclass(frozen=True)
class NetworkState:
    """Everything the table may know about the network."""

    link: NetworkLink
    hotspot: Hotspot
    network: str = ""
    """The name of the Wi-Fi in use or being joined; empty without Wi-Fi."""
    networks: tuple[WifiNetwork, ...] = ()
    """The networks in range when it last looked, the strongest first."""
    looked_s_ago: int | None = None
    """How long ago that was; `None` when it has not looked yet."""
    chosen: tuple[str, ...] = ()
    """The names of the networks that were chosen on the workshop page and can be forgotten there."""
    problem: NetworkProblem = NetworkProblem.NONE
    tried: str = ""
    """The name of the Wi-Fi that could not be joined; empty when the problem is another."""

    def plain(self) -> dict[str, Any]:
        """Returns the state as plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_plain(cls, data: dict[str, Any]) -> NetworkState:
        """Returns the state that `plain` was called on.

        >>> state = NetworkState(NetworkLink.WIRED, Hotspot("El Grande", "abcdefgh"))
        >>> NetworkState.from_plain(state.plain()) == state
        True
        """
        return cls(
            link=NetworkLink(data["link"]),
            hotspot=Hotspot(**data["hotspot"]),
            network=str(data["network"]),
            networks=tuple(
                WifiNetwork(str(each["ssid"]), int(each["signal"]), Security(each["security"]))
                for each in data["networks"]
            ),
            looked_s_ago=data["looked_s_ago"],
            chosen=tuple(map(str, data["chosen"])),
            problem=NetworkProblem(data["problem"]),
            tried=str(data["tried"]),
        )
