"""What a table waits for: a bot that thinks, and a veto that may come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.engine import TABLE, Game, Move
from companion.engine.views import View
from companion.table.bot_process import Thought
from companion.table.options import PERSON, Options


class Thinks(Protocol):
    """What a table needs of the bots."""

    def think(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None: ...


class BotTurn:
    """Has a bot think when it is to act, and lets a moment pass before its move is seen."""

    def __init__(self, thinkers: Thinks | None) -> None:
        self._thinkers = thinkers
        self._asked: int | None = None
        """The version of the game that a bot thinks about."""
        self._thought: Thought | None = None
        self._from_s = 0.0

    def heard(self, thought: Thought, version: int) -> None:
        """A bot has made up its mind."""
        if thought.version == version:
            self._thought = thought

    def move(self, game: Game, options: Options, version: int, now_s: float) -> Move | None:
        """The move that a bot makes now, if one does."""
        bots = [seat for seat in game.to_act if seat != TABLE and options.player(seat) != PERSON]
        if not bots or self._thinkers is None:
            return None
        if self._asked != version:
            self._asked, self._thought = version, None
            self._from_s = now_s + options.bot_pause_s
            seat = bots[0]
            self._thinkers.think(seat, options.player(seat), game.view(seat), game.legal_moves(seat), version)
            return None
        if self._thought is None or now_s < self._from_s or self._thought.move not in game.legal_moves():
            return None
        return self._thought.move

    def due_s(self) -> float | None:
        """When a bot that has made up its mind may move."""
        return self._from_s if self._thought is not None else None


class VetoClock:
    """Counts how long the table waits for a veto."""

    def __init__(self) -> None:
        self._until_s: float | None = None

    def forget(self) -> None:
        """The question is answered."""
        self._until_s = None

    def ran_out(self, game: Game, options: Options, now_s: float) -> Move | None:
        """What is played for a person who has not answered in time."""
        (seat,) = game.to_act
        if not options.veto_s or options.player(seat) != PERSON:
            return None
        if self._until_s is None:
            self._until_s = now_s + options.veto_s
        return Move(seat, "allow") if now_s >= self._until_s else None

    def due_s(self) -> float | None:
        """When time is up."""
        return self._until_s
