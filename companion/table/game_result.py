"""A finished game, as everybody may see it once it is over."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.views import View
from companion.storage.journal import Kept
from companion.table.fair_deal import Fairness
from companion.table.options import Options


@dataclass(frozen=True)
class GameResult:
    """The end of a game, and who played it."""

    id: int
    view: View
    """What everybody may know."""
    options: Options
    fairness: Fairness
    """How its cards were dealt."""

    @classmethod
    def of(cls, kept: Kept) -> GameResult:
        """Returns the end of a saved game."""
        return cls(
            kept.id, kept.game.view(None), Options.from_json(kept.options).after(kept.notes), Fairness.of_kept(kept)
        )
