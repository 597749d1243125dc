"""The network in words: how the table is connected, why a network could not be joined, why a request is refused."""

from __future__ import annotations

from typing import Final

from companion.engine import phrase
from companion.network import NetworkLink, NetworkProblem, NetworkState, Refusal, Security, WifiNetwork
from companion.translations import Translator

LINKS: Final = {
    NetworkLink.STARTING: phrase("Looking for a network …"),
    NetworkLink.WIRED: phrase("Connected by cable."),
    NetworkLink.WIFI: phrase("Connected to {network}."),
    NetworkLink.HOTSPOT: phrase("The table has its own Wi-Fi: {name}, password {password}. Choose yours instead:"),
    NetworkLink.JOINING: phrase("Joining {network} …"),
    NetworkLink.SCANNING: phrase("Looking for networks …"),
    NetworkLink.OFFLINE: phrase("Not connected."),
}
NOT_JOINED: Final = phrase("Could not join {network}. {why}")
PROBLEMS: Final = {
    NetworkProblem.PASSWORD: phrase("The password is probably wrong."),
    NetworkProblem.OUT_OF_RANGE: phrase("It is out of range, or it has another name."),
    NetworkProblem.NO_ADDRESS: phrase("It gave the table no address. Restart the router, and try again."),
    NetworkProblem.TOO_SLOW: phrase("It did not answer in time. Move closer to the router, and try again."),
    NetworkProblem.FAILED: phrase("The reason is not known. Try again, or choose another network."),
    NetworkProblem.NO_WIFI: phrase("This machine has no Wi-Fi, or it is switched off. Use a cable."),
    NetworkProblem.NO_HOTSPOT: phrase("The table's own Wi-Fi could not be opened. It is tried again every minute."),
    NetworkProblem.NO_MANAGER: phrase("NetworkManager does not answer. Restart the machine."),
}
REFUSALS: Final = {
    Refusal.BUSY: phrase("Something else is being done. Wait a moment, and try again."),
    Refusal.NAME: phrase("The name of a network has 1 to 32 characters."),
    Refusal.PASSWORD: phrase("The password of a Wi-Fi has 8 to 63 characters, without accents."),
    Refusal.SECURITY: phrase("The table cannot join this kind of network."),
    Refusal.UNKNOWN: phrase("This network is no longer in the list. Look again."),
    Refusal.NOT_UNDERSTOOD: phrase("That did not work. Try again."),
}
SECURITIES: Final = {
    Security.OPEN: phrase("no password"),
    Security.PERSONAL: phrase("password"),
    Security.WPA3: phrase("password (WPA3)"),
    Security.ENTERPRISE: phrase("needs a user name: not supported"),
    Security.OUTDATED: phrase("WEP is unsafe: not supported"),
}
SIGNAL: Final = phrase("signal {percent} %")


def link_words(state: NetworkState, words: Translator) -> str:
    """Returns how the table is connected."""
    hotspot = state.hotspot
    return words.in_words(LINKS[state.link], network=state.network, name=hotspot.name, password=hotspot.password)


def problem_words(state: NetworkState, words: Translator) -> str:
    """Returns why a network could not be joined, or why there is none; empty when all is well."""
    if state.problem is NetworkProblem.NONE:
        return ""
    why = words.in_words(PROBLEMS[state.problem])
    return words.in_words(NOT_JOINED, network=state.tried, why=why) if state.tried else why


def network_words(network: WifiNetwork, words: Translator) -> str:
    """Returns how strong a network is, and what it asks for."""
    signal = words.in_words(SIGNAL, percent=network.signal)
    return f"{signal} · {words.in_words(SECURITIES[network.security])}"


def refusal_words(why: str, words: Translator) -> str:
    """Returns why a request is refused."""
    known = why in set(Refusal)
    return words.in_words(REFUSALS[Refusal(why) if known else Refusal.NOT_UNDERSTOOD])
