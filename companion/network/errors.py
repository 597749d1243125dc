"""What can go wrong with the network: all of it, in one place."""

from __future__ import annotations


class NetworkError(Exception):
    """Something about the machine's network failed; the message says what."""


class NmcliFailed(NetworkError):
    """NetworkManager refused or could not do something.

    :param code: the exit code of `nmcli`.
    """

    def __init__(self, words: str, code: int = 1) -> None:
        super().__init__(words)
        self.code = code


class NetworkOutOfReach(NetworkError):
    """The network service does not answer."""


class RequestRefused(NetworkError):
    """A request that the network service does not follow.

    :param why: a member of `Refusal`.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
