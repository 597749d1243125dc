"""The special actions of the action cards, with one table of what each card does."""

from __future__ import annotations

from typing import Final

from ..regions import CABALLEROS
from .action import STEP, VETO, Special, announce
from .dials import Expel, SecretHome, SecretScore, set_dial
from .homeward import CourtsHome, KeepVeto, KingIsAngry, OneEachHome
from .intrigue import Either, Extra, Intrigue
from .pieces import LayTile, MoveGrande, MoveKing, PowerBack, ToCourt
from .scorings import ScoreCastillo, ScoreOne, ScoreSeveral, every_region, fewest, most, worth

_ALL = CABALLEROS

SPECIALS: Final[dict[str, Special]] = {
    # Stack 1.
    "move-3": Intrigue(own=3, others=3, together=3),
    "move-4": Intrigue(own=4, others=4, together=4),
    "move-4-own": Intrigue(own=4, others=0),
    "move-3-others": Intrigue(own=0, others=3),
    "move-2-own-2-others": Intrigue(own=2, others=2),
    "move-5-from-one": Intrigue(own=5, others=5, together=5, from_one=True),
    "move-own-from-one": Intrigue(own=_ALL, others=0, from_one=True),
    "extra-2": Extra(2),
    "own-from-one-or-extra-2": Either(Intrigue(own=_ALL, others=0, from_one=True), Extra(2)),
    # Stack 2.
    "veto": KeepVeto(),
    "all-courts-home": CourtsHome(_ALL),
    "three-courts-home": CourtsHome(3),
    "one-each-home": OneEachHome(),
    "king-is-angry": KingIsAngry(3),
    "secret-all-home": SecretHome(),
    "secret-two-home": SecretHome(2),
    "score-one": ScoreOne(),
    # Stack 3.
    "score-4s": ScoreSeveral(worth(4)),
    "score-5s": ScoreSeveral(worth(5)),
    "score-6s-7s": ScoreSeveral(worth(6, 7)),
    "score-castillo": ScoreCastillo(),
    "score-firsts": ScoreSeveral(every_region, only_firsts=True),
    "score-most": ScoreSeveral(most),
    "score-fewest": ScoreSeveral(fewest),
    "score-one-3": ScoreOne(),
    # Stack 4.
    "tile": LayTile(),
    "power-back": PowerBack(),
    "court-2": ToCourt(2),
    "grande": MoveGrande(),
    "secret-score": SecretScore(),
    "expel": Expel(),
    "advisor": MoveKing(only_near=True),
    # Stack 5.
    "king": MoveKing(only_near=False),
}

__all__ = ["SPECIALS", "STEP", "VETO", "Special", "announce", "set_dial"]
