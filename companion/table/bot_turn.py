"""Asks a bot for its move when it is its turn, and waits a moment before the move is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.engine import TABLE, Game, Move
from companion.engine.views import View
from companion.table.bot_process import Thought
from companion.table.options import PERSON, STEP, Options


class Thinker(Protocol):
    """What a table needs from its bots.

    The answer to `think` is posted as a `Thought`, which is played; that to `advise` as `Advice`, which is shown.
    """

    def think(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None: ...

    def advise(self, seat: str, level: str, view: View, legal: Sequence[Move], version: int) -> None: ...


class BotTurn:
    """The bot that is thinking, and its move once it has decided."""

    def __init__(self, thinker: Thinker | None) -> None:
        self._thinker = thinker
        self._asked: int | None = None
        """The version of the game that a bot is thinking about."""
        self._thought: Thought | None = None
        self._from_s = 0.0
        self._go_ahead: int | None = None
        """The version of the game for which somebody has said `next`."""
        self._last: Move | None = None
        """The move a bot made last."""

    def decided(self, thought: Thought, version: int) -> None:
        """Takes a bot's decision, unless the game has gone on since."""
        if thought.version == version:
            self._thought = thought

    def go_ahead(self, version: int) -> None:
        """Lets the bot make its next move, because somebody has said `next`."""
        self._go_ahead = version

    def told(self, version: int) -> bool:
        """Returns whether somebody has said `next` for this version of the game."""
        return self._go_ahead == version

    def waits(self, options: Options, version: int) -> bool:
        """Returns whether a bot has decided and waits for somebody to say `next`.

        Several moves of one kind, such as placing, are one step.
        """
        if options.pace != STEP or self._asked != version or self._thought is None or self.told(version):
            return False
        last, move = self._last, self._thought.move
        return last is None or (last.seat, last.verb) != (move.seat, move.verb)

    def move(self, game: Game, options: Options, version: int, now_s: float) -> Thought | None:
        """Returns the move that a bot makes now, with its reason, or `None`. Asks the bot first if nobody has."""
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
        return None if self.waits(options, version) else self._thought

    def made(self, move: Move) -> None:
        """Notes the move that a bot has made, to tell where its next step begins."""
        self._last = move

    def due_s(self) -> float | None:
        """Returns when the bot that has decided may move, or `None` when none has."""
        return self._from_s if self._thought is not None else None
