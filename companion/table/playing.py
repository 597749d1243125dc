"""Plays moves so that they are kept before they are seen, together with all that follows from them by itself."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.engine import TABLE, Game, Move, deal
from companion.storage.journal import Entry, fixed_by
from companion.table.journal_writer import Keeper


class Playing:
    """A game, who made each of its moves, and where it is kept.

    :param seed: where the cards come from, if the table deals.
    :param fixed: how many of its moves stand for good, because cards were turned up after them.
    """

    def __init__(self, game: Game, keeper: Keeper, seed: int, made_by: Sequence[str] = (), fixed: int = 0) -> None:
        self.game = game
        self.keeper = keeper
        self.made_by = list(made_by) or ["table"] * len(game.moves)
        self.fixed = fixed
        self._seed = seed

    def play(self, move: Move, by: str, dealt: bool, now_s: float) -> list[Entry]:
        """Plays a move and what follows; the entries that were kept, none if they could not be.

        :param dealt: whether the table deals the cards, and not people.
        """
        before = len(self.game.moves)
        self.game.play(move)
        return self._kept([Entry("move", str(move), by), *self._follow_up(dealt)], before, now_s)

    def go_on(self, dealt: bool, now_s: float) -> list[Entry]:
        """Plays what nobody has to decide, if there is something."""
        before = len(self.game.moves)
        entries = self._follow_up(dealt)
        return self._kept(entries, before, now_s) if entries else []

    def take_back(self, count: int, now_s: float) -> bool:
        """Takes moves back; whether that was kept."""
        if not self.keeper.keep([Entry("undo", str(count), "person")], len(self.game.moves), now_s):
            return False
        for _ in range(count):
            self.game.undo()
        del self.made_by[len(self.game.moves) :]
        return True

    def _kept(self, entries: list[Entry], before: int, now_s: float) -> list[Entry]:
        if self.keeper.keep(entries, before, now_s):
            self.made_by += [entry.by for entry in entries]
            moves = self.game.moves
            cards = [index for index in range(before, len(moves)) if moves[index].seat == TABLE]
            self.fixed = max([self.fixed, *(fixed_by(moves, index) for index in cards)])
            return entries
        while len(self.game.moves) > before:
            self.game.undo()
        return []

    def _follow_up(self, dealt: bool) -> list[Entry]:
        """Plays what leaves no choice: cards that the table deals, and decisions with one legal move."""
        entries = []
        while not self.game.over:
            if self.game.to_act == (TABLE,) and dealt:
                # Each deal follows from the seed and the number of the move alone: it comes again after a restart.
                move = deal(self.game, Random(f"{self._seed} {len(self.game.moves)}"))
            else:
                only = [legal[0] for seat in self.game.to_act if len(legal := self.game.legal_moves(seat)) == 1]
                if not only:
                    break
                move = only[0]
                self.game.play(move)
            entries.append(Entry("move", str(move), "table"))
        return entries
