"""The machine's network: by cable or a known Wi-Fi, and without one by the table's own Wi-Fi.

The network service, `companion network`, runs as root and owns the network. The table asks it over a local socket.
"""

from companion.network.client import NetworkClient, find_network
from companion.network.control import NetworkControl
from companion.network.errors import NetworkError, NetworkOutOfReach, NmcliFailed, RequestRefused
from companion.network.hotspot import HOTSPOT_ADDRESS, Hotspot, kept_hotspot
from companion.network.nmcli import Nmcli
from companion.network.service import NetworkService
from companion.network.wifi_state import NetworkLink, NetworkProblem, NetworkState, Refusal, Security, WifiNetwork

__all__ = (
    "HOTSPOT_ADDRESS",
    "Hotspot",
    "NetworkClient",
    "NetworkControl",
    "NetworkError",
    "NetworkLink",
    "NetworkOutOfReach",
    "NetworkProblem",
    "NetworkService",
    "NetworkState",
    "Nmcli",
    "NmcliFailed",
    "Refusal",
    "RequestRefused",
    "Security",
    "WifiNetwork",
    "find_network",
    "kept_hotspot",
)
