"""Pieces left on a reader where they should only be tapped: people are asked to take them off."""

from __future__ import annotations

from typing import Final

from companion.engine import Message, phrase
from companion.engine.pieces import Piece

LINGER_S: Final = 3.0
"""How long a piece may stay on a reader where it should only be tapped."""

TAKE_IT_OFF: Final = phrase("Take the piece off the reader of {place}: only tap it there, and do not leave it.")


class LeftoverTags:
    """The tags that lie on readers now, and since when."""

    def __init__(self) -> None:
        self._since_s: dict[tuple[str, Piece], float] = {}
        self._told_s = 0.0
        """When people were last asked."""

    def came(self, place: str, piece: Piece, now_s: float) -> None:
        """Notes that a tag came to a reader."""
        self._since_s.setdefault((place, piece), now_s)

    def went(self, place: str, piece: Piece) -> None:
        """Notes that a tag left a reader."""
        self._since_s.pop((place, piece), None)

    def forget(self, place: str) -> None:
        """Forgets what lies on a reader that is lost."""
        self._since_s = {key: since_s for key, since_s in self._since_s.items() if key[0] != place}

    def words(self, now_s: float) -> tuple[Message, ...]:
        """Returns what people are asked to do now."""
        self._told_s = now_s
        places = dict.fromkeys(place for (place, _), since_s in self._since_s.items() if now_s >= since_s + LINGER_S)
        return tuple(Message(TAKE_IT_OFF, {"place": place}) for place in places)

    def due_s(self) -> float | None:
        """Returns when there will be something more to say, or `None`."""
        dues = [since_s + LINGER_S for since_s in self._since_s.values() if since_s + LINGER_S > self._told_s]
        return min(dues, default=None)
