"""Asks a bot for its move when it is its turn, and waits a moment before the move is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.engine import TABLE, Game, Move
from companion.engine.views import View
from companion.table.bot_process import Thought
from companion.table.options import PERSON, Options


class Thinker(Protocol):
    """What a table needs from its bots: it asks for a move, and the answer is posted as a `Thought`."""

    def think(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None: ...


class BotTurn:
    """The bot that is thinking, and its move once it has decided."""

    def __init__(self, thinker: Thinker | None) -> None:
        self._thinker = thinker
        self._asked: int | None = None
        """The version of the game that a bot is thinking about."""
        self._thought: Thought | None = None
        self._from_s = 0.0

    def decided(self, thought: Thought, version: int) -> None:
        """Takes a bot's decision, unless the game has gone on since."""
        if thought.version == version:
            self._thought = thought

    def move(self, game: Game, options: Options, version: int, now_s: float) -> Move | None:
        """Returns the move that a bot makes now, or `None`. Asks the bot first if nobody has."""
        bots = [seat for seat in game.to_act if seat != TABLE and options.player(seat) != PERSON]
        if not bots or self._thinker is None:
            return None
        if self._asked != version:
            self._asked, self._thought = version, None
            self._from_s = now_s + options.bot_pause_s
            seat = bots[0]
            self._thinker.think(seat, options.player(seat), game.view(seat), game.legal_moves(seat), version)
            return None
        if self._thought is None or now_s < self._from_s or self._thought.move not in game.legal_moves():
            return None
        return self._thought.move

    def due_s(self) -> float | None:
        """Returns when the bot that has decided may move, or `None` when none has."""
        return self._from_s if self._thought is not None else None
