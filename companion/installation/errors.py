"""What can go wrong with a release, an update or a card: all of it, in words people can act on."""

from __future__ import annotations


class BadRelease(Exception):
    """A release that must not be installed; the message says why, and what to do."""


class NotTrusted(BadRelease):
    """A release that nobody we trust has signed."""


class ServiceFailed(Exception):
    """The table's service could not be stopped or set up; the message says why."""


class BadCard(Exception):
    """A card that the table cannot be put on; the message says why, and what to do."""
