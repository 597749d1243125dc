"""Limits how long the table waits for a veto."""

from __future__ import annotations

from companion.engine import Game, Move
from companion.table.options import PERSON, Options


class VetoClock:
    """The deadline for the answer to a veto question."""

    def __init__(self) -> None:
        self._until_s: float | None = None

    def forget(self) -> None:
        """Forgets the deadline, for example because the question has been answered."""
        self._until_s = None

    def ran_out(self, game: Game, options: Options, now_s: float) -> Move | None:
        """Returns what is played for a person who has not answered in time, or `None`."""
        (seat,) = game.to_act
        if not options.veto_s or options.player(seat) != PERSON:
            return None
        if self._until_s is None:
            self._until_s = now_s + options.veto_s
        return Move(seat, "allow") if now_s >= self._until_s else None

    def due_s(self) -> float | None:
        """Returns the deadline, or `None` when no clock runs."""
        return self._until_s
