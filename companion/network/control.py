"""Keeps the machine reachable: by cable or a known Wi-Fi, and otherwise by the table's own Wi-Fi.

One thread calls `poll`, and nothing else changes the network. Requests of the table wait in line until it gets to them.
"""

from __future__ import annotations

import logging
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from companion.network.errors import NmcliFailed, RequestRefused
from companion.network.hotspot import Hotspot, write_private
from companion.network.nmcli import NetworkDevice, Nmcli, problem_of
from companion.network.profiles import (
    HOTSPOT_FILE,
    HOTSPOT_UUID,
    chosen_uuid,
    hotspot_profile,
    wifi_file,
    wifi_profile,
)
from companion.network.wifi_names import NAME_BYTES, is_wifi_password, shown_name
from companion.network.wifi_state import NetworkLink, NetworkProblem, NetworkState, Refusal, Security, WifiNetwork

PROFILES: Final = Path("/etc/NetworkManager/system-connections")
"""Where NetworkManager keeps its profiles."""

FIRST_WAIT_S: Final = 45.0
"""How long a machine that starts may take to find a network it knows."""
LOST_WAIT_S: Final = 180.0
"""How long a network may be gone: a router that starts again takes two minutes."""
RETRY_WAIT_S: Final = 30.0
"""How long the table's own Wi-Fi stays closed to see whether a known one is back."""
CONNECTING_S: Final = 45.0
"""How much more time a device gets that is on its way when the time is over."""
JOIN_S: Final = 30
"""How long joining a network may take."""
HOTSPOT_S: Final = 20
"""How long opening the table's own Wi-Fi may take."""
NOTICE_S: Final = 3.0
"""How long a change waits, so that the page on a phone can say what comes before it loses the table."""
RETRY_S: Final = 600.0
"""How often a known Wi-Fi is tried again, if no phone would lose the table."""
AGAIN_S: Final = 60.0
"""How long to wait after the table's own Wi-Fi could not be opened."""
LOOK_S: Final = 5.0
"""How often to look at what NetworkManager is doing."""

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class JoinWifi:
    """A Wi-Fi to join."""

    ssid: bytes
    password: str = field(default="", repr=False)
    hidden: bool = False


@dataclass(frozen=True)
class ScanWifi:
    """A wish to look for networks again. The table's own Wi-Fi closes meanwhile."""


@dataclass(frozen=True)
class ForgetWifi:
    """A wish to forget every network that was chosen on the workshop page."""


WifiRequest = JoinWifi | ScanWifi | ForgetWifi


def phones_on(device: str) -> int | None:
    """Returns how many phones have joined our own Wi-Fi, or `None` when that cannot be known."""
    command = ["iw", "dev", device, "station", "dump"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=5.0, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return sum(line.startswith("Station ") for line in said.splitlines())


class NetworkControl:
    """Owns the machine's network.

    :param manager: NetworkManager.
    :param hotspot: the table's own Wi-Fi.
    :param profiles: where NetworkManager keeps its profiles.
    :param clock: seconds that only go forward.
    :param phones: how many phones have joined our own Wi-Fi on a device; `None` when that cannot be known.
    """

    def __init__(
        self,
        manager: Nmcli,
        hotspot: Hotspot,
        profiles: Path = PROFILES,
        clock: Callable[[], float] = time.monotonic,
        phones: Callable[[str], int | None] = phones_on,
    ) -> None:
        self._manager = manager
        self._profiles = profiles
        self._clock = clock
        self._phones = phones
        self._state = NetworkState(NetworkLink.STARTING, hotspot)
        """What was last found. It is replaced, never changed."""
        self._looked_at_s: float | None = None
        self._wait_until_s = clock() + FIRST_WAIT_S
        """When our own Wi-Fi is opened, if nothing is connected by then."""
        self._retry_at_s = 0.0
        self._written = False
        """Whether the profile of our own Wi-Fi was written since the start."""
        self._request: tuple[WifiRequest, float] | None = None
        """What to do for the table, and when."""
        self._woken = False
        self._changed = threading.Condition()

    # Called from any thread.

    @property
    def state(self) -> NetworkState:
        """The current state."""
        with self._changed:
            if self._looked_at_s is None:
                return self._state
            return replace(self._state, looked_s_ago=int(self._clock() - self._looked_at_s))

    def request(self, request: WifiRequest) -> None:
        """Takes a request, to be followed in a moment. Raises `RequestRefused` when it cannot be followed."""
        with self._changed:
            if self._request is not None:
                raise RequestRefused(Refusal.BUSY)
            if isinstance(request, JoinWifi):
                self._security(request)
                self._show(NetworkLink.JOINING, shown_name(request.ssid))
            elif isinstance(request, ScanWifi) and self._state.link is NetworkLink.HOTSPOT:
                self._show(NetworkLink.SCANNING)
            self._request = (request, self._clock() + NOTICE_S)
        self.wake()

    def wake(self) -> None:
        """Ends the current wait, or the next one."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Waits this long, or until there is a request."""
        with self._changed:
            self._changed.wait_for(lambda: self._woken, seconds)
            self._woken = False

    # Called from one thread.

    def poll(self) -> float:
        """Does everything that is due. Returns the seconds until something may be due again."""
        request = self._due()
        try:
            if request is not None:
                self._follow(request)
            elif self._request is None:
                self._look()
        except NmcliFailed as error:
            _LOG.warning("NetworkManager: %s", error)
            self._show(NetworkLink.OFFLINE, problem=NetworkProblem.NO_MANAGER)
        finally:
            if request is not None:
                with self._changed:
                    self._request = None
        with self._changed:
            if self._request is not None:
                return max(0.0, self._request[1] - self._clock())
        return LOOK_S

    def _due(self) -> WifiRequest | None:
        with self._changed:
            return self._request[0] if self._request is not None and self._clock() >= self._request[1] else None

    def _show(
        self, link: NetworkLink, network: str = "", problem: NetworkProblem | None = None, tried: str | None = None
    ) -> None:
        """Makes this the current state. A problem stays until another one takes its place, or a network is joined."""
        with self._changed:
            before = self._state
            self._state = replace(
                before,
                link=link,
                network=network,
                problem=before.problem if problem is None else problem,
                tried=before.tried if tried is None else tried,
            )
            if link is not before.link:
                _LOG.info("network: %s %s", link, network)

    # Looking.

    def _look(self) -> None:
        devices = self._manager.devices()
        self._find_chosen()
        wifi = _wifi(devices)
        if any(device.kind == "ethernet" and device.is_connected for device in devices):
            if wifi is not None and wifi.profile == HOTSPOT_UUID:
                self._manager.down(HOTSPOT_UUID)
            self._connected(NetworkLink.WIRED)
        elif wifi is not None and wifi.is_connected and wifi.profile != HOTSPOT_UUID:
            self._connected(NetworkLink.WIFI, wifi.connection)
        elif wifi is not None and wifi.is_connected:
            self._keep_open(wifi)
        else:
            self._wait_for_network(wifi)

    def _connected(self, link: NetworkLink, network: str = "") -> None:
        self._wait_until_s = self._clock() + LOST_WAIT_S
        # Why a network could not be joined stays to be read; why there was none is over.
        tried = self._state.tried
        self._show(link, network, self._state.problem if tried else NetworkProblem.NONE)

    def _keep_open(self, wifi: NetworkDevice) -> None:
        """Keeps our own Wi-Fi open, unless a known one may be back and no phone would lose the table."""
        if self._state.link is not NetworkLink.HOTSPOT:
            self._retry_at_s = self._clock() + RETRY_S
        self._show(NetworkLink.HOTSPOT, problem=self._state.problem if self._state.tried else NetworkProblem.NONE)
        if self._clock() < self._retry_at_s:
            return
        self._retry_at_s = self._clock() + RETRY_S
        if self._phones(wifi.name) == 0 and any(profile.by_itself for profile in self._manager.known()):
            self._manager.down(HOTSPOT_UUID)
            self._wait_until_s = self._clock() + RETRY_WAIT_S
            self._show(NetworkLink.STARTING)

    def _wait_for_network(self, wifi: NetworkDevice | None) -> None:
        now_s = self._clock()
        patience_s = CONNECTING_S if wifi is not None and wifi.is_connecting else 0.0
        if now_s < self._wait_until_s + patience_s:
            if self._state.link is not NetworkLink.OFFLINE:
                self._show(NetworkLink.STARTING)
        elif wifi is None:
            self._show(NetworkLink.OFFLINE, problem=NetworkProblem.NO_WIFI, tried="")
            self._wait_until_s = now_s + AGAIN_S
        else:
            if wifi.state == "unavailable":
                self._manager.switch_wifi_on()
            self._scan(wifi)
            self._open_hotspot()

    def _find_chosen(self) -> None:
        """Learns which networks were chosen, and deletes what a power cut in the middle of joining left behind."""
        chosen = []
        for profile in self._manager.known():
            if profile.is_chosen and not profile.by_itself:
                self._manager.delete(profile.uuid)
            elif profile.is_chosen:
                chosen.append(profile.name)
        with self._changed:
            self._state = replace(self._state, chosen=tuple(sorted(set(chosen))))

    def _scan(self, wifi: NetworkDevice) -> None:
        """Looks for networks while our own Wi-Fi is closed: NetworkManager does not look while it is open."""
        try:
            found = self._manager.networks(wifi.name)
        except NmcliFailed as error:
            _LOG.warning("looking for networks: %s", error)
            return
        with self._changed:
            ours = self._state.hotspot.name.encode().hex()
            self._state = replace(self._state, networks=tuple(each for each in found if each.ssid != ours))
            self._looked_at_s = self._clock()

    def _open_hotspot(self) -> None:
        """Opens our own Wi-Fi."""
        try:
            if not self._written:
                write_private(self._profiles / HOTSPOT_FILE, hotspot_profile(self._state.hotspot))
                self._manager.load(self._profiles / HOTSPOT_FILE, HOTSPOT_UUID)
                self._written = True
            self._manager.up(HOTSPOT_UUID, HOTSPOT_S)
        except (NmcliFailed, OSError) as error:
            _LOG.warning("the table's own Wi-Fi could not be opened: %s", error)
            self._wait_until_s = self._clock() + AGAIN_S
            problem = self._state.problem if self._state.tried else NetworkProblem.NO_HOTSPOT
            self._show(NetworkLink.OFFLINE, problem=problem)
            return
        self._retry_at_s = self._clock() + RETRY_S
        self._show(NetworkLink.HOTSPOT, problem=self._state.problem if self._state.tried else NetworkProblem.NONE)
        _LOG.info("the table's own Wi-Fi is open: %s (its password: sudo companion where)", self._state.hotspot.name)

    # Following requests.

    def _follow(self, request: WifiRequest) -> None:
        match request:
            case JoinWifi():
                self._join(request)
            case ScanWifi():
                devices = self._manager.devices()
                if (wifi := _wifi(devices)) is None:
                    self._show(NetworkLink.OFFLINE, problem=NetworkProblem.NO_WIFI, tried="")
                    return
                was_open = wifi.profile == HOTSPOT_UUID
                if was_open:
                    self._manager.down(HOTSPOT_UUID)
                self._scan(wifi)
                if was_open:
                    self._open_hotspot()
            case ForgetWifi():
                for profile in self._manager.known():
                    if profile.is_chosen:
                        self._manager.delete(profile.uuid)
                # Nobody has to wait for a network that is known to be gone.
                self._wait_until_s = self._clock()
                self._show(self._state.link, self._state.network, NetworkProblem.NONE, "")

    def _join(self, request: JoinWifi) -> None:
        """Joins a network, or returns to what was before."""
        name = shown_name(request.ssid)
        before = _wifi(self._manager.devices())
        new = chosen_uuid()
        file = self._profiles / wifi_file(new)
        profile_text = partial(
            wifi_profile, new, request.ssid, self._security(request), request.password, request.hidden
        )
        try:
            write_private(file, profile_text(by_itself=False))
            self._manager.load(file, new)
            self._manager.up(new, JOIN_S)
            # By its file once more: if NetworkManager changed the profile, netplan might write it in words of its own.
            write_private(file, profile_text(by_itself=True))
            self._manager.load(file, new, by_itself=True)
        except (NmcliFailed, OSError) as error:
            problem = problem_of(error) if isinstance(error, NmcliFailed) else NetworkProblem.FAILED
            _LOG.warning("joining %s failed: %s", name, problem)
            self._drop(new, file)
            self._show(NetworkLink.STARTING, problem=problem, tried=name)
            self._return_to(before)
            return
        for profile in self._manager.known():
            if profile.is_chosen and profile.name == name and profile.uuid != new:
                self._manager.delete(profile.uuid)
        self._show(NetworkLink.WIFI, name, NetworkProblem.NONE, "")
        self._look()

    def _drop(self, profile: str, file: Path) -> None:
        """Deletes a profile that did not work, whether or not NetworkManager has read it."""
        try:
            self._manager.delete(profile)
        except NmcliFailed:
            file.unlink(missing_ok=True)

    def _return_to(self, before: NetworkDevice | None) -> None:
        """Uses the Wi-Fi again that was used before a failed attempt; without one, our own, unless there is a cable."""
        if before is not None and before.is_connected and before.profile != HOTSPOT_UUID:
            try:
                self._manager.up(before.profile, JOIN_S)
            except NmcliFailed as error:
                _LOG.warning("the Wi-Fi of before: %s", error)
        self._wait_until_s = self._clock()
        devices = self._manager.devices()
        wired = any(device.kind == "ethernet" and device.is_connected for device in devices)
        wifi = _wifi(devices)
        if wifi is not None and not wifi.is_connected and not wired:
            self._open_hotspot()
        else:
            self._look()

    def _security(self, request: JoinWifi) -> Security:
        """Returns how to join a network. Raises `RequestRefused` when that cannot work."""
        if not 0 < len(request.ssid) <= NAME_BYTES:
            raise RequestRefused(Refusal.NAME)
        found = _in(self._state.networks, request.ssid)
        if found is None and not request.hidden:
            raise RequestRefused(Refusal.UNKNOWN)
        security = found.security if found else Security.PERSONAL if request.password else Security.OPEN
        if not security.can_be_joined:
            raise RequestRefused(Refusal.SECURITY)
        if security is not Security.OPEN and not is_wifi_password(request.password):
            raise RequestRefused(Refusal.PASSWORD)
        return security


def _wifi(devices: list[NetworkDevice]) -> NetworkDevice | None:
    """Returns the Wi-Fi device that is used: one that NetworkManager manages, if there is one."""
    return next((device for device in devices if device.kind == "wifi" and device.state != "unmanaged"), None)


def _in(networks: tuple[WifiNetwork, ...], ssid: bytes) -> WifiNetwork | None:
    return next((network for network in networks if network.ssid == ssid.hex()), None)
