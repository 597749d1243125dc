"""Replies to gestures: a gesture is accepted and saved, it waits, or it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.engine import Message, phrase


class Outcome(Enum):
    """What became of a gesture."""

    ACCEPTED = "accepted"
    """The gesture was accepted, and everything that follows from it is on disk."""
    WAITING = "waiting"
    """The gesture counts as soon as something else has happened: a veto is answered, or the disk works again."""
    REFUSED = "refused"


@dataclass(frozen=True)
class Reply:
    """The answer to one gesture, sent after every display has been shown what came of it."""

    outcome: Outcome
    why: Message | None = None

    @classmethod
    def refused(cls, why: Message) -> Reply:
        """Returns a refusal with its reason."""
        return cls(Outcome.REFUSED, why)

    @property
    def is_late(self) -> bool:
        """Whether the gesture was refused because the game has moved on."""
        return self.why == TOO_LATE

    @property
    def is_too_fast(self) -> bool:
        """Whether the gesture was refused because its sender sends too many."""
        return self.why == TOO_FAST


SendReply = Callable[[Reply], None]

ACCEPTED: Final = Reply(Outcome.ACCEPTED)
WAITING: Final = Reply(Outcome.WAITING)
TOO_LATE: Final = Message(phrase("The game has moved on."), {})
TOO_FAST: Final = Message(phrase("That was too fast for the table. Wait a moment, and try again."), {})
